//! Whole documents: small ones written here, and the few of `testdata`.

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
fn a_gap_between_glyphs_is_a_space_and_kerning_is_not() {
    assert_eq!(text("BT /F1 10 Tf 20 300 Td [(ab) -150 (cd) -30 (ef)] TJ ET"), "ab cdef");
    assert_eq!(text("BT /F1 10 Tf 3 Tc 20 300 Td (spaced out) Tj ET"), "spaced out");
}

#[test]
fn a_space_that_takes_no_room_is_none() {
    assert_eq!(text("BT /F1 10 Tf 20 300 Td [(20 ) 600 (16)] TJ ET"), "2016");
}

#[test]
fn text_drawn_twice_for_bold_appears_once() {
    assert_eq!(text("BT /F1 10 Tf 20 300 Td (bull) Tj 0.3 0 Td (bull) Tj ET"), "bull");
    assert_eq!(text("BT /F1 10 Tf 2 Tr 20 300 Td (bull) Tj ET"), "bull");
}

#[test]
fn leader_dots_say_nothing_of_the_spaces_in_their_line() {
    let dots = "(.) -900 ".repeat(30);
    let line = format!("BT /F1 10 Tf 20 300 Td [(Two) -200 (words) -600 {dots}(7)] TJ ET");
    assert!(text(&line).starts_with("Two words . . ."), "{}", text(&line));
}

#[test]
fn a_letter_set_lower_into_its_neighbours_is_one_word_with_them() {
    let logo = "BT /F1 10 Tf 20 300 Td (T) Tj 4.4 -2.2 Td (E) Tj 4.8 2.2 Td (X) Tj ( is a program) Tj ET";
    assert_eq!(text(logo), "TEX is a program");
}

#[test]
fn the_number_of_a_footnote_stands_apart_from_its_words_and_that_of_a_reference_does_not() {
    let note = "BT /F1 6 Tf 20 104 Td (1) Tj /F1 10 Tf 3.8 -4 Td (See there) Tj /F1 6 Tf 54 4 Td (2) Tj ET";
    assert_eq!(text(note), "1 See there2");
}

#[test]
fn superscripts_stay_in_their_line() {
    assert_eq!(text("BT /F1 10 Tf 20 300 Td (note) Tj /F1 6 Tf 25 4 Td (12) Tj ET"), "note12");
    assert_eq!(text("BT /F1 10 Tf 20 300 Td (mc) Tj /F1 6 Tf 5 Ts (2) Tj 0 Ts /F1 10 Tf ( is) Tj ET"), "mc2 is");
}

#[test]
fn paragraphs_are_parted_by_a_blank_line() {
    let content = column(20, 380, &["one two", "three"]) + &column(20, 344, &["four", "five"]);
    assert_eq!(text(&content), "one two\nthree\n\nfour\nfive");
}

#[test]
fn columns_are_read_one_after_the_other() {
    let left = ["alpha beta gamma delta", "epsilon zeta eta theta", "iota kappa lambda mu n", "xi omicron pi rho sigm"];
    let right =
        ["ONE TWO THREE FOUR FIV", "SIX SEVEN EIGHT NINE T", "ELEVEN TWELVE THIRTEEN", "FOURTEEN FIFTEEN SIXTE"];
    let content = column(20, 300, &left) + &column(200, 300, &right);
    assert_eq!(text(&content), format!("{}\n\n{}", left.join("\n"), right.join("\n")));
}

#[test]
fn rows_of_a_table_stay_together() {
    let content = column(20, 300, &["Alabama", "Alaska", "Arizona", "Iowa"])
        + &column(150, 300, &["1,200", "30", "4", "77"])
        + &column(250, 300, &["yes", "no", "yes", "no"]);
    assert_eq!(text(&content), "Alabama  1,200  yes\nAlaska  30  no\nArizona  4  yes\nIowa  77  no");
}

#[test]
fn a_table_of_words_is_no_set_of_columns() {
    let content = column(20, 300, &["PISTOL", "SHOTGUN", "PISTOL", "RIFLE"])
        + &column(90, 300, &["REVOLVER", "DOUBLE BARREL", "SEMI-AUTOMATIC", "BOLT"])
        + &column(220, 300, &["UNKNOWN MAKE", "STEVENS ARMS", "TAURUS", "SAVAGE"])
        + &column(330, 300, &["FOUND", "FOUND", "LOST", "FOUND"]);
    let read = text(&content);
    assert!(read.starts_with("PISTOL  REVOLVER  UNKNOWN MAKE  FOUND\nSHOTGUN  DOUBLE BARREL"), "{read}");
}

#[test]
fn text_outside_the_page_comes_last_and_leaves_the_rest_alone() {
    let page = page("BT /F1 10 Tf 500 300 Td (off) Tj ET BT /F1 10 Tf 20 300 Td (one) Tj 0 -12 Td (two) Tj ET");
    assert_eq!(page.text.as_deref(), Some("one\ntwo\n\noff"));
}

#[test]
fn signs_that_are_stacked_read_downward_and_from_the_right() {
    // Codes are characters: two columns of twelve signs, drawn sign by sign.
    let mut content = String::from("BT /F1 10 Tf ");
    for n in 0..24 {
        let (x, y) = (300 - n / 12 * 20, 380 - n % 12 * 10);
        let _ = write!(content, "1 0 0 1 {x} {y} Tm <{:04X}> Tj ", 0x3042 + n);
    }
    let mut objects = vec![
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned(),
        format!("<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 400]/Contents 4 0 R/Resources{DICT}>>"),
        stream("", &(content + "ET")),
    ];
    objects.push("<</Type/Font/Subtype/Type0/BaseFont/X/Encoding/UniJIS-UCS2-H/DescendantFonts[6 0 R]>>".to_owned());
    objects.push(
        "<</Type/Font/Subtype/CIDFontType0/BaseFont/X/CIDSystemInfo<</Registry(Adobe)/Ordering(Japan1)/Supplement 2>>>>"
            .to_owned(),
    );
    let read = read(file(&objects))[1].text.clone().unwrap();
    let column = |from: u32| (from..from + 12).filter_map(char::from_u32).collect::<String>();
    assert_eq!(read, format!("{}\n{}", column(0x3042), column(0x304E)));
}

#[test]
fn turned_text_is_read_in_its_own_direction() {
    assert_eq!(text("BT /F1 10 Tf 0 1 -1 0 100 100 Tm (up the page) Tj ET"), "up the page");
    let turned = one_page("BT /F1 10 Tf 20 300 Td (a page) Tj 0 -12 Td (turned) Tj ET", "/Rotate 90", "", &[]);
    assert_eq!(read(turned)[1].text.as_deref(), Some("a page\nturned"));
}

#[test]
fn actual_text_wins() {
    let content = "BT /F1 10 Tf 20 300 Td /Span<</ActualText(right)>>BDC (wr) Tj (ong) Tj EMC ( text) Tj ET";
    assert_eq!(text(content), "right text");
}

#[test]
fn text_that_no_reader_sees_is_kept_and_flagged() {
    let seen = "BT /F1 10 Tf 20 300 Td (seen) Tj ET ";
    assert!(!page(seen).hidden);
    let cases = [
        ("BT /F1 10 Tf 900 300 Td (hid) Tj ET", Signal::OffPage),
        ("BT /F1 10 Tf 3 Tr 20 200 Td (hid) Tj ET", Signal::Invisible),
        ("1 g BT /F1 10 Tf 20 200 Td (hid) Tj ET", Signal::White),
        ("BT /F1 0.01 Tf 20 200 Td (hid) Tj ET", Signal::Tiny),
        ("BT /F1 10 Tf 20 200 Td (hid) Tj ET 0 g 10 190 99 30 re f", Signal::Covered),
        ("BT /F1 10 Tf 20 200 Td (hid) Tj ET 1 g 10 190 99 30 re f", Signal::Covered),
        ("q 0 0 10 10 re W n BT /F1 10 Tf 20 200 Td (hid) Tj ET Q", Signal::Clipped),
    ];
    for (case, signal) in cases {
        let page = page(&(seen.to_owned() + case));
        assert!(page.hidden && page.signals == [signal], "{case}: {:?}", page.signals);
        assert!(page.text.unwrap().contains("hid"), "{case}");
    }
    let under = "BT /F1 10 Tf 20 200 Td (seen) Tj ET ";
    for beside in
        ["0 g 10 220 99 30 re f", "0 g 10 198 99 1 re f", "10 190 99 30 re S", "q 0 0 9 9 re W n 0 0 99 300 re f Q"]
    {
        assert!(!page(&(under.to_owned() + beside)).hidden, "{beside}");
    }
    assert!(!page("0 g 10 190 99 30 re f 1 g BT /F1 10 Tf 20 200 Td (on black) Tj ET").hidden);
}

#[test]
fn a_box_that_blends_hides_nothing() {
    let page = |state: &str| {
        let mut objects = vec![
            "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
            "<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 400 400]>>".to_owned(),
            format!(
                "<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>/ExtGState<</G {state}>>>>>>"
            ),
            stream("", "BT /F1 10 Tf 20 200 Td (seen) Tj ET /G gs 0 g 10 190 99 30 re f"),
        ];
        objects.push("<</Type/Font/Subtype/Type1/BaseFont/Courier>>".to_owned());
        read(file(&objects))[1].hidden
    };
    assert!(page("<</BM/Normal>>"));
    assert!(!page("<</BM/Multiply>>") && !page("<</ca 0.4>>") && !page("<</SMask<</S/Alpha>>>>"));
}

#[test]
fn a_picture_without_text_needs_ocr_and_its_text_layer_is_not_hidden() {
    let image = "q 400 0 0 400 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID x EI Q ";
    let bare = page(image);
    assert!(bare.needs_ocr && bare.text.as_deref() == Some(""));
    let layered = page(&(image.to_owned() + "BT /F1 10 Tf 3 Tr 20 300 Td (layer) Tj ET"));
    assert!(!layered.needs_ocr && !layered.hidden && layered.text.as_deref() == Some("layer"));
    assert!(!page("").needs_ocr);
}

#[test]
fn field_values_without_an_appearance_are_read_and_hidden_fields_are_not() {
    let pdf = one_page(
        "BT /F1 10 Tf 20 300 Td (Name:) Tj ET",
        "/Annots[6 0 R 7 0 R]",
        "",
        &[
            "<</Type/Annot/Subtype/Widget/FT/Tx/V(Ostrich)/Rect[60 296 200 310]>>",
            "<</Type/Annot/Subtype/Widget/FT/Tx/V(secret)/F 2/Rect[60 200 200 214]>>",
        ],
    );
    assert_eq!(read(pdf)[1].text.as_deref(), Some("Name: Ostrich"));
}

/// The text of a page with one widget in its middle that nothing is drawn in.
fn widget(entries: &str) -> String {
    let widget = format!("<</Subtype/Widget/Rect[60 200 300 214]{entries}>>");
    read(one_page("", "/Annots[6 0 R]", "", &[&widget]))[1].text.clone().unwrap()
}

#[test]
fn fields_show_what_a_viewer_would_write_into_them() {
    for (entries, shown) in [
        ("/FT/Tx/V(typed)/DV(default)/TU(tooltip)/T(name)", "typed"),
        ("/FT/Tx/DV(default)/TU(tooltip)/T(name)", ""),
        ("/FT/Tx/V(secret)/Ff 8192", ""),
        ("/FT/Ch/V(b)/Opt[[(a)(Anna)][(b)(Berta)]]", "Berta"),
        ("/FT/Ch/V(c)/Opt[(c)(d)]", "c"),
        ("/FT/Ch/Opt[(c)(d)]", ""),
        ("/Parent<</FT/Tx/V(inherited)>>", "inherited"),
        ("/FT/Btn/AS/Yes/V/Yes", "[x]"),
        ("/FT/Btn/AS/Off/V/Off", ""),
        ("/FT/Btn/AS/Off/V/other/Ff 32768", ""),
        ("/FT/Btn/V/Yes", "[x]"),
        ("/FT/Btn/V/Yes/Ff 65536", ""),
        ("/FT/Sig/V<<>>", ""),
    ] {
        assert_eq!(widget(entries), shown, "{entries}");
    }
}

#[test]
fn a_value_that_the_page_draws_is_not_written_again() {
    let filled = "<</Subtype/Widget/FT/Tx/V(typed)/Rect[60 200 300 214]>>";
    let pdf = one_page("BT /F1 10 Tf 64 204 Td (typed) Tj ET", "/Annots[6 0 R]", "", &[filled]);
    assert_eq!(read(pdf)[1].text.as_deref(), Some("typed"));
}

#[test]
fn a_long_value_stays_within_its_field() {
    let value = "a full value of all letters in a narrow field";
    let narrow = format!("<</Subtype/Widget/FT/Tx/V({value})/Rect[60 200 120 214]>>");
    let pdf = one_page("BT /F1 10 Tf 150 204 Td (label) Tj ET", "/Annots[6 0 R]", "", &[&narrow]);
    assert_eq!(read(pdf)[1].text.as_deref(), Some(&*format!("{value}  label")));
}

#[test]
fn notes_are_marked_as_such() {
    let note = "<</Subtype/Text/Contents(check this)/Rect[60 200 80 214]>>";
    assert_eq!(read(one_page("", "/Annots[6 0 R]", "", &[note]))[1].text.as_deref(), Some("Note: check this"));
}

#[test]
fn embedded_files_are_listed() {
    let pdf = one_page(
        "",
        "/Annots[8 0 R]",
        "/Names<</EmbeddedFiles 9 0 R>>",
        &[
            &stream("/Subtype/text#2Fcsv/Params<</Size 1234>>", "a,b"),
            &stream("", "four"),
            "<</Subtype/FileAttachment/FS<</F(note.txt)/EF<</F 7 0 R>>>>/Rect[0 0 9 9]>>",
            "<</Kids[10 0 R 9 0 R]>>",
            "<</Names[(key)<</UF(data.csv)/EF<</F 6 0 R>>>>(not there)<</F(x)>>(key only)<</EF<</F 7 0 R>>>>]>>",
        ],
    );
    let lines = read(pdf);
    let listed = |files: &[Attachment]| -> Vec<(String, Option<u64>, Option<String>)> {
        files.iter().map(|file| (file.name.clone(), file.size, file.media_type.clone())).collect()
    };
    let csv = ("data.csv".to_owned(), Some(1234), Some("text/csv".to_owned()));
    let named = listed(&lines[0].meta.as_ref().unwrap().attachments);
    assert_eq!(named, [csv, ("key only".to_owned(), Some(4), None)]);
    assert_eq!(listed(&lines[1].attachments), [("note.txt".to_owned(), Some(4), None)]);
}

#[test]
fn links_of_a_page_come_once_each() {
    let link = "<</Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(https://example.test/a)>>>>";
    let pdf =
        one_page("", "/Annots[6 0 R 6 0 R 7 0 R]", "", &[link, "<</Subtype/Link/Rect[0 0 9 9]/Dest[3 0 R/Fit]>>"]);
    let links = read(pdf)[1].links.clone();
    assert_eq!(links.iter().map(|link| link.url.as_str()).collect::<Vec<_>>(), ["https://example.test/a"]);
}

#[test]
fn an_outline_knows_every_kind_of_destination_and_drops_the_broken() {
    let pdf = one_page(
        "",
        "",
        "/Outlines 6 0 R/Names<</Dests<</Names[(n)[3 0 R/Fit]]>>>>/Dests<</old<</D[3 0 R/Fit]>>>>",
        &[
            "<</First 7 0 R>>",
            "<</Title(direct)/Dest[3 0 R/Fit]/Next 8 0 R/First 11 0 R>>",
            "<</Title(named)/Dest(n)/Next 9 0 R>>",
            "<</Title(action)/A<</S/GoTo/D/old>>/Next 10 0 R>>",
            "<</Title(broken)/Dest[99 0 R/Fit]/Next 7 0 R/First 8 0 R>>",
            "<</Title(child)/Dest[0/Fit]/Next 11 0 R>>",
        ],
    );
    let outline = meta(pdf).outline;
    let items: Vec<_> = outline.iter().map(|item| (item.level, item.title.as_str(), item.page)).collect();
    assert_eq!(items, [(1, "direct", 1), (2, "child", 1), (1, "named", 1), (1, "action", 1)]);
}

#[test]
fn an_outline_follows_structure_destinations_and_drops_what_leads_elsewhere() {
    let pdf = one_page(
        "",
        "",
        "/Outlines<</First 6 0 R>>",
        &[
            "<</Title(element)/SE 11 0 R/Next 7 0 R>>",
            "<</Title(action)/A<</S/GoTo/SD[11 0 R/Fit]>>/Next 8 0 R>>",
            "<</Title(lost)/SE 13 0 R/Next 9 0 R>>",
            "<</Title(remote)/A<</S/GoToR/F(x.pdf)/D[0/Fit]>>/Next 10 0 R/First 14 0 R>>",
            "<</Title(web)/A<</S/URI/URI(https://a.example)>>>>",
            "<</S/Sect/K[12 0 R]>>",
            "<</S/P/K 0/Pg 3 0 R>>",
            "<</S/Sect/K[13 0 R]>>",
            "<</Title(child of remote)/Dest[3 0 R/Fit]>>",
        ],
    );
    let outline = meta(pdf).outline;
    let items: Vec<_> = outline.iter().map(|item| (item.level, item.title.as_str(), item.page)).collect();
    assert_eq!(items, [(1, "element", 1), (1, "action", 1), (2, "child of remote", 1)]);
}

/// Two columns, each marked content of its own, with the tree `kids`.
fn tagged(marks: &str, kids: &str) -> String {
    let left = ["alpha beta gamma delta", "epsilon zeta eta theta", "iota kappa lambda mu n", "xi omicron pi rho sigm"];
    let right =
        ["ONE TWO THREE FOUR FIV", "SIX SEVEN EIGHT NINE T", "ELEVEN TWELVE THIRTEEN", "FOURTEEN FIFTEEN SIXTE"];
    let content = format!(
        "/P<</MCID 0>>BDC {}EMC /P<</MCID 1>>BDC {}EMC /P<</MCID 2>>BDC {}EMC",
        column(20, 300, &left[..2]),
        column(20, 276, &left[2..]),
        column(200, 300, &right),
    );
    let catalog = format!("/MarkInfo<<{marks}>>/StructTreeRoot 6 0 R");
    read(one_page(&content, "", &catalog, &[kids]))[1].text.clone().unwrap()
}

#[test]
fn a_tree_that_agrees_with_the_page_tells_which_column_is_read_first() {
    let first = |text: String| text.split(' ').next().map(str::to_owned);
    let right = Some("ONE".to_owned());
    let left = Some("alpha".to_owned());
    let marked = "/Marked true";
    assert_eq!(first(tagged(marked, "<</K<</S/Div/Pg 3 0 R/K[2 0 1]>>>>")), right);
    assert_eq!(first(tagged(marked, "<</K[<</Pg 3 0 R/K 2>><</Pg 3 0 R/K[0<</MCID 1>>]>>]>>")), right);
    // Not tagged, in doubt, mixed up, knows too little, loops, another page's.
    assert_eq!(first(tagged("", "<</K<</Pg 3 0 R/K[2 0 1]>>>>")), left);
    assert_eq!(first(tagged("/Marked true/Suspects true", "<</K<</Pg 3 0 R/K[2 0 1]>>>>")), left);
    assert_eq!(first(tagged(marked, "<</K<</Pg 3 0 R/K[0 2 1]>>>>")), left);
    assert_eq!(first(tagged(marked, "<</K<</Pg 3 0 R/K[2 0]>>>>")), left);
    assert_eq!(first(tagged(marked, "<</K[6 0 R 6 0 R<</Pg 3 0 R/K[0 1 2]>>]>>")), left);
    assert_eq!(first(tagged(marked, "<</K<</Pg 2 0 R/K[2 0 1]>>>>")), left);
}

#[test]
fn a_tree_that_is_too_deep_to_be_read_by_steps_within_steps_is_read() {
    let mut kids: Vec<String> = (7..3000).map(|n| format!("<</K {n} 0 R/Pg 3 0 R>>")).collect();
    kids.push("<</K 0/ActualText(deep)>>".to_owned());
    let kids: Vec<&str> = kids.iter().map(String::as_str).collect();
    let content = "/P<</MCID 0>>BDC BT /F1 10 Tf 20 300 Td (shallow) Tj ET EMC";
    let lines = read(one_page(content, "", "/MarkInfo<</Marked true>>/StructTreeRoot 6 0 R", &kids));
    assert_eq!(lines[1].text.as_deref(), Some("deep"));
}

#[test]
fn the_replacement_text_of_an_element_wins_over_its_glyphs() {
    let content = "/P<</MCID 0>>BDC BT /F1 10 Tf 20 300 Td (wr) Tj ET EMC \
        /P<</MCID 1>>BDC BT /F1 10 Tf 32 300 Td (ong) Tj ET EMC BT /F1 10 Tf 56 300 Td (text) Tj ET";
    let tree = |kids: &str| {
        let catalog = format!("/MarkInfo<</Marked true>>/StructTreeRoot<</K[{kids}]>>");
        read(one_page(content, "", &catalog, &[]))[1].text.clone().unwrap()
    };
    assert_eq!(tree("<</Pg 3 0 R/ActualText(right)/K[0 1]>>"), "right text");
    assert_eq!(tree("<</Pg 3 0 R/ActualText(right)/K[0<</S/Span/K 1>>]>>"), "right text");
    // The same text for two elements stands twice.
    assert_eq!(tree("<</Pg 3 0 R/ActualText(so)/K 0>><</Pg 3 0 R/ActualText(so)/K 1>>"), "soso text");
    assert_eq!(tree("<</Pg 3 0 R/ActualText(right)/K 7>>"), "wrong text");
}

#[test]
fn labels_are_given_unless_they_are_the_plain_numbers() {
    let labelled = |tree: &str| meta(one_page("", "", &format!("/PageLabels {tree}"), &[])).labels;
    assert_eq!(labelled("<</Nums[0<</S/r/St 4/P(p-)>>]>>"), ["p-iv"]);
    assert_eq!(labelled("<</Kids[<</Nums[0<</P(Cover)>>]>>]>>"), ["Cover"]);
    assert_eq!(labelled("<</Nums[0<</S/A/St 28>>]>>"), ["BB"]);
    assert_eq!(labelled("<</Nums[0<</S/R/St -7>>]>>"), ["I"]);
    for broken in ["<</Nums[0<</S/D>>]>>", "<</Nums[(x)<</S/r>>]>>", "<</Nums[7<</S/r>>]>>", "<</Nums[0 5]>>", "[]"] {
        assert!(labelled(broken).is_empty(), "{broken}");
    }
    assert!(meta(one_page("", "", "", &[])).labels.is_empty());
}

#[test]
fn trees_that_loop_are_read_once() {
    let labels = "<</Nums[0<</S/A>>]/Kids[6 0 R 6 0 R]>>";
    let names = "<</Names[(n)[3 0 R/Fit]]/Kids[7 0 R 7 0 R]>>";
    let catalog = "/PageLabels 6 0 R/Names<</Dests 7 0 R>>/Outlines<</First 8 0 R>>";
    let meta = meta(one_page("", "", catalog, &[labels, names, "<</Title(named)/Dest(n)>>"]));
    assert_eq!((meta.labels.as_slice(), meta.outline.len()), (&["A".to_owned()][..], 1));
}

#[test]
fn a_long_outline_is_cut_at_ten_thousand_items() {
    for (made, kept) in [(9_999, 9_999), (10_000, 10_000), (10_001, 10_000)] {
        let items: Vec<String> =
            (0..made).map(|n| format!("<</Title(t{n})/Dest[3 0 R/Fit]/Next {} 0 R>>", n + 7)).collect();
        let items: Vec<&str> = items.iter().map(String::as_str).collect();
        let outline = meta(one_page("", "", "/Outlines<</First 6 0 R>>", &items)).outline;
        assert_eq!(outline.len(), kept);
    }
}

#[test]
fn the_title_is_the_largest_text_when_no_person_gave_one() {
    let content = "BT /F1 10 Tf 20 380 Td (Acme) Tj /F1 20 Tf 0 -40 Td (A Study) Tj /F1 10 Tf 0 -40 Td (Body) Tj ET";
    assert_eq!(meta(one_page(content, "", "", &[])).title.as_deref(), Some("A Study"));
}

#[test]
fn encrypted_files_open_with_the_password_and_only_then() {
    let files: [&[u8]; 4] = [
        include_bytes!("../testdata/user-rc4-40.pdf"),
        include_bytes!("../testdata/user-rc4-128.pdf"),
        include_bytes!("../testdata/user-aes-128.pdf"),
        include_bytes!("../testdata/user-aes-256.pdf"),
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
    for bytes in [&include_bytes!("../testdata/owner-rc4-40.pdf")[..], include_bytes!("../testdata/owner-aes-256.pdf")]
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
    let lines = read(include_bytes!("../testdata/udhr-ru.pdf").to_vec());
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
