//! Promise: a body over its kind's limit is refused, and its transfer stops at once.

use crate::support::{Origin, Reply, World};
use serde_json::json;

const PDF: usize = 100 << 20;
const OTHERS: usize = 5 << 20;

#[tokio::test]
async fn a_declared_length_over_the_limit_is_refused_before_the_body() {
    let origin = Origin::start().await;
    let world = World::open(&origin);
    for (path, media, start, limit, message) in [
        ("/big.pdf", "application/pdf", "%PDF-1.4\n", PDF, "too large (>100 MB)"),
        ("/big.html", "text/html", "<p>", OTHERS, "too large (>5 MB)"),
    ] {
        let mut body = vec![b' '; 64 << 10];
        body[..start.len()].copy_from_slice(start.as_bytes());
        let reply = Reply::new(media, body).times(2_000).declared(Some(limit as u64 + 1));
        let answer = world.get_url(&origin.put(path, reply)).await;
        assert_eq!((answer.status, answer.error().1), (413, message));
    }
    assert!(origin.sent() < 8 << 20, "{} bytes were sent", origin.sent());
}

#[tokio::test]
async fn an_undeclared_length_is_counted() {
    let origin = Origin::start().await;
    let world = World::open(&origin);
    let pdf = Reply::new("application/pdf", b"%PDF-1.4\n".repeat(1 << 20)).times(200).declared(None);
    let answer = world.get_url(&origin.put("/big.pdf", pdf)).await;
    assert_eq!((answer.status, answer.error().1), (413, "too large (>100 MB)"));
    assert!(origin.sent() < 130 << 20, "{} bytes were sent", origin.sent());
    let page = Reply::new("text/html", b"<p>word".repeat(10_000)).times(1_000).declared(None);
    let answer = world.get_url(&origin.put("/big.html", page)).await;
    assert_eq!((answer.status, answer.error().1), (413, "too large (>5 MB)"));
}

#[tokio::test]
async fn a_body_at_the_limit_is_read() {
    let origin = Origin::start().await;
    let world = World::open(&origin);
    for (length, status) in [(OTHERS - 1, 200), (OTHERS, 200), (OTHERS + 1, 413)] {
        for declared in [Some(length as u64), None] {
            let reply = Reply::new("text/plain", vec![b'a'; length]).declared(declared);
            let answer = world.get_url(&origin.put(&format!("/{length}-{}", declared.is_some()), reply)).await;
            assert_eq!(answer.status, status, "{length}, declared {declared:?}");
        }
    }
}

#[tokio::test]
async fn a_request_is_at_most_64_kib() {
    let origin = Origin::start().await;
    let world = World::open(&origin);
    let answer = world.fetch(json!({ "url": "x".repeat(64 << 10) })).await;
    assert_eq!((answer.status, answer.error().1), (413, "request too large"));
}
