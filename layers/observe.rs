//! One name, one span, one line and one measurement for every HTTP request, also for those that end in a crash, are
//! refused, or are left by their client.
//!
//! Never an address and never a body: what is said of a request's target is the name of its route.

use crate::{
    caller::{Caller, Class},
    error::Error,
    metrics::Metrics,
    stage::{Http, around},
};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, Uri, Version, header};
use std::{
    collections::hash_map::RandomState,
    fmt,
    hash::BuildHasher,
    sync::{
        Arc, LazyLock, OnceLock,
        atomic::{AtomicU64, Ordering},
    },
};
use tokio::time::Instant;
use tower::{Layer, ServiceExt};
use tracing::{Instrument, Span, field::Empty};

/// The route of everything that has none.
pub const OTHER: &str = "other";

/// The header that carries a [`RequestId`].
pub const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// What a client's leaving is logged as. No client ever sees it.
const CLIENT_CLOSED: u16 = 499;

/// The longest `User-Agent` that a span carries, in bytes.
const LONGEST_AGENT: usize = 200;

/// What this layer has to be told.
#[derive(Clone, Debug)]
pub struct Observer {
    /// Where requests are counted.
    pub metrics: Arc<Metrics>,
    /// The route of a path: one of a closed set, or [`OTHER`].
    pub route: fn(&Uri) -> &'static str,
    /// Makes the span a child of what the request's headers say.
    pub parent: fn(&Span, &HeaderMap),
}

/// The name of one request, in its answer and on its log lines: 16 hexadecimal digits, never the client's.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct RequestId(Arc<str>);

/// Where a layer below says who asks. It outlives the request, so a request that was cut off has a caller, too.
#[derive(Clone, Debug, Default)]
pub struct Asking(Arc<OnceLock<Caller>>);

/// A request under observation. Its end is noted once: as it came, or as a client's leaving when dropped before.
struct Watch {
    observer: Observer,
    span: Span,
    began: Instant,
    id: RequestId,
    asking: Asking,
    method: &'static str,
    route: &'static str,
    agent: Option<String>,
    ended: bool,
}

/// Observes every request. A layer or surface below may put its [`Error`] into the response's extensions: its code is
/// the outcome.
pub fn request<S, B, RB>(observer: Observer) -> impl Layer<S, Service: Http<B, RB, Error = S::Error>> + Clone
where
    S: Http<B, RB>,
    S::Error: Send + 'static,
    B: Send + 'static,
    RB: Send + 'static,
{
    around(observer, |observer: Observer, inner: S, mut request: Request<B>| async move {
        let watch = Watch::over(observer, &request);
        request.extensions_mut().insert(watch.id.clone());
        request.extensions_mut().insert(watch.asking.clone());
        let mut response = inner.oneshot(request).instrument(watch.span.clone()).await?;
        if let Ok(id) = HeaderValue::from_str(watch.id.as_str()) {
            response.headers_mut().insert(REQUEST_ID, id);
        }
        watch.answered(&response);
        Ok(response)
    })
}

// === impl RequestId ===

impl RequestId {
    /// A new one. Not to be guessed from those before, not to be relied on as a secret.
    pub fn random() -> Self {
        // SipHash under a key that the process drew at random: no generator of random numbers for a mere name.
        static KEYS: LazyLock<RandomState> = LazyLock::new(RandomState::new);
        static COUNT: AtomicU64 = AtomicU64::new(0);
        Self(format!("{:016x}", KEYS.hash_one(COUNT.fetch_add(1, Ordering::Relaxed))).into())
    }

    /// The name of a request whose own was lost: after a crash. The response's header still has it.
    pub fn unknown() -> Self {
        Self("unknown".into())
    }

    /// The 16 digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

// === impl Asking ===

impl Asking {
    /// Says who asks. Whoever says it first is believed.
    pub fn is(&self, caller: &Caller) {
        let _ = self.0.set(caller.clone());
    }
}

// === impl Watch ===

impl Watch {
    fn over<B>(observer: Observer, request: &Request<B>) -> Self {
        let (method, route) = (method(request.method()), (observer.route)(request.uri()));
        let id = RequestId::random();
        let span = tracing::info_span!(
            "request",
            otel.name = if route == OTHER { method.to_owned() } else { format!("{method} {route}") },
            otel.kind = "server",
            otel.status_code = Empty,
            http.request.method = method,
            http.route = route,
            http.response.status_code = Empty,
            url.scheme = "http",
            network.protocol.version = version(request.version()),
            user_agent.original = Empty,
            sift.caller.class = Empty,
            sift.request_id = id.as_str(),
            sift.outcome = Empty,
            error.r#type = Empty,
        );
        // Before anything is logged or begun inside: a span that has started can't change its parent.
        (observer.parent)(&span, request.headers());
        let agent = request.headers().get(header::USER_AGENT).and_then(|value| value.to_str().ok());
        let agent = agent.filter(|agent| agent.len() <= LONGEST_AGENT).map(str::to_owned);
        let (asking, began) = (Asking::default(), Instant::now());
        Self { observer, span, began, id, asking, method, route, agent, ended: false }
    }

    fn answered<RB>(mut self, response: &Response<RB>) {
        let status = response.status();
        let outcome = match response.extensions().get::<Error>() {
            Some(error) => error.code(),
            None if status.is_server_error() => "failed",
            None if status.is_client_error() => "refused",
            None => "ok",
        };
        self.note(status.as_u16(), outcome);
    }

    fn note(&mut self, status: u16, outcome: &'static str) {
        self.ended = true;
        let took = self.began.elapsed();
        let labels = [("route", self.route), ("status", status_label(status))];
        self.observer.metrics.http_seconds.get_or_create(&labels).observe(took.as_secs_f64());
        self.span.record("http.response.status_code", status).record("sift.outcome", outcome);
        if outcome != "ok" {
            self.span.record("error.type", outcome);
        }
        if status >= 500 {
            self.span.record("otel.status_code", "ERROR");
        }
        let caller = self.asking.0.get();
        let class = caller.map(|caller| caller.class().as_str());
        self.span.record("sift.caller.class", class);
        // What agent a restricted caller runs is nobody's business, and an unknown caller may be one.
        if caller.is_some_and(|caller| caller.class() == Class::Fleet) {
            self.span.record("user_agent.original", self.agent.as_deref());
        }
        let _entered = self.span.enter();
        tracing::info!(
            http.request.method = self.method,
            http.route = self.route,
            http.response.status_code = status,
            caller = caller.map(Caller::name),
            sift.caller.class = class,
            sift.request_id = self.id.as_str(),
            ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
            outcome,
            "request"
        );
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if !self.ended {
            self.note(CLIENT_CLOSED, "abandoned");
        }
    }
}

/// Methods are a closed set in telemetry: anybody can invent one.
fn method(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        Method::PUT => "PUT",
        Method::DELETE => "DELETE",
        Method::OPTIONS => "OPTIONS",
        Method::PATCH => "PATCH",
        Method::TRACE => "TRACE",
        Method::CONNECT => "CONNECT",
        _ => "_OTHER",
    }
}

fn version(version: Version) -> &'static str {
    match version {
        Version::HTTP_10 => "1.0",
        Version::HTTP_11 => "1.1",
        Version::HTTP_2 => "2",
        _ => OTHER,
    }
}

/// The statuses that are measured apart: those of the error table, and of success.
fn status_label(status: u16) -> &'static str {
    const APART: [(u16, &str); 24] = [
        (200, "200"),
        (201, "201"),
        (202, "202"),
        (204, "204"),
        (304, "304"),
        (400, "400"),
        (401, "401"),
        (402, "402"),
        (403, "403"),
        (404, "404"),
        (405, "405"),
        (406, "406"),
        (408, "408"),
        (409, "409"),
        (413, "413"),
        (415, "415"),
        (416, "416"),
        (422, "422"),
        (429, "429"),
        (CLIENT_CLOSED, "499"),
        (500, "500"),
        (502, "502"),
        (503, "503"),
        (504, "504"),
    ];
    APART.iter().find(|(number, _)| *number == status).map_or(OTHER, |(_, label)| *label)
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::FutureExt;
    use prometheus_client::{encoding::text::encode, registry::Registry};
    use std::{collections::HashSet, convert::Infallible, future::pending};
    use tower::{Service, service_fn};

    fn observer() -> (Observer, Registry) {
        let (metrics, registry) = Metrics::new(&[], "0");
        let route = |uri: &Uri| if uri.path() == "/v1/fetch" { "/v1/fetch" } else { OTHER };
        (Observer { metrics, route, parent: |_, _| {} }, registry)
    }

    /// The number of requests by labels, as a scraper sees it.
    fn counted(registry: &Registry) -> Vec<String> {
        let mut text = String::new();
        encode(&mut text, registry).unwrap();
        let counts =
            text.lines().filter_map(|line| line.strip_prefix("sift_http_server_request_duration_seconds_count"));
        let mut counts: Vec<_> = counts.map(str::to_owned).collect();
        counts.sort();
        counts
    }

    #[tokio::test]
    async fn every_request_has_a_name_of_its_own_and_never_the_client_s() {
        let (observer, _) = observer();
        let echo = service_fn(|request: Request<()>| async move {
            Ok::<_, Infallible>(Response::new(request.extensions().get::<RequestId>().cloned().unwrap()))
        });
        let mut service = request(observer).layer(echo);
        let mut seen = HashSet::new();
        for _ in 0..100 {
            let asked = Request::get("/").header(REQUEST_ID, "mine").body(()).unwrap();
            let response = service.call(asked).await.unwrap();
            let id = response.headers()[REQUEST_ID].to_str().unwrap().to_owned();
            assert!(id.len() == 16 && id.bytes().all(|byte| byte.is_ascii_hexdigit()), "{id}");
            assert_eq!(response.body().as_str(), id, "inside and outside agree");
            assert!(seen.insert(id));
        }
    }

    #[tokio::test]
    async fn requests_are_measured_by_closed_labels() {
        let (observer, registry) = observer();
        let by_path = service_fn(|request: Request<()>| async move {
            let status = request.uri().query().and_then(|query| query.parse().ok()).unwrap_or(200);
            Ok::<_, Infallible>(Response::builder().status(status).body(()).unwrap())
        });
        let mut service = request(observer).layer(by_path);
        for path in ["/v1/fetch", "/v1/fetch?418", "/v1/fetch?503", "/https://example.com/", "/other"] {
            service.call(Request::get(path).body(()).unwrap()).await.unwrap();
        }
        let expected = [
            r#"{route="/v1/fetch",status="200"} 1"#,
            r#"{route="/v1/fetch",status="503"} 1"#,
            r#"{route="/v1/fetch",status="other"} 1"#,
            r#"{route="other",status="200"} 2"#,
        ];
        assert_eq!(counted(&registry), expected);
    }

    #[tokio::test]
    async fn a_client_that_leaves_is_noted_once_as_499() {
        let (observer, registry) = observer();
        let stuck = service_fn(|_: Request<()>| pending::<Result<Response<()>, Infallible>>());
        let mut service = request(observer).layer(stuck);
        let mut left = Box::pin(service.call(Request::post("/v1/fetch").body(()).unwrap()));
        assert!((&mut left).now_or_never().is_none());
        assert!(counted(&registry).is_empty());
        drop(left);
        assert_eq!(counted(&registry), [r#"{route="/v1/fetch",status="499"} 1"#]);
    }
}
