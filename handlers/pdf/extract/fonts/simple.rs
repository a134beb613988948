//! Fonts of one-byte codes: Type 1, `TrueType` and Type 3.

use super::{
    super::glyph::Text,
    super::streams::{self, PageBudget},
    characters::{UNKNOWN, is_control, known, known_bf, uncertain},
    face::is_symbols,
    oracle::{self, Named},
    program::Program,
    slots::Slot,
    tex,
    to_unicode::ToUnicode,
    widths::Widths,
};
use hayro_cmap::BfString;
use hayro_syntax::object::{Dict, Name, Stream};
use unicode_normalization::char::is_combining_mark;

/// How wide a glyph is drawn whose width nobody knows, in ems.
const SOME_WIDTH: f64 = 0.5;

/// The codes from 11 on in the text fonts of TeX.
const LIGATURES: [&str; 5] = ["ff", "fi", "fl", "ffi", "ffl"];

/// A font of one-byte codes.
#[derive(Debug)]
pub(super) struct Simple<'a> {
    font: Dict<'a>,
    kind: Kind,
    embedded: bool,
    /// What a width is multiplied with to be ems.
    unit: f64,
    widths: Option<Widths>,
    to_unicode: Option<ToUnicode>,
    names: Option<Box<Names>>,
    program: Option<Box<Program<'a>>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Type1,
    TrueType,
    Type3,
}

/// What the names of the glyphs tell.
#[derive(Debug, Default)]
struct Names {
    text: Vec<Option<BfString>>,
    named: Named,
    /// The widths of a standard font.
    widths: Vec<f32>,
}

// === impl Simple ===

impl<'a> Simple<'a> {
    /// Reads a font dictionary. None when its kind is another.
    pub(super) fn read(font: &Dict<'a>, descriptor: &Dict<'a>, budget: &PageBudget<'_>) -> Option<Self> {
        let kind = match &*font.get::<Name<'_>>(b"Subtype")? {
            b"Type1" | b"MMType1" => Kind::Type1,
            b"TrueType" | b"OpenType" => Kind::TrueType,
            b"Type3" => Kind::Type3,
            _ => return None,
        };
        let to_unicode = font.get::<Stream<'_>>(b"ToUnicode");
        let to_unicode = to_unicode.as_ref().and_then(|stream| streams::decoded(stream, budget));
        let embedded = match kind {
            Kind::Type1 => descriptor.contains_key(b"FontFile") || descriptor.contains_key(b"FontFile3"),
            Kind::TrueType => descriptor.contains_key(b"FontFile2"),
            Kind::Type3 => false,
        };
        let matrix = font.get::<[f64; 6]>(b"FontMatrix").filter(|_| kind == Kind::Type3);
        Some(Self {
            font: font.clone(),
            kind,
            embedded,
            unit: matrix.map_or(0.001, |matrix| matrix[0]),
            widths: Widths::read(font, if kind == Kind::Type3 { font } else { descriptor }),
            to_unicode: to_unicode.and_then(|data| ToUnicode::parse(&data)),
            names: None,
            program: None,
        })
    }

    /// Whether its glyphs are drawn by operators.
    pub(super) fn is_type3(&self) -> bool {
        self.kind == Kind::Type3
    }

    /// Works out a code.
    pub(super) fn slot(&mut self, code: u8) -> Slot {
        let text = self.text(code);
        let width = self.width(code);
        let is_mark = text.first().is_some_and(is_combining_mark) && !self.is_type3();
        Slot {
            blank: text.is_blank(),
            mark: if is_mark { self.program().extent(u32::from(code)) } else { None },
            text,
            width: width.unwrap_or(SOME_WIDTH),
            advance: width.unwrap_or(0.0),
            origin: [0.0; 2],
        }
    }

    fn width(&mut self, code: u8) -> Option<f64> {
        if let Some(widths) = &self.widths {
            return Some(f64::from(widths.get(u32::from(code))) * self.unit);
        }
        match self.kind {
            Kind::Type3 => Some(0.0),
            Kind::TrueType if self.embedded => Some(self.program().advance(u32::from(code))),
            _ => {
                let unit = self.unit;
                self.names().widths.get(usize::from(code)).map(|&width| f64::from(width) * unit)
            }
        }
    }

    fn text(&mut self, code: u8) -> Text {
        let mut mapped = String::new();
        let is_mapped = self.to_unicode.as_ref().is_some_and(|map| map.lookup(u32::from(code), &mut mapped));
        if is_mapped && let Some(text) = known(&mapped) {
            return text;
        }
        let named = self.named(code);
        if let Some(text) = known_bf(named.clone()).filter(|text| !self.is_shape(code, text)) {
            return text;
        }
        if self.kind == Kind::TrueType
            && self.embedded
            && let Some(text) = self.program().reverse(u32::from(code))
        {
            return text;
        }
        if let Some(text) = tex::text(&self.font, code).filter(|_| self.kind == Kind::Type1) {
            return text;
        }
        if self.names().named.is_numbered(code) || self.is_type3() {
            return match code {
                0x20..=0x7E | 0xA0..=0xFF => Text::Char(char::from(code)),
                0..0x20 if !self.is_drawn(code) => Text::Empty,
                _ => Text::Char(UNKNOWN),
            };
        }
        if is_mapped {
            let text = uncertain(&mapped);
            let is_lost = text == Text::Empty && is_control(&mapped) && self.is_drawn(code);
            return if is_lost { Text::Char(UNKNOWN) } else { text };
        }
        match named {
            Some(BfString::Char(c)) => uncertain(c.encode_utf8(&mut [0; 4])),
            Some(BfString::String(text)) => uncertain(&text),
            None if code == b' ' => Text::Char(' '),
            None if code < b' ' && !self.is_drawn(code) => Text::Empty,
            None => Text::Char(UNKNOWN),
        }
    }

    /// Whether there is anything to see of a code.
    fn is_drawn(&mut self, code: u8) -> bool {
        self.embedded && self.program().is_drawn(u32::from(code))
    }

    /// What the name of a glyph says.
    fn named(&mut self, code: u8) -> Option<BfString> {
        let (kind, embedded) = (self.kind, self.embedded);
        let names = self.names();
        let has = names.named.base || names.named.has(code);
        match kind {
            // The names of a program that has its own encoding are in the program.
            Kind::Type1 if embedded && !has => {
                let program = self.program();
                if program.has(code) { program.named(code) } else { self.usual(code) }
            }
            Kind::Type3 if !has => None,
            _ => names.text.get(usize::from(code)).cloned().flatten(),
        }
    }

    /// What a code most probably is that a program has no glyph for: it is broken. Fonts of symbols share no more than
    /// letters, unless their encoding is known.
    fn usual(&mut self, code: u8) -> Option<BfString> {
        if is_symbols(&self.font) && (!code.is_ascii_alphanumeric() || tex::text(&self.font, code).is_some()) {
            return None;
        }
        match code {
            11..=15 => Some(BfString::String(LIGATURES[usize::from(code - 11)].to_owned())),
            _ => self.names().text.get(usize::from(code)).cloned().flatten(),
        }
    }

    /// Whether a Type 3 glyph is named for its shape: its code, a letter or a digit, says what was meant by it.
    fn is_shape(&self, code: u8, text: &Text) -> bool {
        self.is_type3()
            && code.is_ascii_alphanumeric()
            && text.first().is_some_and(|c| matches!(c, '\u{2500}'..='\u{27BF}'))
    }

    fn names(&mut self) -> &Names {
        let (font, widths) = (&self.font, self.widths.is_none());
        self.names.get_or_insert_with(|| {
            let names = oracle::with_names(font, |font, named| Names {
                text: (0..=255).map(|code| oracle::unicode(font, code)).collect(),
                named,
                widths: if widths {
                    (0..256).map(|code| font.code_advance(code).x as f32).collect()
                } else {
                    Vec::new()
                },
            });
            Box::new(names.unwrap_or_default())
        })
    }

    fn program(&mut self) -> &mut Program<'a> {
        let font = &self.font;
        self.program.get_or_insert_with(|| Box::new(Program::load(font)))
    }
}
