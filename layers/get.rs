//! One GET of one address: no redirects, no retries, a head within 15 seconds.

use crate::{
    caller::Class,
    clock::Timestamp,
    decode,
    error::Error,
    fetch::{Answer, Leg, Reply, Routed},
    seen::Seen,
    stage::{Stage, around},
    store::{Entry, Step, Validators},
    url::PageUrl,
};
use bytes::Bytes;
use futures::stream::BoxStream;
use http::{HeaderMap, HeaderName, HeaderValue, header};
use std::{fmt, sync::Arc, time::Duration};
use tower::{Layer, ServiceExt, util::BoxCloneSyncService};
use tracing::{Instrument, field::Empty};

/// From the request to the head of the response.
const FIRST_BYTE: Duration = Duration::from_secs(15);

/// The kept part of a header value, in characters.
const LONGEST_VALUE: usize = 200;

/// What performs a GET. The client, its guard at the dial and its pools per class are the caller's.
pub type Upstream = BoxCloneSyncService<Request, Response, Error>;

/// One GET.
pub struct Request {
    /// Whose connections are used.
    pub class: Class,
    /// What is asked for.
    pub url: PageUrl,
    /// The whole set of headers.
    pub headers: HeaderMap,
}

/// Its response, as it came: nothing decoded, nothing followed.
pub struct Response {
    /// The status.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The body on the wire.
    pub body: BoxStream<'static, Result<Bytes, Error>>,
}

/// Asks the origin, and sorts what comes back: nothing new, elsewhere, or a body for the layers below.
pub fn one<S: Stage<Answer, Routed>>(upstream: Upstream) -> impl Layer<S, Service: Stage<Leg, Reply>> + Clone {
    around(upstream, |upstream: Upstream, inner: S, leg: Leg| async move {
        let (class, url) = (leg.key.class(), leg.key.url().clone());
        let seen = Seen::whole(class, &url);
        let span = tracing::info_span!(
            "GET",
            otel.kind = "client",
            http.request.method = "GET",
            url.full = seen.url,
            server.address = seen.host,
            server.port = seen.port,
            http.response.status_code = Empty,
            error.r#type = Empty,
        );
        let request = Request { class, url: url.clone(), headers: headers(&leg) };
        let answered = tokio::time::timeout(FIRST_BYTE, upstream.oneshot(request)).instrument(span.clone()).await;
        let response = match answered.unwrap_or(Err(Error::UpstreamTimedOut)) {
            Ok(response) => response,
            Err(error) => {
                span.record("error.type", error.code());
                return Err(error);
            }
        };
        span.record("http.response.status_code", response.status);
        drop(span);
        receive(inner, leg, response).await
    })
}

async fn receive<S: Stage<Answer, Routed>>(inner: S, leg: Leg, response: Response) -> Result<Reply, Error> {
    let Response { status, headers, body } = response;
    let asked = leg.known.is_some();
    let fresh =
        Fresh { status, validators: validators(&headers), content_type: value(&headers, &header::CONTENT_TYPE) };
    match status {
        304 if asked => return Ok(Reply::NotModified),
        301 | 302 | 303 | 307 | 308 => {
            let target = headers.get(header::LOCATION).and_then(|location| location.to_str().ok());
            let target = leg.key.url().join(target.ok_or(Error::BadRedirect)?)?;
            return Ok(fresh.reply(Step::Moved(target), Duration::MAX, !leg.terms.no_store));
        }
        // A part of a body that nobody asked a part of, or no status at all.
        206 | 300..=399 | ..=199 | 600.. => return Err(Error::UpstreamProtocol),
        _ => {}
    }
    let no_store = headers.get_all(header::CACHE_CONTROL).iter().any(|value| {
        value.to_str().is_ok_and(|text| text.split(',').any(|part| part.trim().eq_ignore_ascii_case("no-store")))
    });
    let keep = !leg.terms.no_store && is_kept(status);
    let answer = Answer { content_type: fresh.content_type.clone(), body: decode::body(&headers, body)?, leg };
    match inner.oneshot(answer).await {
        Ok(Routed { step, limits }) => {
            let whole = !matches!(&step, Step::Read(document) if !document.complete);
            Ok(fresh.reply(step, limits.fresh, keep && whole && !(no_store && limits.honours_no_store)))
        }
        // An error page that nobody can read is still that error.
        Err(Error::Unsupported(_) | Error::Unreadable(_) | Error::TooLarge { .. }) if status >= 400 => {
            Err(Error::UpstreamStatus(status))
        }
        Err(error) => Err(error),
    }
}

/// What the head of a response says of its entry.
struct Fresh {
    status: u16,
    validators: Validators,
    content_type: Option<String>,
}

impl Fresh {
    fn reply(self, step: Step, fresh: Duration, keep: bool) -> Reply {
        let Self { status, validators, content_type } = self;
        let entry = Entry { step, status, content_type, validators, fetched_at: Timestamp::now(), fresh };
        Reply::New(Arc::new(entry), keep)
    }
}

/// Success and lasting absence are kept; refusals that depend on who asks or when are not.
fn is_kept(status: u16) -> bool {
    matches!(status, 200..=299 | 404 | 410)
}

fn headers(leg: &Leg) -> HeaderMap {
    let mut headers = HeaderMap::new();
    let fixed = [
        (header::ACCEPT, "text/markdown,text/html;q=0.9,application/xhtml+xml;q=0.9,application/pdf;q=0.8,*/*;q=0.5"),
        (header::ACCEPT_ENCODING, "gzip, br, zstd"),
        (header::ACCEPT_LANGUAGE, "en;q=0.8,*;q=0.5"),
        (header::USER_AGENT, concat!("sift/", env!("CARGO_PKG_VERSION"))),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    // The caller's word goes before ours, except on codings: those that we can't decode are no use to it.
    for name in leg.terms.headers.keys().filter(|name| *name != header::ACCEPT_ENCODING) {
        headers.remove(name);
        for value in leg.terms.headers.get_all(name) {
            headers.append(name, value.clone());
        }
    }
    if let Some(known) = &leg.known {
        let Validators { etag, last_modified } = &known.validators;
        for (name, value) in [(header::IF_NONE_MATCH, etag), (header::IF_MODIFIED_SINCE, last_modified)] {
            if let Some(value) = value.as_deref().and_then(|value| HeaderValue::from_str(value).ok()) {
                headers.insert(name, value);
            }
        }
    }
    headers
}

fn validators(headers: &HeaderMap) -> Validators {
    Validators { etag: value(headers, &header::ETAG), last_modified: value(headers, &header::LAST_MODIFIED) }
}

/// A header's value without control characters; one too long is not a value.
fn value(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    let text = headers.get(name)?.to_str().ok()?;
    (text.len() <= LONGEST_VALUE && !text.is_empty()).then(|| text.to_owned())
}

impl fmt::Debug for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Request({})", self.class.as_str())
    }
}

impl fmt::Debug for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Response({})", self.status)
    }
}

#[cfg(test)]
mod tests;
