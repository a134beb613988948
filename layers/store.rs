//! What the cache holds, and what a store must be able to do.

use crate::{caller::Class, clock::Timestamp, key::Key, url::PageUrl};
use async_trait::async_trait;
use sift_handlers::{Document, ExtractError, Kind};
use std::{sync::Arc, time::Duration};

/// Keeps what was read. Every method takes a [`Key`] or a [`Class`], so none can forget the partition.
///
/// A store may fail at any time: that is a miss and a metric, never a failed fetch.
#[async_trait]
pub trait Store: Send + Sync + 'static {
    /// A whole entry, or nothing; never a part of a document.
    async fn look(&self, key: &Key) -> Result<Option<Kept>, StoreError>;

    /// Keeps an entry in one transaction, in place of what stood under its key.
    async fn keep(&self, key: &Key, entry: Arc<Entry>) -> Result<(), StoreError>;

    /// Marks an entry as fetched at `at` and fresh for `fresh` from then: after a 304.
    async fn renew(&self, key: &Key, at: Timestamp, fresh: Duration) -> Result<(), StoreError>;

    /// Drops whole documents, oldest first, until at most `bytes` are left.
    async fn shrink(&self, bytes: u64) -> Result<Shrunk, StoreError>;

    /// Drops everything of a class, or only what is no longer fresh.
    async fn clear(&self, class: Class, expired_only: bool) -> Result<Shrunk, StoreError>;

    /// What there is of a class.
    async fn statistics(&self, class: Class) -> Result<Statistics, StoreError>;
}

/// An entry, and from how far it came.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    /// The entry.
    pub entry: Arc<Entry>,
    /// Whether it was in memory.
    pub hot: bool,
}

/// What a hop ended in, and what is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// What it ended in.
    pub step: Step,
    /// The origin's status.
    pub status: u16,
    /// The origin's `Content-Type`, as sent, at most 200 characters.
    pub content_type: Option<String>,
    /// What a conditional GET sends.
    pub validators: Validators,
    /// When the origin last said so.
    pub fetched_at: Timestamp,
    /// How long it is fresh from then.
    pub fresh: Duration,
}

/// What a hop ended in.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// A redirect: an alias, as fresh as what it leads to.
    Moved(PageUrl),
    /// A document.
    Read(Arc<Document>),
    /// A document that can't be read, which the next caller need not try again.
    Verdict(Kind, ExtractError),
}

/// `ETag` and `Last-Modified`, as sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Validators {
    /// Goes back as `If-None-Match`.
    pub etag: Option<String>,
    /// Goes back as `If-Modified-Since`.
    pub last_modified: Option<String>,
}

/// What was dropped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shrunk {
    /// How many entries.
    pub entries: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// What a store holds of one class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// How many entries: documents, verdicts and aliases.
    pub entries: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Documents of each kind.
    pub kinds: Vec<(Kind, u64)>,
}

/// A store that could not do it. For a metric; the fetch goes on without.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// The disk is full.
    #[error("full")]
    Full,
    /// The file is damaged.
    #[error("corrupt")]
    Corrupt,
    /// Another process has the file, for longer than we wait.
    #[error("busy")]
    Busy,
    /// The store is closed.
    #[error("closed")]
    Closed,
    /// Anything else.
    #[error("failed")]
    Failed,
}

impl Entry {
    /// Whether this is fresh at `now`. A request may say how old is fine; else the entry's own time counts.
    pub fn is_fresh(&self, now: Timestamp, max_age: Option<Duration>) -> bool {
        self.fetched_at.age(now).is_some_and(|age| age < max_age.unwrap_or(self.fresh))
    }

    /// The kind of the document, or of what could not be read.
    pub fn kind(&self) -> Option<Kind> {
        match &self.step {
            Step::Moved(_) => None,
            Step::Read(document) => Some(document.kind),
            Step::Verdict(kind, _) => Some(*kind),
        }
    }
}

impl Validators {
    /// Whether there is something to ask with.
    pub fn is_empty(&self) -> bool {
        self.etag.is_none() && self.last_modified.is_none()
    }
}
