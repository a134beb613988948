//! What comes out of a process: lines, spans and panics.

use super::*;
use http::{Request, Response};
use opentelemetry_sdk::{
    error::OTelSdkResult,
    trace::{SpanData, SpanExporter as Exporter},
};
use parking_lot::Mutex;
use serde_json::Value;
use sift_layers::{
    Caller, Class, Error,
    observe::{self, Asking, Observer, RequestId},
};
use std::{
    convert::Infallible,
    future::pending,
    io::{Read, Write},
    sync::Arc,
};
use tower::{Layer as _, ServiceExt, service_fn};
use tracing::instrument::WithSubscriber;

/// Keeps all spans.
#[derive(Clone, Debug, Default)]
struct Kept(Arc<Mutex<Vec<SpanData>>>);

impl Exporter for Kept {
    async fn export(&self, batch: Vec<SpanData>) -> OTelSdkResult {
        self.0.lock().extend(batch);
        Ok(())
    }
}

/// A sink, and the lines that it got.
fn sink() -> (Sink, impl Fn() -> Vec<String>) {
    let kept = Arc::new(Mutex::new(Vec::new()));
    let into = kept.clone();
    let sink: Sink = Arc::new(move |line: &[u8]| into.lock().push(String::from_utf8(line.to_vec()).unwrap()));
    (sink, move || kept.lock().clone())
}

/// A subscriber at TRACE, with what it wrote and what it exported.
fn captured(json: bool) -> (impl Subscriber + Send + Sync, impl Fn() -> Vec<String>, Kept) {
    let (sink, lines) = sink();
    let spans = Kept::default();
    let provider = provider().with_simple_exporter(spans.clone()).build();
    let settings = Settings { level: LevelFilter::TRACE, tuning: None, json };
    (subscriber(&settings, sink, Some(&provider)), lines, spans)
}

fn object(line: &str) -> Value {
    assert!(line.ends_with('\n') && line.matches('\n').count() == 1, "one line: {line:?}");
    serde_json::from_str(line).unwrap()
}

fn attribute(span: &SpanData, key: &str) -> Option<String> {
    span.attributes.iter().find(|pair| pair.key.as_str() == key).map(|pair| pair.value.to_string())
}

fn observer() -> Observer {
    Observer {
        metrics: Arc::default(),
        route: |uri| if uri.path() == "/v1/fetch" { "/v1/fetch" } else { observe::OTHER },
        parent,
    }
}

const TRACEPARENT: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

#[test]
fn a_line_is_one_json_object_and_no_value_can_end_it() {
    let (subscriber, lines, _) = captured(true);
    tracing::subscriber::with_default(subscriber, || {
        let absent: Option<&str> = None;
        tracing::warn!(a.b = 1_u64, text = "x\n\u{1b}[31m\u{2028}", absent, "it\nhappened");
    });
    let [line] = &lines()[..] else { panic!("{:?}", lines()) };
    let line = object(line);
    assert_eq!((&line["level"], &line["message"]), (&"WARN".into(), &"it\nhappened".into()));
    assert_eq!((&line["a.b"], &line["text"]), (&1.into(), &"x\n\u{1b}[31m\u{2028}".into()));
    assert!(line.get("absent").is_none() && line.get("trace_id").is_none());
    let time = line["time"].as_str().unwrap();
    assert!(time.len() == 24 && time.ends_with('Z'), "{time}");
}

#[test]
fn a_line_for_people_escapes_what_a_terminal_would_obey() {
    let (subscriber, lines, _) = captured(false);
    tracing::subscriber::with_default(subscriber, || {
        tracing::info!(plain = "a-b", spaced = "a b", evil = "\u{1b}[2J\n", empty = "", n = 3, "hello");
    });
    let line = &lines()[0];
    assert_eq!(&line[24..], " INFO  hello plain=a-b spaced=\"a b\" evil=\"\\u001b[2J\\n\" empty=\"\" n=3\n");
}

#[tokio::test]
async fn a_request_is_one_span_and_one_line_in_the_agent_s_trace() {
    let (subscriber, lines, spans) = captured(true);
    let inner = service_fn(|request: Request<()>| async move {
        request.extensions().get::<Asking>().unwrap().is(&Caller::new("ann", Class::Fleet));
        let id = request.extensions().get::<RequestId>().unwrap().as_str().to_owned();
        let mut response = Response::builder().status(503).body(id).unwrap();
        response.extensions_mut().insert(Error::WorkersBusy);
        Ok::<_, Infallible>(response)
    });
    let request = Request::post("/v1/fetch?url=https://secret.example/")
        .header("traceparent", TRACEPARENT)
        .header("user-agent", "agent/1")
        .body(())
        .unwrap();
    let response =
        observe::request(observer()).layer(inner).oneshot(request).with_subscriber(subscriber).await.unwrap();

    let [line] = &lines()[..] else { panic!("{:?}", lines()) };
    let line = object(line);
    for (key, value) in [
        ("message", "request"),
        ("http.request.method", "POST"),
        ("http.route", "/v1/fetch"),
        ("caller", "ann"),
        ("sift.caller.class", "fleet"),
        ("outcome", "workers_busy"),
        ("sift.request_id", response.body()),
        ("trace_id", "4bf92f3577b34da6a3ce929d0e0e4736"),
    ] {
        assert_eq!(line[key], value, "{key}");
    }
    assert_eq!(line["http.response.status_code"], 503);
    assert!(line["ms"].is_u64());

    let spans = spans.0.lock();
    let [span] = &spans[..] else { panic!("{spans:?}") };
    assert_eq!(span.name, "POST /v1/fetch");
    assert_eq!(span.span_kind, opentelemetry::trace::SpanKind::Server);
    assert_eq!(span.parent_span_id.to_string(), "00f067aa0ba902b7");
    assert!(matches!(span.status, opentelemetry::trace::Status::Error { .. }), "a server's 5xx is its error");
    for (key, value) in [
        ("http.route", "/v1/fetch"),
        ("http.response.status_code", "503"),
        ("error.type", "workers_busy"),
        ("user_agent.original", "agent/1"),
        ("network.protocol.version", "1.1"),
    ] {
        assert_eq!(attribute(span, key).as_deref(), Some(value), "{key}");
    }
    for key in ["code.file.path", "code.line.number", "thread.id", "busy_ns", "idle_ns"] {
        assert_eq!(attribute(span, key), None, "{key}");
    }
    assert!(!format!("{span:?} {line}").contains("secret"));
}

#[tokio::test]
async fn a_restricted_caller_s_request_says_no_more_than_it_may() {
    let (subscriber, lines, spans) = captured(true);
    let inner = service_fn(|request: Request<()>| async move {
        request.extensions().get::<Asking>().unwrap().is(&Caller::new("ben", Class::Restricted));
        Ok::<_, Infallible>(Response::builder().status(422).body(()).unwrap())
    });
    let request = Request::builder()
        .method("C4N4RY")
        .uri("/c4n4ry/x?c4n4ry")
        .header("user-agent", "c4n4ry")
        .header("tracestate", "c4n4ry=1")
        .header("baggage", "c4n4ry=1")
        .header("traceparent", TRACEPARENT)
        .body(())
        .unwrap();
    observe::request(observer()).layer(inner).oneshot(request).with_subscriber(subscriber).await.unwrap();
    let all = format!("{:?} {:?}", lines(), spans.0.lock()).to_ascii_lowercase();
    assert!(!all.contains("c4n4ry"), "{all}");
    let line = object(&lines()[0]);
    let mut keys: Vec<_> = line.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    let allowed = [
        "caller",
        "http.request.method",
        "http.response.status_code",
        "http.route",
        "level",
        "message",
        "ms",
        "outcome",
        "sift.caller.class",
        "sift.request_id",
        "span_id",
        "target",
        "time",
        "trace_id",
    ];
    assert_eq!(keys, allowed);
    assert_eq!(spans.0.lock()[0].status, opentelemetry::trace::Status::Unset, "a 4xx is the client's error");
}

#[tokio::test]
async fn a_client_that_leaves_is_one_line_with_status_499() {
    let (subscriber, lines, spans) = captured(true);
    let stuck = service_fn(|_: Request<()>| pending::<Result<Response<()>, Infallible>>());
    let request = Request::post("/v1/fetch").body(()).unwrap();
    let service = observe::request(observer()).layer(stuck);
    async {
        let left = tokio::time::timeout(Duration::from_millis(1), service.oneshot(request)).await;
        assert!(left.is_err());
    }
    .with_subscriber(subscriber)
    .await;
    let [line] = &lines()[..] else { panic!("{:?}", lines()) };
    let line = object(line);
    assert_eq!((&line["http.response.status_code"], &line["outcome"]), (&499.into(), &"abandoned".into()));
    assert_eq!(spans.0.lock().len(), 1);
}

#[test]
fn what_other_crates_say_reaches_neither_lines_nor_spans() {
    let (subscriber, lines, spans) = captured(true);
    tracing::subscriber::with_default(subscriber, || {
        let _span = tracing::info_span!("mine").entered();
        tracing::error!(target: "reqwest::connect", "c4n4ry");
        tracing::error!(target: "hyper_util::client", "c4n4ry");
        tracing::info!(target: "moka", "c4n4ry");
        let _theirs = tracing::info_span!(target: "h2", "theirs", host = "c4n4ry").entered();
        tracing::info!("mine, too");
    });
    assert_eq!(lines().len(), 1);
    assert!(object(&lines()[0])["trace_id"].is_string(), "inside a foreign span it is still my trace");
    assert!(!format!("{:?} {:?}", lines(), spans.0.lock()).contains("c4n4ry"));
}

#[test]
fn a_panic_says_where_and_never_what() {
    let (sink, lines) = sink();
    for json in [true, false] {
        let before = std::panic::take_hook();
        std::panic::set_hook(hook(sink.clone(), json));
        let thread = std::thread::Builder::new().name("worker".to_owned()).spawn(|| panic!("secret title"));
        assert!(thread.unwrap().join().is_err());
        std::panic::set_hook(before);
    }
    let [json, text] = &lines()[..] else { panic!("{:?}", lines()) };
    let json = object(json);
    assert_eq!((&json["message"], &json["thread"]), (&"panic".into(), &"worker".into()));
    assert!(json["file"].as_str().unwrap().ends_with("src/telemetry/tests.rs") && json["line"].is_u64());
    assert!(text[24..].starts_with(" ERROR panic at ") && text.ends_with(" in thread worker\n"), "{text}");
    assert!(!format!("{:?}", lines()).contains("secret"));
}

#[test]
fn spans_reach_a_collector_before_the_process_ends() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let endpoint = format!("http://{}/", listener.local_addr().unwrap());
    let collector = std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
        let (mut received, mut buffer) = (Vec::new(), [0; 1 << 12]);
        while !String::from_utf8_lossy(&received).contains("POST /v1/fetch") {
            let length = stream.read(&mut buffer).unwrap();
            assert_ne!(length, 0, "the whole batch comes");
            received.extend(&buffer[..length]);
        }
        stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").unwrap();
        String::from_utf8_lossy(&received).into_owned()
    });
    let provider = provider().with_batch_exporter(exporter(&endpoint).unwrap()).build();
    let settings = Settings { level: LevelFilter::INFO, tuning: None, json: true };
    tracing::subscriber::with_default(subscriber(&settings, sink().0, Some(&provider)), || {
        drop(tracing::info_span!("request", otel.name = "POST /v1/fetch"));
    });
    Telemetry { provider: Some(provider), writer: Writer::start(std::io::sink()).unwrap() }.shutdown();
    let received = collector.join().unwrap();
    assert!(received.starts_with("POST /v1/traces HTTP/1.1"), "{received}");
    assert!(received.contains("service.name") && received.contains("sift"));
}

#[test]
fn without_a_collector_the_lines_of_a_request_share_a_trace_all_the_same() {
    let (sink, lines) = sink();
    let settings = Settings { level: LevelFilter::INFO, tuning: None, json: true };
    tracing::subscriber::with_default(subscriber(&settings, sink, None), || {
        let request = tracing::info_span!("request");
        let headers = [(
            http::HeaderName::from_static("traceparent"),
            "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01".parse().unwrap(),
        )];
        parent(&request, &headers.into_iter().collect());
        request.in_scope(|| {
            tracing::info_span!("fetch").in_scope(|| tracing::info!("inside"));
            tracing::info!("outside");
        });
        tracing::info_span!("another").in_scope(|| tracing::info!("apart"));
    });
    let lines: Vec<_> = lines().iter().map(|line| object(line)).collect();
    let ids = |line: usize| (lines[line]["trace_id"].as_str().unwrap(), lines[line]["span_id"].as_str().unwrap());
    assert_eq!(ids(0).0, "4bf92f3577b34da6a3ce929d0e0e4736");
    assert_eq!(ids(1).0, ids(0).0);
    assert_ne!(ids(1).1, ids(0).1, "each span has a name of its own");
    assert_ne!(ids(2).0, ids(0).0);
}
