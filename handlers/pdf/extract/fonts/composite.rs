//! Fonts of longer codes: Type 0, over a font of character identifiers.

use super::{
    super::glyph::Text,
    super::streams::{self, PageBudget},
    characters::{UNKNOWN, is_control, known, known_bf, uncertain},
    collections::Collections,
    program::Program,
    slots::Slot,
    to_unicode::ToUnicode,
    widths::CidMetrics,
};
use hayro_cmap::{CMap, CMapName, CidFamily, WritingMode};
use hayro_syntax::object::{Array, Dict, Name, Object, Stream, String as PdfString};
use unicode_normalization::char::is_combining_mark;

/// The longest code.
const MAX_BYTES: usize = 4;
/// Metrics are in thousandths of an em.
const EM: f64 = 1000.0;

/// A font of character identifiers.
#[derive(Debug)]
#[expect(clippy::struct_excessive_bools, reason = "what a dictionary has, none a state")]
pub(super) struct Composite<'a> {
    font: Dict<'a>,
    encoding: Encoding,
    vertical: bool,
    family: Option<CidFamily>,
    /// Whether the dictionary has any widths.
    has_widths: bool,
    width: f32,
    widths: CidMetrics<1>,
    /// How high the pen stands over a glyph's foot, and how far it goes down, by default.
    down: [f32; 2],
    downs: CidMetrics<3>,
    to_unicode: Option<ToUnicode>,
    program: Option<Box<Program<'a>>>,
    embedded: bool,
    /// Whether a table turns identifiers into glyphs: the identifiers are something else then, most often characters.
    remapped: bool,
    /// Whether `ToUnicode` is only a name, by which some writers mean that the codes are the characters.
    mapped_to_itself: bool,
}

/// How codes name identifiers.
#[derive(Debug)]
enum Encoding {
    /// Two bytes are the identifier.
    Identity,
    Map(Box<CMap>),
}

// === impl Composite ===

impl<'a> Composite<'a> {
    /// Reads a font dictionary.
    pub(super) fn read(font: &Dict<'a>, budget: &PageBudget<'_>) -> Option<Self> {
        let (encoding, vertical, family) = Encoding::read(&font.get::<Object<'_>>(b"Encoding")?, budget)?;
        let descendant = font.get::<Array<'_>>(b"DescendantFonts")?.iter::<Dict<'_>>().next()?;
        let descriptor = descendant.get::<Dict<'_>>(b"FontDescriptor").unwrap_or_default();
        let to_unicode = font.get::<Stream<'_>>(b"ToUnicode");
        let to_unicode = to_unicode.as_ref().and_then(|stream| streams::decoded(stream, budget));
        let array = |key: &[u8]| descendant.get::<Array<'_>>(key);
        Some(Self {
            font: font.clone(),
            encoding,
            vertical,
            family: family.or_else(|| own_family(&descendant)),
            has_widths: descendant.contains_key(b"DW") || descendant.contains_key(b"W"),
            width: descendant.get::<f32>(b"DW").unwrap_or(1000.0),
            widths: array(b"W").map(|array| CidMetrics::read(&array)).unwrap_or_default(),
            down: descendant.get::<[f32; 2]>(b"DW2").unwrap_or([880.0, -1000.0]),
            downs: array(b"W2").filter(|_| vertical).map(|array| CidMetrics::read(&array)).unwrap_or_default(),
            to_unicode: to_unicode.and_then(|data| ToUnicode::parse(&data)),
            remapped: descendant.get::<Stream<'_>>(b"CIDToGIDMap").is_some(),
            mapped_to_itself: font
                .get::<Name<'_>>(b"ToUnicode")
                .is_some_and(|name| matches!(&*name, b"Identity-H" | b"Identity-V" | b"Identity")),
            program: None,
            embedded: [b"FontFile".as_slice(), b"FontFile2", b"FontFile3"]
                .iter()
                .any(|key| descriptor.contains_key(key)),
        })
    }

    /// Whether lines go down the page.
    pub(super) fn is_vertical(&self) -> bool {
        self.vertical
    }

    /// The code at the start of `bytes` and its length.
    pub(super) fn code(&self, bytes: &[u8]) -> (u32, usize) {
        match (&self.encoding, bytes) {
            (Encoding::Identity, [high, low, ..]) => (u32::from(*high) << 8 | u32::from(*low), 2),
            (Encoding::Identity, _) => (0, 1),
            (Encoding::Map(map), _) => {
                let mut code = 0;
                for (n, &byte) in bytes.iter().take(MAX_BYTES).enumerate() {
                    code = code << 8 | u32::from(byte);
                    if map.lookup_cid_code(code, n as u8 + 1).is_some() {
                        return (code, n + 1);
                    }
                }
                (0, 1)
            }
        }
    }

    /// Works out a code.
    pub(super) fn slot(&mut self, code: u32, len: usize, collections: &mut Collections) -> Slot {
        let cid = self.cid(code, len);
        let text = self.text(code, cid, collections);
        let cid = cid.unwrap_or(0);
        let width = f64::from(self.widths.get(cid).map_or(self.width, |[width]| width)) / EM;
        let [advance, x, y] = match self.downs.get(cid) {
            Some(metrics) => metrics.map(|metric| f64::from(metric) / EM),
            None => [f64::from(self.down[1]) / EM, width / 2.0, f64::from(self.down[0]) / EM],
        };
        // Without widths the pen moves by whole ems and each glyph is put in its place: only the program knows its end.
        let drawn = if self.embedded && !self.has_widths { self.program().width(code) } else { None };
        let is_mark = text.first().is_some_and(is_combining_mark) && !self.vertical;
        Slot {
            blank: text.is_blank(),
            mark: if is_mark { self.program().extent(code) } else { None },
            text,
            width: drawn.unwrap_or(width),
            advance: if self.vertical { advance } else { width },
            origin: if self.vertical { [-x, -y] } else { [0.0; 2] },
        }
    }

    fn cid(&self, code: u32, len: usize) -> Option<u32> {
        match &self.encoding {
            Encoding::Identity => (len == 2).then_some(code),
            Encoding::Map(map) => map.lookup_cid_code(code, len as u8),
        }
    }

    fn text(&mut self, code: u32, cid: Option<u32>, collections: &mut Collections) -> Text {
        let mut mapped = String::new();
        let is_mapped = self.to_unicode.as_ref().is_some_and(|map| map.lookup(code, &mut mapped));
        if is_mapped && let Some(text) = known(&mapped) {
            return text;
        }
        let collected = cid.zip(self.family.as_ref()).and_then(|(cid, family)| collections.lookup(family, cid));
        if let Some(text) = known_bf(collected) {
            return text;
        }
        if self.embedded
            && let Some(text) = self.program().reverse(code)
        {
            return text;
        }
        if is_mapped {
            let text = uncertain(&mapped);
            let is_lost = text == Text::Empty && is_control(&mapped) && self.is_drawn(code);
            return if is_lost { Text::Char(UNKNOWN) } else { text };
        }
        if (self.remapped || self.mapped_to_itself)
            && code > 0x20
            && let Some(text) = char::from_u32(code).and_then(|c| known(c.encode_utf8(&mut [0; 4])))
        {
            return text;
        }
        match code {
            0x20 if !self.is_drawn(code) => Text::Char(' '),
            0..0x20 if cid.is_none_or(|cid| cid == 0) && !self.is_drawn(code) => Text::Empty,
            _ => Text::Char(UNKNOWN),
        }
    }

    /// Whether there is anything to see of a code.
    fn is_drawn(&mut self, code: u32) -> bool {
        self.embedded && self.program().is_drawn(code)
    }

    fn program(&mut self) -> &mut Program<'a> {
        let font = &self.font;
        self.program.get_or_insert_with(|| Box::new(Program::load(font)))
    }
}

// === impl Encoding ===

impl Encoding {
    /// Reads `Encoding`: the map, whether it is a vertical one, and the collection that it names.
    fn read(encoding: &Object<'_>, budget: &PageBudget<'_>) -> Option<(Self, bool, Option<CidFamily>)> {
        let map = match encoding {
            Object::Name(name) => match &**name {
                b"Identity-H" => return Some((Self::Identity, false, None)),
                b"Identity-V" => return Some((Self::Identity, true, None)),
                name => CMap::parse(hayro_cmap::load_embedded(CMapName::from_bytes(name))?, hayro_cmap::load_embedded)?,
            },
            Object::Stream(stream) => CMap::parse(&streams::decoded(stream, budget)?, hayro_cmap::load_embedded)?,
            _ => return None,
        };
        let metadata = map.metadata();
        let vertical = metadata.writing_mode == Some(WritingMode::Vertical);
        let family = metadata.character_collection.as_ref().map(|collection| collection.family.clone());
        Some((Self::Map(Box::new(map)), vertical, family.filter(|family| *family != CidFamily::AdobeIdentity)))
    }
}

fn own_family(descendant: &Dict<'_>) -> Option<CidFamily> {
    let info = descendant.get::<Dict<'_>>(b"CIDSystemInfo")?;
    let registry = info.get::<PdfString<'_>>(b"Registry")?;
    let ordering = info.get::<PdfString<'_>>(b"Ordering")?;
    Some(CidFamily::from_registry_ordering(registry.as_bytes(), ordering.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::super::{super::streams::Budget, Fonts};
    use hayro_syntax::{
        Pdf,
        object::{Dict, ObjectIdentifier},
    };
    use std::rc::Rc;

    /// How wide "u" is in a Calibri whose dictionary names its widths by `key`.
    fn width(key: &str) -> f64 {
        let bytes = include_bytes!("../../testdata/PDFBOX-4322-Empty-ToUnicode-reduced.pdf").to_vec();
        let at = bytes.windows(4).position(|four| four == b"/W [").unwrap();
        let pdf = Pdf::new([&bytes[..at], key.as_bytes(), &bytes[at + 2..]].concat()).unwrap();
        let font = pdf.xref().get::<Dict<'_>>(ObjectIdentifier::new(8, 0)).unwrap();
        let mut fonts = Fonts::new(Rc::new(Budget::new(bytes.len())));
        let id = fonts.given(&font).unwrap();
        fonts.slot(id, u32::from('u'), 2).width
    }

    #[test]
    fn without_widths_the_program_says_how_wide_a_glyph_is() {
        assert!((width("/W") - 0.525).abs() < 1e-3);
        assert!((width("/X") - 0.525).abs() < 2e-3);
    }
}
