//! What the words of each block say: whether they end a sentence, or repeat the title.

use super::{
    super::dom::{Dom, Name},
    blocks::Block,
};
use rustc_hash::FxHashSet;

/// So many words of a block are compared with the title.
const MAX_TITLE_WORDS: usize = 40;

/// What the words of a block say.
#[derive(Clone, Copy)]
pub(super) struct Says {
    /// The share of the words that are in the page's title.
    pub(super) title_share: f32,
    pub(super) ends_sentence: bool,
}

/// What each block says. `seen` says whether a node is read.
pub(super) fn of_blocks(dom: &Dom, blocks: &[Block], seen: impl Fn(u32) -> bool) -> Vec<Says> {
    let title = title_words(dom);
    let mut text = String::new();
    let says = blocks.iter().map(|block| {
        text.clear();
        (block.first..=block.last).filter(|id| seen(*id)).for_each(|id| text.push_str(dom.text(id)));
        Says::of(text.trim(), &title)
    });
    says.collect()
}

// === impl Says ===

impl Says {
    fn of(text: &str, title: &FxHashSet<String>) -> Self {
        Self {
            title_share: title_share(text, title),
            ends_sentence: text.ends_with(['.', '!', '?', ':', '。', '…', '"', '”']),
        }
    }
}

fn title_words(dom: &Dom) -> FxHashSet<String> {
    let title = (0..dom.body()).find(|id| dom.name(*id) == Name::Title);
    let texts = title.map(|title| (title..dom.end(title)).map(|id| dom.text(id)).collect::<String>());
    words(&texts.unwrap_or_default()).map(str::to_lowercase).collect()
}

fn title_share(text: &str, title: &FxHashSet<String>) -> f32 {
    if title.is_empty() {
        return 0.0;
    }
    let (all, known) = words(text)
        .take(MAX_TITLE_WORDS)
        .fold((0, 0), |(all, known), word| (all + 1, known + usize::from(title.contains(&word.to_lowercase()))));
    known as f32 / all.max(1) as f32
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty())
}
