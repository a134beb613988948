//! The handler, within its own deadline.

use crate::{
    error::Error,
    fetch::{Loaded, Task},
    media::Media,
    metrics::Metrics,
};
use sift_handlers::{Document, ExtractError, Source};
use std::{future::Future, sync::Arc, time::Duration};
use tokio::time::Instant;
use tower::{Service, service_fn};
use tracing::Instrument;

/// How much longer than the handler's own deadline we wait: a child is killed and reaped meanwhile.
const MARGIN: Duration = Duration::from_secs(2);

/// The bottom of the stack.
pub fn run(
    metrics: Arc<Metrics>,
) -> impl Service<Loaded, Response = Arc<Document>, Error = Error, Future: Future + Send> + Clone + Send + Sync {
    service_fn(move |job: Loaded| {
        let metrics = metrics.clone();
        let span = tracing::info_span!(
            "extract",
            sift.kind = job.task.handler.kind().as_str(),
            error.r#type = tracing::field::Empty
        );
        extract(job, metrics).instrument(span)
    })
}

async fn extract(job: Loaded, metrics: Arc<Metrics>) -> Result<Arc<Document>, Error> {
    let Loaded { task: Task { handler, limits, head, url, reading }, content, place: _ } = job;
    let metrics = metrics.of(handler.kind());
    let media = Media::new(head.media.as_deref());
    let source = Source { head, base: Some(url.expose().clone()), content, reading };
    let began = Instant::now();
    let outcome = tokio::time::timeout(limits.extract + MARGIN, handler.extract(source)).await;
    let outcome = outcome.unwrap_or(Err(ExtractError::TimedOut));
    metrics.extract_seconds.observe(began.elapsed().as_secs_f64());
    match outcome {
        Ok(document) => {
            metrics.extracts.get_or_create(&[("outcome", "ok")]).inc();
            metrics.pages.inc_by(document.pages.len() as u64);
            Ok(Arc::new(document))
        }
        Err(verdict) => {
            let error = Error::of_extract(verdict, media);
            metrics.extracts.get_or_create(&[("outcome", error.code())]).inc();
            tracing::Span::current().record("error.type", error.code());
            Err(error)
        }
    }
}
