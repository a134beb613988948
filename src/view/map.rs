//! The map of a document that is longer than one answer (views.md §2): title, size, outline, how to go on, first pages.

use super::Rendered;
use super::budget::{Window, one_line, prefix};
use super::full::FullText;
use super::pages::{self, Stretch};
use super::range::Selection;
use sift_handlers::{Document, OutlineItem, Unit};
use std::fmt::Write as _;

const INSTRUCTION: &str = "This document is longer than one answer: ask for pages=\"a-b\" or grep=\"pattern\".\n\n";
const OUTLINE: &str = "## Outline\n";

/// One line of the outline.
struct Line {
    /// From 1.
    level: usize,
    text: String,
    chars: usize,
}

/// Renders the map. `out_cap` is at least [`MIN_OUT_CAP`](super::MIN_OUT_CAP): all but the outline fits in that.
pub(super) fn render(document: &Document, full: &FullText<'_>, out_cap: usize) -> Rendered {
    let head = header(document, full, out_cap / 4);
    let all = Selection::all(full.last());
    let Stretch { window: leading, last, note } = pages::fill(full, &all, 0, out_cap / 4, usize::MAX);
    let room = out_cap - head.chars().count() - INSTRUCTION.len() - leading.chars();
    let outline = outline(&document.outline, room);

    let mut window = Window::new(0, out_cap);
    for piece in [&head, &outline, INSTRUCTION] {
        window.push(piece, piece.chars().count());
    }
    let (chars, text) = (leading.chars(), leading.into_text());
    window.push(&text, chars);
    Rendered { map: true, first: 1, last, ..Rendered::new(window, note) }
}

/// The title, cut to `title_chars` characters, and the size.
fn header(document: &Document, full: &FullText<'_>, title_chars: usize) -> String {
    let untitled = match document.unit {
        Unit::Page => "Untitled PDF",
        Unit::Part => "Untitled page",
    };
    let title = one_line(document.title.as_deref().unwrap_or_default());
    let title = if title.is_empty() { untitled } else { &title };
    let shown = prefix(title, title_chars);
    let ellipsis = if shown.len() < title.len() { "…" } else { "" };
    let (unit, total, last, tokens) = (full.unit(), full.total_pages(), full.last(), full.chars() / 4);
    let mut head = format!("# {shown}{ellipsis}\n\n{total} {unit}s · ~{tokens} tokens");
    if last < total {
        let _ = write!(head, " · {unit}s 1-{last} extracted");
    }
    head.push_str("\n\n");
    head
}

/// The outline in at most `room` characters, with the blank line behind it.
///
/// What does not fit goes deepest level first, and within a level from the end; a last line counts what is gone.
fn outline(items: &[OutlineItem], room: usize) -> String {
    if items.is_empty() {
        return String::new();
    }
    let lines: Vec<_> = items.iter().map(Line::new).collect();
    let mut by_level = [0; 1 + u8::MAX as usize];
    for line in &lines {
        by_level[line.level] += line.chars;
    }
    let fixed = OUTLINE.len() + "\n".len();
    let complete = fixed + by_level.iter().sum::<usize>() <= room;

    // The count in the last line is at most that of all lines.
    let reserved = if complete { 0 } else { more(lines.len()).chars().count() };
    let mut left = room.saturating_sub(fixed + reserved);
    let mut whole = 0; // the deepest level of which every line is shown
    while let Some(rest) = by_level.get(whole + 1).and_then(|chars| left.checked_sub(*chars)) {
        (whole, left) = (whole + 1, rest);
    }
    let mut section = String::from(OUTLINE);
    let mut gone = 0;
    for line in &lines {
        let rest = if line.level == whole + 1 { left.checked_sub(line.chars) } else { None };
        if line.level <= whole || rest.is_some() {
            left = rest.unwrap_or(left);
            section.push_str(&line.text);
        } else {
            gone += 1;
            if line.level == whole + 1 {
                left = 0; // from the end: no later line of this level in its place
            }
        }
    }
    if gone > 0 {
        section.push_str(&more(gone));
    }
    section.push('\n');
    section
}

/// The last line of an outline that lacks `gone` lines.
fn more(gone: usize) -> String {
    format!("- … ({gone} more)\n")
}

// === impl Line ===

impl Line {
    fn new(item: &OutlineItem) -> Self {
        let level = usize::from(item.level.max(1));
        let text = format!("{:indent$}- {} (p. {})\n", "", one_line(&item.title), item.page, indent = 2 * (level - 1));
        Self { level, chars: text.chars().count(), text }
    }
}
