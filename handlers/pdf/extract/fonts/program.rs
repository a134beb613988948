//! The embedded program of a font, asked only for what its dictionary leaves open.

use super::{
    super::{glyph::Text, strings::is_junk},
    characters::{is_private, rank, symbol},
    oracle,
};
use hayro_cmap::BfString;
use hayro_font::{Font, FontGlyph, GlyphId, OutlineGlyph, UNITS_PER_EM};
use hayro_syntax::object::Dict;
use skrifa::{
    FontRef, MetadataProvider as _,
    instance::{LocationRef, Size},
};
use std::collections::HashMap;

/// The most characters of one font's own map that are read.
const MAX_MAPPINGS: usize = 200_000;

/// A loaded font.
#[derive(Debug)]
pub(super) struct Program<'a> {
    font: Option<Font<'a>>,
    /// Glyph to character.
    reversed: Option<HashMap<u32, char>>,
}

// === impl Program ===

impl<'a> Program<'a> {
    /// Loads the program of a font dictionary; one that is broken knows nothing.
    pub(super) fn load(font: &Dict<'a>) -> Self {
        Self { font: oracle::load(font), reversed: None }
    }

    /// What the program's own encoding names `code`.
    pub(super) fn named(&self, code: u8) -> Option<BfString> {
        self.font.as_ref().and_then(|font| oracle::unicode(font, code))
    }

    /// Whether there is a glyph for `code`.
    pub(super) fn has(&self, code: u8) -> bool {
        self.font.as_ref().is_some_and(|font| font.map_code(u32::from(code)) != GlyphId::NOTDEF)
    }

    /// Whether there is anything to see of `code`.
    pub(super) fn is_drawn(&self, code: u32) -> bool {
        self.glyph(code).is_some_and(|glyph| !glyph.outline().elements().is_empty())
    }

    /// How far the pen moves after `code`, in ems.
    pub(super) fn advance(&self, code: u32) -> f64 {
        self.font.as_ref().map_or(0.0, |font| font.code_advance(code).x / f64::from(UNITS_PER_EM))
    }

    /// How wide the program has the glyph of `code`, in ems.
    pub(super) fn width(&self, code: u32) -> Option<f64> {
        let glyph = self.glyph(code)?;
        let data = glyph.font_data()?.data;
        let font = FontRef::from_index(data.as_ref().as_ref(), 0).ok()?;
        let metrics = font.glyph_metrics(Size::unscaled(), LocationRef::default());
        let em = font.metrics(Size::unscaled(), LocationRef::default()).units_per_em;
        let width = metrics.advance_width(glyph.glyph_id().to_u32().into())?;
        (em > 0).then(|| f64::from(width) / f64::from(em))
    }

    /// Looks the glyph of `code` up in the font's character map, backwards.
    pub(super) fn reverse(&mut self, code: u32) -> Option<Text> {
        let glyph = self.glyph(code)?;
        let map = self.reversed.get_or_insert_with(|| reversed(&glyph).unwrap_or_default());
        let c = *map.get(&glyph.glyph_id().to_u32())?;
        match symbol(c) {
            Some(c) => Some(Text::Char(c)),
            None if is_private(c) => None,
            None => Some(Text::Char(c)),
        }
    }

    /// Where the outline of `code` begins and how wide it is, in ems.
    pub(super) fn extent(&self, code: u32) -> Option<[f64; 2]> {
        let bounds = self.glyph(code)?.outline().control_box();
        let em = f64::from(UNITS_PER_EM);
        (bounds.width() > 0.0 && bounds.width() < 2.0 * em).then(|| [bounds.x0 / em, bounds.width() / em])
    }

    fn glyph(&self, code: u32) -> Option<OutlineGlyph> {
        let font = self.font.as_ref()?;
        match font.glyph(font.map_code(code), code) {
            FontGlyph::Outline(outline) => Some(outline),
            FontGlyph::Type3(_) => None,
        }
    }
}

fn reversed(glyph: &OutlineGlyph) -> Option<HashMap<u32, char>> {
    let data = glyph.font_data()?.data;
    let font = FontRef::from_index(data.as_ref().as_ref(), 0).ok()?;
    let mut map = HashMap::new();
    for (code, glyph) in font.charmap().mappings().take(MAX_MAPPINGS) {
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
    Some(map)
}
