//! The cache, from both sides of the flight: `hit` above it answers what is fresh, `fill` inside it asks
//! conditionally what is stale, and keeps what comes back.

use crate::{
    clock::Timestamp,
    error::Error,
    fetch::{Found, Hop, Leg, Origin, Reply},
    key::Key,
    metrics::Metrics,
    stage::{Stage, around},
    store::{Entry, Kept, Step, Store},
};
use std::{fmt, sync::Arc, time::Duration};
use tower::{Layer, ServiceExt};
use tracing::Instrument;

/// How many aliases are followed to see whether they still lead somewhere fresh.
const ALIASES: usize = 10;

/// The store, with its failures counted: a store that fails is a miss.
#[derive(Clone)]
pub struct Cache {
    store: Arc<dyn Store>,
    metrics: Arc<Metrics>,
}

/// Fresh answers end here. Nothing below costs a cached request anything.
pub fn hit<S: Stage<Hop, Found>>(cache: Cache) -> impl Layer<S, Service: Stage<Hop, Found>> + Clone {
    around(cache, |cache: Cache, inner: S, hop: Hop| async move {
        let look = cache.fresh(&hop).instrument(tracing::debug_span!("cache.look"));
        match look.await {
            Some(found) => Ok(found),
            None if hop.terms.cache_only => Err(Error::NotCached),
            None => inner.oneshot(hop).await,
        }
    })
}

/// Looks once more (a flight may just have landed), asks conditionally when stale, keeps what comes back.
pub fn fill<S: Stage<Leg, Reply>>(cache: Cache) -> impl Layer<S, Service: Stage<Leg, Found>> + Clone {
    around(cache, |cache: Cache, inner: S, mut leg: Leg| async move {
        let (key, since, terms) = (leg.key.clone(), leg.since, leg.terms.clone());
        let known = cache.look(&key).await;
        // An entry from the future is no younger than any other.
        let landed = |entry: &Entry| entry.fetched_at >= since && entry.fetched_at.age(Timestamp::now()).is_some();
        if let Some(kept) = known.as_ref().filter(|kept| landed(&kept.entry)) {
            return Ok(kept.found());
        }
        let known = known.map(|kept| kept.entry);
        leg.known = known.clone().filter(|entry| !entry.validators.is_empty());
        match inner.oneshot(leg).await {
            Ok(Reply::New(entry, _)) if entry.status >= 500 && is_good(known.as_ref()) => stale(known, Error::Internal),
            Ok(Reply::New(entry, keep)) => {
                if keep {
                    cache.keep(&key, entry.clone()).await;
                }
                Ok(Found { entry, origin: Origin::Network, stale: false })
            }
            Ok(Reply::NotModified) => {
                let mut entry = known.as_deref().cloned().ok_or(Error::UpstreamProtocol)?;
                entry.fetched_at = Timestamp::now();
                if !terms.no_store {
                    cache.renew(&key, entry.fetched_at, entry.fresh).await;
                }
                Ok(Found { entry: Arc::new(entry), origin: Origin::Revalidated, stale: false })
            }
            Err(error) if is_passing(error) && is_good(known.as_ref()) => stale(known, error),
            Err(error) => Err(error),
        }
    })
}

/// Whether an entry is worth serving when the origin can't be asked.
fn is_good(known: Option<&Arc<Entry>>) -> bool {
    known.is_some_and(|entry| entry.status < 400 && matches!(entry.step, Step::Read(_) | Step::Moved(_)))
}

fn stale(known: Option<Arc<Entry>>, error: Error) -> Result<Found, Error> {
    known.map(|entry| Found { entry, origin: Origin::Disk, stale: true }).ok_or(error)
}

/// Whether an error says nothing about the document.
fn is_passing(error: Error) -> bool {
    matches!(
        error,
        Error::UpstreamDns
            | Error::UpstreamConnect
            | Error::UpstreamTls
            | Error::UpstreamProtocol
            | Error::UpstreamEncoding
            | Error::UpstreamTimedOut
            | Error::UpstreamStatus(500..)
    )
}

// === impl Cache ===

impl Cache {
    /// A cache over a store.
    pub fn new(store: Arc<dyn Store>, metrics: Arc<Metrics>) -> Self {
        Self { store, metrics }
    }

    /// What is fresh enough for a hop. An alias is as fresh as what it leads to.
    async fn fresh(&self, hop: &Hop) -> Option<Found> {
        if hop.terms.max_age == Some(Duration::ZERO) {
            return None;
        }
        let first = self.look(&hop.key).await?;
        let (mut last, now) = (first.clone(), Timestamp::now());
        for _ in 0..ALIASES {
            let Step::Moved(next) = &last.entry.step else { break };
            last = self.look(&hop.key.at(next.clone())).await?;
        }
        if matches!(last.entry.step, Step::Moved(_)) {
            return None;
        }
        let any_age = hop.terms.cache_only && hop.terms.max_age.is_none();
        if !any_age && !last.entry.is_fresh(now, hop.terms.max_age) {
            return None;
        }
        if let Some(kind) = first.entry.kind() {
            self.metrics.of(kind).cache_hits.inc();
        }
        Some(first.found())
    }

    async fn look(&self, key: &Key) -> Option<Kept> {
        self.store.look(key).await.unwrap_or_else(|_| {
            self.metrics.store_failed("look");
            None
        })
    }

    async fn keep(&self, key: &Key, entry: Arc<Entry>) {
        let keep = self.store.keep(key, entry).instrument(tracing::debug_span!("cache.keep"));
        if keep.await.is_err() {
            self.metrics.store_failed("keep");
        }
    }

    async fn renew(&self, key: &Key, at: Timestamp, fresh: Duration) {
        if self.store.renew(key, at, fresh).await.is_err() {
            self.metrics.store_failed("renew");
        }
    }
}

impl fmt::Debug for Cache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Cache(..)")
    }
}

// === impl Kept ===

impl Kept {
    fn found(&self) -> Found {
        let origin = if self.hot { Origin::Hot } else { Origin::Disk };
        Found { entry: self.entry.clone(), origin, stale: false }
    }
}

#[cfg(test)]
mod tests;
