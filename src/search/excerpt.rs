//! The sentences of a window that answer a query.

use super::terms;
use sift_handlers::Document;

/// About how long an excerpt is, in characters.
const LENGTH: usize = 400;

/// The stretch of a page, in bytes, that is shown of a hit: the lines of its window with most of the words, and what
/// follows them.
pub(super) fn stretch(document: &Document, page: u32, window: (usize, usize), query: &str) -> (usize, usize) {
    let Some(page) = document.pages.get(page as usize - 1) else { return (0, 0) };
    let text = page.text();
    let Some(within) = text.get(window.0..window.1) else { return (0, 0) };
    let words: Vec<String> =
        terms::words(query).into_iter().filter(|word| !terms::is_stop(word)).map(|word| stem(&word)).collect();
    let mut best = (window.0, 0);
    let mut at = window.0;
    for piece in pieces(within) {
        // What follows the piece is shown, too.
        let shown = &text[at..ahead(text, at, window.1)];
        let known = terms::words(shown);
        let count = words.iter().filter(|word| known.iter().any(|known| stem(known) == **word)).count();
        if count > best.1 {
            best = (at, count);
        }
        at += piece.len();
    }
    let start = best.0 + text[best.0..].len() - text[best.0..].trim_start().len();
    let end = ahead(text, start, window.1.max(start));
    (start, start + text[start..end].trim_end().len())
}

/// A window in sentences and lines.
fn pieces(text: &str) -> impl Iterator<Item = &str> {
    text.split_inclusive('\n').flat_map(|line| line.split_inclusive(". "))
}

fn ahead(text: &str, start: usize, end: usize) -> usize {
    let Some(rest) = text.get(start..end) else { return start };
    let Some((hard, _)) = rest.char_indices().nth(LENGTH) else { return end };
    start + rest[..hard].rfind(char::is_whitespace).filter(|at| *at > 0).unwrap_or(hard)
}

/// The beginning of a word, which its forms share.
fn stem(word: &str) -> String {
    let length = word.chars().count();
    let kept = if length > 5 { length - 2 } else { length };
    word.chars().take(kept).collect()
}
