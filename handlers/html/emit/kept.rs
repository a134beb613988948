//! Which nodes of a page are written.

use super::is_void;
use crate::html::dom::{Dom, Id, Name};

/// One bit a node: a text or an element without content of its own (`img`, `br`, `hr`, `input`, …) is written when its
/// bit is set. The markup of any other element is written when something below it is.
pub(crate) struct Kept {
    bits: Vec<bool>,
    /// How many bits are set before a node.
    sums: Vec<u32>,
}

// === impl Kept ===

impl Kept {
    /// Every node.
    #[cfg(test)]
    pub(crate) fn all(dom: &Dom) -> Self {
        Self::of(dom, vec![true; dom.len()])
    }

    /// The nodes whose bit is set. The bits of elements with content of their own don't count.
    pub(crate) fn of(dom: &Dom, bits: Vec<bool>) -> Self {
        let mut sums = Vec::with_capacity(bits.len() + 1);
        let mut sum = 0;
        sums.push(sum);
        for (id, bit) in (0..).zip(&bits) {
            sum += u32::from(*bit && is_leaf(dom.name(id)));
            sums.push(sum);
        }
        Self { bits, sums }
    }

    /// Whether the node itself is.
    pub(super) fn has(&self, id: Id) -> bool {
        self.bits.get(id as usize).copied().unwrap_or_default()
    }

    /// Whether the node is, or any below it.
    pub(super) fn any(&self, dom: &Dom, id: Id) -> bool {
        let sum = |at: Id| self.sums.get(at as usize).or(self.sums.last()).copied().unwrap_or_default();
        sum(dom.end(id)) > sum(id)
    }
}

fn is_leaf(name: Name) -> bool {
    name == Name::Text
        || is_void(name)
        || matches!(name, Name::Iframe | Name::Object | Name::Video | Name::Audio | Name::Svg)
}
