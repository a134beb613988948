//! Files that other readers get wrong, kind by kind: the fault, and the text that a person reads.

use super::{file, one_page, read, read_with, stream};
use std::fmt::Write as _;
use unicode_normalization::UnicodeNormalization;

/// The text of page `number` of a file, in compatibility form.
fn page_of(pdf: &[u8], number: usize) -> String {
    read(pdf.to_vec())[number].text.clone().unwrap_or_default().nfkc().collect()
}

fn squashed(text: &str) -> String {
    text.split_whitespace().collect()
}

/// A page that shows `codes` (hex) in a composite font which is not embedded.
fn not_embedded(encoding: &str, ordering: &str, codes: &str) -> Vec<u8> {
    one_page(
        &format!("BT /F2 24 Tf 20 300 Td <{codes}> Tj ET"),
        "/Resources<</Font<</F2 6 0 R>>>>",
        "",
        &[
            &format!("<</Type/Font/Subtype/Type0/BaseFont/Some/Encoding/{encoding}/DescendantFonts[7 0 R]>>"),
            &format!(
                "<</Type/Font/Subtype/CIDFontType0/BaseFont/Some/DW 1000/FontDescriptor 8 0 R\
                 /CIDSystemInfo<</Registry(Adobe)/Ordering({ordering})/Supplement 2>>>>"
            ),
            "<</Type/FontDescriptor/FontName/Some/Flags 4/ItalicAngle 0/Ascent 800/Descent -200/StemV 80>>",
        ],
    )
}

/// A page that shows `codes` (hex, one byte each) in a Type 3 font with `encoding` and empty procedures.
fn type3(encoding: &str, names: &[&str], codes: &str) -> Vec<u8> {
    let mut procedures = String::new();
    for name in names {
        let _ = write!(procedures, "/{name} 7 0 R");
    }
    one_page(
        &format!("BT /F2 10 Tf 20 300 Td <{codes}> Tj ET"),
        "/Resources<</Font<</F2 6 0 R>>>>",
        "",
        &[
            &format!(
                "<</Type/Font/Subtype/Type3/FontBBox[0 0 750 750]/FontMatrix[.001 0 0 .001 0 0]/FirstChar 0/LastChar 255\
                 /Widths[{}]/Encoding{encoding}/CharProcs<<{procedures}>>>>",
                "600 ".repeat(256)
            ),
            &stream("", "600 0 0 0 500 500 d1 0 0 500 500 re f"),
        ],
    )
}

/// A page that shows `codes` (hex, two bytes each) in a font whose `ToUnicode` has `entries`.
pub(super) fn mapped(entries: &str, codes: &str) -> Vec<u8> {
    let map = format!(
        "/CIDInit /ProcSet findresource begin begincmap /CMapName /M def 1 begincodespacerange <0000> <FFFF> \
         endcodespacerange {entries} endcmap end"
    );
    one_page(
        &format!("BT /F2 20 Tf 20 300 Td <{codes}> Tj ET"),
        "/Resources<</Font<</F2 6 0 R>>>>",
        "",
        &[
            "<</Type/Font/Subtype/Type0/BaseFont/Some/Encoding/Identity-H/DescendantFonts[7 0 R]/ToUnicode 8 0 R>>",
            "<</Type/Font/Subtype/CIDFontType2/BaseFont/Some/DW 600\
             /CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>>>",
            &stream("", &map),
        ],
    )
}

#[test]
fn east_asian_encodings_without_a_font_program_are_read_by_their_collection() {
    assert_eq!(page_of(&not_embedded("EUC-H", "Japan1", "A4A2A4A4A4A6A4A8A4AA"), 1), "あいうえお");
    assert_eq!(page_of(&not_embedded("90ms-RKSJ-H", "Japan1", "82A082A282A482A682A8"), 1), "あいうえお");
    let with_ascii = "48656C6C6F204153434949 93FA967B8CEA836583588367";
    assert_eq!(squashed(&page_of(&not_embedded("90ms-RKSJ-H", "Japan1", with_ascii), 1)), "HelloASCII日本語テスト");
    assert_eq!(page_of(&not_embedded("UniGB-UCS2-H", "GB1", "4F60597D"), 1), "你好");
    assert_eq!(page_of(&not_embedded("ETen-B5-H", "CNS1", "A741A66E"), 1), "你好");
    assert_eq!(page_of(&not_embedded("KSCms-UHC-H", "Korea1", "C7D1B1DB"), 1), "한글");
}

#[test]
fn a_chinese_font_in_the_guise_of_a_latin_one_is_read_in_its_own_code() {
    let read = |name: &str, flags: u32| {
        let font = format!(
            "<</Type/Font/Subtype/TrueType/BaseFont/{name}/Encoding/WinAnsiEncoding/FontDescriptor<</Flags {flags}>>>>"
        );
        let fonts = "/Resources<</Font<</F1 6 0 R>>>>";
        page_of(&one_page("BT /F1 20 Tf 10 100 Td <C8ABCAC0BDE74135> Tj ET", fonts, "", &[&font]), 1)
    };
    assert_eq!(read("#CB#CE#CC#E5,Bold", 4), "全世界A5");
    assert_eq!(read("#CB#CE#CC#E5", 32), "È«ÊÀ1⁄2çA5");
    assert_eq!(read("Arial", 4), "È«ÊÀ1⁄2çA5");
}

#[test]
fn identity_codes_of_a_known_collection_are_its_characters() {
    let codes = "034B0022004300540055005300420044005500F700F800F9";
    assert_eq!(squashed(&page_of(&not_embedded("Identity-H", "Japan1", codes), 1)), "あAbstract012");
}

#[test]
fn vertical_writing_reads_downward() {
    let lines = not_embedded("90ms-RKSJ-V", "Japan1", "82A082A282A482A682A8");
    assert_eq!(page_of(&lines, 1), "あいうえお");
    let two = String::from_utf8(lines).unwrap().replace(
        "20 300 Td <82A082A282A482A682A8> Tj",
        "1 0 0 1 300 300 Tm <82A082A2> Tj 1 0 0 1 260 300 Tm <93FA967B> Tj",
    );
    assert_eq!(squashed(&page_of(two.as_bytes(), 1)), "あい日本");
}

#[test]
fn an_empty_to_unicode_gives_way_to_the_font() {
    let pdf = include_bytes!("../../testdata/PDFBOX-4322-Empty-ToUnicode-reduced.pdf");
    assert!(page_of(pdf, 1).contains("Justin"));
}

#[test]
fn thai_and_latin_stand_in_one_line() {
    assert!(page_of(include_bytes!("../../testdata/F001u_3_7j.pdf"), 1).contains("Finished Product พลังรัก"));
}

#[test]
fn type3_glyphs_are_read_by_name_and_without_names_by_code() {
    let named =
        type3("<</Type/Encoding/Differences[1/H/e/l/o/eacute]>>", &["H", "e", "l", "o", "eacute"], "010203030405");
    assert_eq!(page_of(&named, 1), "Helloé");
    let numbered =
        type3("<</Type/Encoding/Differences[224/a224 192/a192 226/a226]>>", &["a224", "a192", "a226"], "E0C0E2");
    assert_eq!(page_of(&numbered, 1), "àÀâ");
}

#[test]
fn type3_glyphs_named_after_their_shape_are_their_codes() {
    let shapes = type3("<</Type/Encoding/Differences[97/square/triangle]>>", &["square", "triangle"], "616261626162");
    assert_eq!(page_of(&shapes, 1), "ababab");
}

#[test]
fn ligatures_come_apart() {
    let entries = "3 beginbfchar <0001> <0061> <0002> <FB00> <0003> <FB03> endbfchar \
                   2 beginbfchar <0004> <00660066006C> <0005> <FB06> endbfchar";
    assert_eq!(page_of(&mapped(entries, "000100020003000400050001"), 1), "affffifflsta");
    let physics = page_of(include_bytes!("../../testdata/PDFBOX-3044-010197-p5-ligatures.pdf"), 1);
    assert!(physics.contains("Heavy ion collisions at the Large Hadron Collider (LHC)"));
}

#[test]
fn a_stroke_belongs_to_the_sign_it_is_drawn_over_and_not_to_the_next_line() {
    let strokes = "<</Type/Font/Subtype/Type1/BaseFont/Signs/Encoding<</Differences[33/negationslash]>>\
        /FirstChar 33/LastChar 33/Widths[0]>>";
    let drawn = "BT /F1 10 Tf 12 TL 20 300 Td (all words of a line) Tj T* (a) Tj 12 0 Td (=) Tj 12 0 Td (b) Tj /F2 10 Tf -10 0 Td (!) Tj ET";
    let pdf = String::from_utf8(one_page(drawn, "", "", &[strokes])).unwrap();
    let text = page_of(&pdf.replace("/F1 5 0 R", "/F1 5 0 R/F2 6 0 R").into_bytes(), 1);
    assert_eq!(text, "all words of a line\na ≠ b");
}

#[test]
fn accents_that_are_drawn_apart_join_their_letter() {
    let drawn = "BT /F1 20 Tf 10 100 Td (accent a) Tj 84 0 Td (\\304) Tj ET";
    let pdf = one_page(
        drawn,
        "/Resources<</Font<</F1 6 0 R>>>>",
        "",
        &["<</Type/Font/Subtype/Type1/BaseFont/Courier/Encoding<</Differences[196/tilde]>>>>"],
    );
    assert_eq!(page_of(&pdf, 1), "accent ã");
}

#[test]
fn arabic_presentation_forms_in_visual_order_read_in_logical_order() {
    // "العربية" as it is drawn: from left to right, in presentation forms.
    let entries = "7 beginbfchar <0001> <FE93> <0002> <FEF4> <0003> <FE91> <0004> <FEAE> <0005> <FECC> <0006> <FEDF> <0007> <FE8D> endbfchar";
    assert_eq!(page_of(&mapped(entries, "0001000200030004000500060007"), 1), "العربية");
}

#[test]
fn both_directions_stand_in_one_line() {
    let text = page_of(include_bytes!("../../testdata/BidiSample.pdf"), 1);
    for want in ["١٤ إبريل ١٤٣٤", "A line with an Arabic العربية word embedded.", "(يناير)", "14 april 1434"]
    {
        assert!(text.contains(want), "{want}: {text}");
    }
}

#[test]
fn text_at_right_angles_is_read_by_itself() {
    let angled = page_of(include_bytes!("../../testdata/AngledExample.pdf"), 1);
    assert!(angled.contains("Horizontal Text") && angled.contains("Vertical Text"), "{angled}");
    let rotations = include_bytes!("../../testdata/PDFBOX-2984-rotations.pdf");
    for (number, want) in [(1, "90° text matrix"), (4, "180° ctm"), (5, "270° text matrix")] {
        let text = page_of(rotations, number);
        assert!(text.contains(want) && text.contains("Apache PDFBox"), "{text}");
    }
}

#[test]
fn spaces_that_the_geometry_denies_are_none() {
    // A space is drawn inside the date, and the pen steps back over it.
    let date = "BT /F1 10 Tf 20 300 Td [(03/25) 0 ( ) 600 (/2016)] TJ 80 0 Td (Maxim Integrated) Tj ET";
    let text = page_of(&one_page(date, "", "", &[]), 1);
    assert!(text.contains("03/25/2016") && text.contains("Maxim Integrated"), "{text}");
}

#[test]
fn a_hyphen_of_a_compound_stays_at_the_end_of_a_line() {
    let lines = "BT /F1 10 Tf 12 TL 20 300 Td (the fine-tuned parameters, and fine-) Tj T* (tuned ones [2, 3]) Tj ET";
    let text = page_of(&one_page(lines, "", "", &[]), 1);
    assert_eq!(
        text.split_whitespace().collect::<Vec<_>>().join(" "),
        "the fine-tuned parameters, and fine-tuned ones [2, 3]"
    );
}

#[test]
fn characters_drawn_twice_appear_once() {
    let codes = "987976EE63CF8FF0";
    let twice = not_embedded("UniGB-UCS2-H", "GB1", codes);
    let twice = String::from_utf8(twice).unwrap().replace(
        &format!("20 300 Td <{codes}> Tj"),
        &format!("1 0 0 1 20 300 Tm <{codes}> Tj 1 0 0 1 20.3 300 Tm <{codes}> Tj"),
    );
    assert_eq!(page_of(twice.as_bytes(), 1), "项目描述");
}

#[test]
fn damaged_cross_references_cost_nothing() {
    let whole = one_page("BT /F1 12 Tf 20 300 Td (all of it) Tj ET", "", "", &[]);
    let text = String::from_utf8(whole.clone()).unwrap();
    let wrong_start = text.replace("startxref\n", "startxref\n9");
    let junk = format!("some junk\nin front\n{text}");
    let shifted = text.replacen("%PDF-1.7\n", "%PDF-1.7\n%shifted by a comment\n", 1);
    let no_table = text[..text.find("xref").unwrap()].to_owned();
    for damaged in [wrong_start, junk, shifted, no_table] {
        assert_eq!(page_of(damaged.as_bytes(), 1), "all of it", "{damaged}");
    }
}

#[test]
fn a_file_cut_off_gives_the_pages_before_the_cut() {
    let count = 10;
    let mut objects = vec!["<</Type/Catalog/Pages 2 0 R>>".to_owned(), String::new()];
    let mut kids = String::new();
    for number in 0..count {
        let at = 4 + number * 2;
        let _ = write!(kids, "{at} 0 R ");
        if number == 0 {
            objects.push("<</Type/Font/Subtype/Type1/BaseFont/Courier>>".to_owned());
        }
        objects.push(format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 400]/Contents {} 0 R/Resources<</Font<</F1 3 0 R>>>>>>",
            at + 1
        ));
        objects.push(stream("", &format!("BT /F1 12 Tf 20 300 Td (page number {number}) Tj ET")));
    }
    objects[1] = format!("<</Type/Pages/Kids[{kids}]/Count {count}>>");
    let whole = file(&objects);
    let lines = read(whole[..whole.len() * 7 / 10].to_vec());
    let text: String = lines.iter().filter_map(|line| line.text.clone()).collect::<Vec<_>>().join("\n");
    for number in 0..5 {
        assert!(text.contains(&format!("page number {number}")), "{text}");
    }
}

#[test]
fn a_long_document_keeps_its_last_page_and_its_outline() {
    let count = 2100;
    let mut objects = vec![
        "<</Type/Catalog/Pages 2 0 R/Outlines 4 0 R>>".to_owned(),
        String::new(),
        "<</Type/Font/Subtype/Type1/BaseFont/Courier>>".to_owned(),
        "<</First 5 0 R/Last 46 0 R/Count 42>>".to_owned(),
    ];
    let first_page = 5 + 42;
    for entry in 0..42 {
        let next = if entry < 41 { format!("/Next {} 0 R", 6 + entry) } else { String::new() };
        objects
            .push(format!("<</Title(Chapter {entry})/Parent 4 0 R/Dest[{} 0 R/Fit]{next}>>", first_page + entry * 100));
    }
    let mut kids = String::new();
    for number in 0..count {
        let _ = write!(kids, "{} 0 R ", first_page + number * 2);
        objects.push(format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 400]/Contents {} 0 R/Resources<</Font<</F1 3 0 R>>>>>>",
            first_page + number * 2 + 1
        ));
        objects.push(stream("", &format!("BT /F1 12 Tf 20 300 Td (marker {}) Tj ET", number + 1)));
    }
    objects[1] = format!("<</Type/Pages/Kids[{kids}]/Count {count}>>");
    let lines = read_with(file(&objects), 2100, None).unwrap();
    assert_eq!(lines[0].meta.as_ref().unwrap().outline.len(), 42);
    assert_eq!(lines[2100].text.as_deref(), Some("marker 2100"));
}
