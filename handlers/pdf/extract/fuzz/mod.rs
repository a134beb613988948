//! What hostile bytes are thrown at: the whole extractor, and each decoder by itself.
//!
//! The tests replay the seeds of `tests/testdata/fuzz/pdf` and small mutations of them; the targets in `fuzz/` at the
//! root of the repository call the same functions.

#[cfg(test)]
mod tests;

use super::{Options, run, streams};

/// The most bytes that a decoder may give here.
const ROOM: usize = 1 << 20;
/// The most pages that are read.
const MAX_PAGES: u32 = 50;

/// Reads `bytes` as a document.
///
/// # Panics
///
/// When a page panicked: the extractor keeps a page's panic from the others, and here it must be seen.
pub fn document(bytes: &[u8]) {
    let options = Options { max_pages: MAX_PAGES, password: None };
    let mut failed = None;
    let _ = run(bytes.to_vec(), &options, &mut |line| {
        if line.error.is_some() {
            failed = line.page;
        }
        Ok(())
    });
    assert_eq!(failed, None, "a page panicked");
}

/// Inflates, strictly and then with what makes no sense.
pub fn flate(bytes: &[u8]) {
    streams::fuzz::flate(bytes, ROOM);
}

/// Decodes LZW, with both habits of growing codes.
pub fn lzw(bytes: &[u8]) {
    streams::fuzz::lzw(bytes, ROOM);
}

/// Decodes base 85, hexadecimal digits and run lengths.
pub fn text(bytes: &[u8]) {
    streams::fuzz::text(bytes, ROOM);
}

/// Undoes predictors: the first four bytes are their parameters.
pub fn predictor(bytes: &[u8]) {
    streams::fuzz::predictor(bytes);
}

/// Cleans the instructions of a damaged page.
pub fn instructions(bytes: &[u8]) {
    streams::fuzz::instructions(bytes);
}

/// Writes a damaged object anew.
pub fn mend(bytes: &[u8]) {
    super::repair::mend(bytes);
}
