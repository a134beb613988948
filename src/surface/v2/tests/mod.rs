//! The router as SDKs see it, over a fetch stack that serves documents made here.

mod answers;
mod errors;
mod requests;

use super::routes;
use crate::surface::{RequestId, Rules, Surface};
use axum::{Extension, Router, body::Body};
use http::{Request, Response};
use http_body_util::BodyExt;
use parking_lot::Mutex;
use serde_json::{Value, json};
use sift_handlers::{ContentHash, Document, Kind, Link, Page, Sources, Unit};
use sift_layers::{Caller, Class, Entry, Error, Fetch, Fetched, Origin, PageUrl, Step, Validators, clock::Timestamp};
use std::{sync::Arc, time::Duration};
use tower::{ServiceExt, service_fn, util::BoxCloneSyncService};

/// A server whose fetch stack answers one thing, and what it was asked for.
struct Server {
    router: Router,
    asked: Arc<Mutex<Vec<Fetch>>>,
}

/// A whole answer.
struct Answered {
    status: u16,
    headers: http::HeaderMap,
    json: Value,
}

impl Server {
    fn new(result: Result<Fetched, Error>) -> Self {
        Self::with(result, Rules::default())
    }

    fn with(result: Result<Fetched, Error>, rules: Rules) -> Self {
        let asked: Arc<Mutex<Vec<Fetch>>> = Arc::default();
        let seen = asked.clone();
        let fetcher = BoxCloneSyncService::new(service_fn(move |fetch: Fetch| {
            seen.lock().push(fetch);
            std::future::ready(result.clone())
        }));
        let router = routes()
            .with_state(Surface::new(fetcher, rules))
            .layer(Extension(Caller::new("tester", Class::Fleet)))
            .layer(Extension(RequestId::unknown()));
        Self { router, asked }
    }

    async fn send(&self, method: &str, path: &str, body: impl Into<Body>) -> Answered {
        let request = Request::builder().method(method).uri(path).body(body.into()).unwrap();
        let response: Response<_> = self.router.clone().oneshot(request).await.unwrap();
        let (head, body) = response.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        Answered { status: head.status.as_u16(), headers: head.headers, json: serde_json::from_slice(&body).unwrap() }
    }

    async fn scrape(&self, body: Value) -> Answered {
        self.send("POST", "/v2/scrape", body.to_string()).await
    }

    /// Scrapes a page with these options; they must be accepted.
    async fn ask(&self, options: Value) -> (Value, Fetch) {
        let answered = self.scrape(with_url(options)).await;
        assert_eq!((answered.status, &answered.json["success"]), (200, &json!(true)), "{}", answered.json);
        let fetch = self.asked.lock().pop().unwrap();
        (answered.json["data"].clone(), fetch)
    }

    /// Scrapes a page with these options; they must be refused before any fetch.
    async fn refused(&self, options: Value) -> Value {
        let answered = self.scrape(with_url(options.clone())).await;
        assert_eq!(answered.status, 400, "{options}: {}", answered.json);
        assert!(self.asked.lock().is_empty(), "{options} was fetched");
        answered.json
    }
}

fn with_url(mut options: Value) -> Value {
    let object = options.as_object_mut().unwrap();
    object.entry("url").or_insert_with(|| "http://example.com/page".into());
    options
}

fn fetched(document: Document, url: &str, status: u16, content_type: &str) -> Fetched {
    let (document, url) = (Arc::new(document), PageUrl::parse(url).unwrap());
    let entry = Entry {
        step: Step::Read(document.clone()),
        status,
        content_type: Some(content_type.to_owned()),
        validators: Validators::default(),
        fetched_at: Timestamp(1_767_225_600_000),
        fresh: Duration::from_mins(10),
    };
    let entry = Arc::new(entry);
    Fetched { entry, document, url, origin: Origin::Network, stale: false, downgraded: false }
}

/// An HTML page in two parts, with metadata that tries to pass for ours.
fn page() -> Fetched {
    let mut document = Document::new(Kind::new("html"), Unit::Part, ContentHash::of(b"html"), 4);
    document.title = Some("A Page".to_owned());
    document.description = Some("What it says.".to_owned());
    document.language = Some("en".to_owned());
    document.published = Some("2026-01-31".to_owned());
    document.pages = vec![Page::new(1, "# One"), Page::new(2, "Two ![a](data:image/png;base64,QUJD) end")];
    document.total_pages = 2;
    document.links = vec![Link { url: "http://example.com/next".to_owned(), text: "next".to_owned() }];
    document.sources = Some(Sources {
        raw: "<html>raw</html>".to_owned(),
        html: Some("<p>clean</p>".to_owned()),
        images: vec!["http://example.com/pic.png".to_owned()],
    });
    let said = json!({
        "keywords": ["alpha", "beta"], "favicon": "http://example.com/favicon.ico", "modified": "2026-02-01",
        "opengraph": {"title": "OG Page", "og:site_name": "Site", "og:locale:alternate": "de_DE"},
        "meta": {
            "DC.date": "2026", "description": "not OpenGraph", "robots": "noindex",
            "statusCode": "TRAP", "error": "TRAP", "proxyUsed": "TRAP", "cacheState": "TRAP", "cachedAt": 1,
            "numPages": "TRAP", "sourceURL": "TRAP", "url": "TRAP", "scrapeId": "TRAP", "creditsUsed": "TRAP"
        },
    });
    document.metadata = said.as_object().unwrap().clone();
    fetched(document, "http://example.com/final", 200, "text/html; charset=utf-8")
}

/// A PDF of five pages, of which three were read and one of these is broken.
fn pdf() -> Fetched {
    let mut document = Document::new(Kind::new("pdf"), Unit::Page, ContentHash::of(b"pdf"), 3);
    document.pages = vec![Page::new(1, "first"), Page::failed(2, "bad stream"), Page::new(3, "third")];
    document.total_pages = 5;
    fetched(document, "http://example.com/papers/report.pdf", 200, "application/pdf")
}

fn warning(data: &Value) -> &str {
    data["warning"].as_str().unwrap_or_default()
}
