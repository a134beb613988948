//! Damaged files, written here.

use super::super::tests::{file, hex, one_page, read, stream};

const FONT: &str = "<</Type/Font/Subtype/Type1/BaseFont/Courier>>";

fn shown(text: &str) -> String {
    stream("", &format!("BT /F1 12 Tf 20 300 Td ({text}) Tj ET"))
}

fn texts(pdf: Vec<u8>) -> Vec<String> {
    read(pdf).into_iter().filter_map(|line| line.text).collect()
}

/// A document with a page for each of `words`, the contents before their pages and the tree last.
fn pages(words: &[&str]) -> Vec<String> {
    let first = 4;
    let kids: Vec<_> = (0..words.len()).map(|n| format!("{} 0 R", first + 2 * n + 1)).collect();
    let kids = kids.join(" ");
    let mut objects = vec![
        format!("<</Type/Catalog/Pages {} 0 R>>", first + 2 * words.len()),
        FONT.to_owned(),
        "<</Font<</F1 2 0 R>>>>".to_owned(),
    ];
    for (n, word) in words.iter().enumerate() {
        let tree = first + 2 * words.len();
        objects.push(shown(word));
        objects.push(format!("<</Type/Page/Parent {tree} 0 R/Resources 3 0 R/Contents {} 0 R>>", first + 2 * n));
    }
    objects.push(format!("<</Type/Pages/MediaBox[0 0 400 400]/Count {}/Kids[{kids}]>>", words.len()));
    objects
}

fn replaced(pdf: &[u8], from: &str, to: &str) -> Vec<u8> {
    let at = memchr::memmem::find(pdf, from.as_bytes()).unwrap();
    [&pdf[..at], to.as_bytes(), &pdf[at + from.len()..]].concat()
}

fn cut(pdf: &[u8], at: &str) -> Vec<u8> {
    pdf[..memchr::memmem::find(pdf, at.as_bytes()).unwrap()].to_vec()
}

#[test]
fn a_file_cut_behind_a_content_gives_that_content_a_page() {
    let whole = file(&pages(&["One", "Two", "Three"]));
    assert_eq!(texts(whole.clone()), ["One", "Two", "Three"]);
    assert_eq!(texts(cut(&whole, "9 0 obj")), ["One", "Two", "Three"]);
    assert_eq!(texts(cut(&whole, "ree) Tj")), ["One", "Two"]);
}

#[test]
fn a_page_that_its_tree_lost_comes_back() {
    let whole = file(&pages(&["One", "Two", "Three"]));
    let mut found = texts(replaced(&whole, "[5 0 R 7 0 R", "[5 0 R 8 0 R"));
    found.sort();
    assert_eq!(found, ["One", "Three", "Two"]);
}

#[test]
fn a_damaged_dictionary_is_read_as_far_as_it_goes() {
    let whole = file(&pages(&["One", "Two"]));
    let broken = replaced(&whole, "/Resources 3 0 R/Contents 4 0 R>>", "/Resources 3 0 R/Contents 4 0 R>0");
    assert_eq!(texts(broken), ["One", "Two"]);
    let broken = replaced(&whole, ">>\nstream", ">>\nstr am");
    assert_eq!(texts(broken).concat(), "OneTwo");
}

#[test]
fn a_number_out_of_order_is_put_right() {
    let whole = file(&pages(&["One", "Two"]));
    assert_eq!(texts(replaced(&whole, "\n6 0 obj", "\n9 0 obj")), ["One", "Two"]);
}

#[test]
fn an_object_stream_that_breaks_off_gives_its_first_objects() {
    let bodies =
        ["<</Type/Page/Contents 4 0 R/Resources<</Font<</F1 3 0 R>>>>>>", FONT, "<</Type/Catalog/Pages 9 0 R>>"];
    let packed = format!("2 0 3 {} 5 {} ", bodies[0].len() + 1, bodies[0].len() + bodies[1].len() + 2);
    let digits = hex(format!("{packed}{}", bodies.join(" ")).as_bytes());
    // Cut within the last object, and a digit that is none.
    let digits = format!("{}zz", &digits[..digits.len() - 20]);
    let objects = stream(&format!("/Type/ObjStm/Filter/AHx/N 3/First {}", packed.len()), &digits);
    let pdf = file(&[objects, "null".to_owned(), "null".to_owned(), shown("Here")]);
    let pdf = replaced(&replaced(&pdf, "2 0 obj\nnull", ""), "3 0 obj\nnull", "");
    assert_eq!(texts(pdf), ["Here"]);
}

#[test]
fn what_an_update_left_behind_is_no_page() {
    // A font that is not there makes the file look damaged, but nothing of a page is lost.
    let old = shown("Old");
    let pdf = one_page("BT /F1 12 Tf 20 300 Td (New) Tj ET", "", "", &[&old]);
    let pdf = replaced(&pdf, "/F1 5 0 R", "/F1 5 0 R/F2 99 0 R");
    assert_eq!(texts(pdf), ["New"]);
}

#[test]
fn a_text_whose_font_is_lost_is_shown_in_another() {
    let lost = |content: &str| {
        let pdf = one_page(content, "", "", &[]);
        texts(replaced(&replaced(&pdf, "/F1 5 0 R", "/F1 7 0 R"), "5 0 obj\n<</Type/Font", "5 0 obj\n<</Type/Lost"))
    };
    assert_eq!(lost("BT /F1 12 Tf 20 300 Td (Known) Tj ET"), ["Known"]);
    // Codes of a subset say nothing without their font.
    assert_eq!(lost("BT /F1 12 Tf 20 300 Td <000100020003> Tj ET"), [""]);
}

#[test]
fn a_count_of_pages_that_were_never_there_adds_none() {
    let pdf = replaced(&file(&pages(&["One"])), "/Count 1", "/Count 9");
    assert_eq!(texts(pdf), ["One"]);
}

#[test]
fn a_damaged_digit_of_the_identifier_is_tried_out() {
    let trailer =
        |id: &[u8]| super::write::trailers(&[b"trailer<</Encrypt 5 0 R/Info 4 0 R/ID[", id, b"<00>]>>"].concat());
    assert_eq!(trailer(b"<0aff>"), [b"/Info 4 0 R/Encrypt 5 0 R /ID [<0aff><0aff>]"]);
    let readings = trailer(b"<0\xF5ff>");
    assert_eq!(readings.len(), 16);
    assert!(readings.iter().any(|reading| reading.ends_with(b"<0aff><0aff>]")));
    // Too many to try.
    assert_eq!(trailer(b"<zzzz>").len(), 1);
}
