//! How a font looks, by its name and its descriptor.

use super::super::glyph::Face;
use hayro_syntax::object::{Dict, Name};

const FORCE_BOLD: u32 = 1 << 18;
/// The weight from which a font is bold, of 100 to 900.
const BOLD: f32 = 600.0;
/// The thickness of stems from which a font is bold, in thousandths of an em.
const BOLD_STEM: f32 = 140.0;

/// Reads the look of `font`, whose descriptor is `descriptor`.
pub(super) fn face(font: &Dict<'_>, descriptor: &Dict<'_>) -> Face {
    let name = font.get::<Name<'_>>(b"BaseFont").map(|name| name.as_str().to_ascii_lowercase()).unwrap_or_default();
    let named = |words: &[&str]| words.iter().any(|word| name.contains(word));
    let flags = descriptor.get::<u32>(b"Flags").unwrap_or(0);
    let over = |key: &[u8], limit: f32| descriptor.get::<f32>(key).is_some_and(|value| value >= limit);
    Face {
        bold: named(&["bold", "black", "heavy", "demi"])
            || is_tex_bold(&name)
            || flags & FORCE_BOLD != 0
            || over(b"FontWeight", BOLD)
            || over(b"StemV", BOLD_STEM),
    }
}

/// Whether `font` is one of those of TeX that hold symbols rather than text.
pub(super) fn is_symbols(font: &Dict<'_>) -> bool {
    let name = font.get::<Name<'_>>(b"BaseFont").map(|name| name.as_str().to_ascii_lowercase()).unwrap_or_default();
    is_tex(&name, &["cmsy", "cmbsy", "cmmi", "cmmib", "cmex", "msam", "msbm", "euex", "wasy", "stmary", "lasy"])
}

/// The fonts of TeX say in two letters what others say in a word.
fn is_tex(name: &str, families: &[&str]) -> bool {
    let name = name.split_once('+').map_or(name, |(_, name)| name);
    families
        .iter()
        .any(|family| name.strip_prefix(family).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit())))
}

fn is_tex_bold(name: &str) -> bool {
    is_tex(name, &["cmbx", "cmb", "cmbxsl", "cmbxti", "cmssbx", "cmbsy", "cmmib", "ecbx", "sfbx", "lmbx"])
}
