//! What hostile bytes are thrown at: the whole way of a page.
//!
//! The tests replay the seeds of `tests/testdata/fuzz/html` and small mutations of them; the target in `fuzz/` at the
//! root of the repository calls the same function.

#[cfg(test)]
mod tests;

use super::read;
use crate::{ContentHash, Document, Kind, Reading, Unit, charset};
use std::time::Duration;
use tokio::time::Instant;

/// What is written of a page is no longer than this, beside a multiple of its own length: a list in a list in a list
/// carries its indentation on every line.
const FACTOR: usize = 64;
const SLACK: usize = 4 << 10;

/// Reads `bytes` as a page: its content, and all of it with its sources.
///
/// # Panics
///
/// When more is written than the page gives reason to.
pub fn page(bytes: &[u8]) {
    let decoded = charset::decode(bytes, None);
    let bound = FACTOR * decoded.text.len() + SLACK;
    let selectors = vec!["main p, .a > b:not(.c)".to_owned()];
    for reading in [
        Reading::default(),
        Reading { main_only: false, keep_sources: true, ..Reading::default() },
        Reading { include: selectors.clone(), exclude: selectors, ..Reading::default() },
    ] {
        let document = Document::new(Kind::new("html"), Unit::Part, ContentHash::of(bytes), bytes.len() as u64);
        let decoded = charset::decode(bytes, None);
        let address = url::Url::parse("https://e.test/a/b").ok();
        let deadline = Instant::now() + Duration::from_mins(1);
        if let Ok(document) =
            read::document(document, decoded, address, bytes.first() == Some(&b'x'), &reading, deadline)
        {
            let written: usize = document.pages.iter().map(|page| page.text().len()).sum();
            assert!(written <= bound, "{written} bytes of {}", bytes.len());
        }
    }
}
