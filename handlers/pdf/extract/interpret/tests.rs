//! Content streams, as small as they can be, and what is kept of them.

use super::{super::streams::Budget, Layers, page};
use crate::pdf::extract::{
    fonts::Fonts,
    glyph::{PageGlyphs, Rule},
};
use hayro_syntax::Pdf;
use std::{fmt::Write as _, rc::Rc};

const TYPE3: &str = "<</Type/Font/Subtype/Type3/FontMatrix[.01 0 0 .01 0 0]/FontBBox[0 0 9 9]/CharProcs<<>>\
    /FirstChar 97/LastChar 98/Widths[50 60]/Encoding<</Differences[97/square/eacute]>>>>";

/// Reads a page of 400 x 400 points with `resources`, and `more` objects from 8 on.
fn read(content: &str, resources: &str, more: &[String]) -> PageGlyphs {
    let mut objects = vec![
        "<</Type/Catalog/Pages 2 0 R/OCProperties<</OCGs[7 0 R]/D<</OFF[7 0 R]>>>>>>".to_owned(),
        "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned(),
        format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 400]/Contents 4 0 R\
             /Resources<</Font<</F1 5 0 R/T3 6 0 R/F9 8 0 R>>{resources}>>>>"
        ),
        stream("", content),
        "<</Type/Font/Subtype/Type1/BaseFont/Courier-Bold>>".to_owned(),
        TYPE3.to_owned(),
        "<</Type/OCG/Name(off)>>".to_owned(),
    ];
    objects.extend_from_slice(more);
    let mut file = String::from("%PDF-1.7\n");
    for (n, object) in objects.iter().enumerate() {
        let _ = writeln!(file, "{} 0 obj\n{object}\nendobj", n + 1);
    }
    file += "trailer\n<</Root 1 0 R>>\n";
    let pdf = Pdf::new(file.into_bytes()).unwrap();
    let budget = Budget::new(1 << 20);
    let budget = Rc::new(budget);
    let mut fonts = Fonts::new(Rc::clone(&budget));
    page(&pdf.pages()[0], &mut fonts, &Layers::read(pdf.xref()), &budget.page())
}

fn stream(entries: &str, body: &str) -> String {
    format!("<<{entries}/Length {}>>\nstream\n{body}\nendstream", body.len())
}

fn text(page: &PageGlyphs) -> String {
    page.glyphs.iter().flat_map(|glyph| glyph.text.chars()).collect()
}

#[test]
fn spacing_scale_and_rise_move_glyphs() {
    let drawn = read("BT /F1 10 Tf 2 Tc 3 Tw 50 Tz 4 Ts 100 200 Td [(a ) -1000 (b)] TJ ET", "", &[]);
    let places: Vec<_> = drawn.glyphs.iter().map(|glyph| (glyph.x, glyph.y, glyph.advance)).collect();
    // Half of 6 + 2, of 6 + 2 + 3, and of an em.
    assert_eq!(places, [(100.0, 196.0, 3.0), (104.0, 196.0, 3.0), (114.5, 196.0, 3.0)]);
    assert!(drawn.faces[usize::from(drawn.glyphs[0].face)].bold);
}

#[test]
fn type3_widths_go_by_the_font_matrix_and_shapes_by_their_code() {
    let drawn = read("BT /T3 10 Tf 100 200 Td (ab) Tj ET", "", &[]);
    assert_eq!(text(&drawn), "aé");
    assert!((drawn.glyphs[1].x - 105.0).abs() < 1e-3);
}

#[test]
fn marked_content_keeps_its_number_and_forms_have_their_own() {
    let form = stream(
        "/Type/XObject/Subtype/Form/BBox[0 0 400 400]",
        "/P<</MCID 5>>BDC BT /F1 9 Tf 10 10 Td (b) Tj ET EMC Q Q EMC",
    );
    let content = "/P<</MCID 3>>BDC BT /F1 9 Tf (a) Tj ET EMC /X Do q 1 0 0 1 9 9 cm BT /F1 9 Tf (c) Tj ET Q";
    let drawn = read(content, "/XObject<</X 8 0 R>>", &[form]);
    assert_eq!(text(&drawn), "abc");
    assert_eq!(drawn.glyphs.iter().map(|glyph| glyph.content).collect::<Vec<_>>(), [3, -1, -1]);
}

#[test]
fn hidden_layers_are_not_read_and_replacements_are() {
    let content =
        "/OC/L BDC BT /F1 9 Tf 9 9 Td (no) Tj ET EMC /Span<</ActualText(yes)>>BDC BT /F1 9 Tf 9 9 Td (xyz) Tj ET EMC";
    let drawn = read(content, "/Properties<</L 7 0 R>>", &[]);
    assert_eq!((text(&drawn).as_str(), drawn.glyphs.len()), ("yes", 1));
    assert!((drawn.glyphs[0].advance - 16.2).abs() < 1e-3);
}

#[test]
fn lines_thin_boxes_and_edges_are_rules_and_dashes_are_joined() {
    let rule = |from: [f32; 2], to: [f32; 2]| Rule { from, to };
    let drawn = read("10 10 m 100 10 l S 10 50 100 1 re f 10 90 m 50 90 l 52 90 m 80 90 l S", "", &[]);
    assert_eq!(
        drawn.rules,
        [rule([10.0, 390.0], [100.0, 390.0]), rule([10.0, 350.0], [110.0, 350.0]), rule([10.0, 310.0], [80.0, 310.0])]
    );
    assert_eq!(read("1 g 10 10 200 200 re f 10 10 50 50 re W n", "", &[]).rules, []);
}

#[test]
fn a_form_that_draws_itself_ends() {
    let form = stream(
        "/Type/XObject/Subtype/Form/BBox[0 0 400 400]/Resources<</Font<</F1 5 0 R>>/XObject<</X 8 0 R>>>>",
        "BT /F1 9 Tf 9 9 Td (x) Tj ET /X Do",
    );
    assert!((1..=28).contains(&read("/X Do", "/XObject<</X 8 0 R>>", &[form]).glyphs.len()));
}

#[test]
fn states_that_are_saved_without_end_are_counted() {
    let content = "q ".repeat(5000) + &"Q ".repeat(6000) + "BT /F1 9 Tf 9 9 Td (x) Tj ET";
    assert_eq!(text(&read(&content, "", &[])), "x");
}

#[test]
fn a_program_that_is_broken_has_the_usual_codes() {
    let shown = |name: &str| {
        let font = format!("<</Type/Font/Subtype/Type1/BaseFont/ABCDEF+{name}/FontDescriptor 9 0 R>>");
        let descriptor = format!("<</Type/FontDescriptor/FontName/{name}/Flags 4/FontFile 10 0 R>>");
        let more = [font, descriptor, stream("", "no font program")];
        text(&read("BT /F9 10 Tf 100 200 Td (o\\016ce!) Tj ET", "", &more))
    };
    assert_eq!(shown("CMR10"), "office!");
    // Where symbols stand a mark says nothing, while letters are letters; of some fonts all symbols are known.
    assert_eq!(shown("WASY10"), "oce\u{FFFD}");
    assert_eq!(shown("CMSY10"), "≀◦⌋⌉→");
}

#[test]
fn a_map_that_is_only_a_name_says_that_codes_are_characters() {
    let more = [
        "<</Type/Font/Subtype/Type0/BaseFont/A/Encoding/Identity-H/DescendantFonts[9 0 R]/ToUnicode/Identity-H>>",
        "<</Type/Font/Subtype/CIDFontType2/BaseFont/A/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>>>",
    ];
    let more = more.map(str::to_owned);
    let drawn = read("BT /F9 10 Tf 100 200 Td <0041044F> Tj ET", "", &more);
    assert_eq!(text(&drawn), "Aя");
}
