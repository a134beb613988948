//! What the interpreter gives us of a page: glyphs where they stand, in the order they are drawn.

use hayro_interpret::kurbo::Rect;
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
    /// Whether it stands where nobody can see it: outside the page, under a clip, or without size.
    pub(super) unseen: bool,
}

/// All that a page holds for the layout.
#[derive(Debug, Default)]
pub(super) struct PageGlyphs {
    /// In drawing order.
    pub(super) glyphs: Vec<Glyph>,
    /// Where images are drawn.
    pub(super) images: Vec<Rect>,
    /// Whether there is text that no reader sees.
    pub(super) hidden: bool,
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
        self.chars().all(char::is_whitespace)
    }

    /// Its first character.
    pub(super) fn first(&self) -> Option<char> {
        self.chars().next()
    }
}
