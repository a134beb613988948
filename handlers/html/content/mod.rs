//! Which part of a page is its content: rules name candidates, and a vote over all that is known of each block decides.
//!
//! The way of a page: [`blocks`] → [`measure`] (sums, so that any element's are a difference) → [`surroundings`] and
//! [`texts`] → [`candidates`] → [`features`] → [`forest`] → [`vote`].

#![expect(
    clippy::cast_precision_loss,
    reason = "counts over a page: more than a float tells apart are as good as alike"
)]

mod blocks;
mod candidates;
mod features;
mod forest;
mod kept;
mod measure;
mod names;
mod surroundings;
mod texts;
#[cfg(feature = "training")]
pub(super) mod training;
mod vote;

use super::dom::{Dom, Id};
use blocks::Block;
use candidates::Candidates;
use features::Features;
use forest::Forest;
use measure::Measures;
use surroundings::Surroundings;

/// A page with more blocks than this is kept whole: it is a data set, and weighing each block would take too long.
const MAX_BLOCKS: usize = 50_000;

/// A page with less text than this, in characters, is kept whole: there is too little to tell content from the rest.
const SHORT: u32 = 400;

/// What is kept of a page.
pub(super) struct Content {
    /// For each node, whether it is kept. Elements other than images and breaks are kept for what they hold.
    pub(super) kept: Vec<bool>,
    /// The candidate that agrees best with what is kept.
    pub(super) method: &'static str,
    /// How good the choice is expected to be, 0 to 1: an F1 over words.
    pub(super) confidence: f32,
    /// The share of the page's text that is kept.
    pub(super) share: f32,
}

/// Whether a page's JSON-LD speaks of a product.
pub(super) fn is_product(json_ld: &[serde_json::Value]) -> bool {
    let is_one = |kind: &str| ["Product", "ProductGroup", "Offer"].iter().any(|name| kind.ends_with(name));
    json_ld.iter().any(|object| match object.get("@type") {
        Some(serde_json::Value::String(kind)) => is_one(kind),
        Some(serde_json::Value::Array(kinds)) => kinds.iter().filter_map(|kind| kind.as_str()).any(is_one),
        _ => false,
    })
}

/// Chooses the content among the nodes that are `seen`. `is_product` says whether the page's data speak of a product.
pub(super) fn choose(dom: &Dom, seen: &[bool], is_product: bool) -> Content {
    let whole = || Content { kept: seen.to_vec(), method: "body", confidence: 0.5, share: 1.0 };
    let blocks = blocks::blocks(dom, |id| seen[id as usize]);
    let measures = Measures::new(dom, &blocks);
    if blocks.len() > MAX_BLOCKS || measures.all().mass < SHORT {
        return whole();
    }
    let around = Surroundings::new(dom, &measures);
    let candidates = Candidates::find(dom, &blocks, &measures, &around.topics);
    let texts = texts::of_blocks(dom, &blocks, |id| seen[id as usize]);
    let features = Features::new(dom, &blocks, &measures, &around, &texts, &candidates, is_product);
    let forest = Forest::trained();
    let mut row = Vec::with_capacity(features::NAMES.len());
    let probabilities: Vec<f32> = (0..blocks.len())
        .map(|at| {
            features.row(at, &mut row);
            forest.probability(&row)
        })
        .collect();
    let words: Vec<u32> = blocks.iter().map(|block| block.text.words).collect();
    let mut verdict = vote::verdict(&probabilities, &words);
    vote::keep_between(&mut verdict.kept, dom, &blocks);
    vote::keep_headings(&mut verdict.kept, |at| dom.name(blocks[at].element).heading().is_some());
    let kept: u32 = blocks.iter().zip(&verdict.kept).filter(|(_, kept)| **kept).map(|(block, _)| block.text.mass).sum();
    if kept == 0 {
        return whole();
    }
    Content {
        method: method(dom, &blocks, &verdict.kept, &measures, &candidates),
        confidence: verdict.confidence,
        share: kept as f32 / measures.all().mass.max(1) as f32,
        kept: kept::nodes(dom, &blocks, &verdict.kept, seen),
    }
}

/// The name of the candidate that agrees best with the blocks that are kept.
fn method(dom: &Dom, blocks: &[Block], kept: &[bool], measures: &Measures, candidates: &Candidates) -> &'static str {
    let mut before = vec![0_u32];
    for (block, kept) in blocks.iter().zip(kept) {
        before.push(before.last().copied().unwrap_or_default() + if *kept { block.text.mass } else { 0 });
    }
    let all = before.last().copied().unwrap_or_default();
    let agreement = |id: Id| {
        let (from, to) = measures.range(dom, id);
        2.0 * (before[to] - before[from]) as f32 / (measures.of(dom, id).mass + all).max(1) as f32
    };
    let named =
        [("rules", candidates.rules), ("scoring", candidates.scoring), ("mass", candidates.mass), ("body", dom.body())];
    // The first of the best, so that the same container has one name.
    let best = named.into_iter().rev().max_by(|one, other| agreement(one.1).total_cmp(&agreement(other.1)));
    best.map_or("body", |(name, _)| name)
}

#[cfg(test)]
mod tests;
