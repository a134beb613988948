use super::*;
use crate::{
    fetch::Terms,
    key::{Key, Variant},
    single_flight::Cockpit,
};
use futures::{FutureExt, StreamExt, stream};
use parking_lot::Mutex;
use sift_handlers::{ContentHash, Document, Keep, Kind, Limits, Unit};
use tokio::time::{Instant, sleep};
use tower::service_fn;

const ADDRESS: &str = "https://example.com/a/b";

fn leg(terms: Terms, known: Option<Validators>) -> Leg {
    let url = PageUrl::parse(ADDRESS).unwrap();
    let known = known.map(|validators| {
        let step = Step::Moved(url.clone());
        let (fetched_at, fresh) = (Timestamp::now(), Duration::ZERO);
        Arc::new(Entry { step, status: 200, content_type: None, validators, fetched_at, fresh })
    });
    let key = Key::new(Class::Fleet, url, Variant::default());
    Leg { key, terms: Arc::new(terms), since: Timestamp::now(), known, cockpit: Cockpit::alone() }
}

fn read(honours_no_store: bool) -> Routed {
    let document = Document::new(Kind::new("test"), Unit::Part, ContentHash::of(b""), 0);
    let limits = Limits {
        body: 1,
        read: Duration::ZERO,
        extract: Duration::ZERO,
        keep: Keep::Memory,
        fresh: Duration::from_mins(10),
        pooled: false,
        honours_no_store,
    };
    Routed { step: Step::Read(Arc::new(document)), limits }
}

fn response(status: u16, headers: &[(&'static str, &str)]) -> Response {
    let headers = headers
        .iter()
        .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_bytes(value.as_bytes()).unwrap()));
    Response { status, headers: headers.collect(), body: stream::empty().boxed() }
}

/// One GET whose answer, and what is made of it, a test wrote.
async fn get(leg: Leg, response: Response, routed: Result<Routed, Error>) -> Result<Reply, Error> {
    let (response, routed) = (Mutex::new(Some(response)), Arc::new(Mutex::new(Some(routed))));
    let response = Arc::new(response);
    let upstream = Upstream::new(service_fn(move |_: Request| {
        let response = response.lock().take().ok_or(Error::Internal);
        async move { response }
    }));
    let inner = service_fn(move |_: Answer| {
        let routed = routed.lock().take().unwrap_or(Err(Error::Internal));
        async move { routed }
    });
    one(upstream).layer(inner).oneshot(leg).await
}

async fn status_of(leg: Leg, status: u16, headers: &[(&'static str, &str)]) -> Result<Reply, Error> {
    get(leg, response(status, headers), Ok(read(true))).await
}

fn plain() -> Leg {
    leg(Terms::default(), None)
}

#[tokio::test(start_paused = true)]
async fn a_head_has_fifteen_seconds() {
    for (ms, in_time) in [(14_999, true), (15_001, false)] {
        let upstream = Upstream::new(service_fn(move |_: Request| async move {
            sleep(Duration::from_millis(ms)).await;
            Ok(response(200, &[]))
        }));
        let began = Instant::now();
        let inner = service_fn(|_: Answer| async { Ok(read(true)) });
        let got = one(upstream).layer(inner).oneshot(plain()).await;
        assert_eq!(got.err(), (!in_time).then_some(Error::UpstreamTimedOut), "{ms}");
        assert!(began.elapsed() <= FIRST_BYTE + Duration::from_millis(1));
    }
}

#[tokio::test]
async fn only_statuses_that_answer_the_question_are_taken() {
    for status in [200, 201, 203, 204, 207, 400, 404, 429, 500, 503, 599] {
        assert!(matches!(status_of(plain(), status, &[]).await, Ok(Reply::New(..))), "{status}");
    }
    for status in [0, 99, 100, 101, 103, 199, 206, 300, 304, 305, 306, 309, 399, 600, 999] {
        assert_eq!(status_of(plain(), status, &[]).await.err(), Some(Error::UpstreamProtocol), "{status}");
    }
    let known = Validators { etag: Some("\"a\"".to_owned()), last_modified: None };
    assert!(matches!(status_of(leg(Terms::default(), Some(known)), 304, &[]).await, Ok(Reply::NotModified)));
}

#[tokio::test]
async fn a_redirect_needs_a_location_that_leads_somewhere() {
    let longest = format!("https://example.com/{}", "x".repeat((8 << 10) - 20));
    for status in [301, 302, 303, 307, 308] {
        for (location, target) in [
            ("/c", "https://example.com/c"),
            ("c", "https://example.com/a/c"),
            ("//other.test", "https://other.test/"),
            ("?q", "https://example.com/a/b?q"),
            ("http://127.0.0.1/#x", "http://127.0.0.1/"),
            ("http://u:p@example.com/", "http://u:p@example.com/"),
            ("", ADDRESS),
            (&longest, &longest),
        ] {
            let reply = status_of(plain(), status, &[("location", location)]).await;
            let Ok(Reply::New(entry, true)) = reply else { panic!("{status} {location}: {reply:?}") };
            assert_eq!(entry.step, Step::Moved(PageUrl::parse(target).unwrap()), "{location}");
        }
        assert_eq!(status_of(plain(), status, &[]).await.err(), Some(Error::BadRedirect));
        for location in [&format!("{longest}x"), "/caf\u{e9}", "/a\tb", "http://", "http://[::1", "http://a:99999/"] {
            let refused = status_of(plain(), status, &[("location", location)]).await;
            assert_eq!(refused.err(), Some(Error::BadRedirect), "{location}");
        }
        for location in ["file:///etc/passwd", "javascript:alert(1)", "data:text/html,x", "gopher://a/"] {
            let refused = status_of(plain(), status, &[("location", location)]).await;
            assert_eq!(refused.err(), Some(Error::BadScheme), "{location}");
        }
    }
}

#[tokio::test]
async fn no_store_is_honoured_from_any_line_by_kinds_that_honour_it_and_always_from_the_caller() {
    let cases: &[(&[(&str, &str)], bool)] = &[
        (&[], true),
        (&[("cache-control", "public, max-age=60")], true),
        (&[("cache-control", "no-cache")], true),
        (&[("cache-control", "no-store")], false),
        (&[("cache-control", "private,No-Store , max-age=0")], false),
        (&[("cache-control", "private"), ("cache-control", "no-store")], false),
    ];
    let kept = async |terms: Terms, headers: &[(&'static str, &str)], honours| match get(
        leg(terms, None),
        response(200, headers),
        Ok(read(honours)),
    )
    .await
    {
        Ok(Reply::New(_, keep)) => keep,
        other => panic!("{other:?}"),
    };
    for (headers, keep) in cases {
        assert_eq!(kept(Terms::default(), headers, true).await, *keep, "{headers:?}");
        assert!(kept(Terms::default(), headers, false).await, "{headers:?}");
        assert!(!kept(Terms { no_store: true, ..Terms::default() }, headers, false).await);
    }
    let moved = status_of(leg(Terms { no_store: true, ..Terms::default() }, None), 302, &[("location", "/")]).await;
    assert!(matches!(moved, Ok(Reply::New(_, false))));
}

#[tokio::test]
async fn only_what_lasts_is_kept() {
    for (status, keep) in [
        (200, true),
        (204, true),
        (404, true),
        (410, true),
        (401, false),
        (403, false),
        (429, false),
        (500, false),
        (503, false),
    ] {
        let reply = status_of(plain(), status, &[]).await;
        assert!(matches!(&reply, Ok(Reply::New(_, kept)) if *kept == keep), "{status}: {reply:?}");
    }
    let mut salvage = read(false);
    if let Step::Read(document) = &mut salvage.step {
        Arc::make_mut(document).complete = false;
    }
    let reply = get(plain(), response(200, &[]), Ok(salvage)).await;
    assert!(matches!(reply, Ok(Reply::New(_, false))), "a part of a document is not kept");
}

#[tokio::test]
async fn an_error_page_that_nobody_can_read_is_still_that_error() {
    for error in [Error::Unsupported(crate::Media::NONE), Error::TooLarge { limit: 1 }] {
        assert_eq!(get(plain(), response(404, &[]), Err(error)).await.unwrap_err(), Error::UpstreamStatus(404));
        assert_eq!(get(plain(), response(200, &[]), Err(error)).await.unwrap_err(), error);
    }
    assert_eq!(get(plain(), response(404, &[]), Err(Error::WorkersBusy)).await.unwrap_err(), Error::WorkersBusy);
}

#[tokio::test]
async fn what_validates_and_what_types_is_kept_as_sent_when_it_is_short() {
    let longest = format!("\"{}\"", "x".repeat(LONGEST_VALUE - 2));
    let too_long = format!("{longest}x");
    for (etag, kept) in [
        ("W/\"a\"", true),
        ("unquoted", true),
        (&longest, true),
        (&too_long, false),
        ("\"\u{e9}\"", false),
        ("", false),
    ] {
        let reply = status_of(plain(), 200, &[("etag", etag), ("content-type", "Text/HTML; charset=x")]).await;
        let Ok(Reply::New(entry, _)) = reply else { panic!("{reply:?}") };
        assert_eq!(entry.validators.etag.as_deref(), kept.then_some(etag));
        assert_eq!(entry.content_type.as_deref(), Some("Text/HTML; charset=x"));
    }
}

#[tokio::test]
async fn the_callers_headers_go_before_ours_except_on_codings() {
    let sent = Arc::new(Mutex::new(HeaderMap::new()));
    let seen = sent.clone();
    let upstream = Upstream::new(service_fn(move |request: Request| {
        *seen.lock() = request.headers;
        async { Ok(response(200, &[])) }.boxed()
    }));
    let given = [("accept", "text/plain"), ("accept-encoding", "compress"), ("x-key", "1"), ("x-key", "2")];
    let headers = given.map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
    let known = Validators { etag: Some("W/\"a\"".to_owned()), last_modified: Some("yesterday".to_owned()) };
    let terms = Terms { headers: headers.into_iter().collect(), ..Terms::default() };
    let inner = service_fn(|_: Answer| async { Ok(read(true)) });
    one(upstream).layer(inner).oneshot(leg(terms, Some(known))).await.unwrap();
    let sent = sent.lock();
    let values = |name: &str| sent.get_all(name).iter().map(|value| value.to_str().unwrap()).collect::<Vec<_>>();
    assert_eq!(values("accept"), ["text/plain"]);
    assert_eq!(values("accept-encoding"), ["gzip, br, zstd"]);
    assert_eq!(values("x-key"), ["1", "2"]);
    assert_eq!((values("if-none-match"), values("if-modified-since")), (vec!["W/\"a\""], vec!["yesterday"]));
    assert!(values("referer").is_empty() && values("range").is_empty() && values("cookie").is_empty());
}
