//! The characters of a glyph: what the interpreter knows, else the character collection, else the font's own map.

use super::{collections::Collections, glyph::Text, strings::is_junk};
use hayro_interpret::{
    font::{Glyph, GlyphIdentifier, OutlineFontData, OutlineGlyph},
    hayro_cmap::BfString,
};
use hayro_syntax::page::Resources;
use skrifa::{FontRef, MetadataProvider};
use std::collections::HashMap;

/// Remembers the characters of each glyph of a document.
#[derive(Default)]
pub(super) struct Unicode<'a> {
    known: HashMap<(GlyphIdentifier, u32), Text>,
    collections: Collections<'a>,
    /// By font program: glyph to character.
    reversed: HashMap<u128, HashMap<u32, char>>,
}

/// Stands for a glyph whose characters nobody knows.
pub(super) const UNKNOWN: char = '\u{FFFD}';

// === impl Unicode ===

impl<'a> Unicode<'a> {
    /// The characters of `glyph`, which a page with `resources` draws.
    pub(super) fn text(&mut self, glyph: &Glyph<'_>, resources: &Resources<'a>) -> Text {
        match glyph {
            Glyph::Outline(outline) => {
                let key = (outline.identifier(), outline.char_code());
                if let Some(text) = self.known.get(&key) {
                    return text.clone();
                }
                let text = self.outline_text(outline, resources);
                // Fonts without outlines (an OCR layer) share one empty glyph: their codes don't tell them apart.
                if outline.glyph_id().to_u32() != 0 {
                    self.known.insert(key, text.clone());
                }
                text
            }
            Glyph::Type3(drawn) => known(drawn.as_unicode()).unwrap_or_else(|| match drawn.char_code() {
                code @ (0x20..=0x7E | 0xA0..=0xFF) => char::from_u32(code).map_or(Text::Char(UNKNOWN), Text::Char),
                0..0x20 => Text::Empty,
                _ => Text::Char(UNKNOWN),
            }),
        }
    }

    fn outline_text(&mut self, glyph: &OutlineGlyph, resources: &Resources<'a>) -> Text {
        let given = glyph.as_unicode();
        if let Some(text) = known(given.clone()) {
            return text;
        }
        if let Some(font) = glyph.font_data() {
            let found = self
                .collections
                .lookup(&font, glyph.char_code(), resources)
                .and_then(|found| known(Some(found)))
                .or_else(|| self.reverse(&font, glyph.glyph_id().to_u32()));
            if let Some(text) = found {
                return text;
            }
        }
        match given {
            Some(BfString::Char(c)) => symbol(c).map_or(Text::Char(c), Text::Char),
            Some(BfString::String(text)) if text.chars().any(|c| !is_junk(c)) => Text::new(&text),
            Some(_) => Text::Empty,
            None if glyph.char_code() == 0x20 => Text::Char(' '),
            None if glyph.char_code() < 0x20 && glyph.glyph_id().to_u32() == 0 => Text::Empty,
            None => Text::Char(UNKNOWN),
        }
    }

    /// Looks a glyph up in the character map of its font, backwards.
    fn reverse(&mut self, font: &OutlineFontData, glyph: u32) -> Option<Text> {
        let map = self.reversed.entry(font.cache_key).or_insert_with(|| {
            let data: &[u8] = font.data.as_ref().as_ref();
            let mut map = HashMap::new();
            if let Ok(font) = FontRef::from_index(data, 0) {
                for (code, glyph) in font.charmap().mappings() {
                    let Some(c) = char::from_u32(code).filter(|&c| !is_junk(c)) else { continue };
                    // Of several characters the plainest stays: not a compatibility form, not private.
                    map.entry(glyph.to_u32())
                        .and_modify(|old: &mut char| {
                            if rank(c) < rank(*old) {
                                *old = c;
                            }
                        })
                        .or_insert(c);
                }
            }
            map
        });
        let c = *map.get(&glyph)?;
        match symbol(c) {
            Some(c) => Some(Text::Char(c)),
            None if is_private(c) => None,
            None => Some(Text::Char(c)),
        }
    }
}

/// Whether a character is in a private use area.
pub(super) fn is_private(c: char) -> bool {
    matches!(c, '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..)
}

/// Takes what the interpreter says, unless it says nothing.
fn known(given: Option<BfString>) -> Option<Text> {
    match given? {
        BfString::Char(c) if is_private(c) || c == UNKNOWN || (is_junk(c) && c != '\u{AD}') => None,
        BfString::Char(c) => Some(Text::Char(c)),
        BfString::String(text) => {
            let kept: String = text.chars().filter(|&c| !is_junk(c) || c == '\u{AD}').collect();
            (!kept.is_empty() && !kept.chars().all(is_private)).then(|| Text::new(&kept))
        }
    }
}

fn rank(c: char) -> (u8, u32) {
    let class = match c {
        '\u{A0}' => 1,
        '\u{2E80}'..='\u{2FDF}' | '\u{F900}'..='\u{FFEF}' => 2,
        c if is_private(c) => 3,
        _ => 0,
    };
    (class, u32::from(c))
}

/// The character that a symbol font hides at U+F000 plus its code.
fn symbol(c: char) -> Option<char> {
    Some(match c {
        '\u{F0B7}' => '•',
        '\u{F0A7}' => '▪',
        '\u{F0D8}' => '➢',
        '\u{F0FC}' => '✓',
        '\u{F0A8}' | '\u{F06F}' => '□',
        '\u{F020}'..='\u{F07E}' => char::from_u32(u32::from(c) - 0xF000)?,
        _ => return None,
    })
}
