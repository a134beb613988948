//! What every element holds, counted once.

use super::{
    super::dom::{Dom, Id, Name},
    blocks::Block,
};

/// Sums over the blocks in document order, so that any subtree is a difference of two.
pub(super) struct Measures {
    /// For each node, the number of blocks that begin before it.
    before: Vec<u32>,
    /// Sums over the first n blocks.
    sums: Vec<Sum>,
}

/// What a run of blocks has together.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sum {
    pub(super) blocks: u32,
    pub(super) words: u32,
    pub(super) mass: u32,
    pub(super) linked: u32,
    /// The mass of blocks that read like running text.
    pub(super) prose: u32,
}

// === impl Measures ===

impl Measures {
    pub(super) fn new(dom: &Dom, blocks: &[Block]) -> Self {
        let mut before = vec![0; dom.len() + 1];
        for block in blocks {
            before[block.first as usize + 1] += 1;
        }
        let mut count = 0;
        for entry in &mut before {
            count += *entry;
            *entry = count;
        }
        let mut sums = vec![Sum::default()];
        let mut sum = Sum::default();
        for block in blocks {
            sum.blocks += 1;
            sum.words += block.text.words;
            sum.mass += block.text.mass;
            sum.linked += block.linked;
            sum.prose += if block.is_prose() { block.text.mass } else { 0 };
            sums.push(sum);
        }
        Self { before, sums }
    }

    /// What the subtree of `id` has.
    pub(super) fn of(&self, dom: &Dom, id: Id) -> Sum {
        let (from, to) = self.range(dom, id);
        self.between(from, to)
    }

    /// The blocks of the subtree of `id`.
    pub(super) fn range(&self, dom: &Dom, id: Id) -> (usize, usize) {
        (self.before[id as usize] as usize, self.before[dom.end(id) as usize] as usize)
    }

    pub(super) fn between(&self, from: usize, to: usize) -> Sum {
        self.sums[to].minus(&self.sums[from.min(to)])
    }

    pub(super) fn all(&self) -> Sum {
        self.sums.last().copied().unwrap_or_default()
    }
}

// === impl Sum ===

impl Sum {
    fn minus(&self, other: &Self) -> Self {
        Self {
            blocks: self.blocks - other.blocks,
            words: self.words - other.words,
            mass: self.mass - other.mass,
            linked: self.linked - other.linked,
            prose: self.prose - other.prose,
        }
    }

    pub(super) fn link_share(&self) -> f32 {
        self.linked as f32 / self.mass.max(1) as f32
    }

    /// The share of the text that reads like running text.
    pub(super) fn prose_share(&self) -> f32 {
        self.prose as f32 / self.mass.max(1) as f32
    }

    /// The average mass of a block.
    pub(super) fn average(&self) -> u32 {
        self.mass / self.blocks.max(1)
    }
}

/// Whether the element only groups: rows, cells and inline elements aren't containers.
pub(super) fn is_container(name: Name) -> bool {
    matches!(
        name,
        Name::Div
            | Name::Section
            | Name::Article
            | Name::Main
            | Name::Body
            | Name::Td
            | Name::Form
            | Name::Center
            | Name::Other
    )
}
