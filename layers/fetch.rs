//! The requests and answers that travel between the layers, in the order in which they appear.

use crate::{
    caller::Caller,
    clock::Timestamp,
    error::Error,
    key::Key,
    pool::Place,
    single_flight::Cockpit,
    store::{Entry, Step},
    url::PageUrl,
};
use bytes::Bytes;
use futures::stream::BoxStream;
use http::HeaderMap;
use sift_handlers::{Content, ContentHandler, Document, Head, Limits, Reading};
use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

/// What a surface asks for.
#[derive(Clone, Debug)]
pub struct Fetch {
    /// Who asks.
    pub caller: Caller,
    /// What is asked for.
    pub url: PageUrl,
    /// On which terms.
    pub terms: Arc<Terms>,
}

/// The terms of a fetch: everything that isn't who or what.
#[derive(Clone, Debug, Default)]
pub struct Terms {
    /// How the document is read.
    pub reading: Arc<Reading>,
    /// The oldest copy accepted; zero asks the origin; none = the kind's own freshness.
    pub max_age: Option<Duration>,
    /// Only from the cache.
    pub cache_only: bool,
    /// Keep nothing of this answer.
    pub no_store: bool,
    /// How long this caller waits; none = the kind's own limits.
    pub patience: Option<Duration>,
    /// The caller's own request headers, bound to the first origin.
    pub headers: HeaderMap,
}

/// What a surface gets.
#[derive(Clone, Debug)]
pub struct Fetched {
    /// The document, with what the origin said of it.
    pub entry: Arc<Entry>,
    /// The same document, at hand.
    pub document: Arc<Document>,
    /// The final address.
    pub url: PageUrl,
    /// Where it came from.
    pub origin: Origin,
    /// Whether it is older than it should be, since the origin could not be asked.
    pub stale: bool,
    /// Whether a redirect left https.
    pub downgraded: bool,
}

/// Where an answer came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// The cache, fresh, from memory.
    Hot,
    /// The cache, fresh, from disk.
    Disk,
    /// The cache, after the origin confirmed it.
    Revalidated,
    /// The origin.
    Network,
}

/// One address on the way: the first, or where a redirect leads. Who asks is still known.
#[derive(Clone, Debug)]
pub struct Hop {
    /// Who asks.
    pub caller: Caller,
    /// What is looked up and flown.
    pub key: Key,
    /// On which terms; the headers are gone when the origin changed.
    pub terms: Arc<Terms>,
    /// When the fetch began: an entry younger than this is as good as asked for.
    pub since: Timestamp,
}

/// A hop inside a flight: whoever rides it, it is nobody's in particular.
#[derive(Debug)]
pub struct Leg {
    /// What is fetched.
    pub key: Key,
    /// The terms of the rider that started the flight.
    pub terms: Arc<Terms>,
    /// When that rider's fetch began.
    pub since: Timestamp,
    /// The kept entry to confirm, if there is one.
    pub known: Option<Arc<Entry>>,
    /// Tells the riders what this flight turns out to be.
    pub cockpit: Cockpit,
}

/// What a hop ends in for everyone aboard.
#[derive(Clone, Debug)]
pub struct Found {
    /// What there is.
    pub entry: Arc<Entry>,
    /// Where it came from.
    pub origin: Origin,
    /// Whether it is older than it should be.
    pub stale: bool,
}

/// What the origin said to one GET.
#[derive(Debug)]
pub enum Reply {
    /// The kept entry still holds.
    NotModified,
    /// Something new, and whether it may be kept.
    New(Arc<Entry>, bool),
}

/// A response with a body that somebody must read.
#[derive(Debug)]
pub struct Answer {
    /// Of which leg.
    pub leg: Leg,
    /// The `Content-Type` header.
    pub content_type: Option<String>,
    /// The body, decoded.
    pub body: Body,
}

/// What a handler made of an answer.
#[derive(Debug)]
pub struct Routed {
    /// A document, or why there is none.
    pub step: Step,
    /// What its kind may cost, and how long it is fresh.
    pub limits: Limits,
}

/// A body on its way, decoded, with what it cost.
pub struct Body {
    /// The pieces.
    pub stream: BoxStream<'static, Result<Bytes, Error>>,
    /// The declared length, in bytes on the wire.
    pub declared: Option<u64>,
    wire: Arc<AtomicU64>,
}

/// A body with the handler that will read it.
pub struct Job {
    /// Who reads, and how.
    pub task: Task,
    /// The rest of the body, behind the head's prefix.
    pub body: Body,
    /// The place in the pool, when the kind needs one.
    pub place: Option<Place>,
}

/// Who reads a body, and how.
pub struct Task {
    /// Who reads.
    pub handler: Arc<dyn ContentHandler>,
    /// What it may cost.
    pub limits: Limits,
    /// What is known of the body.
    pub head: Head,
    /// The address of the document.
    pub url: PageUrl,
    /// How it is read.
    pub reading: Arc<Reading>,
}

/// A job whose body is here.
pub struct Loaded {
    /// Who reads, and how.
    pub task: Task,
    /// The whole body.
    pub content: Content,
    /// The place in the pool, when the kind needs one.
    pub place: Option<Place>,
}

// === impl Origin ===

impl Origin {
    /// The attribute `sift.origin`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Hot => "hot",
            Self::Disk => "disk",
            Self::Revalidated => "revalidated",
            Self::Network => "network",
        }
    }
}

// === impl Body ===

impl Body {
    /// A body whose pieces are counted into `wire` before they are decoded.
    pub fn new(stream: BoxStream<'static, Result<Bytes, Error>>, declared: Option<u64>, wire: Arc<AtomicU64>) -> Self {
        Self { stream, declared, wire }
    }

    /// A body that is already here.
    pub fn whole(bytes: Bytes) -> Self {
        let length = bytes.len() as u64;
        let stream = Box::pin(futures::stream::once(async move { Ok(bytes) }));
        Self { stream, declared: Some(length), wire: Arc::new(AtomicU64::new(length)) }
    }

    /// Bytes that have come over the wire so far, before decoding.
    pub fn wire_bytes(&self) -> u64 {
        self.wire.load(Ordering::Relaxed)
    }
}

impl fmt::Debug for Body {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Body({} bytes so far)", self.wire_bytes())
    }
}

// === impl Job ===

impl fmt::Debug for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Job({:?}, {:?})", self.task, self.body)
    }
}

// === impl Task ===

impl fmt::Debug for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.handler.kind())
    }
}

// === impl Loaded ===

impl fmt::Debug for Loaded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Loaded({:?}, {:?})", self.task, self.content)
    }
}
