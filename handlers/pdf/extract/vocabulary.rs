//! The words of a document.

use super::script;
use rustc_hash::FxHasher;
use std::{collections::HashSet, hash::Hasher as _};

/// Words of the document so far, to know which joined words are words.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    words: HashSet<u64>,
    /// How many words were seen, with those that come again.
    seen: usize,
    /// How often the article of English was among them.
    articles: usize,
}

/// The most words that are remembered.
const MAX_WORDS: usize = 300_000;
/// From how many bytes on a word is remembered, and counts as one rather than as a syllable.
pub(super) const WORD: usize = 4;
/// The article by which a text in English is known, and the least share of its words, in percent.
const ARTICLE: (&str, usize) = ("the", 3);

// === impl Vocabulary ===

impl Vocabulary {
    /// Takes the words of a line in.
    pub(super) fn add(&mut self, line: &str) {
        if self.words.len() >= MAX_WORDS {
            return;
        }
        let article = hash(&[ARTICLE.0]);
        // A word without its marks at both ends: its hash up to the last letter or digit.
        let (mut hash, mut length, mut kept) = (FxHasher::default(), 0usize, None);
        let mut keep = |kept: &mut Option<u64>, length: usize| {
            self.seen += usize::from(length > 0);
            if let Some(word) = kept.take() {
                if length >= WORD {
                    self.words.insert(word);
                } else {
                    self.articles += usize::from(word == article);
                }
            }
        };
        let mut end = 0;
        for c in line.chars() {
            if c.is_ascii_digit() || script::is_letter(c) || (!c.is_ascii() && c.is_numeric()) {
                add(&mut hash, c);
                length += c.len_utf8();
                kept = Some(hash.finish());
                end = length;
            } else if c.is_whitespace() {
                keep(&mut kept, end);
                (hash, length, end) = (FxHasher::default(), 0, 0);
            } else if length > 0 {
                add(&mut hash, c);
                length += c.len_utf8();
            }
        }
        keep(&mut kept, end);
    }

    /// Whether the word that these parts make together was seen.
    pub(super) fn contains(&self, parts: &[&str]) -> bool {
        self.words.contains(&hash(parts))
    }

    /// Whether the document is in English, where two words seldom become one.
    pub(super) fn is_english(&self) -> bool {
        self.articles * 100 >= self.seen * ARTICLE.1 && self.articles > 0
    }
}

fn hash(parts: &[&str]) -> u64 {
    let mut hash = FxHasher::default();
    for c in parts.iter().flat_map(|part| part.chars()) {
        add(&mut hash, c);
    }
    hash.finish()
}

/// Takes a character of a word into its hash, in lower case.
fn add(hash: &mut FxHasher, c: char) {
    if c.is_ascii() {
        hash.write_u32(u32::from(c.to_ascii_lowercase()));
    } else {
        c.to_lowercase().for_each(|c| hash.write_u32(u32::from(c)));
    }
}
