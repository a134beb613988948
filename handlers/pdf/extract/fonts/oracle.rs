//! What `hayro-font` knows of glyph names, encodings and the 14 standard fonts, asked without the font's own program.
//!
//! Loading a program costs far more than a page of text, and a font dictionary mostly says all that is needed.

use hayro_font::{CMapResolverFn, Font, FontCache, FontData, FontGlyph, FontQuery, FontResolverFn};
use hayro_syntax::object::{Array, Dict, FromBytes as _, Name, Object};
use std::{fmt::Write as _, sync::Arc};

/// A font program without tables: it stands for those of fonts that are not embedded, whose outlines nobody asks for.
const EMPTY: &[u8] = b"\0\x01\0\0\0\0\0\0\0\0\0\0";
/// The most entries of `Differences` that are read.
const MAX_DIFFERENCES: usize = 1024;

/// Which codes an encoding names by itself.
#[derive(Debug, Default)]
pub(super) struct Named {
    /// The codes of `Differences`.
    pub(super) differences: [u64; 4],
    /// Of these, the ones whose name is a letter and the code itself, such as `c65`: the code is the character.
    pub(super) numbered: [u64; 4],
    /// Whether there is a base encoding, so that the font's own one has no say.
    pub(super) base: bool,
}

/// Loads the font of `font`, with its program when it is embedded.
pub(super) fn load<'a>(font: &Dict<'a>) -> Option<Font<'a>> {
    let programs: FontResolverFn = Arc::new(|_: &FontQuery| Some((Arc::new(EMPTY) as FontData, 0)));
    let maps: CMapResolverFn = Arc::new(hayro_cmap::load_embedded);
    FontCache::new().font(font, &programs, &maps)
}

/// Calls `ask` with a font that has the names and encodings of `font` and no program.
pub(super) fn with_names<T>(font: &Dict<'_>, ask: impl FnOnce(&Font<'_>, Named) -> T) -> Option<T> {
    let mut named = Named::default();
    let text = dictionary(font, &mut named);
    let dict = Dict::from_bytes(text.as_bytes())?;
    load(&dict).map(|font| ask(&font, named))
}

/// The characters of a one-byte code.
pub(super) fn unicode(font: &Font<'_>, code: u8) -> Option<hayro_cmap::BfString> {
    match font.glyph(font.map_code(u32::from(code)), u32::from(code)) {
        FontGlyph::Outline(outline) => outline.as_unicode(),
        FontGlyph::Type3(drawn) => drawn.as_unicode(),
    }
}

/// Writes a font dictionary that says of `font` what bears on the names of its glyphs.
fn dictionary(font: &Dict<'_>, named: &mut Named) -> String {
    let mut text = String::from("<</Type/Font/Subtype/Type1/BaseFont");
    let base_font = font.get::<Name<'_>>(b"BaseFont");
    name(&mut text, base_font.as_ref().map_or(b"Times-Roman", |name| name));
    if let Some(encoding) = font.get::<Dict<'_>>(b"Encoding") {
        text.push_str("/Encoding<<");
        base(&mut text, "/BaseEncoding", encoding.get::<Name<'_>>(b"BaseEncoding"), named);
        text.push_str("/Differences[");
        let mut code = 0;
        let differences = encoding.get::<Array<'_>>(b"Differences").unwrap_or_default();
        for item in differences.iter::<Object<'_>>().take(MAX_DIFFERENCES) {
            match item {
                Object::Number(number) => {
                    code = number.as_i64();
                    let _ = write!(text, " {code}");
                }
                Object::Name(glyph) => {
                    if let Ok(code) = u8::try_from(code) {
                        let bit = 1 << (code & 63);
                        named.differences[usize::from(code >> 6)] |= bit;
                        if number(&glyph) == Some(code) {
                            named.numbered[usize::from(code >> 6)] |= bit;
                        }
                    }
                    code = code.saturating_add(1);
                    name(&mut text, &glyph);
                }
                _ => {}
            }
        }
        text.push_str("]>>");
    } else {
        base(&mut text, "/Encoding", font.get::<Name<'_>>(b"Encoding"), named);
    }
    text + ">>"
}

fn number(name: &[u8]) -> Option<u8> {
    let [b'A'..=b'Z' | b'a'..=b'z', digits @ ..] = name else { return None };
    std::str::from_utf8(digits).ok()?.parse().ok()
}

fn base(text: &mut String, key: &str, encoding: Option<Name<'_>>, named: &mut Named) {
    let Some(encoding) = encoding else { return };
    if matches!(&*encoding, b"WinAnsiEncoding" | b"MacRomanEncoding" | b"MacExpertEncoding" | b"StandardEncoding") {
        named.base = true;
        text.push_str(key);
        name(text, &encoding);
    }
}

fn name(text: &mut String, bytes: &[u8]) {
    text.push('/');
    for &byte in bytes {
        if byte.is_ascii_alphanumeric() || b"._+-".contains(&byte) {
            text.push(char::from(byte));
        } else if byte != 0 {
            let _ = write!(text, "#{byte:02X}");
        }
    }
}

// === impl Named ===

impl Named {
    /// Whether `Differences` has `code`.
    pub(super) fn has(&self, code: u8) -> bool {
        self.differences[usize::from(code >> 6)] >> (code & 63) & 1 == 1
    }

    /// Whether the name of `code` says the code.
    pub(super) fn is_numbered(&self, code: u8) -> bool {
        self.numbered[usize::from(code >> 6)] >> (code & 63) & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hayro_cmap::BfString;

    #[test]
    fn names_are_known_without_a_program() {
        let font = Dict::from_bytes(b"<</Subtype/Type1/BaseFont/XY/Encoding<</Differences[65/eacute/f_i 2/a#62]>>>>");
        let given = with_names(&font.unwrap(), |font, named| {
            assert!(named.has(65) && named.has(66) && named.has(2) && !named.has(67) && !named.base);
            [65, 66, 67].map(|code| unicode(font, code))
        });
        let expected = [BfString::Char('é'), BfString::String("fi".to_owned()), BfString::Char('C')];
        assert_eq!(given.unwrap(), expected.map(Some));
    }

    #[test]
    fn the_standard_fonts_have_their_widths() {
        let font = load(&Dict::from_bytes(b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>").unwrap()).unwrap();
        assert!((font.code_advance(u32::from(b'W')).x - 944.0).abs() < 1e-3);
    }
}
