//! What tells a whole row from a damaged one.

use sha2::{Digest, Sha256};
use sift_handlers::Page;

/// SHA-256 over a list of fields, each with its length, so that no two lists give the same bytes.
#[derive(Default)]
pub(super) struct Checksum(Sha256);

/// The checksum of a document's pages. Names them, and tells when one is missing or changed.
#[derive(Default)]
pub(super) struct PagesHash(Checksum);

// === impl Checksum ===

impl Checksum {
    /// Takes in a field; an absent one is not an empty one.
    pub(super) fn add(&mut self, field: Option<impl AsRef<[u8]>>) {
        match field {
            Some(bytes) => {
                let bytes = bytes.as_ref();
                self.0.update([1]);
                self.0.update((bytes.len() as u64).to_le_bytes());
                self.0.update(bytes);
            }
            None => self.0.update([0]),
        }
    }

    /// The checksum.
    pub(super) fn finish(self) -> [u8; 32] {
        self.0.finalize().into()
    }
}

// === impl PagesHash ===

impl PagesHash {
    /// Of all pages.
    pub(super) fn of(pages: &[Page]) -> [u8; 32] {
        let mut hash = Self::default();
        for page in pages {
            hash.add(page);
        }
        hash.finish()
    }

    /// Takes in the next page.
    pub(super) fn add(&mut self, page: &Page) {
        self.0.add(Some(page.number.to_le_bytes()));
        self.0.add(Some(page.text()));
        self.0.add(page.error.as_ref());
    }

    /// The checksum.
    pub(super) fn finish(self) -> [u8; 32] {
        self.0.finish()
    }
}
