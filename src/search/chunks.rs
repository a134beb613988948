//! Windows of text that know their page.

use sift_handlers::Document;

/// About how long a window is, how much of it the next one repeats, and in how much of its end a sentence may end it; in
/// characters.
const WINDOW: usize = 1_200;
const OVERLAP: usize = 240;
const SOFT_END: usize = 500;

/// A stretch of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Chunk {
    /// The page, from 1.
    pub(super) page: u32,
    /// The stretch of the page's text, in bytes.
    pub(super) start: usize,
    pub(super) end: usize,
    /// Whether it is the whole page beside its windows.
    pub(super) is_page: bool,
}

// === impl Chunk ===

impl Chunk {
    pub(super) fn text<'a>(&self, document: &'a Document) -> &'a str {
        let page = document.pages.get(self.page as usize - 1);
        page.and_then(|page| page.text().get(self.start..self.end)).unwrap_or_default()
    }
}

/// The windows of all pages, and every page of more than one window as a whole.
pub(super) fn cut(document: &Document) -> Vec<Chunk> {
    let mut chunks = Vec::new();
    for (number, page) in (1..).zip(&document.pages) {
        let text = page.text();
        if text.trim().is_empty() {
            continue;
        }
        let before = chunks.len();
        let mut start = 0;
        loop {
            let end = window_end(text, start);
            chunks.push(Chunk { page: number, start, end, is_page: false });
            if end == text.len() {
                break;
            }
            start = back(text, end, OVERLAP).max(start + 1);
            while !text.is_char_boundary(start) {
                start += 1;
            }
        }
        if chunks.len() > before + 1 {
            chunks.push(Chunk { page: number, start: 0, end: text.len(), is_page: true });
        }
    }
    chunks
}

/// Where a window ends: at the last end of a sentence in its soft end, else at a blank.
fn window_end(text: &str, start: usize) -> usize {
    let mut ends = text[start..].char_indices().skip(WINDOW - SOFT_END);
    let Some((soft, _)) = ends.next() else { return text.len() };
    let Some((hard, _)) = text[start..].char_indices().nth(WINDOW) else { return text.len() };
    let tail = &text[start + soft..start + hard];
    let mut sentence = tail.char_indices().filter(|(at, sign)| {
        let next = tail[at + sign.len_utf8()..].chars().next();
        matches!(sign, '。' | '！' | '？' | '\n')
            || (matches!(sign, '.' | '!' | '?') && next.is_none_or(char::is_whitespace))
    });
    let end = sentence.next_back().map(|(at, sign)| at + sign.len_utf8());
    let blank = || tail.rfind(char::is_whitespace);
    start + soft + end.or_else(blank).filter(|end| *end > 0).unwrap_or(tail.len())
}

/// So many characters before `end`, at the beginning of a word.
fn back(text: &str, end: usize, characters: usize) -> usize {
    let start = text[..end].char_indices().rev().nth(characters).map_or(0, |(at, _)| at);
    text[start..end].find(char::is_whitespace).map_or(start, |at| start + at)
}
