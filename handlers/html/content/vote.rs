//! From how likely each block is content to the blocks that are kept.

use super::{super::dom::Dom, blocks::Block};

/// A block less likely than this is never kept, and one more likely always.
const LOWEST: f32 = 0.28;
const HIGHEST: f32 = 0.45;

/// The most text between two paragraphs that is kept for their sake, in characters.
const MAX_RUN: u32 = 400;

/// The weight of a block without words, in words.
const NO_WORDS: f32 = 0.3;

/// Which blocks are kept, and how good that is expected to be.
pub(super) struct Verdict {
    pub(super) kept: Vec<bool>,
    /// The expected harmonic mean of precision and recall over words, 0 to 1.
    pub(super) confidence: f32,
}

/// Keeps the blocks above the probability at which the expected F1 is best: a page of many doubtful blocks gets a
/// lower bar than one whose content is clear. `words` are those of each block.
pub(super) fn verdict(probabilities: &[f32], words: &[u32]) -> Verdict {
    let weight = |at: usize| if words[at] == 0 { NO_WORDS } else { words[at] as f32 };
    let mut order: Vec<usize> = (0..probabilities.len()).collect();
    order.sort_by(|one, other| probabilities[*other].total_cmp(&probabilities[*one]));
    let expected: f32 = order.iter().map(|at| probabilities[*at] * weight(*at)).sum();
    // The sums of weights and of expected words over the likeliest blocks so far.
    let (mut kept, mut right) = (0.0, 0.0);
    let mut best = (0.0, HIGHEST);
    for at in &order {
        kept += weight(*at);
        right += probabilities[*at] * weight(*at);
        let score = 2.0 * right / (kept + expected);
        if score > best.0 {
            best = (score, probabilities[*at]);
        }
    }
    let bar = best.1.clamp(LOWEST, HIGHEST);
    Verdict { kept: probabilities.iter().map(|probability| *probability >= bar).collect(), confidence: best.0 }
}

/// Keeps the headings right before what is kept.
pub(super) fn keep_headings(kept: &mut [bool], is_heading: impl Fn(usize) -> bool) {
    for at in (1..kept.len()).rev() {
        kept[at - 1] |= kept[at] && is_heading(at - 1);
    }
}

/// Keeps short runs between two paragraphs that are kept and stand side by side: a small table, a list, a line of code.
pub(super) fn keep_between(kept: &mut [bool], dom: &Dom, blocks: &[Block]) {
    let parent = |at: usize| dom.parent(blocks[at].element);
    let mut last: Option<usize> = None;
    for at in 0..blocks.len() {
        if !kept[at] || !blocks[at].is_prose() {
            continue;
        }
        if let Some(from) = last.map(|last| last + 1)
            && parent(from - 1) == parent(at)
        {
            let run = &blocks[from..at];
            let mass: u32 = run.iter().map(|block| block.text.mass).sum();
            let linked: u32 = run.iter().map(|block| block.linked).sum();
            if mass <= MAX_RUN && linked * 3 <= mass {
                kept[from..at].fill(true);
            }
        }
        last = Some(at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clear_page_keeps_what_is_likely() {
        let verdict = verdict(&[0.9, 0.95, 0.1, 0.44], &[100, 100, 100, 10]);
        assert_eq!(verdict.kept, [true, true, false, false]);
        assert!(verdict.confidence > 0.85);
    }

    #[test]
    fn a_doubtful_page_keeps_more() {
        assert_eq!(verdict(&[0.4, 0.35, 0.3, 0.1], &[100, 100, 100, 100]).kept, [true, true, true, false]);
    }

    #[test]
    fn the_headings_of_what_is_kept_stay() {
        let mut kept = [false, false, true, false, false];
        keep_headings(&mut kept, |at| at != 2);
        assert_eq!(kept, [true, true, true, false, false]);
    }

    #[test]
    fn nothing_is_kept_of_a_page_without_likely_blocks() {
        assert_eq!(verdict(&[0.27, 0.01], &[10, 10]).kept, [false, false]);
        assert!(verdict(&[], &[]).kept.is_empty());
    }
}
