//! What the interpreter gives us of a page: glyphs where they stand, in the order they are drawn.

use super::hidden::Hidden;
use hayro_font::kurbo::Rect;
use std::rc::Rc;

/// The characters of one glyph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Text {
    /// None: a control character, or the rest of a replaced span.
    Empty,
    /// One.
    Char(char),
    /// Several: a ligature, or a replacement by `ActualText`.
    Many(Rc<str>),
}

/// One glyph on a page. Lengths are points; y grows downward, from the upper left corner of the page as it is shown.
#[derive(Clone, Debug)]
pub(super) struct Glyph {
    /// Its characters.
    pub(super) text: Text,
    /// Where its baseline begins.
    pub(super) x: f32,
    /// Where its baseline begins.
    pub(super) y: f32,
    /// The direction of reading, a unit vector.
    pub(super) dir: [f32; 2],
    /// Whether the glyph is mirrored: its own "down" is to the left of `dir` rather than to the right.
    pub(super) mirrored: bool,
    /// How far the pen moves along `dir`.
    pub(super) advance: f32,
    /// The size of the em.
    pub(super) size: f32,
    /// Its font: an index into [`PageGlyphs::faces`].
    pub(super) face: u16,
    /// The marked content that it belongs to, as the structure tree names it; -1 for none.
    pub(super) content: i32,
    /// Whether it stands where nobody can see it: outside the page, under a clip, or without size.
    pub(super) unseen: bool,
}

/// How a font looks, as far as the layout asks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Face {
    /// Heavy, by its name or its descriptor.
    pub(super) bold: bool,
}

/// A thin level or upright line, or one edge of a box, as it is shown on the page.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rule {
    /// The left or upper end.
    pub(super) from: [f32; 2],
    /// The right or lower end: one of the two coordinates is the same.
    pub(super) to: [f32; 2],
}

/// All that a page holds for the layout.
#[derive(Debug, Default)]
pub(super) struct PageGlyphs {
    /// In drawing order.
    pub(super) glyphs: Vec<Glyph>,
    /// The fonts of the glyphs.
    pub(super) faces: Vec<Face>,
    /// The lines that are drawn, and the edges of boxes, in drawing order.
    pub(super) rules: Vec<Rule>,
    /// Where images are drawn.
    pub(super) images: Vec<Rect>,
    /// Why there is text that no reader sees.
    pub(super) hidden: Hidden,
}

// === impl Text ===

impl Text {
    /// Makes the shortest form of `text`.
    pub(super) fn new(text: &str) -> Self {
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            (None, _) => Self::Empty,
            (Some(only), None) => Self::Char(only),
            _ => Self::Many(text.into()),
        }
    }

    /// Its characters, in order.
    pub(super) fn chars(&self) -> impl Iterator<Item = char> + '_ {
        let (one, many) = match self {
            Self::Empty => (None, ""),
            Self::Char(only) => (Some(*only), ""),
            Self::Many(text) => (None, &**text),
        };
        one.into_iter().chain(many.chars())
    }

    /// Whether it is nothing but white space, or nothing.
    pub(super) fn is_blank(&self) -> bool {
        match self {
            Self::Empty => true,
            Self::Char(only) => only.is_whitespace(),
            Self::Many(text) => text.chars().all(char::is_whitespace),
        }
    }

    /// Its first character.
    pub(super) fn first(&self) -> Option<char> {
        match self {
            Self::Empty => None,
            Self::Char(only) => Some(*only),
            Self::Many(text) => text.chars().next(),
        }
    }
}
