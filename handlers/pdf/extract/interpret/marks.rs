//! Marked content: layers, replacement texts, and the numbers by which the structure tree names it.

use super::{
    super::{
        glyph::{Glyph, Text},
        strings,
    },
    layers::Layers,
    sheet::Sheet,
};
use hayro_syntax::object::{Dict, Object, String as PdfString, dict_or_stream};

/// The most marks that are open at once; deeper ones are counted only.
const MAX_MARKS: usize = 1024;
/// What content belongs to that the structure tree doesn't name.
pub(super) const NO_CONTENT: i32 = -1;

/// The marks that are open.
#[derive(Debug, Default)]
pub(super) struct Marks {
    open: Vec<Mark>,
    deeper: usize,
    span: Option<Span>,
}

#[derive(Clone, Copy, Debug)]
struct Mark {
    shown: bool,
    content: i32,
    /// Whether it began the span.
    spans: bool,
}

/// Content that its author gave a replacement text.
#[derive(Debug)]
struct Span {
    text: Text,
    /// The glyph that carries the text.
    carrier: Option<usize>,
}

// === impl Marks ===

impl Marks {
    /// `BMC`.
    pub(super) fn begin(&mut self) {
        self.push(self.is_shown(), self.content(), None);
    }

    /// `BDC` with `given`, which is a property list or the name of one in `properties`. Numbers count only when the
    /// content is the page's own: those of a form are another set.
    pub(super) fn begin_with(&mut self, given: &Object<'_>, properties: &Dict<'_>, layers: &Layers, is_page: bool) {
        let (mut shown, mut content, mut text) = (self.is_shown(), self.content(), None);
        let mut read = |list: &Dict<'_>| {
            if let Some(number) = list.get::<i32>(b"MCID").filter(|&number| is_page && number >= 0) {
                content = number;
            }
            let actual = list.get::<PdfString<'_>>(b"ActualText");
            text = actual.map(|actual| Text::new(&strings::decode(actual.as_bytes())));
        };
        if let Object::Name(name) = given {
            shown &= layers.shows(properties, name);
            if let Some(list) = properties.get::<Dict<'_>>(name) {
                read(&list);
            }
        } else if let Some((list, _)) = dict_or_stream(given) {
            shown &= layers.shows(list, b"OC");
            read(list);
        }
        self.push(shown, content, text);
    }

    /// `EMC`, which leaves the marks alone that were open before there were `floor` of them.
    pub(super) fn end(&mut self, floor: usize) {
        if self.depth() <= floor {
            return;
        }
        if self.deeper > 0 {
            self.deeper -= 1;
        } else if self.open.pop().is_some_and(|mark| mark.spans) {
            self.span = None;
        }
    }

    /// How many marks are open.
    pub(super) fn depth(&self) -> usize {
        self.open.len() + self.deeper
    }

    /// Whether no layer hides what is drawn now.
    pub(super) fn is_shown(&self) -> bool {
        self.open.last().is_none_or(|mark| mark.shown)
    }

    /// The number of the content that is drawn now.
    pub(super) fn content(&self) -> i32 {
        self.open.last().map_or(NO_CONTENT, |mark| mark.content)
    }

    /// Whether what is drawn now has a replacement text.
    pub(super) fn is_replaced(&self) -> bool {
        self.span.is_some()
    }

    /// The replacement text for an image that is drawn now.
    pub(super) fn caption(&mut self, at: usize) -> Option<Text> {
        let span = self.span.as_mut().filter(|span| span.carrier.is_none() && !span.text.is_blank())?;
        span.carrier = Some(at);
        Some(span.text.clone())
    }

    /// Puts a glyph on the page. Where there is a replacement text the first glyph carries it, and is as long as all.
    pub(super) fn place(&mut self, glyph: Glyph, sheet: &mut Sheet) {
        let Some(span) = &mut self.span else { return sheet.push(glyph) };
        let Some(carrier) = span.carrier else {
            span.carrier = Some(sheet.len());
            return sheet.push(Glyph { text: span.text.clone(), ..glyph });
        };
        let first = sheet.glyph(carrier);
        let (dx, dy) = (glyph.x - first.x, glyph.y - first.y);
        let along = dx * first.dir[0] + dy * first.dir[1] + glyph.advance;
        let across = dx * first.dir[1] - dy * first.dir[0];
        if across.abs() < first.size * 0.5 && along > first.advance {
            first.advance = along;
        }
    }

    fn push(&mut self, shown: bool, content: i32, text: Option<Text>) {
        if self.open.len() >= MAX_MARKS {
            self.deeper += 1;
            return;
        }
        let spans = self.span.is_none() && text.is_some();
        if let Some(text) = text.filter(|_| spans) {
            self.span = Some(Span { text, carrier: None });
        }
        self.open.push(Mark { shown, content, spans });
    }
}
