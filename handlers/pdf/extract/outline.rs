//! Bookmarks.

use super::{destinations::Destinations, strings, tree};
use crate::OutlineItem;
use hayro_syntax::{
    object::{Dict, String as PdfString},
    xref::XRef,
};
use std::collections::HashSet;

/// The most items of an outline.
const MAX_ITEMS: usize = 10_000;
/// The most entries that are looked at, broken ones with them.
const MAX_ENTRIES: usize = 40_000;
/// The deepest level.
const MAX_LEVEL: u8 = 32;

/// Reads the outline of a document: items without a page are dropped, their children kept.
pub(super) fn outline<'a>(xref: &'a XRef, catalog: &Dict<'a>, destinations: &mut Destinations<'a>) -> Vec<OutlineItem> {
    let mut items = Vec::new();
    let mut seen = HashSet::new();
    let first = tree::child(xref, catalog, b"Outlines").and_then(|root| tree::child(xref, &root, b"First"));
    let mut waiting: Vec<(Dict<'a>, u8)> = first.map(|first| (first, 1)).into_iter().collect();
    let mut entries = 0;
    while let Some((entry, level)) = waiting.pop() {
        entries += 1;
        if items.len() >= MAX_ITEMS || entries > MAX_ENTRIES {
            break;
        }
        // Where it stands in memory names an entry: a loop comes back to the same place.
        if !seen.insert(entry.data().as_ptr()) {
            continue;
        }
        if let Some(next) = tree::child(xref, &entry, b"Next") {
            waiting.push((next, level));
        }
        if level < MAX_LEVEL
            && let Some(child) = tree::child(xref, &entry, b"First")
        {
            waiting.push((child, level + 1));
        }
        let title = entry.get::<PdfString<'_>>(b"Title").and_then(|title| strings::line(title.as_bytes()));
        if let (Some(title), Some(page)) = (title, destinations.page_of_item(&entry)) {
            items.push(OutlineItem { title, page, level });
        }
    }
    items
}
