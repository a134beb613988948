//! Which pages are asked for: `a-b`, `a`, `a-`, or a list of these (views.md §3).
//!
//! A number is a page's place in the document, whatever its label says: markers, notes and hits count the same way. A
//! label that is no number (`iv`, `A-3`) names the first page that bears it.

use super::ViewError;
use std::{collections::HashMap, fmt};

/// The most stretches of pages a list may name once neighbours are joined; a note that names the rest stays short.
const MAX_STRETCHES: usize = 100;
/// The longest label that is looked up, in bytes.
const MAX_LABEL: usize = 1_000;
/// The longest label that a refusal names, in characters.
const MAX_NAMED: usize = 40;

/// Pages of a document in page order, each once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Selection {
    /// First and last page of each stretch, in order, with a gap between any two.
    stretches: Vec<(u32, u32)>,
}

/// The first page of a stretch and the last one, if that is named.
type Bounds = (u64, Option<u64>);

// === impl Selection ===

impl Selection {
    /// Every page of a document with `last` pages.
    pub(super) fn all(last: u32) -> Self {
        Self { stretches: if last == 0 { Vec::new() } else { vec![(1, last)] } }
    }

    /// Reads what was asked of a document with `last` extracted pages and the `labels` of all its pages.
    pub(super) fn parse(asked: &str, last: u32, labels: &[String]) -> Result<Self, ViewError> {
        let items = asked.split(',').map(|item| bounds(item.trim())).collect::<Option<Vec<_>>>();
        let items = match items {
            Some(items) => items,
            None => by_label(asked, labels)?,
        };
        let mut stretches = Vec::new();
        for (first, end) in items {
            let end = end.unwrap_or(u64::from(last).max(first));
            match u32::try_from(first) {
                Ok(first @ 1..) if first <= last && u64::from(first) <= end => {
                    stretches.push((first, u32::try_from(end).unwrap_or(last).min(last)));
                }
                _ => return Err(ViewError::PagesOutOfRange { last }),
            }
        }
        stretches.sort_unstable();
        let mut joined: Vec<(u32, u32)> = Vec::new();
        for (first, end) in stretches {
            match joined.last_mut() {
                Some(before) if first <= before.1.saturating_add(1) => before.1 = before.1.max(end),
                _ => joined.push((first, end)),
            }
        }
        if joined.len() > MAX_STRETCHES {
            return Err(ViewError::InvalidPages);
        }
        Ok(Self { stretches: joined })
    }

    /// The page numbers.
    pub(super) fn pages(&self) -> impl Iterator<Item = u32> + '_ {
        self.stretches.iter().flat_map(|&(first, end)| first..=end)
    }

    /// The lowest page number.
    pub(super) fn first(&self) -> Option<u32> {
        self.stretches.first().map(|stretch| stretch.0)
    }

    /// Whether this is one page only.
    pub(super) fn is_one_page(&self) -> bool {
        matches!(self.stretches[..], [(first, end)] if first == end)
    }

    /// The pages from `page` on.
    pub(super) fn starting_at(&self, page: u32) -> Self {
        let stretches = self.stretches.iter().filter(|stretch| stretch.1 >= page);
        Self { stretches: stretches.map(|&(first, end)| (first.max(page), end)).collect() }
    }

    /// Whether there is no page.
    pub(super) fn is_empty(&self) -> bool {
        self.stretches.is_empty()
    }
}

/// As a request writes it: `1-3,7,12-40`.
impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (nth, (first, end)) in self.stretches.iter().enumerate() {
            let comma = if nth == 0 { "" } else { "," };
            if first == end { write!(f, "{comma}{first}")? } else { write!(f, "{comma}{first}-{end}")? }
        }
        Ok(())
    }
}

/// The bounds that `a-b`, `a` or `a-` (no second bound) writes.
fn bounds(item: &str) -> Option<Bounds> {
    match item.split_once(['-', '–']) {
        None => number(item).map(|page| (page, Some(page))),
        Some((first, "")) => Some((number(first)?, None)),
        Some((first, end)) => Some((number(first)?, Some(number(end)?))),
    }
}

/// The bounds of items that name labels, or labels and numbers.
fn by_label(asked: &str, labels: &[String]) -> Result<Vec<Bounds>, ViewError> {
    let mut pages: HashMap<&str, u64> = HashMap::new();
    for (label, page) in labels.iter().zip(1..) {
        if number(label).is_none() && !label.is_empty() {
            pages.entry(label).or_insert(page);
        }
    }
    let (Some(first), Some(last)) = (labels.first(), labels.last()) else { return Err(ViewError::InvalidPages) };
    let page = |name: &str| {
        let name = Some(name.trim()).filter(|name| name.len() <= MAX_LABEL)?;
        number(name).or_else(|| pages.get(name).copied())
    };
    // A label may have dashes of its own, so any of them may be the one between two labels.
    let bounds = |item: &str| {
        page(item).map(|page| (page, Some(page))).or_else(|| {
            item.char_indices().filter(|(_, c)| matches!(c, '-' | '–')).find_map(|(at, dash)| {
                let end = &item[at + dash.len_utf8()..];
                let first = page(&item[..at])?;
                if end.is_empty() { Some((first, None)) } else { page(end).map(|end| (first, Some(end))) }
            })
        })
    };
    let items = asked.split(',').map(|item| bounds(item.trim())).collect::<Option<Vec<_>>>();
    let named = |label: &str| label.chars().take(MAX_NAMED).collect();
    items.ok_or_else(|| ViewError::UnknownLabel { first: named(first), last: named(last) })
}

/// Decimal digits; a number too large for the machine is the largest one there is, which no document reaches.
fn number(digits: &str) -> Option<u64> {
    let written = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    written.then(|| digits.parse().unwrap_or(u64::MAX))
}
