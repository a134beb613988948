//! An answer without a model: the passages that answer a question best, verbatim, each with its page.

use super::{Found, render::matched};
use crate::view::Rendered;
use sift_handlers::{Document, Unit};

/// How many passages an answer has at most.
pub const PASSAGES: usize = 5;

/// Writes the passages, within `out_cap` characters. Nothing in them is changed: each can be found in the document.
pub fn extractive(document: &Document, question: &str, found: &Found, out_cap: usize) -> Rendered {
    let sign = if document.unit == Unit::Page { "p." } else { "part" };
    let mut content = String::new();
    let mut chars = 0;
    let mut matches = Vec::new();
    for hit in found.hits.iter().take(PASSAGES) {
        let passage = matched(document, question, hit);
        let quoted = passage.text.lines().map(|line| format!("> {line}")).collect::<Vec<_>>().join("\n");
        let block = format!("{}{quoted}\n> ({sign} {})", if matches.is_empty() { "" } else { "\n\n" }, passage.page);
        let length = block.chars().count();
        if chars + length > out_cap {
            break;
        }
        content.push_str(&block);
        chars += length;
        matches.push(passage);
    }
    let note = if matches.is_empty() {
        "nothing in the document answers this; ask in other words, or read its map".to_owned()
    } else {
        "passages as they stand in the document, the best first: no model is configured to write an answer".to_owned()
    };
    Rendered { content, chars, matches, note, tokens_estimate: chars / 4, ..Rendered::default() }
}
