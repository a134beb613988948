//! What is known of each code of a font: computed once, then read from flat tables.

use super::super::glyph::Text;
use std::collections::HashMap;

/// The most codes of one font that are remembered; past them the table begins anew.
const MAX_SLOTS: usize = 1 << 17;
/// Marks a code that nobody asked about yet.
const NONE: u32 = u32::MAX;

/// One code of a font. Lengths are ems.
#[derive(Clone, Debug)]
pub(in super::super) struct Slot {
    /// Its characters.
    pub(in super::super) text: Text,
    /// Whether they are white space, or nothing.
    pub(in super::super) blank: bool,
    /// How wide the glyph is drawn.
    pub(in super::super) width: f64,
    /// How far the pen moves: to the right, or down the page with a minus sign in a vertical font.
    pub(in super::super) advance: f64,
    /// Where the glyph's origin is from the pen, in a vertical font.
    pub(in super::super) origin: [f64; 2],
    /// Of a combining mark: where its outline begins and how wide it is.
    pub(in super::super) mark: Option<[f64; 2]>,
}

/// The codes of a font that were asked about.
#[derive(Debug, Default)]
pub(super) struct Slots {
    /// One-byte codes first, then two-byte codes by their first byte.
    blocks: Vec<Option<Box<[u32; 256]>>>,
    /// Longer codes.
    long: HashMap<u32, u32>,
    known: Vec<Slot>,
}

// === impl Slots ===

impl Slots {
    /// The number of `code`, which `len` bytes wrote.
    pub(super) fn find(&self, code: u32, len: usize) -> Option<usize> {
        let found = if len > 2 {
            *self.long.get(&code)?
        } else {
            let block = if len == 1 { 0 } else { (code >> 8) as usize + 1 };
            self.blocks.get(block)?.as_ref()?[(code & 0xFF) as usize]
        };
        (found != NONE).then_some(found as usize)
    }

    /// Remembers `slot` and numbers it.
    pub(super) fn add(&mut self, code: u32, len: usize, slot: Slot) -> usize {
        if self.known.len() >= MAX_SLOTS {
            *self = Self::default();
        }
        let number = self.known.len();
        self.known.push(slot);
        if len > 2 {
            self.long.insert(code, number as u32);
        } else {
            let block = if len == 1 { 0 } else { ((code >> 8) & 0xFF) as usize + 1 };
            if self.blocks.len() <= block {
                self.blocks.resize(block + 1, None);
            }
            self.blocks[block].get_or_insert_with(|| Box::new([NONE; 256]))[(code & 0xFF) as usize] = number as u32;
        }
        number
    }

    /// The slot of a number.
    pub(super) fn get(&self, number: usize) -> &Slot {
        &self.known[number]
    }
}
