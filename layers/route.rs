//! Looks at the first 1,024 bytes, picks the handler, and tells the flight what it turned out to be.

use crate::{
    error::Error,
    fetch::{Answer, Body, Job, Routed, Task},
    media::Media,
    single_flight::Nature,
    stage::{Stage, around},
    store::Step,
};
use bytes::{Bytes, BytesMut};
use futures::StreamExt;
use sift_handlers::{Document, ExtractError, Head, Registry};
use std::{sync::Arc, time::Duration};
use tower::{Layer, ServiceExt};

/// As much as a handler sees before it claims a body, in bytes.
const PREFIX: usize = 1024;

/// How long the first bytes of a body may take, however they drip.
const PATIENCE: Duration = Duration::from_secs(15);

/// The kind is unknown before, and everything below depends on it.
pub fn by_content<S: Stage<Job, Arc<Document>>>(
    handlers: Arc<Registry>,
) -> impl Layer<S, Service: Stage<Answer, Routed>> + Clone {
    around(handlers, |handlers: Arc<Registry>, inner: S, answer: Answer| async move {
        let Answer { leg, content_type, mut body } = answer;
        let head = tokio::time::timeout(PATIENCE, prefix(&mut body)).await.map_err(|_| Error::UpstreamTimedOut)??;
        let head = Head::new(content_type.as_deref(), head);
        let handler = handlers.pick(&head).ok_or_else(|| Error::Unsupported(Media::new(head.media.as_deref())))?;
        let (kind, limits) = (handler.kind(), handlers.limits(handler.as_ref()));
        tracing::debug!(sift.kind = kind.as_str(), "routed");
        leg.cockpit.announce(if limits.pooled { Nature::Exclusive } else { Nature::Open }).await;
        let (url, reading) = (leg.key.url().clone(), leg.terms.reading.clone());
        let task = Task { handler, limits, head, url, reading };
        let step = match inner.oneshot(Job { task, body, place: None }).await {
            Ok(document) => Step::Read(document),
            Err(Error::Unreadable(verdict)) if is_lasting(verdict) => Step::Verdict(kind, verdict),
            Err(error) => return Err(error),
        };
        Ok(Routed { step, limits })
    })
}

/// Whether the document itself is to blame, so that the next one who asks would hear the same.
fn is_lasting(verdict: ExtractError) -> bool {
    matches!(verdict, ExtractError::NoTextLayer | ExtractError::Encrypted | ExtractError::Unreadable)
}

/// Takes the first bytes off a body; what was read past them goes back.
async fn prefix(body: &mut Body) -> Result<Bytes, Error> {
    let mut read = BytesMut::new();
    while read.len() < PREFIX {
        match body.stream.next().await {
            Some(piece) => read.extend_from_slice(&piece?),
            None => break,
        }
    }
    let read = read.freeze();
    let rest = read.slice(..);
    let stream = std::mem::replace(&mut body.stream, futures::stream::empty().boxed());
    body.stream = futures::stream::once(async move { Ok(rest) }).chain(stream).boxed();
    Ok(read.slice(..read.len().min(PREFIX)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        caller::Class,
        clock::Timestamp,
        fetch::{Leg, Terms},
        key::{Key, Variant},
        single_flight::Cockpit,
        url::PageUrl,
    };
    use futures::stream;
    use tokio::time::{Instant, sleep};

    #[tokio::test(start_paused = true)]
    async fn first_bytes_that_drip_are_given_up() {
        for (pieces, end) in [(1024, Error::UpstreamTimedOut), (10, Error::Unsupported(Media::NONE))] {
            let drip = stream::iter(0..pieces).then(|_| async {
                sleep(Duration::from_secs(1)).await;
                Ok(Bytes::from_static(b"x"))
            });
            let key = Key::new(Class::Fleet, PageUrl::parse("http://example.com/").unwrap(), Variant::default());
            let (terms, cockpit) = (Arc::new(Terms::default()), Cockpit::alone());
            let leg = Leg { key, terms, since: Timestamp::now(), known: None, cockpit };
            let body = Body::new(drip.boxed(), None, Arc::default());
            let inner = tower::service_fn(|_: Job| async { Err::<Arc<Document>, _>(Error::Internal) });
            let routed = by_content(Arc::new(Registry::default())).layer(inner);
            let began = Instant::now();
            assert_eq!(routed.oneshot(Answer { leg, content_type: None, body }).await.unwrap_err(), end);
            assert!(began.elapsed() <= PATIENCE + Duration::from_millis(1));
        }
    }
}
