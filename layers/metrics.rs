//! The metrics by name (telemetry.md). Labels are static strings: no host or title can become one.

use parking_lot::RwLock;
use prometheus_client::{
    metrics::{
        counter::Counter,
        family::Family,
        gauge::Gauge,
        histogram::{Histogram, exponential_buckets},
        info::Info,
    },
    registry::Registry,
};
use sift_handlers::Kind;
use std::{collections::HashMap, fmt, sync::Arc};

/// A label set of static names and values.
pub type Labels<const N: usize> = [(&'static str, &'static str); N];

/// All metrics of a process.
pub struct Metrics {
    /// Requests by route and status, in seconds.
    pub http_seconds: Family<Labels<2>, Histogram, fn() -> Histogram>,
    /// Fetches by kind, origin and outcome.
    pub fetches: Family<Labels<3>, Counter>,
    /// Requests aboard a flight.
    pub flight_riders: Gauge,
    /// Places of the pool that are taken.
    pub pool_places_in_use: Gauge,
    /// Bytes in the store.
    pub store_bytes: Gauge,
    /// Store operations that failed.
    pub store_errors: Family<Labels<1>, Counter>,
    /// Addresses that the guard refused, by reason.
    pub guard_refused: Family<Labels<1>, Counter>,
    /// Children that ended at the system-call filter: a fault or an attack.
    pub child_policy_kills: Counter,
    kinds: RwLock<HashMap<Kind, Arc<KindMetrics>>>,
}

/// The metrics that every kind has.
pub struct KindMetrics {
    /// Extractions by outcome.
    pub extracts: Family<Labels<1>, Counter>,
    /// Their time, in seconds.
    pub extract_seconds: Histogram,
    /// Pages or parts extracted.
    pub pages: Counter,
    /// Waiting for a slot, in seconds.
    pub pool_wait_seconds: Histogram,
    /// Answers that came from the cache.
    pub cache_hits: Counter,
}

/// A request aboard a flight, while it lives.
#[derive(Debug)]
pub struct Riding(Gauge);

// === impl Metrics ===

impl Metrics {
    /// Metrics for `kinds`, entered into a registry of their own.
    pub fn new(kinds: &[Kind], version: &'static str) -> (Arc<Self>, Registry) {
        let metrics =
            Self { http_seconds: Family::new_with_constructor(seconds as fn() -> Histogram), ..Self::default() };
        let mut registry = Registry::with_prefix("sift");
        registry.register("build", "What is running", Info::new(vec![("version", version)]));
        registry.register(
            "http_server_request_duration_seconds",
            "Requests by route and status",
            metrics.http_seconds.clone(),
        );
        registry.register("fetch", "Fetches by kind, origin and outcome", metrics.fetches.clone());
        registry.register("flight_riders", "Requests that wait for a flight", metrics.flight_riders.clone());
        registry.register("pool_places_in_use", "Places of the pool in use", metrics.pool_places_in_use.clone());
        registry.register("store_bytes", "Bytes in the store", metrics.store_bytes.clone());
        registry.register("store_errors", "Store operations that failed", metrics.store_errors.clone());
        registry.register("guard_refused", "Addresses that the guard refused", metrics.guard_refused.clone());
        registry.register(
            "child_policy_kill",
            "Children ended by the system-call filter",
            metrics.child_policy_kills.clone(),
        );
        for kind in kinds {
            let of = metrics.of(*kind);
            let sub = registry.sub_registry_with_prefix(kind.as_str());
            sub.register("extract", "Extractions by outcome", of.extracts.clone());
            sub.register("extract_seconds", "Time of an extraction", of.extract_seconds.clone());
            sub.register("pages", "Pages or parts extracted", of.pages.clone());
            sub.register("pool_wait_seconds", "Time waited for a slot", of.pool_wait_seconds.clone());
            sub.register("cache_hits", "Answers from the cache", of.cache_hits.clone());
        }
        (Arc::new(metrics), registry)
    }

    /// The metrics of a kind.
    pub fn of(&self, kind: Kind) -> Arc<KindMetrics> {
        if let Some(found) = self.kinds.read().get(&kind) {
            return found.clone();
        }
        self.kinds.write().entry(kind).or_default().clone()
    }

    /// Counts a store operation that failed.
    pub fn store_failed(&self, operation: &'static str) {
        self.store_errors.get_or_create(&[("op", operation)]).inc();
    }

    /// Counts a rider while it rides.
    #[must_use]
    pub fn ride(&self) -> Riding {
        self.flight_riders.inc();
        Riding(self.flight_riders.clone())
    }
}

impl Default for Metrics {
    fn default() -> Self {
        Self {
            http_seconds: Family::new_with_constructor(seconds),
            fetches: Family::default(),
            flight_riders: Gauge::default(),
            pool_places_in_use: Gauge::default(),
            store_bytes: Gauge::default(),
            store_errors: Family::default(),
            guard_refused: Family::default(),
            child_policy_kills: Counter::default(),
            kinds: RwLock::default(),
        }
    }
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Metrics(..)")
    }
}

// === impl KindMetrics ===

impl Default for KindMetrics {
    fn default() -> Self {
        Self {
            extracts: Family::default(),
            extract_seconds: seconds(),
            pages: Counter::default(),
            pool_wait_seconds: seconds(),
            cache_hits: Counter::default(),
        }
    }
}

impl fmt::Debug for KindMetrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KindMetrics(..)")
    }
}

// === impl Riding ===

impl Drop for Riding {
    fn drop(&mut self) {
        self.0.dec();
    }
}

/// From a millisecond to half a minute.
fn seconds() -> Histogram {
    Histogram::new(exponential_buckets(0.001, 2.0, 16))
}
