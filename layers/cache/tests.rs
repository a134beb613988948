//! On paused time, over a store of a few lines and an origin that says what it is told.

use super::*;
use crate::{
    caller::{Caller, Class},
    fetch::Terms,
    key::Variant,
    single_flight::Cockpit,
    store::{Shrunk, Statistics, StoreError, Validators},
    url::PageUrl,
};
use parking_lot::Mutex;
use sift_handlers::{ContentHash, Document, ExtractError, Kind, Unit};
use std::{
    collections::BTreeMap,
    sync::atomic::{AtomicBool, Ordering::Relaxed},
};
use tokio::time::advance;

const PDF: Kind = Kind::new("pdf");
const MINUTE: Duration = Duration::from_mins(1);
const MS: Duration = Duration::from_millis(1);

/// What is asked of the layers: `ask` the origin, when the cache doesn't do.
struct Bench {
    shelf: Arc<Shelf>,
    cache: Cache,
    metrics: Arc<Metrics>,
    origin: Arc<Origins>,
}

/// A store that can be told to fail.
#[derive(Default)]
struct Shelf {
    entries: Mutex<BTreeMap<Key, Arc<Entry>>>,
    fails: AtomicBool,
}

/// What the origin says next, and what it was asked with.
#[derive(Default)]
struct Origins {
    says: Mutex<Option<Result<Reply, Error>>>,
    asked: Mutex<Vec<Option<Validators>>>,
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
    fn new() -> Self {
        let (shelf, metrics) = (Arc::new(Shelf::default()), Arc::new(Metrics::default()));
        Self { cache: Cache::new(shelf.clone(), metrics.clone()), shelf, metrics, origin: Arc::default() }
    }

    /// Through both sides of the cache, as in the stack but for the flight between them.
    async fn ask(&self, path: &str, terms: Terms) -> Result<Found, Error> {
        self.ask_since(path, terms, Timestamp::now()).await
    }

    async fn ask_since(&self, path: &str, terms: Terms, since: Timestamp) -> Result<Found, Error> {
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
    async fn ask_origin(&self, path: &str, terms: Terms, reply: Result<Reply, Error>) -> Result<Found, Error> {
        *self.origin.says.lock() = Some(reply);
        let found = self.ask(path, terms).await;
        assert!(self.origin.says.lock().is_none(), "the origin was to be asked");
        found
    }

    fn put(&self, path: &str, entry: &Arc<Entry>) {
        self.shelf.entries.lock().insert(key(path), entry.clone());
    }

    fn kept(&self, path: &str) -> Option<Arc<Entry>> {
        self.shelf.entries.lock().get(&key(path)).cloned()
    }

    fn failures(&self, operation: &'static str) -> u64 {
        self.metrics.store_errors.get_or_create(&[("op", operation)]).get()
    }
}

fn url(path: &str) -> PageUrl {
    PageUrl::parse(&format!("http://example.com/{path}")).unwrap()
}

fn key(path: &str) -> Key {
    Key::new(Class::Fleet, url(path), Variant::default())
}

fn entry(step: Step) -> Entry {
    Entry {
        step,
        status: 200,
        content_type: None,
        validators: Validators { etag: Some("\"1\"".to_owned()), last_modified: None },
        fetched_at: Timestamp::now(),
        fresh: MINUTE,
    }
}

fn read(name: &str) -> Arc<Entry> {
    let document = Document::new(PDF, Unit::Page, ContentHash::of(name.as_bytes()), 1);
    Arc::new(entry(Step::Read(Arc::new(document))))
}

fn moved(path: &str) -> Arc<Entry> {
    Arc::new(Entry { fresh: Duration::MAX, ..entry(Step::Moved(url(path))) })
}

fn with_status(status: u16) -> Arc<Entry> {
    Arc::new(Entry { status, ..(*read("an error page")).clone() })
}

fn no_older_than(max_age: Duration) -> Terms {
    Terms { max_age: Some(max_age), ..Terms::default() }
}

fn cache_only() -> Terms {
    Terms { cache_only: true, ..Terms::default() }
}

fn new(entry: &Arc<Entry>) -> Result<Reply, Error> {
    Ok(Reply::New(entry.clone(), true))
}

fn what(found: Result<Found, Error>) -> (Origin, bool, Step) {
    let Found { entry, origin, stale } = found.unwrap();
    (origin, stale, entry.step.clone())
}

#[tokio::test(start_paused = true)]
async fn a_fresh_entry_is_answered_without_the_origin_and_counted() {
    let bench = Bench::new();
    bench.ask_origin("a", Terms::default(), new(&read("a"))).await.unwrap();
    let found = what(bench.ask("a", Terms::default()).await);
    assert_eq!(found, (Origin::Hot, false, read("a").step.clone()));
    assert_eq!(bench.metrics.of(PDF).cache_hits.get(), 1);
    assert_eq!(*bench.origin.asked.lock(), [None]);
}

#[tokio::test(start_paused = true)]
async fn an_entry_is_fresh_until_the_last_millisecond_of_its_time() {
    for (terms, age, is_fresh) in [
        (Terms::default(), MINUTE - MS, true),
        (Terms::default(), MINUTE, false),
        (Terms::default(), MINUTE + MS, false),
        (no_older_than(MINUTE * 2), MINUTE * 2 - MS, true),
        (no_older_than(MINUTE * 2), MINUTE * 2, false),
        (no_older_than(MS), Duration::ZERO, true),
        (no_older_than(MS), MS, false),
        (no_older_than(Duration::ZERO), Duration::ZERO, false),
    ] {
        let bench = Bench::new();
        bench.put("a", &read("a"));
        // An age of zero is an entry of this very millisecond, of another fetch.
        advance(age).await;
        let since = Timestamp(Timestamp::now().0 + 1);
        *bench.origin.says.lock() = Some(Ok(Reply::NotModified));
        bench.ask_since("a", terms.clone(), since).await.unwrap();
        assert_eq!(bench.origin.asked.lock().is_empty(), is_fresh, "{age:?} {terms:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_304_confirms_the_entry_and_makes_it_fresh_again() {
    let bench = Bench::new();
    let old = read("a");
    bench.put("a", &old);
    advance(MINUTE).await;
    let found = what(bench.ask_origin("a", Terms::default(), Ok(Reply::NotModified)).await);
    assert_eq!(found, (Origin::Revalidated, false, old.step.clone()));
    assert_eq!(*bench.origin.asked.lock(), [Some(old.validators.clone())]);
    assert_eq!(bench.kept("a").unwrap().fetched_at, Timestamp::now());
    advance(MINUTE - MS).await;
    assert_eq!(what(bench.ask("a", Terms::default()).await).0, Origin::Hot);
}

#[tokio::test(start_paused = true)]
async fn a_304_to_a_question_without_a_condition_is_against_the_protocol() {
    let bench = Bench::new();
    let found = bench.ask_origin("a", Terms::default(), Ok(Reply::NotModified)).await;
    assert_eq!(found.unwrap_err(), Error::UpstreamProtocol);
}

#[tokio::test(start_paused = true)]
async fn an_entry_without_validators_is_asked_for_anew_and_replaced() {
    let bench = Bench::new();
    bench.put("a", &Arc::new(Entry { validators: Validators::default(), ..(*read("old")).clone() }));
    advance(MINUTE).await;
    let found = what(bench.ask_origin("a", Terms::default(), new(&read("new"))).await);
    assert_eq!(found, (Origin::Network, false, read("new").step.clone()));
    assert_eq!(*bench.origin.asked.lock(), [None]);
    assert_eq!(bench.kept("a"), Some(read("new")));
}

#[tokio::test(start_paused = true)]
async fn what_may_not_be_kept_is_not_kept() {
    let bench = Bench::new();
    bench.ask_origin("a", Terms::default(), Ok(Reply::New(read("a"), false))).await.unwrap();
    assert_eq!(bench.kept("a"), None);
    let old = read("b");
    bench.put("b", &old);
    advance(MINUTE).await;
    let terms = Terms { no_store: true, ..Terms::default() };
    assert_eq!(what(bench.ask_origin("b", terms, Ok(Reply::NotModified)).await).0, Origin::Revalidated);
    assert_eq!(bench.kept("b"), Some(old), "a request that wants no trace renews nothing");
}

#[tokio::test(start_paused = true)]
async fn an_alias_is_as_fresh_as_what_it_leads_to() {
    let bench = Bench::new();
    bench.put("a", &moved("b"));
    bench.put("b", &moved("c"));
    advance(MINUTE * 1000).await;
    bench.put("c", &read("c"));
    advance(MINUTE - MS).await;
    assert_eq!(what(bench.ask("a", Terms::default()).await), (Origin::Hot, false, moved("b").step.clone()));
    assert_eq!(bench.metrics.of(PDF).cache_hits.get(), 0, "the document is what counts, and it comes later");
    advance(MS).await;
    let found = bench.ask_origin("a", Terms::default(), new(&moved("c"))).await;
    assert_eq!(what(found), (Origin::Network, false, moved("c").step.clone()));
}

#[tokio::test(start_paused = true)]
async fn an_alias_that_leads_nowhere_or_in_circles_or_too_far_is_no_hit() {
    let bench = Bench::new();
    bench.put("nowhere", &moved("missing"));
    bench.put("circle", &moved("circle"));
    bench.put("0", &read("end"));
    for at in 1..=ALIASES + 1 {
        bench.put(&at.to_string(), &moved(&(at - 1).to_string()));
    }
    advance(MS).await;
    for path in ["nowhere".to_owned(), "circle".to_owned(), (ALIASES + 1).to_string()] {
        assert_eq!(bench.ask_origin(&path, Terms::default(), new(&read("x"))).await.unwrap().origin, Origin::Network);
    }
    assert_eq!(bench.ask(&ALIASES.to_string(), Terms::default()).await.unwrap().origin, Origin::Hot);
}

#[tokio::test(start_paused = true)]
async fn a_stale_copy_is_served_when_the_origin_cannot_be_asked() {
    let failures = [
        Err(Error::UpstreamDns),
        Err(Error::UpstreamConnect),
        Err(Error::UpstreamTls),
        Err(Error::UpstreamProtocol),
        Err(Error::UpstreamEncoding),
        Err(Error::UpstreamTimedOut),
        Err(Error::UpstreamStatus(503)),
        new(&with_status(500)),
        Ok(Reply::New(with_status(599), false)),
    ];
    for failure in failures {
        let (bench, old) = (Bench::new(), read("a"));
        bench.put("a", &old);
        advance(MINUTE).await;
        let found = what(bench.ask_origin("a", Terms::default(), failure).await);
        assert_eq!(found, (Origin::Disk, true, old.step.clone()));
        assert_eq!(bench.kept("a"), Some(old), "and stays as stale as it was");
    }
}

#[tokio::test(start_paused = true)]
async fn what_says_something_of_the_document_is_not_hidden_behind_a_stale_copy() {
    for error in [
        Error::UpstreamStatus(499),
        Error::TooLarge { limit: 1 },
        Error::Unsupported,
        Error::Unreadable(ExtractError::Encrypted),
        Error::BadRedirect,
        Error::WorkersBusy,
        Error::Internal,
    ] {
        let bench = Bench::new();
        bench.put("a", &read("a"));
        advance(MINUTE).await;
        assert_eq!(bench.ask_origin("a", Terms::default(), Err(error)).await.unwrap_err(), error);
    }
    let bench = Bench::new();
    bench.put("a", &read("a"));
    advance(MINUTE).await;
    let found = bench.ask_origin("a", Terms::default(), new(&with_status(404))).await.unwrap();
    assert_eq!((found.entry.status, found.stale), (404, false));
}

#[tokio::test(start_paused = true)]
async fn without_a_good_copy_the_failure_is_the_answer() {
    let verdict = Arc::new(entry(Step::Verdict(PDF, ExtractError::NoTextLayer)));
    for copy in [None, Some(with_status(404)), Some(verdict)] {
        let bench = Bench::new();
        if let Some(copy) = &copy {
            bench.put("a", copy);
        }
        advance(MINUTE).await;
        let found = bench.ask_origin("a", Terms::default(), Err(Error::UpstreamDns)).await;
        assert_eq!(found.unwrap_err(), Error::UpstreamDns);
        let found = bench.ask_origin("a", Terms::default(), Ok(Reply::New(with_status(503), false))).await.unwrap();
        assert_eq!((found.entry.status, found.stale), (503, false));
    }
}

#[tokio::test(start_paused = true)]
async fn a_verdict_is_kept_like_a_document() {
    let bench = Bench::new();
    let verdict = Arc::new(entry(Step::Verdict(PDF, ExtractError::Encrypted)));
    bench.ask_origin("a", Terms::default(), new(&verdict)).await.unwrap();
    assert_eq!(what(bench.ask("a", Terms::default()).await), (Origin::Hot, false, verdict.step.clone()));
    assert_eq!(bench.metrics.of(PDF).cache_hits.get(), 1);
    advance(MS).await;
    let found = bench.ask_origin("a", no_older_than(Duration::ZERO), new(&read("a"))).await;
    assert_eq!(what(found).2, read("a").step);
}

#[tokio::test(start_paused = true)]
async fn a_cache_only_request_takes_any_age_that_it_does_not_exclude_and_asks_nobody() {
    let bench = Bench::new();
    assert_eq!(bench.ask("a", cache_only()).await.unwrap_err(), Error::NotCached);
    bench.put("a", &read("a"));
    bench.put("alias", &moved("a"));
    bench.put("nowhere", &moved("missing"));
    advance(MINUTE * 2).await;
    assert!(bench.ask("a", cache_only()).await.is_ok());
    assert!(bench.ask("alias", cache_only()).await.is_ok());
    assert_eq!(bench.ask("nowhere", cache_only()).await.unwrap_err(), Error::NotCached);
    let younger = Terms { max_age: Some(MINUTE), ..cache_only() };
    assert_eq!(bench.ask("a", younger).await.unwrap_err(), Error::NotCached);
    assert!(bench.origin.asked.lock().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_store_that_fails_is_a_miss_and_counted() {
    let bench = Bench::new();
    bench.put("a", &read("a"));
    bench.shelf.fails.store(true, Relaxed);
    let found = bench.ask_origin("a", Terms::default(), new(&read("new"))).await;
    assert_eq!(what(found), (Origin::Network, false, read("new").step.clone()));
    assert_eq!((bench.failures("look"), bench.failures("keep")), (2, 1));
    assert_eq!(bench.ask("a", cache_only()).await.unwrap_err(), Error::NotCached);
}

#[tokio::test(start_paused = true)]
async fn a_renewal_that_fails_is_counted_and_the_answer_stands() {
    let bench = Bench::new();
    bench.put("a", &read("a"));
    advance(MINUTE).await;
    let (shelf, origin) = (bench.shelf.clone(), bench.origin.clone());
    let failing = tower::service_fn(move |_: Leg| {
        shelf.fails.store(true, Relaxed);
        origin.asked.lock().push(None);
        std::future::ready(Ok::<_, Error>(Reply::NotModified))
    });
    let leg =
        Leg { key: key("a"), terms: Arc::default(), since: Timestamp::now(), known: None, cockpit: Cockpit::alone() };
    let found = fill(bench.cache.clone()).layer(failing).oneshot(leg).await;
    assert_eq!(what(found).0, Origin::Revalidated);
    assert_eq!(bench.failures("renew"), 1);
}

#[tokio::test(start_paused = true)]
async fn an_entry_from_the_future_is_stale_on_both_sides_of_the_flight() {
    let bench = Bench::new();
    let at = Timestamp(Timestamp::now().0 + 1);
    bench.put("a", &Arc::new(Entry { fetched_at: at, ..(*read("a")).clone() }));
    let found = bench.ask_origin("a", Terms::default(), Ok(Reply::NotModified)).await;
    assert_eq!(what(found).0, Origin::Revalidated);
    assert_eq!(bench.kept("a").unwrap().fetched_at, Timestamp::now());
}

#[tokio::test(start_paused = true)]
async fn what_landed_since_the_fetch_began_is_as_good_as_asked_for() {
    let since = Timestamp::now();
    for (landed, is_enough) in [(since.0 - 1, false), (since.0, true), (since.0 + 1, true)] {
        let bench = Bench::new();
        bench.put("a", &Arc::new(Entry { fetched_at: Timestamp(landed), ..(*read("a")).clone() }));
        advance(MS * 5).await;
        if !is_enough {
            *bench.origin.says.lock() = Some(new(&read("new")));
        }
        let found = bench.ask_since("a", no_older_than(Duration::ZERO), since).await.unwrap();
        assert_eq!(found.origin == Origin::Hot, is_enough);
        assert_eq!(bench.origin.asked.lock().is_empty(), is_enough);
    }
}
