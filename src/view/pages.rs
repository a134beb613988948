//! A range of pages, and the continuation of a cut answer (views.md §3).

use super::budget::Window;
use super::full::{BLANK, FullText};
use super::range::Selection;
use super::{Rendered, ViewError};
use std::fmt::Write as _;

/// The most pages in one answer.
const MAX_PAGES: usize = 100;

/// As many whole pages as fit, or a piece of the first one.
pub(super) struct Stretch {
    pub(super) window: Window,
    /// The last page of which something is there; 0 when there is none.
    pub(super) last: u32,
    /// What to ask for next; empty when nothing is left out.
    pub(super) note: String,
}

/// Renders the pages that were asked for, after the first `offset` characters of the only one.
pub(super) fn render(
    full: &FullText<'_>,
    asked: &Selection,
    offset: usize,
    out_cap: usize,
) -> Result<Rendered, ViewError> {
    let Some(first) = asked.first() else { return Ok(Rendered::default()) };
    if offset > 0 {
        if !asked.is_one_page() {
            return Err(ViewError::OffsetAcrossPages);
        }
        let chars = full.page_chars(first);
        if offset >= chars {
            return Err(ViewError::PastTheEnd { chars });
        }
    }
    let Stretch { window, last, note } = fill(full, asked, offset, out_cap, MAX_PAGES);
    Ok(Rendered { first, last, ..Rendered::new(window, note) })
}

/// Renders the full text after its first `offset` characters.
pub(super) fn render_from(full: &FullText<'_>, offset: usize, out_cap: usize) -> Result<Rendered, ViewError> {
    let total = full.chars();
    if offset >= total {
        return Err(ViewError::PastTheEnd { chars: total });
    }
    let mut window = Window::new(offset, out_cap);
    let (first, last) = full.copy(&mut window);
    let next = offset + window.chars();
    let note = if next < total {
        format!("cut at {next} of {total} characters; ask for offset={next}")
    } else {
        String::new()
    };
    Ok(Rendered { first, last, ..Rendered::new(window, note) })
}

/// Whole pages from the first one asked for, while they fit; `offset` applies to the first.
///
/// The requests that the note names give exactly what is left out, each character once: the rest of a cut page, then
/// the pages behind it.
pub(super) fn fill(full: &FullText<'_>, asked: &Selection, offset: usize, limit: usize, max_pages: usize) -> Stretch {
    let mut window = Window::new(offset, limit);
    let (mut last, mut note) = (0, String::new());
    for (nth, number) in asked.pages().enumerate() {
        let chars = full.page_chars(number);
        if nth == 0 {
            full.copy_page(number, &mut window);
            last = number;
            let end = offset + window.chars();
            if end < chars {
                note = cut_page(full, asked, end);
                break;
            }
        } else if nth == max_pages || chars.saturating_add(BLANK.len()) > window.left() {
            note = format!("cut at {} {last}; ask for pages=\"{}\"", full.unit(), asked.starting_at(number));
            break;
        } else {
            window.push(BLANK, BLANK.len());
            full.copy_page(number, &mut window);
            last = number;
        }
    }
    Stretch { window, last, note }
}

/// The note of a first page that was cut after `end` characters.
fn cut_page(full: &FullText<'_>, asked: &Selection, end: usize) -> String {
    let (unit, number) = (full.unit(), asked.first().unwrap_or_default());
    let chars = full.page_chars(number);
    let mut note =
        format!("{unit} {number} cut at {end} of {chars} characters; ask for pages=\"{number}\" offset={end}");
    let rest = asked.starting_at(number.saturating_add(1));
    if !rest.is_empty() {
        let _ = write!(note, ", then pages=\"{rest}\"");
    }
    note
}
