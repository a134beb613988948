//! PDFs made by code.

use std::fmt::Write;

/// A document: a text per page, and bookmarks.
#[derive(Default)]
pub struct Pdf {
    title: Option<String>,
    pages: Vec<Vec<String>>,
    outline: Vec<(String, usize)>,
}

impl Pdf {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn title(mut self, title: &str) -> Self {
        self.title = Some(title.to_owned());
        self
    }

    /// A page of lines.
    pub fn page(mut self, lines: &[&str]) -> Self {
        self.pages.push(lines.iter().map(|line| (*line).to_owned()).collect());
        self
    }

    /// A bookmark to a page, from 1.
    pub fn bookmark(mut self, title: &str, page: usize) -> Self {
        self.outline.push((title.to_owned(), page));
        self
    }

    pub fn bytes(&self) -> Vec<u8> {
        let first_page = 4;
        let kids: Vec<_> = (0..self.pages.len()).map(|n| format!("{} 0 R", first_page + 2 * n)).collect();
        let first_item = first_page + 2 * self.pages.len();
        let outlines = first_item + self.outline.len();
        let mut objects = vec![
            if self.outline.is_empty() {
                "<< /Type /Catalog /Pages 2 0 R >>".to_owned()
            } else {
                format!("<< /Type /Catalog /Pages 2 0 R /Outlines {outlines} 0 R >>")
            },
            format!("<< /Type /Pages /Count {} /Kids [{}] >>", self.pages.len(), kids.join(" ")),
            "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_owned(),
        ];
        for (n, lines) in self.pages.iter().enumerate() {
            objects.push(page(first_page + 2 * n + 1));
            let mut text = "BT /F1 12 Tf 72 720 Td 16 TL\n".to_owned();
            for line in lines {
                let _ = writeln!(text, "({line}) Tj T*");
            }
            objects.push(stream(&(text + "ET")));
        }
        for (n, (title, page)) in self.outline.iter().enumerate() {
            let next =
                if n + 1 < self.outline.len() { format!("/Next {} 0 R", first_item + n + 1) } else { String::new() };
            let target = first_page + 2 * (page - 1);
            objects.push(format!("<< /Title ({title}) /Parent {outlines} 0 R {next} /Dest [{target} 0 R /Fit] >>"));
        }
        if !self.outline.is_empty() {
            objects.push(format!("<< /First {first_item} 0 R /Last {} 0 R >>", outlines - 1));
        }
        let info = self.title.as_ref().map(|title| format!("<< /Title ({title}) >>"));
        file(objects, info)
    }
}

/// A report of `pages` pages, each with a marker of its own.
pub fn report(pages: usize) -> Vec<u8> {
    let mut pdf = Pdf::new().title("A Report");
    for n in 1..=pages {
        let marker = format!("This is page {n} with its marker M{n}X.");
        pdf = pdf.page(&[&marker, "The quick brown fox jumps over the lazy dog."]);
    }
    pdf.bytes()
}

/// A long document with bookmarks, well over one answer.
pub fn thesis(pages: usize) -> Vec<u8> {
    let mut pdf = Pdf::new().title("A Thesis");
    for n in 1..=pages {
        let line = format!("Page {n}: a sentence that is repeated to make a long and tedious document of it all.");
        pdf = pdf.page(&[line.as_str(); 40]);
        if n % 10 == 1 {
            pdf = pdf.bookmark(&format!("Chapter {}", n / 10 + 1), n);
        }
    }
    pdf.bytes()
}

/// A page that is a picture and nothing else.
pub fn scan() -> Vec<u8> {
    let content = "q 500 0 0 700 50 50 cm /I1 Do Q";
    let objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Count 1 /Kids [3 0 R] >>".to_owned(),
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /XObject << /I1 5 0 R >> >> >>"
            .to_owned(),
        stream(content),
        "<< /Type /XObject /Subtype /Image /Width 8 /Height 2 /ColorSpace /DeviceGray /BitsPerComponent 1 /Length 2 >>\nstream\nUU\nendstream"
            .to_owned(),
    ];
    file(objects, None)
}

/// A document that takes minutes to read: thousands of pages that share one endless text. `seed` makes it another one.
pub fn slow(seed: usize) -> Vec<u8> {
    let pages = 1_500;
    let kids: Vec<_> = (0..pages).map(|n| format!("{} 0 R", 5 + n)).collect();
    let mut text = "BT /F1 8 Tf 1 0 0 1 20 780 Tm 9 TL\n".to_owned();
    for n in 0..4_000 {
        let _ =
            writeln!(text, "(seed {seed} line {n} of a page that holds a great many words in very small print) Tj T*");
    }
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        format!("<< /Type /Pages /Count {pages} /Kids [{}] >>", kids.join(" ")),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_owned(),
        stream(&(text + "ET")),
    ];
    objects.extend((0..pages).map(|_| page(4)));
    file(objects, None)
}

fn page(content: usize) -> String {
    format!(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {content} 0 R /Resources << /Font << /F1 3 0 R >> >> >>"
    )
}

fn stream(text: &str) -> String {
    format!("<< /Length {} >>\nstream\n{text}\nendstream", text.len())
}

fn file(mut objects: Vec<String>, info: Option<String>) -> Vec<u8> {
    let named = info.map(|info| {
        objects.push(info);
        format!("/Info {} 0 R", objects.len())
    });
    let mut out = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n".to_vec();
    let mut offsets = Vec::new();
    for (n, object) in objects.iter().enumerate() {
        offsets.push(out.len());
        out.extend(format!("{} 0 obj\n{object}\nendobj\n", n + 1).bytes());
    }
    let xref = out.len();
    let mut tail = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for offset in offsets {
        let _ = writeln!(tail, "{offset:010} 00000 n ");
    }
    let _ = write!(
        tail,
        "trailer << /Size {} /Root 1 0 R {} >>\nstartxref\n{xref}\n%%EOF\n",
        objects.len() + 1,
        named.unwrap_or_default()
    );
    out.extend(tail.bytes());
    out
}
