use super::*;
use crate::{
    caller::Caller,
    fetch::Origin,
    store::{Entry, Validators},
    url::PageUrl,
};
use http::{HeaderName, HeaderValue};
use parking_lot::Mutex;
use sift_handlers::{ContentHash, Document, Kind, Unit};
use std::time::Duration;
use tower::service_fn;

/// A chain of addresses: each leads to the next, the last one is a document.
struct Chain {
    addresses: Vec<PageUrl>,
    hops: Mutex<Vec<Hop>>,
}

fn step(chain: &Chain, hop: Hop) -> Found {
    let at = chain.addresses.iter().position(|address| address == hop.key.url()).unwrap();
    chain.hops.lock().push(hop);
    let step = chain.addresses.get(at + 1).map_or_else(
        || Step::Read(Arc::new(Document::new(Kind::new("test"), Unit::Part, ContentHash::of(b""), 0))),
        |next| Step::Moved(next.clone()),
    );
    let (validators, fetched_at) = (Validators::default(), Timestamp::now());
    let entry = Entry { step, status: 200, content_type: None, validators, fetched_at, fresh: Duration::ZERO };
    Found { entry: Arc::new(entry), origin: Origin::Network, stale: false }
}

/// Follows a chain; answers with the end of it and the headers that each hop was asked with.
async fn walk(class: Class, header: Option<&str>, addresses: &[&str]) -> (Result<Fetched, Error>, Vec<Hop>) {
    let addresses = addresses.iter().map(|address| PageUrl::parse(address).unwrap()).collect();
    let chain = Arc::new(Chain { addresses, hops: Mutex::default() });
    let (inner, first) = (chain.clone(), chain.addresses[0].clone());
    let inner = service_fn(move |hop: Hop| std::future::ready(Ok(step(&inner, hop))));
    let header = header.map(|value| (HeaderName::from_static("x-key"), HeaderValue::from_str(value).unwrap()));
    let terms = Terms { headers: header.into_iter().collect(), ..Terms::default() };
    let fetch = Fetch { caller: Caller::new("a", class), url: first, terms: Arc::new(terms) };
    let fetched = follow(10, Arc::default()).layer(inner).oneshot(fetch).await;
    let hops = std::mem::take(&mut *chain.hops.lock());
    (fetched, hops)
}

#[tokio::test]
async fn ten_redirects_are_followed_and_eleven_are_too_many() {
    let chain: Vec<String> = (0..=11).map(|at| format!("https://example.com/{at}")).collect();
    let chain: Vec<&str> = chain.iter().map(String::as_str).collect();
    for class in Class::ALL {
        let (fetched, hops) = walk(class, None, &chain[..1]).await;
        assert_eq!((fetched.unwrap().url.as_str(), hops.len()), ("https://example.com/0", 1));
        let (fetched, hops) = walk(class, None, &chain[..11]).await;
        assert_eq!((fetched.unwrap().url.as_str(), hops.len()), ("https://example.com/10", 11));
        let (fetched, hops) = walk(class, None, &chain).await;
        assert_eq!((fetched.unwrap_err(), hops.len()), (Error::TooManyRedirects, 11));
    }
}

#[tokio::test]
async fn what_the_caller_told_one_origin_is_not_told_to_another() {
    for (next, stays) in [
        ("https://example.com/b", true),
        ("https://example.com:443/b", true),
        ("https://example.com:8443/", false),
        ("https://www.example.com/", false),
        ("https://example.com.evil.test/", false),
    ] {
        let (fetched, hops) = walk(Class::Fleet, Some("secret"), &["https://example.com/a", next]).await;
        assert!(fetched.is_ok());
        assert_eq!(hops[0].terms.headers["x-key"], "secret");
        assert_eq!(hops[1].terms.headers.contains_key("x-key"), stays, "{next}");
        assert_eq!(
            hops[0].key.variant() == hops[1].key.variant(),
            stays,
            "an entry's key names what it was asked with"
        );
    }
    // Not even on the way back.
    let there_and_back = ["https://example.com/a", "https://other.test/", "https://example.com/b"];
    let (_, hops) = walk(Class::Fleet, Some("secret"), &there_and_back).await;
    assert!(hops[2].terms.headers.is_empty());
    // http to https is another origin, too.
    let (_, hops) = walk(Class::Fleet, Some("secret"), &["http://example.com/", "https://example.com/"]).await;
    assert!(hops[1].terms.headers.is_empty());
}

#[tokio::test]
async fn https_is_left_only_by_the_fleet_without_headers_and_that_is_flagged() {
    let (up, down) = (["http://example.com/", "https://example.com/"], ["https://example.com/", "http://example.com/"]);
    let refused = Err(Error::Refused(Refusal::Downgrade));
    for (class, header, chain, outcome) in [
        (Class::Fleet, None, up, Ok(false)),
        (Class::Fleet, None, down, Ok(true)),
        (Class::Fleet, Some("x"), up, Ok(false)),
        (Class::Fleet, Some("x"), down, refused),
        (Class::Restricted, None, up, Ok(false)),
        (Class::Restricted, None, down, refused),
    ] {
        let (fetched, hops) = walk(class, header, &chain).await;
        assert_eq!(fetched.map(|fetched| fetched.downgraded), outcome, "{class:?} {header:?} {chain:?}");
        assert_eq!(hops.len(), if outcome == refused { 1 } else { 2 }, "nothing is asked in the clear");
    }
    // The flag stays when https is found again.
    let (fetched, _) = walk(Class::Fleet, None, &["https://a.test/", "http://a.test/", "https://a.test/b"]).await;
    assert!(fetched.unwrap().downgraded);
}

#[tokio::test]
async fn a_loop_ends() {
    let (fetched, hops) = walk(Class::Fleet, None, &["https://a.test/", "https://b.test/", "https://a.test/"]).await;
    assert_eq!((fetched.unwrap_err(), hops.len()), (Error::TooManyRedirects, 11));
}
