//! The full text (views.md §1): the one coordinate system of offsets, lines and page ranges.

use super::budget::Window;
use sift_handlers::{Document, Page, Unit};
use std::borrow::Cow;

/// What stands between a marker and its text, and between two pages.
pub(super) const BLANK: &str = "\n\n";

/// The pages of a document as their full text. Lengths come from the pages' own counts; nothing is built to be measured.
#[derive(Clone, Copy)]
pub(super) struct FullText<'a> {
    pages: &'a [Page],
    unit: Unit,
    total_pages: u32,
    marked: bool,
}

/// The full text of a document: every page with its marker, joined by blank lines.
pub fn full_text(document: &Document) -> String {
    let full = FullText::new(document, None);
    let mut window = Window::new(0, usize::MAX);
    full.copy(&mut window);
    window.into_text()
}

/// The text of a document without any marker: what a file holds, as a file. Pages are joined by blank lines.
pub fn unmarked_text(document: &Document) -> String {
    let texts = document.pages.iter().map(Page::text).filter(|text| !text.is_empty());
    texts.collect::<Vec<_>>().join(BLANK)
}

// === impl FullText ===

impl<'a> FullText<'a> {
    /// Only the first `limit` pages exist, when there is one (and one page at least).
    ///
    /// Markers depend on the whole document, so that a limited text is a prefix of the unlimited one.
    pub(super) fn new(document: &'a Document, limit: Option<u32>) -> Self {
        let extracted = u32::try_from(document.pages.len()).unwrap_or(u32::MAX);
        let total_pages = document.total_pages.max(extracted);
        let last = extracted.min(limit.unwrap_or(u32::MAX).max(1));
        Self {
            pages: &document.pages[..last as usize],
            unit: document.unit,
            total_pages,
            marked: document.unit == Unit::Page || total_pages > 1,
        }
    }

    /// `page` or `part`.
    pub(super) fn unit(&self) -> &'static str {
        self.unit.as_str()
    }

    /// How many pages the document has.
    pub(super) fn total_pages(&self) -> u32 {
        self.total_pages
    }

    /// The number of the last extracted page; 0 when there is none.
    pub(super) fn last(&self) -> u32 {
        u32::try_from(self.pages.len()).unwrap_or(u32::MAX)
    }

    /// The length in characters.
    pub(super) fn chars(&self) -> usize {
        (1..=self.last()).map(|number| self.stride(number)).sum()
    }

    /// The length in characters of a page with its marker.
    pub(super) fn page_chars(&self, number: u32) -> usize {
        let page = self.page(number);
        let body = page.error.as_ref().map_or(page.chars(), |reason| self.failure(number, reason).chars().count());
        body + if self.marked { self.marker(number).len() + BLANK.len() } else { 0 }
    }

    /// The length of a page with its marker and the blank line that leads to the next page, if there is one.
    pub(super) fn stride(&self, number: u32) -> usize {
        self.page_chars(number) + if number < self.last() { BLANK.len() } else { 0 }
    }

    /// The page of this number, from 1.
    pub(super) fn page(&self, number: u32) -> &'a Page {
        &self.pages[number as usize - 1]
    }

    /// What stands below the marker: the text, or why there is none.
    pub(super) fn body(&self, number: u32) -> Cow<'a, str> {
        let page = self.page(number);
        page.error.as_ref().map_or_else(|| page.text().into(), |reason| self.failure(number, reason).into())
    }

    /// How many lines stand above the text of a page: the marker and a blank line.
    pub(super) fn lines_above(&self) -> u64 {
        if self.marked { 2 } else { 0 }
    }

    /// How many lines a page has with its marker and the blank line that leads to the next page.
    pub(super) fn stride_lines(&self, number: u32) -> u64 {
        let (body, ends) = (self.body(number), number == self.last());
        // A final line break begins no other line, and only a page without text at the very end leaves one.
        let lines = if ends && body.is_empty() { 0 } else { breaks(&body) + 1 };
        self.lines_above() + lines + u64::from(!ends)
    }

    /// Copies a page with its marker.
    pub(super) fn copy_page(&self, number: u32, window: &mut Window) {
        if self.marked {
            let marker = self.marker(number);
            window.push(&marker, marker.len());
            window.push(BLANK, BLANK.len());
        }
        let page = self.page(number);
        match &page.error {
            None => window.push(page.text(), page.chars()),
            Some(reason) => {
                let failure = self.failure(number, reason);
                window.push(&failure, failure.chars().count());
            }
        }
    }

    /// Copies everything; answers with the first and the last page of which something was taken (0 when nothing was).
    pub(super) fn copy(&self, window: &mut Window) -> (u32, u32) {
        let (mut first, mut last) = (0, 0);
        for number in 1..=self.last() {
            if window.left() == 0 {
                break;
            }
            if window.pass(self.stride(number)) {
                continue;
            }
            if first == 0 {
                first = number;
            }
            last = number;
            self.copy_page(number, window);
            if number < self.last() {
                window.push(BLANK, BLANK.len());
            }
        }
        (first, last)
    }

    fn marker(&self, number: u32) -> String {
        format!("--- {} {number} ---", self.unit())
    }

    fn failure(&self, number: u32, reason: &str) -> String {
        format!("[{} {number} could not be read: {reason}]", self.unit())
    }
}

/// How many line breaks a text has.
pub(super) fn breaks(text: &str) -> u64 {
    text.bytes().filter(|byte| *byte == b'\n').count() as u64
}
