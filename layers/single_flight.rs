//! Single-flight: everybody who asks for the same key shares one run of the work.
//!
//! There is no leader after take-off: the shared work is polled by whoever is still there, so the one who started it
//! may leave. When the last rider leaves, the work is dropped at its await point, and with it the connection, the
//! child, the place and the slot. A panic reaches every rider as an error, and the next request starts afresh.

use crate::{
    error::Error,
    fetch::{Found, Hop, Leg},
    key::Key,
    metrics::Metrics,
    stage::{Stage, around},
    turns::Turns,
};
use futures::{
    FutureExt,
    future::{BoxFuture, Shared},
};
use parking_lot::Mutex;
use std::{
    collections::HashMap,
    fmt,
    future::Future,
    hash::Hash,
    panic::AssertUnwindSafe,
    sync::{Arc, Weak},
};
use tokio::sync::{Semaphore, watch};
use tower::{Layer, ServiceExt};
use tracing::Instrument;

/// The flights under way, by key.
pub struct Flights<K, V>(Arc<Mutex<HashMap<K, Weak<Flight<V>>>>>);

/// The work's line to its riders.
pub struct Cockpit {
    nature: watch::Sender<Option<Nature>>,
    claims: Arc<Semaphore>,
}

/// What a flight turned out to be, once its headers are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nature {
    /// Anybody may ride along.
    Open,
    /// A job of which each caller has one at a time.
    Exclusive,
}

/// One request's seat in a flight. The flight ends when the last seat is dropped.
pub struct Seat<V> {
    flight: Arc<Flight<V>>,
    /// Whether this seat started the flight.
    pub led: bool,
}

struct Flight<V> {
    work: Shared<BoxFuture<'static, Result<V, Error>>>,
    nature: watch::Receiver<Option<Nature>>,
    claims: Arc<Semaphore>,
}

/// Leaves the map when the work is done, dropped or crashed, if the entry is still its own.
struct Landing<K: Eq + Hash, V> {
    flights: Flights<K, V>,
    key: K,
    me: Weak<Flight<V>>,
}

/// One run per key. Below this layer there is no caller, only a class.
pub fn share<S: Stage<Leg, Found>>(
    flights: Flights<Key, Found>,
    turns: Turns,
    metrics: Arc<Metrics>,
) -> impl Layer<S, Service: Stage<Hop, Found>> + Clone {
    around(
        (flights, turns, metrics),
        |(flights, turns, metrics): (Flights<_, _>, Turns, Arc<Metrics>), inner: S, hop: Hop| async move {
            let Hop { caller, key, terms, since } = hop;
            let span = tracing::info_span!("flight", sift.flight.role = tracing::field::Empty);
            let seat = flights.board(key.clone(), |cockpit| {
                // The work carries a span of its own: whoever polls it must not adopt it.
                let work = tracing::info_span!(parent: &span, "work");
                inner.oneshot(Leg { key: key.clone(), terms, since, known: None, cockpit }).instrument(work)
            });
            span.record("sift.flight.role", if seat.led { "leader" } else { "follower" });
            let _riding = metrics.ride();
            seat.ride(|nature| match nature {
                Nature::Open => Ok(None),
                Nature::Exclusive => turns.take(&caller, &key).map(Some),
            })
            .instrument(span)
            .await
        },
    )
}

// === impl Flights ===

impl<K, V> Flights<K, V>
where
    K: Eq + Hash + Clone + Send + 'static,
    V: Clone + Send + Sync + 'static,
{
    /// Joins the flight for `key`, or starts it.
    pub fn board<F, Fut>(&self, key: K, work: F) -> Seat<V>
    where
        F: FnOnce(Cockpit) -> Fut,
        Fut: Future<Output = Result<V, Error>> + Send + 'static,
    {
        // Never drop a seat under this lock: its landing takes the lock, too.
        let mut map = self.0.lock();
        if let Some(flight) = map.get(&key).and_then(Weak::upgrade) {
            return Seat { flight, led: false };
        }
        let (sender, nature) = watch::channel(None);
        let claims = Arc::new(Semaphore::new(0));
        let work = work(Cockpit { nature: sender, claims: claims.clone() });
        let flight = Arc::new_cyclic(|me: &Weak<Flight<V>>| {
            let landing = Landing { flights: self.clone(), key: key.clone(), me: me.clone() };
            let work = async move {
                let _landing = landing;
                AssertUnwindSafe(work).catch_unwind().await.unwrap_or(Err(Error::Internal))
            };
            Flight { work: work.boxed().shared(), nature, claims }
        });
        map.insert(key, Arc::downgrade(&flight));
        Seat { flight, led: true }
    }

    /// How many flights are under way.
    pub fn len(&self) -> usize {
        self.0.lock().len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl<K, V> Clone for Flights<K, V> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<K, V> Default for Flights<K, V> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<K, V> fmt::Debug for Flights<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Flights({})", self.0.lock().len())
    }
}

// === impl Cockpit ===

impl Cockpit {
    /// Tells every rider what this flight turned out to be, and waits until one of them wants it.
    pub async fn announce(&self, nature: Nature) {
        self.nature.send_replace(Some(nature));
        // Never closed; the first rider that claims the flight adds a permit. When every rider is refused, the flight
        // is dropped here, before a body is read for nobody.
        let _ = self.claims.acquire().await;
    }

    /// A cockpit without riders, for a leg outside of any flight: its announcements are taken at once.
    pub fn alone() -> Self {
        let (nature, _) = watch::channel(None);
        Self { nature, claims: Arc::new(Semaphore::new(1)) }
    }
}

impl fmt::Debug for Cockpit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Cockpit(..)")
    }
}

// === impl Seat ===

impl<V: Clone> Seat<V> {
    /// Rides to the end. `claim` runs once, if the flight announces its nature; its error leaves the flight, and what
    /// it gives is held until the end.
    pub async fn ride<G>(self, claim: impl FnOnce(Nature) -> Result<G, Error>) -> Result<V, Error> {
        let mut nature = self.flight.nature.clone();
        let mut work = self.flight.work.clone();
        let announced = tokio::select! {
            biased;
            done = &mut work => return done,
            Ok(nature) = nature.wait_for(Option::is_some) => *nature,
        };
        let _held = announced.map(claim).transpose()?;
        self.flight.claims.add_permits(1);
        work.await
    }
}

impl<V> fmt::Debug for Seat<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Seat(led: {})", self.led)
    }
}

// === impl Landing ===

impl<K: Eq + Hash, V> Drop for Landing<K, V> {
    fn drop(&mut self) {
        let mut map = self.flights.0.lock();
        if map.get(&self.key).is_some_and(|flight| flight.ptr_eq(&self.me)) {
            map.remove(&self.key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        sync::atomic::{AtomicUsize, Ordering::SeqCst},
        time::Duration,
    };
    use tokio::time::sleep;

    type Map = Flights<&'static str, usize>;

    #[expect(clippy::unnecessary_wraps, reason = "what a rider claims with")]
    fn anybody(_: Nature) -> Result<(), Error> {
        Ok(())
    }

    #[tokio::test(start_paused = true)]
    async fn one_run_is_shared_and_its_starter_may_leave() {
        let (flights, runs) = (Map::default(), Arc::new(AtomicUsize::new(0)));
        let work = |_: Cockpit| {
            let runs = runs.clone();
            async move {
                sleep(Duration::from_secs(10)).await;
                Ok(runs.fetch_add(1, SeqCst) + 1)
            }
        };
        let leader = flights.board("a", work);
        let follower = flights.board("a", work);
        assert!(leader.led && !follower.led);
        let leader = tokio::time::timeout(Duration::from_secs(1), leader.ride(anybody));
        let (left, served) = tokio::join!(leader, follower.ride(anybody));
        assert!(left.is_err());
        assert_eq!(served, Ok(1));
        assert!(flights.is_empty());
        assert_eq!(flights.board("a", work).ride(anybody).await, Ok(2), "a landed flight is not joined");
    }

    #[tokio::test(start_paused = true)]
    async fn the_work_ends_when_its_last_rider_leaves() {
        struct Dropped(Arc<AtomicUsize>);
        impl Drop for Dropped {
            fn drop(&mut self) {
                self.0.fetch_add(1, SeqCst);
            }
        }
        let (flights, dropped) = (Map::default(), Arc::new(AtomicUsize::new(0)));
        let guard = Dropped(dropped.clone());
        let one = flights.board("a", |_| async move {
            let _guard = guard;
            sleep(Duration::from_secs(100)).await;
            Ok(1)
        });
        let two = flights.board("a", |_| async { Ok(2) });
        assert!(tokio::time::timeout(Duration::from_secs(1), one.ride(anybody)).await.is_err());
        assert_eq!(dropped.load(SeqCst), 0);
        drop(two);
        assert_eq!(dropped.load(SeqCst), 1);
        assert!(flights.is_empty());
    }

    #[tokio::test]
    async fn a_panic_reaches_every_rider_and_the_next_one_starts_afresh() {
        let flights = Map::default();
        let one = flights.board("a", |_| async { panic!("a fault") });
        let two = flights.board("a", |_| async { Ok(2) });
        let both = tokio::join!(one.ride(anybody), two.ride(anybody));
        assert_eq!(both, (Err(Error::Internal), Err(Error::Internal)));
        assert_eq!(flights.board("a", |_| async { Ok(3) }).ride(anybody).await, Ok(3));
    }

    #[tokio::test(start_paused = true)]
    async fn a_refused_rider_leaves_without_spoiling_the_flight() {
        let flights = Map::default();
        let work = |cockpit: Cockpit| async move {
            cockpit.announce(Nature::Exclusive).await;
            sleep(Duration::from_secs(1)).await;
            Ok(7)
        };
        let (busy, free) = (flights.board("a", work), flights.board("a", work));
        let refuse = |_| Err::<(), _>(Error::CallerBusy);
        let both = tokio::join!(busy.ride(refuse), free.ride(anybody));
        assert_eq!(both, (Err(Error::CallerBusy), Ok(7)));
    }

    #[tokio::test(start_paused = true)]
    async fn with_only_refused_riders_nothing_past_the_headers_is_done() {
        let (flights, past) = (Map::default(), Arc::new(AtomicUsize::new(0)));
        let seen = past.clone();
        let seat = flights.board("a", |cockpit| async move {
            cockpit.announce(Nature::Exclusive).await;
            Ok(seen.fetch_add(1, SeqCst))
        });
        assert_eq!(seat.ride(|_| Err::<(), _>(Error::CallerBusy)).await, Err(Error::CallerBusy));
        assert_eq!(past.load(SeqCst), 0);
        assert!(flights.is_empty());
    }
}
