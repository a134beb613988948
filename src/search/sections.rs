//! The headings above a hit.

use sift_handlers::{Document, OutlineItem};

/// The most levels of a path.
const MAX_LEVELS: usize = 3;

/// The titles of the outline's entries that a page stands under, the outermost first.
pub(super) fn path(document: &Document, page: u32) -> Vec<&str> {
    let mut path: Vec<&OutlineItem> = Vec::new();
    for item in document.outline.iter().take_while(|item| item.page <= page) {
        while path.last().is_some_and(|last| last.level >= item.level) {
            path.pop();
        }
        path.push(item);
    }
    // The title of the whole document says nothing of a place in it.
    let own: Vec<&str> = path.into_iter().map(|item| item.title.as_str()).collect();
    let skip = own.len().saturating_sub(MAX_LEVELS);
    own.into_iter().skip(skip).collect()
}
