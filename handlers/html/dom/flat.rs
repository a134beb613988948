//! What is beyond the bounds: elements that are nested too deep, and everything after too many nodes.

use super::{
    build::Builder,
    entities::Place,
    names::Name,
    rules::Rules,
    tokens::{Span, Tag, Token, decode},
    tree::Spot,
};

/// Counters of elements that weren't opened. Two names may share one.
const COUNTERS: usize = 256;

/// The elements that weren't opened because they are nested too deep, so that their end tags close no others.
pub(super) struct Flat {
    counts: [u32; COUNTERS],
    /// How many elements are open where they stand; they end with the topmost of these.
    level: usize,
}

// === impl Flat ===

impl Default for Flat {
    fn default() -> Self {
        Self { counts: [0; COUNTERS], level: 0 }
    }
}

impl Flat {
    fn start(&mut self, tag: &Tag, level: usize) {
        self.forget(level);
        self.level = level;
        let count = &mut self.counts[counter(tag)];
        *count = count.saturating_add(1);
    }

    /// Whether an end tag belongs to an element that wasn't opened.
    pub(super) fn ends(&mut self, tag: &Tag, level: usize) -> bool {
        if self.level == 0 {
            return false;
        }
        self.forget(level);
        let count = &mut self.counts[counter(tag)];
        let ends = *count > 0;
        *count = count.saturating_sub(1);
        ends
    }

    fn forget(&mut self, level: usize) {
        if level < self.level {
            *self = Self::default();
        }
    }
}

/// The number of a tag's counter.
fn counter(tag: &Tag) -> usize {
    // The numbers of known names are all different, the keys of others are hashes.
    usize::from(tag.key.to_le_bytes()[0])
}

// === impl Builder ===

impl Builder<'_> {
    /// The start of an element that is nested too deep: blocks leave an empty element, so that words stay apart.
    pub(super) fn flat_start(&mut self, tag: &Tag) {
        let is_whole = self.xml && tag.self_closing;
        if (Rules::RAW | Rules::ESCAPABLE).any_of(tag.name) {
            let start = self.tree.text.len();
            if !is_whole {
                self.raw_text(tag.name);
            }
            let span = Span { start, end: self.tree.text.len() };
            self.put_text(span);
            return;
        }
        if tag.name.is_block() {
            self.insert_closed(&Tag::implied(tag.name));
        }
        if !is_whole {
            self.flat.start(tag, self.open.len());
        }
    }

    /// Takes the rest of the page as one text, when there are too many nodes.
    pub(super) fn append_rest(&mut self) {
        let start = self.tree.text.len();
        let source = self.tokens.source;
        while let Some(token) = self.tokens.next(self.xml) {
            match token {
                Token::Text(span) => decode(span.of(source), Some(Place::Text), "", &mut self.tree.text),
                Token::Verbatim(span) => decode(span.of(source), None, "", &mut self.tree.text),
                Token::Start(tag) if (Rules::RAW | Rules::ESCAPABLE).any_of(tag.name) => {
                    if !(self.xml && tag.self_closing) {
                        self.raw_text(tag.name);
                    }
                }
                Token::Start(tag) | Token::End(tag) => {
                    let is_break = tag.name.is_block() || tag.name == Name::Br;
                    if is_break && !self.tree.text.ends_with(char::is_whitespace) {
                        self.tree.text.push('\n');
                    }
                }
            }
        }
        let span = Span { start, end: self.tree.text.len() };
        self.tree.put_text(span, Spot::In(self.open.top().node));
    }

    /// Appends the content of a raw element that a reader sees.
    fn raw_text(&mut self, name: Name) {
        let content = self.tokens.raw(name).of(self.tokens.source);
        match name {
            Name::Textarea | Name::Title => decode(content, Some(Place::Text), "\u{FFFD}", &mut self.tree.text),
            Name::Xmp => decode(content, None, "\u{FFFD}", &mut self.tree.text),
            _ => {}
        }
    }
}
