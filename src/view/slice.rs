//! Stretches of the full text, by line for locators and by character for reading on (views.md §5).
//!
//! A line ends at a line feed, or at a carriage return and a line feed; a final line break begins no other line.

use super::budget::Window;
use super::full::{BLANK, FullText, breaks};
use sift_handlers::Document;
use std::fmt;

/// Whole lines of a full text.
///
/// `Debug` prints no text.
#[derive(Clone, PartialEq, Eq)]
pub struct Slice {
    /// The lines as they stand, without the last line break.
    pub text: String,
    /// The first line of `text`, from 1.
    pub first_line: u64,
    /// The last line of `text`; 0 when `past_end`.
    pub last_line: u64,
    /// How many lines the full text has.
    pub total_lines: u64,
    /// Whether nothing was asked for that exists; `text` is then empty.
    pub past_end: bool,
}

/// Characters of a full text.
///
/// `Debug` prints no text.
#[derive(Clone, PartialEq, Eq)]
pub struct Read {
    /// The characters; empty at or past the end.
    pub text: String,
    /// Where `text` begins, in characters from 0.
    pub offset: u64,
    /// Where to read on; none when nothing is left.
    pub next_offset: Option<u64>,
    /// The length of the full text, in characters.
    pub total_chars: u64,
}

/// Cuts `limit` lines (none: all) from line `first_line` (none or 0: the first) out of the full text.
pub fn slice(document: &Document, first_line: Option<u64>, limit: Option<u64>) -> Slice {
    let full = FullText::new(document, None);
    let first_line = first_line.unwrap_or(1).max(1);
    let limit = limit.unwrap_or(u64::MAX);
    let wanted = first_line.saturating_add(limit.saturating_sub(1));

    let mut window = Window::new(0, usize::MAX); // the pages that hold the lines, and what leads to the next page
    let (mut begins, mut line) = (None, 1);
    for number in 1..=full.last() {
        let next = line + full.stride_lines(number);
        if first_line < next && line <= wanted {
            begins.get_or_insert(line);
            full.copy_page(number, &mut window);
            window.push(BLANK, BLANK.len());
        }
        line = next;
    }
    let (total_lines, last_line) = (line - 1, wanted.min(line - 1));
    match begins {
        Some(begins) if limit > 0 && last_line >= first_line => {
            let text = lines(&window.into_text(), first_line - begins, last_line - first_line + 1).to_owned();
            Slice { text, first_line, last_line, total_lines, past_end: false }
        }
        _ => Slice { text: String::new(), first_line, last_line: 0, total_lines, past_end: true },
    }
}

/// Reads `limit_chars` characters of the full text after its first `offset_chars`.
///
/// Following `next_offset` gives every character once, as long as `limit_chars` is above 0.
pub fn read(document: &Document, offset_chars: u64, limit_chars: usize) -> Read {
    let full = FullText::new(document, None);
    let total_chars = full.chars() as u64;
    let mut window = Window::new(usize::try_from(offset_chars).unwrap_or(usize::MAX), limit_chars);
    full.copy(&mut window);
    let next = offset_chars.saturating_add(window.chars() as u64);
    Read {
        offset: offset_chars,
        next_offset: (next < total_chars).then_some(next),
        total_chars,
        text: window.into_text(),
    }
}

/// The lines of the full text that the text of a page takes up, first and last; none when there is no such page.
///
/// A page without text has one line, which is empty.
pub fn page_lines(document: &Document, number: u32) -> Option<(u64, u64)> {
    let full = FullText::new(document, None);
    if !(1..=full.last()).contains(&number) {
        return None;
    }
    let above: u64 = (1..number).map(|page| full.stride_lines(page)).sum();
    let first = above + full.lines_above() + 1;
    Some((first, first + breaks(&full.body(number))))
}

/// `count` lines of `text` after the first `skip`, without the last line break.
fn lines(text: &str, skip: u64, count: u64) -> &str {
    let mut ends = text.bytes().zip(0..).filter(|(byte, _)| *byte == b'\n').map(|(_, at)| at);
    let nth = |lines: u64| usize::try_from(lines - 1).unwrap_or(usize::MAX);
    let from = if skip == 0 { 0 } else { ends.nth(nth(skip)).map_or(text.len(), |end: usize| end + 1) };
    let to = ends.nth(nth(count)).unwrap_or(text.len());
    let stretch = &text[from..to];
    stretch.strip_suffix('\r').unwrap_or(stretch)
}

// === impl Slice ===

impl fmt::Debug for Slice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Slice({}-{} of {} lines)", self.first_line, self.last_line, self.total_lines)
    }
}

// === impl Read ===

impl fmt::Debug for Read {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Read({} to {:?} of {} characters)", self.offset, self.next_offset, self.total_chars)
    }
}
