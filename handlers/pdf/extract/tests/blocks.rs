//! Whole pages: headings, lists, drop caps and what else makes up the text.

use super::{column, file, read, stream};

/// A page with Courier as `F1` and bold Courier as `F2`; `more` are objects from 7 on.
fn pdf(content: &str, catalog: &str, more: &[&str]) -> Vec<u8> {
    let font = |name| format!("<</Type/Font/Subtype/Type1/BaseFont/{name}/Encoding/WinAnsiEncoding>>");
    let mut objects = vec![
        format!("<</Type/Catalog/Pages 2 0 R{catalog}>>"),
        "<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 400 400]>>".to_owned(),
        "<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F1 5 0 R/F2 6 0 R>>>>>>".to_owned(),
        stream("", content),
        font("Courier"),
        font("Courier-Bold"),
    ];
    objects.extend(more.iter().map(|object| (*object).to_owned()));
    file(&objects)
}

fn text(content: &str) -> String {
    read(pdf(content, "", &[]))[1].text.clone().unwrap()
}

/// One line of `font` and `size` at 20, `y`.
fn line(font: &str, size: i32, y: i32, text: &str) -> String {
    format!("BT /{font} {size} Tf 20 {y} Td ({text}) Tj ET ")
}

/// Six lines of text that nothing is special about.
fn body(y: i32) -> String {
    column(20, y, &["the first line of text,", "the second line of it,", "a third line and a word,"])
        + &column(20, y - 36, &["then the fourth of them,", "one that is the fifth,", "and the last line here."])
}

#[test]
fn a_larger_line_that_stands_alone_is_a_heading_by_rank_of_its_size() {
    let page = line("F1", 20, 380, "On Maps") + &line("F1", 14, 350, "Early Maps") + &body(330);
    let read = text(&page);
    assert!(read.starts_with("# On Maps\n\n## Early Maps\n\nthe first line"), "{read}");
}

#[test]
fn a_heading_of_two_lines_is_one_line_of_the_text() {
    let page = line("F1", 20, 380, "On Maps and") + &line("F1", 20, 356, "Their Makers") + &body(330) + &body(250);
    assert!(text(&page).starts_with("# On Maps and Their Makers\n\nthe first line"), "{}", text(&page));
}

#[test]
fn what_is_larger_and_no_title_is_no_heading() {
    for large in ["1998", "a quotation that ends in a stop.", "and so on", "x = 4 + y / 9 - 3", "Name   Price"] {
        let read = text(&(line("F1", 10, 390, "Acme") + &line("F1", 14, 360, large) + &body(330)));
        assert!(!read.contains('#'), "{read}");
    }
}

#[test]
fn a_page_of_large_lines_has_no_headings() {
    let page = line("F1", 20, 380, "One Thing") + &line("F1", 20, 330, "Other Thing") + &body(300);
    let poster = line("F1", 20, 270, "Third Thing") + &line("F1", 20, 220, "Fourth Thing");
    assert!(text(&page).contains("# Other Thing"), "{}", text(&page));
    let some = column(20, 300, &["a line of small text that is long enough", "and another one of these"]);
    assert!(
        !text(&(line("F1", 20, 380, "One Thing") + &line("F1", 20, 330, "Other Thing") + &some + &poster))
            .contains("# Other")
    );
}

#[test]
fn a_bold_line_is_a_heading_when_it_has_the_number_of_a_section() {
    let read = text(&(body(390) + &line("F2", 10, 300, "2.1 Scales") + &body(280)));
    assert!(read.contains("\n\n## 2.1 Scales\n\n"), "{read}");
    for (font, title) in [("F1", "2.1 Scales"), ("F2", "Scales"), ("F2", "2.1 and so on")] {
        assert!(!text(&(body(390) + &line(font, 10, 300, title) + &body(280))).contains('#'), "{title}");
    }
}

#[test]
fn a_line_that_the_outline_names_is_a_heading_of_its_level() {
    let outline = [
        "<</First 8 0 R>>",
        "<</Title(Of Scales)/Dest[3 0 R/Fit]/First 9 0 R>>",
        "<</Title(2.1 SCALES, OLD)/Dest[3 0 R/Fit]>>",
    ];
    let page = body(390) + &line("F1", 10, 300, "Scales, old") + &body(280);
    let read = read(pdf(&page, "/Outlines 7 0 R", &outline))[1].text.clone().unwrap();
    assert!(read.contains("\n\n## Scales, old\n\n"), "{read}");
}

#[test]
fn a_bullet_joins_the_text_beside_it() {
    let items = column(40, 300, &["first item", "second item", "third item"]);
    for lift in [0, 4, -4] {
        let bullets = format!("BT /F1 10 Tf 12 TL 20 {} Td <95> Tj T* <95> Tj T* <95> Tj ET ", 300 + lift);
        assert_eq!(text(&(items.clone() + &bullets)), "• first item\n• second item\n• third item", "{lift}");
    }
}

#[test]
fn a_drop_cap_begins_the_first_line_beside_it() {
    let text = text(
        &("BT /F1 28 Tf 20 276 Td (O) Tj ET ".to_owned()
            + &column(40, 288, &["nce there was a map", "and it was large and"])
            + &column(20, 264, &["nobody could read it."])),
    );
    assert_eq!(text, "Once there was a map\nand it was large and\nnobody could read it.");
}

#[test]
fn lists_beside_each_other_are_read_one_after_the_other() {
    let list = |x: i32, y: i32, name: char| -> String {
        let row = |n: i32| {
            let at = y - 12 * (n + n / 5);
            column(x, at, &[&format!("{name}{n}")]) + &column(x + 40, at, &[&format!("what key {name} is for, {n}")])
        };
        (0..25).map(row).collect()
    };
    let read = text(&(list(10, 380, 'a') + &list(206, 356, 'b')));
    let at = |word: &str| read.find(word).unwrap_or_else(|| panic!("{word}: {read}"));
    assert!(at("key a is for, 24") < at("key b is for, 0"), "{read}");
}
