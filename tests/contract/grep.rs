//! Promise: grep finds with page numbers, in linear time.

use crate::support::{Origin, Reply, World, pdfs};
use serde_json::json;
use std::time::Duration;
use tokio::time::Instant;

#[tokio::test]
async fn a_phrase_is_found_on_its_page() {
    let origin = Origin::start().await;
    let world = World::open(&origin);
    let url = origin.put("/r.pdf", Reply::pdf(pdfs::report(3)));
    let answer = world.fetch(json!({ "url": url, "grep": "marker m2x" })).await;
    assert!(answer.content().contains("p. 2: This is page 2 with its marker M2X."), "{}", answer.text);
    assert_eq!(answer.body["pdf"]["grep_hits"], 1);
    assert_eq!(answer.body["matches"][0]["page"], 2);
    let locator = answer.body["matches"][0]["locator"].as_str().unwrap();
    assert!(locator.starts_with("web/127.0.0.1:") && locator.contains("/r.pdf#"), "{locator}");
}

#[tokio::test]
async fn a_pattern_is_at_most_200_bytes() {
    let origin = Origin::start().await;
    let world = World::open(&origin);
    let url = origin.put("/a.txt", Reply::new("text/plain", "aaa"));
    for (length, status) in [(199, 200), (200, 200), (201, 400)] {
        let answer = world.fetch(json!({ "url": url, "grep": "a".repeat(length) })).await;
        assert_eq!(answer.status, status, "{length}: {}", answer.text);
    }
}

#[tokio::test]
async fn a_pattern_of_the_catastrophic_kind_is_linear() {
    let origin = Origin::start().await;
    let world = World::open(&origin);
    let url = origin.put("/a.txt", Reply::new("text/plain", vec![b'a'; 1 << 20]));
    assert_eq!(world.get_url(&url).await.status, 200);
    let began = Instant::now();
    let answer = world.fetch(json!({ "url": url, "grep": "(a+)+$" })).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
}
