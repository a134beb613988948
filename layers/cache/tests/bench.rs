//! Both sides of the cache over a store of a few lines and an origin that says what it is told.

use super::super::*;
use crate::{
    caller::{Caller, Class},
    fetch::Terms,
    key::Variant,
    single_flight::Cockpit,
    store::{Shrunk, Statistics, StoreError, Validators},
    url::PageUrl,
};
use parking_lot::Mutex;
use sift_handlers::{ContentHash, Document, Kind, Unit};
use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};

pub(super) const PDF: Kind = Kind::new("pdf");
pub(super) const MINUTE: Duration = Duration::from_mins(1);
pub(super) const ALMOST: Duration = Duration::from_millis(59_999);
pub(super) const MS: Duration = Duration::from_millis(1);

/// The cache between a caller that asks and an origin.
pub(super) struct Bench {
    pub(super) shelf: Arc<Shelf>,
    pub(super) cache: Cache,
    pub(super) metrics: Arc<Metrics>,
    pub(super) origin: Arc<Origins>,
}

/// A store that can be told to fail.
#[derive(Default)]
pub(super) struct Shelf {
    entries: Mutex<BTreeMap<Key, Arc<Entry>>>,
    pub(super) fails: AtomicBool,
}

/// What the origin says next, and what it was asked with.
#[derive(Default)]
pub(super) struct Origins {
    pub(super) says: Mutex<Option<Result<Reply, Error>>>,
    pub(super) asked: Mutex<Vec<Option<Validators>>>,
}

#[async_trait::async_trait]
impl Store for Shelf {
    async fn look(&self, key: &Key) -> Result<Option<Kept>, StoreError> {
        self.sound()?;
        Ok(self.entries.lock().get(key).map(|entry| Kept { entry: entry.clone(), hot: true }))
    }

    async fn keep(&self, key: &Key, entry: Arc<Entry>) -> Result<(), StoreError> {
        self.sound()?;
        self.entries.lock().insert(key.clone(), entry);
        Ok(())
    }

    async fn renew(&self, key: &Key, at: Timestamp, fresh: Duration) -> Result<(), StoreError> {
        self.sound()?;
        if let Some(entry) = self.entries.lock().get_mut(key) {
            *entry = Arc::new(Entry { fetched_at: at, fresh, ..(**entry).clone() });
        }
        Ok(())
    }

    async fn shrink(&self, _: u64) -> Result<Shrunk, StoreError> {
        Ok(Shrunk::default())
    }

    async fn clear(&self, _: Class, _: bool) -> Result<Shrunk, StoreError> {
        Ok(Shrunk::default())
    }

    async fn statistics(&self, _: Class) -> Result<Statistics, StoreError> {
        Ok(Statistics::default())
    }
}

impl Shelf {
    fn sound(&self) -> Result<(), StoreError> {
        if self.fails.load(Relaxed) { Err(StoreError::Failed) } else { Ok(()) }
    }
}

impl Bench {
    pub(super) fn new() -> Self {
        let (shelf, metrics) = (Arc::new(Shelf::default()), Arc::new(Metrics::default()));
        Self { cache: Cache::new(shelf.clone(), metrics.clone()), shelf, metrics, origin: Arc::default() }
    }

    /// Through both sides of the cache, as in the stack but for the flight between them.
    pub(super) async fn ask(&self, path: &str, terms: Terms) -> Result<Found, Error> {
        self.ask_since(path, terms, Timestamp::now()).await
    }

    pub(super) async fn ask_since(&self, path: &str, terms: Terms, since: Timestamp) -> Result<Found, Error> {
        let origin = self.origin.clone();
        let get = tower::service_fn(move |leg: Leg| {
            origin.asked.lock().push(leg.known.map(|known| known.validators.clone()));
            std::future::ready(origin.says.lock().take().expect("the origin was not to be asked"))
        });
        let fill = fill(self.cache.clone()).layer(get);
        let flight = tower::service_fn(move |Hop { key, terms, since, .. }: Hop| {
            fill.clone().oneshot(Leg { key, terms, since, known: None, cockpit: Cockpit::alone() })
        });
        let caller = Caller::new("agent", Class::Fleet);
        let hop = Hop { caller, key: key(path), terms: Arc::new(terms), since };
        hit(self.cache.clone()).layer(flight).oneshot(hop).await
    }

    /// The same, when the origin has to be asked and says `reply`.
    pub(super) async fn ask_origin(
        &self,
        path: &str,
        terms: Terms,
        reply: Result<Reply, Error>,
    ) -> Result<Found, Error> {
        *self.origin.says.lock() = Some(reply);
        let found = self.ask(path, terms).await;
        assert!(self.origin.says.lock().is_none(), "the origin was to be asked");
        found
    }

    pub(super) fn put(&self, path: &str, entry: &Arc<Entry>) {
        self.shelf.entries.lock().insert(key(path), entry.clone());
    }

    pub(super) fn kept(&self, path: &str) -> Option<Arc<Entry>> {
        self.shelf.entries.lock().get(&key(path)).cloned()
    }

    pub(super) fn failures(&self, operation: &'static str) -> u64 {
        self.metrics.store_errors.get_or_create(&[("op", operation)]).get()
    }
}

fn url(path: &str) -> PageUrl {
    PageUrl::parse(&format!("http://example.com/{path}")).unwrap()
}

pub(super) fn key(path: &str) -> Key {
    Key::new(Class::Fleet, url(path), Variant::default())
}

pub(super) fn entry(step: Step) -> Entry {
    Entry {
        step,
        status: 200,
        content_type: None,
        validators: Validators { etag: Some("\"1\"".to_owned()), last_modified: None },
        fetched_at: Timestamp::now(),
        fresh: MINUTE,
    }
}

pub(super) fn read(name: &str) -> Arc<Entry> {
    let document = Document::new(PDF, Unit::Page, ContentHash::of(name.as_bytes()), 1);
    Arc::new(entry(Step::Read(Arc::new(document))))
}

pub(super) fn moved(path: &str) -> Arc<Entry> {
    Arc::new(Entry { fresh: Duration::MAX, ..entry(Step::Moved(url(path))) })
}

pub(super) fn with_status(status: u16) -> Arc<Entry> {
    Arc::new(Entry { status, ..(*read("an error page")).clone() })
}

pub(super) fn no_older_than(max_age: Duration) -> Terms {
    Terms { max_age: Some(max_age), ..Terms::default() }
}

pub(super) fn cache_only() -> Terms {
    Terms { cache_only: true, ..Terms::default() }
}

pub(super) fn new(entry: &Arc<Entry>) -> Reply {
    Reply::New(entry.clone(), true)
}

pub(super) fn what(found: Result<Found, Error>) -> (Origin, bool, Step) {
    let Found { entry, origin, stale } = found.unwrap();
    (origin, stale, entry.step.clone())
}
