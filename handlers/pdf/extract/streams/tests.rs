use super::{
    super::tests::{file, hex},
    *,
};
use flate2::{Compression, write::ZlibEncoder};
use hayro_syntax::{Pdf, object::ObjectIdentifier};
use std::io::Write as _;

const ROOM: usize = 1 << 20;

fn deflate(data: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

fn inflate(data: &[u8]) -> Vec<u8> {
    flate::decode(data, ROOM, &mut 1_000_000).0
}

/// Lines that hardly repeat, so that they don't shrink to copies.
fn lines(count: usize) -> Vec<u8> {
    (0..count as u32).flat_map(|n| format!("(word {:x}) Tj\n", n.wrapping_mul(2_654_435_761)).into_bytes()).collect()
}

/// A page whose content is `body`, with `entries` in its dictionary.
fn with_page<T>(entries: &str, body: &[u8], work: impl FnOnce(&Pdf) -> T) -> T {
    let digits = hex(body);
    let length = digits.len() + 1;
    let pdf = file(&[
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        "<</Type/Pages/Count 1/Kids[3 0 R]>>".to_owned(),
        "<</Type/Page/Contents 4 0 R>>".to_owned(),
        format!("<<{entries}/Length {length}>>\nstream\n{digits}>\nendstream"),
    ]);
    work(&Pdf::new(pdf).unwrap())
}

fn decode(entries: &str, body: &[u8]) -> Option<Vec<u8>> {
    with_page(entries, body, |pdf| {
        let stream = pdf.xref().get::<Stream<'_>>(ObjectIdentifier::new(4, 0)).unwrap();
        decoded(&stream, &Budget::new(0).page()).map(Cow::into_owned)
    })
}

#[test]
fn a_cut_stream_gives_what_comes_before_the_cut() {
    let whole = lines(2_000);
    let packed = deflate(&whole);
    let half = inflate(&packed[..packed.len() / 2]);
    assert!(half.len() > whole.len() / 3);
    assert!(whole.starts_with(&half));
}

#[test]
fn a_wrong_checksum_loses_nothing() {
    let whole = lines(500);
    let mut packed = deflate(&whole);
    let last = packed.len() - 1;
    packed[last] ^= 1;
    assert_eq!(inflate(&packed), whole);
}

#[test]
fn a_missing_or_damaged_header_loses_nothing() {
    let whole = lines(500);
    let mut packed = deflate(&whole);
    assert_eq!(inflate(&packed[2..]), whole);
    packed[0] = 0xFF;
    assert_eq!(inflate(&packed), whole);
}

#[test]
fn after_a_block_that_is_lost_the_next_one_is_found() {
    let (first, second) = (lines(600), lines(1_200));
    let second = &second[first.len()..];
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(&first).unwrap();
    encoder.flush().unwrap();
    encoder.write_all(second).unwrap();
    let mut packed = encoder.finish().unwrap();
    // The codes of the first block.
    packed[2..40].fill(0xFF);
    // What the second block copies from the first is blank; its own words are there.
    let found = String::from_utf8_lossy(&inflate(&packed)).into_owned();
    let second = String::from_utf8_lossy(second);
    let words = second.split(['(', ')', ' ', '\n']).filter(|word| word.len() > 6);
    assert!(words.filter(|word| found.contains(&word[1..5])).count() > 300, "{}", found.len());
}

#[test]
fn one_damaged_byte_in_the_codes_of_a_block_is_put_right() {
    let whole = lines(400);
    let packed = deflate(&whole);
    let mut restored = 0;
    for at in [8, 12, 20, 30] {
        let mut damaged = packed.clone();
        damaged[at] ^= 0x55;
        restored += usize::from(inflate(&damaged) == whole);
    }
    assert!(restored > 2, "{restored}");
}

#[test]
fn a_false_end_in_a_damaged_block_does_not_end_it() {
    let whole = lines(2_000);
    let packed = deflate(&whole);
    let mut damaged = packed.clone();
    let middle = packed.len() / 2;
    damaged[middle..middle + 200].fill(0);
    assert!(inflate(&damaged).len() > whole.len() * 3 / 4);
}

#[test]
fn a_bomb_stops_at_its_room() {
    let packed = deflate(&vec![b' '; 8 << 20]);
    assert!(packed.len() < 16 << 10);
    assert_eq!(inflate(&packed).len(), ROOM);
    assert_eq!(lzw::decode(&[0x80, 0x0B, 0x60, 0x50, 0x22, 0x0C, 0x0C, 0x85, 0x01], true, 4).len(), 4);
    assert_eq!(ascii::run_length(&[129, b'a', 129, b'b'], 100).len(), 100);
}

#[test]
fn a_page_has_a_bound_of_its_own() {
    let budget = Budget::new(0);
    let page = budget.page();
    let first = page.room();
    while page.room() > 0 {
        page.spend(page.room());
    }
    assert_eq!(budget.page().room(), first);
    for _ in 0..100 {
        let page = budget.page();
        page.spend(page.room());
    }
    assert_eq!(budget.page().room(), 0);
}

#[test]
fn lzw_reads_the_example_of_the_specification() {
    let packed = [0x80, 0x0B, 0x60, 0x50, 0x22, 0x0C, 0x0C, 0x85, 0x01];
    assert_eq!(lzw::decode(&packed, true, ROOM), b"-----A---B");
    // A code that does not exist yet ends it.
    assert_eq!(lzw::decode(&[0x80, 0x0B, 0x7F, 0xFF], true, ROOM), b"-");
}

#[test]
fn text_filters_step_over_damage_or_stop_before_it() {
    assert_eq!(ascii::base_85(b"<~87cURD]i,\"Ebo80~>", ROOM), b"Hello World!");
    assert_eq!(ascii::base_85(b"87cUR\x80D]i", ROOM), b"Hell");
    assert_eq!(ascii::hex(b"48 6x5 6C7>6C", ROOM), b"Help");
    assert_eq!(ascii::run_length(&[2, b'a', b'b', b'c', 254, b'd', 5, b'e'], ROOM), b"abcddde");
}

#[test]
fn predictors_are_undone_also_in_a_row_that_is_cut() {
    let png = "/Filter[/AHx]/DecodeParms[<</Predictor 12/Columns 3>>]";
    // Only compressed data has a predictor.
    assert_eq!(decode(png, &[2, 1, 2, 3]).unwrap(), [2, 1, 2, 3]);
    let flate = "/Filter[/AHx/Fl]/DecodeParms[null<</Predictor 12/Columns 3>>]";
    let rows = deflate(&[2, 1, 2, 3, 2, 1, 1, 1, 1, 5, 1]);
    assert_eq!(decode(flate, &rows).unwrap(), [1, 2, 3, 2, 3, 4, 5, 6]);
    let tiff = "/Filter[/AHx/Fl]/DecodeParms[null<</Predictor 2/Columns 4>>]";
    assert_eq!(decode(tiff, &deflate(&[1, 1, 1, 1, 5, 1])).unwrap(), [1, 2, 3, 4, 5, 6]);
    let zero = "/Filter[/AHx/Fl]/DecodeParms[null<</Predictor 12/Columns 0/Colors -1>>]";
    assert!(decode(zero, &rows).is_some());
}

#[test]
fn a_chain_of_too_many_filters_is_not_followed() {
    assert_eq!(decode("/Filter[/AHx/AHx]", b"34 31>").unwrap(), b"41");
    assert_eq!(decode(&format!("/Filter[{}]", "/AHx".repeat(9)), b"41"), None);
}

#[test]
fn a_stream_that_lost_the_name_of_its_filter_is_inflated() {
    let whole = lines(100);
    assert_eq!(decode("/Filter[/AHx/FlateDecode]", &deflate(&whole)).unwrap(), whole);
    assert_eq!(flate::sniff(&deflate(&whole), ROOM).unwrap(), whole);
    assert_eq!(flate::sniff(b"x^ 1 0 0 1 cm", ROOM), None);
}

#[test]
fn instructions_without_what_they_need_are_left_out() {
    let clean = |text: &str| String::from_utf8(instructions::clean(text.as_bytes())).unwrap();
    assert_eq!(clean("1 x 2 m 0 0 m (a) Tj"), "0 0 m\n(a) Tj\n");
    assert_eq!(clean("/F1 Tf /F1 12 Tf"), "/F1 12 Tf\n");
    assert_eq!(clean("BI /W 1 ID \0\u{1}( EI (a) Tj"), "(a) Tj\n");
    assert_eq!(clean("[(a) 3 (b) TJ 1 0 Td"), "[(a) 3 (b) ] TJ\n1 0 Td\n");
    assert_eq!(clean("% (a) Tj\n(b) Tj"), "(b) Tj\n");
}

#[test]
fn a_string_that_lost_its_end_does_not_swallow_the_rest() {
    let text = format!("(a( Tj (b) Tj {}", "(c) Tj ".repeat(300));
    let clean = String::from_utf8(instructions::clean(text.as_bytes())).unwrap();
    assert!(clean.matches("(c) Tj").count() >= 299, "{}", clean.len());
}
