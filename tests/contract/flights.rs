//! Promise: equal requests share one run; it ends with its last rider, and a crash reaches every rider and no one else.

use crate::support::{Origin, Reply, World, pdfs, world};
use async_trait::async_trait;
use axum::{
    body::Body,
    http::{Request, StatusCode},
};
use futures::StreamExt;
use serde_json::json;
use sift::{
    stack::{self, Gate, Parts},
    store::Shelf,
    surface::{Rules, Surface},
};
use sift_handlers::{
    Claim, ContentHandler, ContentHash, Document, ExtractError, Head, Keep, Kind, Limits, Page, Registry, Source, Unit,
};
use sift_layers::{
    Error, auth::Callers, cache::Cache, get, guard::Policy, metrics::Metrics, pool::Pool, single_flight::Flights,
    turns::Turns,
};
use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
    time::Duration,
};
use tower::{ServiceExt, service_fn, util::BoxCloneSyncService};

/// A kind of the test's own, as a team would add one: it reads `application/x-fragile`, and breaks on `break`.
#[derive(Clone, Default)]
pub(crate) struct Fragile {
    read: Arc<AtomicUsize>,
}

#[async_trait]
impl ContentHandler for Fragile {
    fn kind(&self) -> Kind {
        Kind::new("fragile")
    }

    fn claim(&self, head: &Head) -> Claim {
        if head.is_one_of(&["application/x-fragile"]) { Claim::Declared } else { Claim::None }
    }

    fn limits(&self) -> Limits {
        Limits {
            body: 100,
            read: Duration::from_secs(5),
            extract: Duration::from_secs(5),
            keep: Keep::Memory,
            fresh: Duration::from_mins(1),
            pooled: true,
            honours_no_store: true,
        }
    }

    async fn extract(&self, source: Source) -> Result<Document, ExtractError> {
        self.read.fetch_add(1, SeqCst);
        tokio::time::sleep(Duration::from_millis(100)).await;
        let bytes = source.content.into_bytes().map_err(|_| ExtractError::Unreadable)?;
        let text = std::str::from_utf8(&bytes).map_err(|_| ExtractError::Unreadable)?;
        assert_ne!(text, "break", "a fault in a handler");
        let mut document = Document::new(self.kind(), Unit::Part, ContentHash::of(&bytes), bytes.len() as u64);
        document.pages = vec![Page::new(1, text)];
        document.total_pages = 1;
        Ok(document)
    }
}

/// A whole edge and fetch stack in process, around one handler. Every address answers with its own path.
fn router(handler: Fragile) -> axum::Router {
    let handlers = Registry::default().with(handler);
    let (metrics, _) = Metrics::new(&handlers.kinds(), "test");
    let answer = service_fn(|request: get::Request| async move {
        let body = request.url.expose().path().trim_start_matches('/').to_owned();
        let headers = [(axum::http::header::CONTENT_TYPE, "application/x-fragile".parse().unwrap())];
        let body = futures::stream::once(async move { Ok::<_, Error>(body.into()) }).boxed();
        Ok(get::Response { status: 200, headers: headers.into_iter().collect(), body })
    });
    let parts = Parts {
        policy: Arc::new(Policy::default()),
        cache: Cache::new(Arc::new(Shelf::in_memory(1 << 20)), metrics.clone()),
        upstream: BoxCloneSyncService::new(answer),
        handlers: Arc::new(handlers),
        pool: Pool::new(2, 4, Duration::from_secs(20), metrics.clone()),
        spool: None,
        metrics: metrics.clone(),
        flights: Flights::default(),
        turns: Turns::default(),
    };
    let gate = Gate {
        callers: Callers::new(Vec::new()),
        max_requests: 100,
        backstop: Duration::from_mins(1),
        metrics,
        parent: |_, _| (),
    };
    stack::edge(gate, Surface::new(stack::fetcher(parts), Rules::default()))
}

async fn ask(router: &axum::Router, path: &str) -> (StatusCode, serde_json::Value) {
    let body = json!({ "url": format!("http://example.com/{path}") }).to_string();
    let request = Request::post("/v1/fetch").body(Body::from(body)).unwrap();
    let response = router.clone().oneshot(request).await.unwrap();
    let status = response.status();
    let body = axum::body::to_bytes(response.into_body(), 1 << 20).await.unwrap();
    (status, serde_json::from_slice(&body).unwrap())
}

#[tokio::test]
async fn a_panic_is_a_500_for_all_riders_and_the_next_request_works() {
    let handler = Fragile::default();
    let router = router(handler.clone());
    let (one, two) = tokio::join!(ask(&router, "break"), ask(&router, "break"));
    for (status, body) in [one, two] {
        assert_eq!((status.as_u16(), &body["error"]), (500, &"internal error".into()));
        assert!(!body.to_string().contains("a fault in"), "{body}");
    }
    assert_eq!(handler.read.load(SeqCst), 1, "they shared one run");
    let (status, body) = ask(&router, "fine").await;
    assert_eq!((status.as_u16(), &body["content"]), (200, &"fine".into()), "{body}");
}

#[tokio::test]
async fn a_new_kind_needs_nothing_but_its_handler() {
    let router = router(Fragile::default());
    let (status, body) = ask(&router, "words").await;
    assert_eq!((status.as_u16(), &body["kind"]), (200, &"fragile".into()), "{body}");
    assert_eq!(body["fragile"]["parts"], 1);
    let (status, body) = ask(&router, &"x".repeat(101)).await;
    assert_eq!(status, 413, "its own limit: {body}");
    assert_eq!(ask(&router, "words").await.1["from_cache"], true);
}

#[tokio::test]
async fn the_first_may_leave_and_the_others_are_served() {
    let origin = Origin::start().await;
    let world = World::open(&origin);
    let url = origin.put("/r.pdf", Reply::pdf(pdfs::report(3)).delay(Duration::from_secs(1)));
    let first = tokio::time::timeout(Duration::from_millis(400), world.get_url(&url));
    let second = async {
        tokio::time::sleep(Duration::from_millis(200)).await;
        world.get_url(&url).await
    };
    let (first, second) = tokio::join!(first, second);
    assert!(first.is_err(), "the first has left");
    assert_eq!((second.status, origin.hits("/r.pdf")), (200, 1), "{}", second.text);
}

#[tokio::test]
async fn when_the_last_one_leaves_the_child_is_gone() {
    let origin = Origin::start().await;
    let world = World::start(&world::config(&[origin.address.port()], ""));
    let url = origin.put("/slow.pdf", Reply::pdf(pdfs::slow(1)));
    let riders = futures::future::join(world.get_url(&url), world.get_url(&url));
    assert!(tokio::time::timeout(Duration::from_secs(2), riders).await.is_err());
    assert!(world.childless(Duration::from_secs(1)).await, "{:?}", world.children());
    assert!(world.metric("sift_flight_riders").await.abs() < f64::EPSILON);
    assert!(world.metric("sift_pool_places_in_use").await.abs() < f64::EPSILON);
}
