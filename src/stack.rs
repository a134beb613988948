//! The picture: every request's way, top to bottom, and why each layer stands where it stands.
//!
//! Two stacks. The edge wraps HTTP requests and never sees an address, since addresses stand in bodies. The fetch
//! stack is typed, never sees HTTP, and is shared by all surfaces.

use crate::surface::{Surface, respond, routes};
use axum::{Router, extract::DefaultBodyLimit, http::header::AUTHORIZATION};
use sift_handlers::Registry;
use sift_layers::{
    Error, Fetch, Fetched, Found, Key, auth, cache, cache::Cache, extract, get, guard, metrics::Metrics, observe,
    observe::Observer, pool, pool::Pool, read, record, redirect, route, shed, single_flight, single_flight::Flights,
    turns::Turns,
};
use std::{path::PathBuf, sync::Arc, time::Duration};
use tower::{ServiceBuilder, util::BoxCloneSyncService};
use tower_http::{
    catch_panic::CatchPanicLayer, sensitive_headers::SetSensitiveRequestHeadersLayer, timeout::TimeoutLayer,
};

/// The fetch stack, erased once: surfaces compile against one small type.
pub type Fetcher = BoxCloneSyncService<Fetch, Fetched, Error>;

/// Redirects that one fetch follows.
const MOST_REDIRECTS: usize = 10;

/// The largest request body, in bytes: an address and a few options.
const LARGEST_REQUEST: usize = 64 << 10;

/// What the fetch stack is made of.
#[derive(Clone, Debug)]
pub struct Parts {
    /// Who may fetch what.
    pub policy: Arc<guard::Policy>,
    /// What was read before.
    pub cache: Cache,
    /// What performs a GET.
    pub upstream: get::Upstream,
    /// The kinds.
    pub handlers: Arc<Registry>,
    /// The capacity for pooled kinds.
    pub pool: Pool,
    /// Where PDFs wait for their child; none = the system's folder for temporary files.
    pub spool: Option<PathBuf>,
    /// Counts everything.
    pub metrics: Arc<Metrics>,
    /// The flights under way.
    pub flights: Flights<Key, Found>,
    /// Which caller is busy with what.
    pub turns: Turns,
}

/// What the edge is made of.
#[derive(Clone, Debug)]
pub struct Gate {
    /// Who may ask.
    pub callers: auth::Callers,
    /// Requests at a time, for the whole process.
    pub max_requests: usize,
    /// Longer than the longest honest fetch.
    pub backstop: Duration,
    /// Counts everything.
    pub metrics: Arc<Metrics>,
    /// Makes a span the child of what the request's headers say.
    pub parent: fn(&tracing::Span, &axum::http::HeaderMap),
}

/// Every HTTP request, whatever the surface. Outermost first.
pub fn edge(gate: Gate, surface: Surface) -> Router {
    let edge = ServiceBuilder::new()
        // Before anything can log it.
        .layer(SetSensitiveRequestHeadersLayer::new([AUTHORIZATION]))
        // Names the request, continues the caller's trace, writes the access line. Sees the route and never a body: so
        // never an address.
        .layer(observe::request(Observer { metrics: gate.metrics, route: routes::name, parent: gate.parent }))
        // Below `observe`, so that a crash is counted and logged; above everything that could crash.
        .layer(CatchPanicLayer::custom(respond::crashed))
        // The backstop bounds even a fault of ours; in honest operation it never fires.
        .layer(TimeoutLayer::with_status_code(axum::http::StatusCode::GATEWAY_TIMEOUT, gate.backstop))
        // Protects the whole process: so many at a time, no queue, 503 at once. Above `auth`, so that overload doesn't
        // cost a token look-up.
        .layer(shed::at(gate.max_requests, respond::refused))
        // Unknown callers cost nothing below this line.
        .layer(auth::bearer(gate.callers, respond::refused));
    routes::all(surface)
        // Below `auth`, so that strangers hear 401 and not 413. Counted where a surface reads the body, so that the
        // refusal has the surface's shape.
        .layer(DefaultBodyLimit::max(LARGEST_REQUEST))
        .layer(edge)
}

/// One fetch. Outermost first; `│` marks what is shared between requests.
pub fn fetcher(parts: Parts) -> Fetcher {
    let metrics = parts.metrics;
    BoxCloneSyncService::new(
        ServiceBuilder::new()
            // The `fetch` span and the one log line. Decides what a caller's class lets us say.
            .layer(record::fetch(metrics.clone()))
            // Follows redirects itself: each hop is guarded, looked up and flown by its own address, so that the last
            // hop's key is the final address.
            .layer(redirect::follow(MOST_REDIRECTS, metrics.clone()))
            // Above the cache: an address forbidden today is not served from yesterday.
            .layer(guard::address(parts.policy, metrics.clone()))
            // Fresh answers end here. Nothing below costs a cached request anything.
            .layer(cache::hit(parts.cache.clone()))
            // One run per class and address. Below: no caller, only a class.
            .layer(single_flight::share(parts.flights, parts.turns, metrics.clone()))
            // │ Looks once more (a flight may just have landed), asks conditionally when stale, keeps what comes back.
            .layer(cache::fill(parts.cache))
            // │ One GET of one hop: a head within 15 s, nothing followed, nothing decoded by the client.
            .layer(get::one(parts.upstream))
            // │ Sniffs 1,024 bytes, picks the handler, tells the flight what it turned out to be. Above `admit`: the
            // │ kind is unknown before.
            .layer(route::by_content(parts.handlers))
            // │ Pooled kinds take one of the places, or 503 now: before 100 MB are read, not after.
            .layer(pool::admit(parts.pool))
            // │ The kind's limits on size and time. Above `turn`: a slow origin must not hold a slot.
            .layer(read::within_limits(parts.spool))
            // │ Pooled kinds wait for a slot, in order of arrival; the patience measures queueing only.
            .layer(pool::turn())
            // │ The handler, within its own deadline, which measures extraction only.
            .service(extract::run(metrics)),
    )
}
