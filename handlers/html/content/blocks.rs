//! Blocks: the runs of text that a page shows as one paragraph, heading, item or cell.

use super::super::dom::{Dom, Id, Name};

/// A run of text in one block element without another block element in between.
#[derive(Clone, Debug)]
pub(super) struct Block {
    /// The nearest block element around the text.
    pub(super) element: Id,
    /// The first and the last text node.
    pub(super) first: Id,
    pub(super) last: Id,
    /// Counts over the text.
    pub(super) text: TextCounts,
    /// The mass of the text of links.
    pub(super) linked: u32,
}

/// What a text has.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TextCounts {
    pub(super) words: u32,
    /// Characters that aren't white space.
    pub(super) mass: u32,
    /// Commas and other signs within a sentence.
    pub(super) commas: u32,
    /// Signs that end a sentence.
    pub(super) stops: u32,
}

/// The blocks of the page in document order. `seen` says which nodes a reader sees.
pub(super) fn blocks(dom: &Dom, seen: impl Fn(Id) -> bool) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    // Block elements, links and marks that are open, with the id that ends each.
    let mut open: Vec<Id> = vec![dom.body()];
    let mut link_end = 0;
    let mut fresh = true;
    let mut id = dom.body() + 1;
    let end = dom.end(dom.body());
    while id < end {
        if !seen(id) {
            fresh |= dom.name(id).is_block();
            id = dom.end(id);
            continue;
        }
        while open.len() > 1 && open.last().is_some_and(|top| dom.end(*top) <= id) {
            open.pop();
            fresh = true;
        }
        let name = dom.name(id);
        match name {
            Name::Text => {
                let counts = TextCounts::of(dom.text(id));
                if counts.mass > 0 {
                    if fresh {
                        let element = open.last().copied().unwrap_or_default();
                        blocks.push(Block::new(element, id));
                        fresh = false;
                    }
                    if let Some(block) = blocks.last_mut() {
                        block.last = id;
                        block.text.add(&counts);
                        if id < link_end {
                            block.linked += counts.mass;
                        }
                    }
                }
            }
            Name::A => link_end = link_end.max(dom.end(id)),
            _ if name.is_block() => {
                open.push(id);
                fresh = true;
            }
            _ => {}
        }
        id += 1;
    }
    blocks
}

// === impl Block ===

impl Block {
    fn new(element: Id, first: Id) -> Self {
        Self { element, first, last: first, text: TextCounts::default(), linked: 0 }
    }

    /// The share of the text that is in links.
    pub(super) fn link_share(&self) -> f32 {
        self.linked as f32 / self.text.mass.max(1) as f32
    }

    /// Whether it reads like running text.
    pub(super) fn is_prose(&self) -> bool {
        self.text.words >= 15 && self.link_share() < 0.35 && self.text.stops > 0
            || self.text.mass >= 150 && self.link_share() < 0.35
    }
}

// === impl TextCounts ===

impl TextCounts {
    pub(super) fn of(text: &str) -> Self {
        let mut counts = Self::default();
        let mut in_word = false;
        for character in text.chars() {
            let is_word = character.is_alphanumeric();
            // A letter of a script without blanks counts for half a word.
            if is_word && (!in_word || ('\u{2e80}'..='\u{d7af}').contains(&character)) {
                counts.words += 1;
            }
            in_word = is_word;
            counts.mass += u32::from(!character.is_whitespace());
            match character {
                ',' | ';' | ':' | '，' | '、' | '；' => counts.commas += 1,
                '.' | '!' | '?' | '。' | '！' | '？' => counts.stops += 1,
                _ => {}
            }
        }
        counts
    }

    fn add(&mut self, other: &Self) {
        self.words += other.words;
        self.mass += other.mass;
        self.commas += other.commas;
        self.stops += other.stops;
    }
}
