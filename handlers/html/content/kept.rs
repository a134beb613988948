//! From kept blocks to kept nodes.

use super::{
    super::dom::{Dom, Id, Name},
    blocks::Block,
};

/// An image is kept with the text of the element that holds it, and of so many elements around that.
const IMAGE_LEVELS: usize = 2;

/// The nodes that are kept: the text of the kept blocks, and the images, rules and breaks that belong to it.
pub(super) fn nodes(dom: &Dom, blocks: &[Block], kept: &[bool], seen: &[bool]) -> Vec<bool> {
    let mut nodes = vec![false; dom.len()];
    for (block, _) in blocks.iter().zip(kept).filter(|(_, kept)| **kept) {
        for id in block.first..=block.last {
            nodes[id as usize] = seen[id as usize];
        }
    }
    let mut sums = Vec::with_capacity(dom.len() + 1);
    let mut sum = 0_u32;
    sums.push(sum);
    for (id, kept) in (0..).zip(&nodes) {
        sum += u32::from(*kept && dom.name(id) == Name::Text);
        sums.push(sum);
    }
    let holds = |id: Id| sums[dom.end(id) as usize] > sums[id as usize];
    let texts = Neighbours::of(dom, blocks, kept);
    for id in dom.body()..dom.end(dom.body()) {
        let at = id as usize;
        if !seen[at] || nodes[at] {
            continue;
        }
        let by_holder = || dom.ancestors(id).take(IMAGE_LEVELS).take_while(|up| *up > dom.body()).any(holds);
        nodes[at] = is_leaf(dom.name(id))
            && (texts.between(id) || (!matches!(dom.name(id), Name::Br | Name::Hr) && by_holder()));
    }
    nodes
}

/// Whether an element stands for itself, and not for the text in it.
fn is_leaf(name: Name) -> bool {
    matches!(
        name,
        Name::Img
            | Name::Br
            | Name::Hr
            | Name::Input
            | Name::Iframe
            | Name::Video
            | Name::Audio
            | Name::Embed
            | Name::Object
    )
}

/// Where kept and dropped blocks are.
struct Neighbours {
    /// For each node, whether the last block that began before it is kept.
    before: Vec<bool>,
    /// For each node, whether the next block is kept.
    after: Vec<bool>,
}

// === impl Neighbours ===

impl Neighbours {
    fn of(dom: &Dom, blocks: &[Block], kept: &[bool]) -> Self {
        let mut before = vec![false; dom.len()];
        let mut after = vec![false; dom.len()];
        let mut at = 0;
        for (id, (before, after)) in (0..).zip(before.iter_mut().zip(&mut after)) {
            while blocks.get(at).is_some_and(|block| block.first <= id) {
                at += 1;
            }
            *before = at > 0 && kept[at - 1];
            let within = at > 0 && blocks[at - 1].last > id;
            *after = if within { *before } else { kept.get(at).copied().unwrap_or(*before) };
        }
        Self { before, after }
    }

    /// Whether what comes before and what comes after are both kept.
    fn between(&self, id: Id) -> bool {
        self.before[id as usize] && self.after[id as usize]
    }
}
