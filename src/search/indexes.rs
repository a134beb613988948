//! Indexes that were made, each for the class of callers that may know of its document.

use super::{Index, SearchError};
use moka::sync::Cache;
use rustc_hash::FxHasher;
use sift_handlers::{ContentHash, Document};
use sift_layers::Class;
use std::{hash::Hasher as _, sync::Arc, time::Duration};

/// How much memory all indexes may take, in bytes, and how long one stays that nobody asks.
const MAX_BYTES: u64 = 128 << 20;
const IDLE: Duration = Duration::from_mins(30);

/// Indexes by document and class.
#[derive(Clone)]
pub struct Indexes {
    made: Cache<Key, Arc<Index>>,
}

/// A text of a document: the same bytes can be read in more than one way.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    class: Class,
    hash: ContentHash,
    text: u64,
}

// === impl Indexes ===

impl Indexes {
    /// The index of a document: the one that there is, or a new one.
    pub fn of(&self, class: Class, document: &Document) -> Result<Arc<Index>, SearchError> {
        let key = Key { class, hash: document.content_hash, text: fingerprint(document) };
        let made = self.made.try_get_with(key, || Index::new(document).map(Arc::new));
        made.map_err(|error| *error)
    }
}

impl Default for Indexes {
    fn default() -> Self {
        let weigh = |_: &Key, index: &Arc<Index>| u32::try_from(index.bytes()).unwrap_or(u32::MAX);
        Self { made: Cache::builder().weigher(weigh).max_capacity(MAX_BYTES).time_to_idle(IDLE).build() }
    }
}

impl std::fmt::Debug for Indexes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Indexes({})", self.made.entry_count())
    }
}

fn fingerprint(document: &Document) -> u64 {
    let mut hasher = FxHasher::default();
    for page in &document.pages {
        hasher.write(page.text().as_bytes());
        hasher.write_u8(0);
    }
    hasher.finish()
}
