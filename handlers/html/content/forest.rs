//! Boosted decision trees: the model that says how likely a block is content.
//!
//! The file is written by `bench/html/train.py`, a line for each tree in preorder: `feature>value` goes on with the
//! tree that follows unless the feature is greater, `=value` ends with a value. The sum of all trees is a logit.

use super::features::NAMES;
use std::sync::OnceLock;

/// The trained trees.
const MODEL: &str = include_str!("forest.txt");

/// Trees over the features of a block.
pub(super) struct Forest {
    nodes: Vec<Node>,
    /// Where each tree begins.
    trees: Vec<u32>,
}

/// A node of a tree. Its left child, for values up to the limit, is the next node.
#[derive(Clone, Copy)]
struct Node {
    /// The limit of a split, or the value of a leaf.
    value: f32,
    /// The feature that a split looks at; [`LEAF`] for a leaf.
    feature: u16,
    /// How many nodes further the right child is.
    right: u16,
}

const LEAF: u16 = u16::MAX;

// === impl Forest ===

impl Forest {
    pub(super) fn trained() -> &'static Self {
        static TRAINED: OnceLock<Forest> = OnceLock::new();
        TRAINED.get_or_init(|| Self::parse(MODEL).unwrap_or(Self { nodes: Vec::new(), trees: Vec::new() }))
    }

    fn parse(model: &str) -> Option<Self> {
        let mut forest = Self { nodes: Vec::new(), trees: Vec::new() };
        for line in model.lines().filter(|line| !line.starts_with('#')) {
            forest.trees.push(u32::try_from(forest.nodes.len()).ok()?);
            // Splits whose right child is still to come.
            let mut waiting: Vec<usize> = Vec::new();
            for node in line.split_ascii_whitespace() {
                if let Some(value) = node.strip_prefix('=') {
                    forest.nodes.push(Node { value: value.parse().ok()?, feature: LEAF, right: 0 });
                    if let Some(split) = waiting.pop() {
                        let right = forest.nodes.len() - split;
                        forest.nodes[split].right = u16::try_from(right).ok()?;
                    }
                } else {
                    let (name, limit) = node.split_once('>')?;
                    let feature = NAMES.iter().position(|known| *known == name)?;
                    waiting.push(forest.nodes.len());
                    let feature = u16::try_from(feature).ok()?;
                    forest.nodes.push(Node { value: limit.parse().ok()?, feature, right: 0 });
                }
            }
        }
        Some(forest)
    }

    /// The probability that a block with these features is content.
    pub(super) fn probability(&self, row: &[f32]) -> f32 {
        let logit: f32 = self.trees.iter().map(|tree| self.value(*tree as usize, row)).sum();
        1.0 / (1.0 + (-logit).exp())
    }

    fn value(&self, tree: usize, row: &[f32]) -> f32 {
        let mut at = tree;
        loop {
            let node = self.nodes[at];
            if node.feature == LEAF {
                return node.value;
            }
            at += if row[usize::from(node.feature)] > node.value { usize::from(node.right) } else { 1 };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_goes_left_up_to_the_limit_and_right_beyond() {
        let forest = Forest::parse("# a comment\nwords>1.5 =-1 mass>2 =0.5 =3\n=0.25").unwrap();
        let mut row = vec![0.0; NAMES.len()];
        let mut value = |words, mass| {
            (row[0], row[1]) = (words, mass);
            forest.trees.iter().map(|tree| forest.value(*tree as usize, &row)).sum::<f32>()
        };
        let got = [value(1.5, 9.0), value(1.6, 2.0), value(1.6, 2.1)];
        assert_eq!(got.map(f32::to_bits), [-0.75_f32, 0.75, 3.25].map(f32::to_bits));
    }

    #[test]
    fn a_model_with_a_feature_that_is_not_known_is_refused() {
        assert!(Forest::parse("moon>1 =1 =2").is_none());
    }

    #[test]
    fn the_trained_model_reads() {
        assert!(Forest::trained().trees.len() >= 100);
    }
}
