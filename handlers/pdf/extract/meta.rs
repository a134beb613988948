//! What a document says of itself, and its title.

use super::{
    attachments,
    destinations::Destinations,
    labels,
    open::Opened,
    outline,
    paragraphs::Line,
    streams::{self, PageBudget},
    strings,
};
use crate::pdf::wire::Meta;
use hayro_syntax::object::{Dict, Stream, String as PdfString};
use quick_xml::events::{BytesStart, Event};

/// The longest title, in characters.
const MAX_TITLE: usize = 300;
/// The largest XMP packet that is read, in bytes.
const MAX_XMP: usize = 1 << 20;

/// What XMP says.
#[derive(Debug, Default, PartialEq, Eq)]
struct Xmp {
    title: Option<String>,
    author: Option<String>,
    subject: Option<String>,
    language: Option<String>,
    created: Option<String>,
    modified: Option<String>,
}

/// Reads what is known of a document; `first` are the lines of its first page. What is decoded comes off `budget`.
pub(super) fn meta(opened: &Opened, first: &[Line], budget: &PageBudget<'_>) -> Meta {
    let pdf = &opened.pdf;
    let pages = u32::try_from(pdf.pages().len()).unwrap_or(u32::MAX);
    let info = pdf.metadata();
    let text = |bytes: &Option<Box<[u8]>>| bytes.as_deref().and_then(strings::line);
    let catalog = pdf.xref().get::<Dict<'_>>(pdf.xref().root_id()).unwrap_or_default();
    let xmp = catalog
        .get::<Stream<'_>>(b"Metadata")
        .and_then(|stream| streams::decoded(&stream, budget))
        .filter(|packet| packet.len() <= MAX_XMP)
        .map(|packet| read_xmp(&packet))
        .unwrap_or_default();
    let title = xmp
        .title
        .filter(|title| is_title(title))
        .or_else(|| text(&info.title).filter(|title| is_title(title)))
        .or_else(|| largest(first));
    let language = catalog
        .get::<PdfString<'_>>(b"Lang")
        .and_then(|language| strings::line(language.as_bytes()))
        .or(xmp.language)
        .filter(|language| is_language(language));
    let mut destinations = Destinations::new(pdf, catalog.clone());
    Meta {
        pages,
        title: title.map(|title| title.chars().take(MAX_TITLE).collect()),
        author: text(&info.author).or(xmp.author),
        subject: text(&info.subject).or(xmp.subject),
        created: info.creation_date.as_ref().and_then(strings::date).or(xmp.created),
        modified: info.modification_date.as_ref().and_then(strings::date).or(xmp.modified),
        language,
        labels: labels::labels(pdf.xref(), &catalog, pages),
        outline: outline::outline(pdf.xref(), &catalog, &mut destinations),
        attachments: attachments::attachments(pdf.xref(), &catalog),
        encrypted: opened.encrypted,
        repaired: opened.repaired,
    }
}

/// Whether a title was given by a person, not by a program.
fn is_title(title: &str) -> bool {
    let lower = title.to_lowercase();
    let stem = lower.trim_end_matches(|c: char| c.is_ascii_digit() || c == ' ');
    let programs = ["microsoft word - ", "microsoft powerpoint - ", "microsoft excel - ", "powerpoint presentation"];
    let empty = [
        "untitled",
        "untitled document",
        "title",
        "document",
        "no title",
        "slide",
        "pdf",
        "print",
        "unknown",
        "無題",
        "без имени",
        "unbenannt",
        "sans titre",
        "sin título",
    ];
    let suffixes = [
        ".doc", ".docx", ".dvi", ".fm", ".htm", ".html", ".indd", ".key", ".md", ".numbers", ".odt", ".pages", ".p65",
        ".pdf", ".ppt", ".pptx", ".ps", ".pub", ".qxd", ".qxp", ".rtf", ".tex", ".tif", ".tiff", ".txt", ".wpd",
        ".xls", ".xlsx",
    ];
    title.chars().any(char::is_alphanumeric)
        && !programs.iter().any(|program| lower.starts_with(program))
        && !empty.contains(&stem)
        && !suffixes.iter().any(|suffix| lower.ends_with(suffix))
        && !title.contains('\u{FFFD}')
        // A path, or a name that no person writes.
        && !(lower.contains('\\') || lower.starts_with('/') || lower.starts_with("file:"))
}

/// The largest text at the top of a page, when it stands out.
fn largest(lines: &[Line]) -> Option<String> {
    let top = &lines[..lines.len().min(25)];
    let is_text = |line: &&Line| line.text.chars().filter(|c| c.is_alphabetic()).count() >= 2;
    let size = top.iter().filter(is_text).map(|line| line.size).fold(0.0, f32::max);
    let start = top.iter().position(|line| line.size >= size * 0.97 && is_text(&line))?;
    let mut title = String::new();
    for line in top[start..].iter().take(4) {
        if line.size < size * 0.97 || (line.starts && !title.is_empty() && lines.len() < 4) {
            break;
        }
        if title.chars().count() + line.text.chars().count() > MAX_TITLE {
            break;
        }
        title.push(' ');
        title.push_str(&line.text);
    }
    // On a page of one size throughout only the first line can be meant.
    let others = lines.iter().filter(|line| line.size < size * 0.97).count();
    if others == 0 {
        title.clone_from(&top[start].text);
    }
    strings::fold(&title).filter(|title| title.chars().count() <= MAX_TITLE)
}

fn is_language(language: &str) -> bool {
    language.len() <= 35
        && language.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        && language.split('-').next().is_some_and(|first| (2..=8).contains(&first.len()))
}

/// Whether this is a date as XMP writes it: `2001`, `2001-02-03`, `2001-02-03T04:05:06Z`.
fn is_date(text: &str) -> bool {
    text.len() <= 40
        && text.len() >= 4
        && text.bytes().take(4).all(|byte| byte.is_ascii_digit())
        && text.bytes().all(|byte| byte.is_ascii_digit() || b"-:.+TZ".contains(&byte))
}

/// Reads the Dublin Core and the dates of an XMP packet. What is not XML is read as far as it is.
fn read_xmp(packet: &[u8]) -> Xmp {
    let text = match packet {
        [0xFE, 0xFF, ..] | [0xFF, 0xFE, ..] => strings::decode(packet),
        _ => String::from_utf8_lossy(packet).into_owned(),
    };
    let mut reader = quick_xml::Reader::from_str(&text);
    let mut xmp = Xmp::default();
    let mut field: Option<String> = None;
    let mut value = String::new();
    loop {
        match reader.read_event() {
            Ok(Event::Start(start)) => {
                let name = start.name();
                if matches!(
                    name.as_ref(),
                    "dc:title" | "dc:creator" | "dc:description" | "dc:language" | "xmp:CreateDate" | "xmp:ModifyDate"
                ) {
                    field = Some(name.as_ref().to_owned());
                }
                xmp.dates(&start);
                value.clear();
            }
            Ok(Event::Empty(empty)) => xmp.dates(&empty),
            Ok(Event::Text(text)) => {
                value.push_str(&text);
            }
            Ok(Event::GeneralRef(reference)) => match reference.resolve_char_ref() {
                Ok(Some(c)) => value.push(c),
                _ => value.push_str(quick_xml::escape::resolve_predefined_entity(&reference).unwrap_or_default()),
            },
            Ok(Event::End(end)) => {
                let slot = match field.as_deref() {
                    Some("dc:title") => Some(&mut xmp.title),
                    Some("dc:creator") => Some(&mut xmp.author),
                    Some("dc:description") => Some(&mut xmp.subject),
                    Some("dc:language") => Some(&mut xmp.language),
                    Some("xmp:CreateDate") if is_date(value.trim()) => Some(&mut xmp.created),
                    Some("xmp:ModifyDate") if is_date(value.trim()) => Some(&mut xmp.modified),
                    _ => None,
                };
                // The first alternative counts; of several authors all.
                if let Some(slot) = slot
                    && let Some(text) = strings::fold(&value)
                {
                    match slot {
                        Some(known) if field.as_deref() == Some("dc:creator") && known.len() < 1000 => {
                            known.push_str(", ");
                            known.push_str(&text);
                        }
                        Some(_) => {}
                        None => *slot = Some(text),
                    }
                }
                value.clear();
                if field.as_deref() == Some(end.name().as_ref()) {
                    field = None;
                }
            }
            Ok(Event::Eof) | Err(_) => return xmp,
            Ok(_) => {}
        }
    }
}

// === impl Xmp ===

impl Xmp {
    /// Reads the dates that are written as attributes.
    fn dates(&mut self, element: &BytesStart<'_>) {
        for attribute in element.attributes().flatten() {
            let slot = match attribute.key.as_ref() {
                "xmp:CreateDate" => &mut self.created,
                "xmp:ModifyDate" => &mut self.modified,
                _ => continue,
            };
            let date = attribute.value.trim();
            if slot.is_none() && is_date(date) {
                *slot = Some(date.to_owned());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_program_put_in_is_no_title() {
        for name in ["Microsoft Word - x.doc", "untitled", "Untitled 2", "paper.tex", "C:\\a\\b", "…", "report.PDF"] {
            assert!(!is_title(name), "{name}");
        }
        for name in ["A Study of Loops", "無題ではない", "Node.js"] {
            assert!(is_title(name), "{name}");
        }
    }

    #[test]
    fn xmp_gives_title_and_authors() {
        let packet = b"<x:xmpmeta><rdf:RDF><dc:title><rdf:Alt><rdf:li xml:lang='x-default'>Q &amp; A</rdf:li><rdf:li>no</rdf:li></rdf:Alt></dc:title>\
            <dc:creator><rdf:Seq><rdf:li>A. One</rdf:li><rdf:li>B. Two</rdf:li></rdf:Seq></dc:creator></rdf:RDF>";
        let xmp = read_xmp(packet);
        assert_eq!(xmp.title.as_deref(), Some("Q & A"));
        assert_eq!(xmp.author.as_deref(), Some("A. One, B. Two"));
    }

    #[test]
    fn xmp_gives_dates_as_elements_or_attributes() {
        let xmp = read_xmp(
            b"<r><d xmp:CreateDate='2001-02-03'/><xmp:ModifyDate>2004-05-06T07:08:09+01:00</xmp:ModifyDate></r>",
        );
        assert_eq!(xmp.created.as_deref(), Some("2001-02-03"));
        assert_eq!(xmp.modified.as_deref(), Some("2004-05-06T07:08:09+01:00"));
        assert_eq!(read_xmp(b"<d xmp:CreateDate='next week'/>"), Xmp::default());
    }

    #[test]
    fn xmp_in_utf_16_is_read_and_a_broken_packet_as_far_as_it_goes() {
        let packet = "<r><dc:title><rdf:li>\u{41f}A</rdf:li></dc:title><dc:creator><rdf:li>B</rdf:li></r";
        let wide: Vec<u8> = [0xFE, 0xFF].into_iter().chain(packet.encode_utf16().flat_map(u16::to_be_bytes)).collect();
        assert_eq!(read_xmp(&wide).title.as_deref(), Some("\u{41f}A"));
        assert_eq!(read_xmp(packet.as_bytes()).author.as_deref(), Some("B"));
    }

    #[test]
    fn the_largest_text_at_the_top_is_the_title_of_last_resort() {
        let line = |text: &str, size| Line { text: text.to_owned(), size, starts: true, ..Line::default() };
        let page = [line("ACME 2001", 9.0), line("A Study", 20.0), line("of Loops", 20.0), line("body", 10.0)];
        assert_eq!(largest(&page).as_deref(), Some("A Study of Loops"));
        assert_eq!(largest(&[line("one", 10.0), line("two", 10.0)]).as_deref(), Some("one"));
        assert_eq!(largest(&[]), None);
    }
}
