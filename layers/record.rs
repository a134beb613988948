//! The span, the log line and the metric of one fetch; and the time its caller gives it.

use crate::{
    error::Error,
    fetch::{Fetch, Fetched},
    metrics::Metrics,
    seen::Seen,
    stage::{Stage, around},
};
use std::sync::Arc;
use tokio::time::Instant;
use tower::{Layer, ServiceExt};
use tracing::{Instrument, field::Empty};

/// What a caller's class lets us say is decided here, and by [`Seen`] alone.
pub fn fetch<S: Stage<Fetch, Fetched>>(metrics: Arc<Metrics>) -> impl Layer<S, Service: Stage<Fetch, Fetched>> + Clone {
    around(metrics, |metrics: Arc<Metrics>, inner: S, fetch: Fetch| async move {
        let (caller, url) = (fetch.caller.clone(), fetch.url.clone());
        let span = tracing::info_span!(
            "fetch",
            sift.caller.class = caller.class().as_str(),
            sift.kind = Empty,
            sift.origin = Empty,
            sift.outcome = Empty,
            error.r#type = Empty,
        );
        let began = Instant::now();
        let patience = fetch.terms.patience;
        let work = inner.oneshot(fetch).instrument(span.clone());
        let fetched = match patience {
            // A caller that is out of patience leaves alone: the flight goes on for the others.
            Some(patience) => tokio::time::timeout(patience, work).await.unwrap_or(Err(Error::UpstreamTimedOut)),
            None => work.await,
        };
        let ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let _entered = span.enter();
        let (kind, origin, outcome) = match &fetched {
            Ok(fetched) => (fetched.document.kind.as_str(), fetched.origin.as_str(), "ok"),
            Err(error) => ("none", "none", error.code()),
        };
        metrics.fetches.get_or_create(&[("kind", kind), ("origin", origin), ("outcome", outcome)]).inc();
        span.record("sift.outcome", outcome);
        match &fetched {
            Ok(fetched) => {
                span.record("sift.kind", kind).record("sift.origin", origin);
                let Seen { host, bytes, pages, .. } = Seen::answer(caller.class(), fetched);
                tracing::info!(
                    caller = caller.name(),
                    server.address = host,
                    sift.bytes = bytes,
                    sift.pages = pages,
                    ms,
                    outcome,
                    "fetched"
                );
            }
            Err(error) => {
                span.record("error.type", error.code());
                let Seen { host, .. } = Seen::of(caller.class(), &url);
                tracing::info!(caller = caller.name(), server.address = host, ms, outcome, "not fetched");
            }
        }
        fetched
    })
}
