//! What a page says: spaces, rows, columns, and what is hidden.

use super::*;

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
fn words_of_joined_letters_are_told_apart_in_a_tight_line() {
    let entries = "2 beginbfchar <0001> <0628> <0002> <0647> endbfchar";
    let words = |gap: i32, times: usize| {
        let show = format!("[{}] TJ", format!("<00010002> -{gap} ").repeat(times));
        let pdf = String::from_utf8(hard::mapped(entries, "00010002")).unwrap();
        let text = read(pdf.replace("<00010002> Tj", &show).into_bytes())[1].text.clone().unwrap();
        text.split(' ').count()
    };
    assert_eq!(words(100, 5), 5);
    assert_eq!(words(200, 5), 5);
    assert_eq!(words(20, 5), 1);
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
    // Codes are characters: two columns of twelve signs, drawn sign by sign, under a level line of signs far apart.
    let mut content = String::from("BT /F1 10 Tf ");
    for (n, sign) in ["5B98", "5831", "53F7", "0041"].iter().enumerate() {
        let _ = write!(content, "1 0 0 1 {} 392 Tm <{sign}> Tj ", 20 + n * 60);
    }
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
    assert_eq!(read, format!("{}\n{}\n\n官  報  号  A", column(0x3042), column(0x304E)));
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

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn no_letter_is_lost_and_none_is_invented(
        words in prop::collection::btree_map((0i32..4, 0i32..24), ("[a-z]{1,12}", 6i32..11, -3i32..3), 1..60),
    ) {
        let mut content = String::new();
        for ((across, down), (word, size, lift)) in &words {
            let (x, y) = (10 + 95 * across, 380 - 15 * down + lift);
            let _ = write!(content, "BT /F1 {size} Tf {x} {y} Td ({word}) Tj ET ");
        }
        let sorted = |text: &str| {
            let mut letters: Vec<char> = text.chars().filter(char::is_ascii_alphabetic).collect();
            letters.sort_unstable();
            letters
        };
        let drawn: String = words.values().map(|(word, ..)| word.as_str()).collect();
        prop_assert_eq!(sorted(&text(&content)), sorted(&drawn));
    }
}
