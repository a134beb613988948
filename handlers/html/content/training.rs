//! What the training of the forest needs: the blocks of a page with their features.

use super::{
    Candidates, Features, Measures, Surroundings, blocks,
    features::{self, NAMES},
    texts,
};
use crate::html::{
    dom::{Dom, Name},
    visible::Visible,
};

/// The features of every block, and its text.
#[derive(Debug)]
pub struct Rows {
    /// The names of the features.
    pub names: &'static [&'static str],
    /// A row for each block.
    pub rows: Vec<Vec<f32>>,
    /// The text of each block.
    pub texts: Vec<String>,
}

/// The blocks of a page.
pub(in crate::html) fn rows(dom: &Dom, is_product: bool) -> Rows {
    let seen = Visible::of(dom).seen;
    let blocks = blocks::blocks(dom, |id| seen[id as usize]);
    let measures = Measures::new(dom, &blocks);
    let around = Surroundings::new(dom, &measures);
    let candidates = Candidates::find(dom, &blocks, &measures, &around.topics);
    let texts = texts::of_blocks(dom, &blocks, |id| seen[id as usize]);
    let features = Features::new(dom, &blocks, &measures, &around, &texts, &candidates, is_product);
    let mut row = Vec::with_capacity(features::NAMES.len());
    let rows = (0..blocks.len()).map(|at| {
        features.row(at, &mut row);
        row.clone()
    });
    let texts = blocks.iter().map(|block| {
        let nodes = (block.first..=block.last).filter(|id| seen[*id as usize]);
        nodes.map(|id| if dom.name(id) == Name::Br { " " } else { dom.text(id) }).collect()
    });
    Rows { names: &NAMES, rows: rows.collect(), texts: texts.collect() }
}
