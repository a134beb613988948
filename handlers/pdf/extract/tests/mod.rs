//! Whole documents: small ones written here, and the few of `testdata`.

mod about;
mod blocks;
mod hard;
mod text;

use super::{Options, Refused, run};
use crate::pdf::wire::{Attachment, Line, Meta, Signal};
use proptest::prelude::*;
use std::fmt::Write as _;

const DICT: &str = "<</Font<</F1 5 0 R>>>>";

/// Numbers `objects` from 1 and writes a file whose catalog is the first.
pub(super) fn file(objects: &[String]) -> Vec<u8> {
    let mut text = String::from("%PDF-1.7\n");
    let mut table = String::new();
    for (n, object) in objects.iter().enumerate() {
        let _ = writeln!(table, "{:010} 00000 n ", text.len());
        let _ = writeln!(text, "{} 0 obj\n{object}\nendobj", n + 1);
    }
    let (at, size) = (text.len(), objects.len() + 1);
    let _ = write!(
        text,
        "xref\n0 {size}\n0000000000 65535 f \n{table}trailer\n<</Size {size}/Root 1 0 R>>\nstartxref\n{at}\n%%EOF\n"
    );
    text.into_bytes()
}

pub(super) fn stream(entries: &str, body: &str) -> String {
    format!("<<{entries}/Length {}>>\nstream\n{body}\nendstream", body.len())
}

/// As `/AHx` has it.
pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// One page of 400 x 400 points with `content`, `page` in its dictionary, and `more` objects from 6 on.
pub(super) fn one_page(content: &str, page: &str, catalog: &str, more: &[&str]) -> Vec<u8> {
    let mut objects = vec![
        format!("<</Type/Catalog/Pages 2 0 R{catalog}>>"),
        "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned(),
        format!("<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 400]/Contents 4 0 R/Resources{DICT}{page}>>"),
        stream("", content),
        "<</Type/Font/Subtype/Type1/BaseFont/Courier>>".to_owned(),
    ];
    objects.extend(more.iter().map(|object| (*object).to_owned()));
    file(&objects)
}

pub(super) fn read_with(pdf: Vec<u8>, max_pages: u32, password: Option<&str>) -> Result<Vec<Line>, Refused> {
    let mut lines = Vec::new();
    let options = Options { max_pages, password: password.map(str::to_owned) };
    run(pdf, &options, &mut |line| {
        lines.push(line);
        Ok(())
    })?;
    Ok(lines)
}

pub(super) fn read(pdf: Vec<u8>) -> Vec<Line> {
    read_with(pdf, 100, None).unwrap()
}

fn meta(pdf: Vec<u8>) -> Meta {
    read(pdf)[0].meta.clone().unwrap()
}

/// The page line of a page with `content`.
fn page(content: &str) -> Line {
    read(one_page(content, "", "", &[]))[1].clone()
}

fn text(content: &str) -> String {
    page(content).text.unwrap()
}

/// Lines of Courier 10, 12 points apart, from `x`, `y` downward.
pub(super) fn column(x: i32, y: i32, lines: &[&str]) -> String {
    let mut content = format!("BT /F1 10 Tf 12 TL {x} {y} Td ");
    for line in lines {
        let _ = write!(content, "({line}) Tj T* ");
    }
    content + "ET "
}

#[test]
fn lines_come_in_order_meta_pages_end() {
    let lines = read(one_page("BT /F1 12 Tf 20 300 Td (Hello) Tj ET", "", "", &[]));
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[0].meta.as_ref().unwrap().pages, 1);
    assert_eq!((lines[1].page, lines[1].text.as_deref()), (Some(1), Some("Hello")));
    assert_eq!(lines[2].end.unwrap().pages, 1);
}

#[test]
fn pages_past_the_limit_are_counted_and_not_read() {
    let mut objects = vec!["<</Type/Catalog/Pages 2 0 R>>".to_owned()];
    objects.push("<</Type/Pages/Kids[3 0 R 4 0 R 3 0 R]/Count 2/MediaBox[0 0 9 9]>>".to_owned());
    objects.extend(["<</Type/Page/Parent 2 0 R>>".to_owned(), "<</Type/Page/Parent 2 0 R>>".to_owned()]);
    for (limit, given) in [(1, 1), (2, 2), (3, 2)] {
        let lines = read_with(file(&objects), limit, None).unwrap();
        assert_eq!(lines[0].meta.as_ref().unwrap().pages, 2);
        assert_eq!(lines.last().unwrap().end.unwrap().pages, given);
        assert_eq!(lines.len(), given as usize + 2);
    }
}

#[test]
fn what_is_no_pdf_or_has_no_page_is_unreadable() {
    let empty = file(&["<</Type/Catalog/Pages 2 0 R>>".to_owned(), "<</Type/Pages/Kids[]/Count 0>>".to_owned()]);
    for bytes in [Vec::new(), b"<html>%PDF-1.4".to_vec(), empty] {
        assert_eq!(read_with(bytes, 10, None), Err(Refused::Unreadable));
    }
}

#[test]
fn a_reader_that_went_away_ends_the_work() {
    let pdf = one_page("BT /F1 12 Tf 20 300 Td (Hello) Tj ET", "", "", &[]);
    let options = Options { max_pages: 9, password: None };
    let mut given = 0;
    let done = run(pdf, &options, &mut |_| {
        given += 1;
        Err(std::io::ErrorKind::BrokenPipe.into())
    });
    assert_eq!((done, given), (Err(Refused::Closed), 1));
}

#[test]
fn encrypted_files_open_with_the_password_and_only_then() {
    let files: [&[u8]; 4] = [
        include_bytes!("../../testdata/user-rc4-40.pdf"),
        include_bytes!("../../testdata/user-rc4-128.pdf"),
        include_bytes!("../../testdata/user-aes-128.pdf"),
        include_bytes!("../../testdata/user-aes-256.pdf"),
    ];
    for bytes in files {
        let lines = read_with(bytes.to_vec(), 9, Some("user")).unwrap();
        let meta = lines[0].meta.clone().unwrap();
        assert!(meta.encrypted && meta.title.as_deref() == Some("A Secret Title"));
        assert_eq!(lines[1].text.as_deref(), Some("Secret words"));
        assert_eq!(read_with(bytes.to_vec(), 9, None), Err(Refused::Encrypted));
        assert_eq!(read_with(bytes.to_vec(), 9, Some("wrong")), Err(Refused::Encrypted));
    }
}

#[test]
fn a_file_with_an_owner_password_opens_without_one() {
    for bytes in
        [&include_bytes!("../../testdata/owner-rc4-40.pdf")[..], include_bytes!("../../testdata/owner-aes-256.pdf")]
    {
        for password in [None, Some("owner"), Some("wrong")] {
            assert_eq!(read_with(bytes.to_vec(), 9, password).unwrap()[1].text.as_deref(), Some("Secret words"));
        }
    }
}

#[test]
fn a_file_that_lost_its_catalog_is_rebuilt() {
    let whole = one_page("BT /F1 12 Tf 20 300 Td (Hello) Tj ET", "", "", &[]);
    let text = String::from_utf8(whole).unwrap();
    let at = text.find("1 0 obj").unwrap();
    let end = text.find("3 0 obj").unwrap();
    let lines = read(format!("{}{}", &text[..at], &text[end..text.find("xref").unwrap()]).into_bytes());
    assert!(lines[0].meta.as_ref().unwrap().repaired);
    assert_eq!(lines[1].text.as_deref(), Some("Hello"));
}

#[test]
fn the_russian_declaration_comes_out_right() {
    let lines = read(include_bytes!("../../testdata/udhr-ru.pdf").to_vec());
    let meta = lines[0].meta.as_ref().unwrap();
    assert_eq!((meta.pages, meta.title.as_deref()), (10, Some("Всеобщая декларация прав человека")));
    let first = lines[1].text.as_deref().unwrap();
    assert!(first.starts_with("# Всеобщая декларация прав человека\n\nПринята и провозглашена резолюцией 217 А (III) Генеральной Ассамблеи от 10 декабря\n1948 года."));
    let all: String = lines.iter().filter_map(|line| line.text.as_deref()).collect::<Vec<_>>().join("\n");
    for number in 1..=30 {
        assert!(all.contains(&format!("Статья {number}\n")), "{number}");
    }
    assert!(all.contains("Все люди рождаются свободными и равными в своем достоинстве и правах."));
    assert!(!all.contains('\u{FFFD}'));
}

fn settled(bytes: Vec<u8>) -> Result<(), TestCaseError> {
    match read_with(bytes, 20, None) {
        Ok(lines) => {
            prop_assert!(lines.first().is_some_and(|line| line.meta.is_some()));
            prop_assert!(lines.last().is_some_and(|line| line.end.is_some()));
        }
        Err(refused) => prop_assert_ne!(refused, Refused::Closed),
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_bytes_end_in_lines_or_a_refusal(bytes in prop::collection::vec(any::<u8>(), 0..2000), head in any::<bool>()) {
        let mut file = if head { b"%PDF-1.4\n1 0 obj\n".to_vec() } else { Vec::new() };
        file.extend(bytes);
        settled(file)?;
    }

    #[test]
    fn any_damage_ends_in_lines_or_a_refusal(
        spots in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..40),
        cut in any::<prop::sample::Index>(),
        keep in any::<bool>(),
    ) {
        let mut file = one_page(
            &column(20, 300, &["some words here", "and a second line", "and a third"]),
            "/Annots[6 0 R]",
            "/Outlines 7 0 R/PageLabels<</Nums[0<</S/r>>]>>",
            &["<</Subtype/Widget/FT/Tx/V(v)/Rect[0 0 9 9]>>", "<</First 8 0 R>>", "<</Title(t)/Dest[3 0 R]/Next 8 0 R>>"],
        );
        for (spot, byte) in spots {
            let at = spot.index(file.len());
            file[at] = byte;
        }
        if !keep {
            file.truncate(cut.index(file.len()));
        }
        settled(file)?;
    }
}
