//! The encodings of the symbol fonts of TeX, for fonts whose glyphs have no names that say anything.

use super::super::glyph::Text;
use hayro_syntax::object::{Dict, Name};

/// Fonts by the beginning of their names, and their characters by code from a first one on. A space stands for a code
/// that says nothing.
const FONTS: [(&[&str], u8, &str); 7] = [
    (
        &["CMSY", "CMBSY", "LMMATHSYMBOLS"],
        0,
        "−·×∗÷⋄±∓⊕⊖⊗⊘⊙◯◦•≍≡⊆⊇≤≥⪯⪰∼≈⊂⊃≪≫≺≻←→↑↓↔↗↘≃⇐⇒⇑⇓⇔↖↙∝′∞∈∋△▽\u{338}↦∀∃¬∅ℜℑ⊤⊥ℵ\
         ABCDEFGHIJKLMNOPQRSTUVWXYZ∪∩⊎∧∨⊢⊣⌊⌋⌈⌉{}⟨⟩|∥↕⇕\\≀√⨿∇∫⊔⊓⊑⊒§†‡¶♣♢♡♠",
    ),
    (
        &["CMMI", "LMMATHITALIC"],
        0,
        "ΓΔΘΛΞΠΣΥΦΨΩαβγδϵζηθικλμνξπρστυϕχψωεϑϖϱςφ↼↽⇀⇁↪↩▹◃0123456789.,</>⋆∂\
         ABCDEFGHIJKLMNOPQRSTUVWXYZ♭♮♯⌣⌢ℓabcdefghijklmnopqrstuvwxyzıȷ℘",
    ),
    (
        &["CMEX", "LMMATHEXTENSION"],
        0,
        "()[]⌊⌋⌈⌉{}⟨⟩|∥/\\()()[]⌊⌋⌈⌉{}⟨⟩/\\()[]⌊⌋⌈⌉{}⟨⟩/\\/\\⎛⎞⎡⎤⎣⎦⎢⎥⎧⎫⎩⎭⎨⎬⎪⏐⎝⎠⎜⎟⟨⟩⊔⊔∮∮⊙⊙⊕⊕⊗⊗\
         ∑∏∫⋃⋂⨄⋀⋁∑∏∫⋃⋂⨄⋀⋁∐∐",
    ),
    (&["LASY"], 1, "◁⊴▷⊵"),
    (&["LASY"], 48, "℧⋈□◇       ⇝⊏⊐"),
    // Arrows of dashes are drawn piece by piece: their heads stand for them.
    (&["MSAM"], 57, "\u{AD}                 ⇢⇠"),
    (&["MSBM"], 65, "𝔸𝔹ℂ𝔻𝔼𝔽𝔾ℍ𝕀𝕁𝕂𝕃𝕄ℕ𝕆ℙℚℝ𝕊𝕋𝕌𝕍𝕎𝕏𝕐ℤ"),
];
/// Fonts whose glyphs are pieces of lines, arcs and arrow heads of drawings, and no characters.
const DRAWINGS: [&str; 10] =
    ["LINE1", "LINEW1", "LCIRCLE", "XYATIP", "XYBTIP", "XYBSQL", "XYCIRC", "XYCMAT", "XYDASH", "XYLINE"];

/// What `code` is in `font`; none when its name is not one of TeX's.
pub(super) fn text(font: &Dict<'_>, code: u8) -> Option<Text> {
    let name = font.get::<Name<'_>>(b"BaseFont")?;
    let name = match name.iter().position(|&byte| byte == b'+') {
        Some(6) => &name[7..],
        _ => &name[..],
    };
    let is = |start: &&str| name.get(..start.len()).is_some_and(|begins| begins.eq_ignore_ascii_case(start.as_bytes()));
    if DRAWINGS.iter().any(is) {
        return Some(Text::Empty);
    }
    let fonts = FONTS.iter().filter(|(names, ..)| names.iter().any(is));
    let c = fonts
        .filter_map(|(_, first, characters)| characters.chars().nth(usize::from(code.checked_sub(*first)?)))
        .find(|&c| c != ' ')?;
    Some(if c == '\u{AD}' { Text::Empty } else { Text::Char(c) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use hayro_syntax::object::FromBytes as _;

    fn read(font: &str, code: u8) -> Option<Text> {
        text(&Dict::from_bytes(format!("<</BaseFont/{font}>>").as_bytes()).unwrap(), code)
    }

    #[test]
    fn symbols_are_known_by_the_name_of_their_font() {
        for (font, code, c) in [
            ("ABCDEF+CMSY10", 0x37, '↦'),
            ("CMSY7", 0x21, '→'),
            ("CMSY7", 0x41, 'A'),
            ("CMSY7", 0x7F, '♠'),
            ("LMMathSymbols10-Regular", 0x3B, '∅'),
            ("ABCDEF+CMMI10", 0x0B, 'α'),
            ("CMMI10", 0x40, '∂'),
            ("CMMI10", 0x7D, '℘'),
            ("CMEX10", 0x30, '⎛'),
            ("CMEX10", 0x50, '∑'),
            ("ABCDEF+LASY10", 50, '□'),
            ("LASY10", 2, '⊴'),
            ("MSAM10", 75, '⇢'),
            ("MSBM10", 0x52, 'ℝ'),
        ] {
            assert_eq!(read(font, code), Some(Text::Char(c)), "{font} {code}");
        }
        assert_eq!(read("Helvetica", 0x37), None);
        assert_eq!(read("LASY10", 52), None);
        assert_eq!(read("MSAM10", 58), None);
    }

    #[test]
    fn pieces_of_drawings_are_no_text() {
        assert_eq!(read("AAAAAP+LINE10", 26), Some(Text::Empty));
        assert_eq!(read("MSAM10", 57), Some(Text::Empty));
    }
}
