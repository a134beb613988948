//! Promise: an answer is never longer than asked, never cut silently, and pages are the pages.

use crate::support::{Origin, Reply, World, pdfs};
use serde_json::json;

#[tokio::test]
async fn a_short_pdf_comes_whole_with_markers() {
    let origin = Origin::start().await;
    let world = World::open(&origin);
    let answer = world.get_url(&origin.put("/r.pdf", Reply::pdf(pdfs::report(3)))).await;
    let content = answer.content();
    let at: Vec<_> = (1..=3).map(|n| content.find(&format!("--- page {n} ---")).expect("a marker")).collect();
    assert!(at[0] == 0 && at.is_sorted());
    assert!((1..=3).all(|n| content.contains(&format!("M{n}X"))));
    assert_eq!(answer.body["pdf"]["pages"], 3);
    assert_eq!(answer.body["pdf"]["map"], false);
    assert_eq!(answer.body["title"], "A Report");
}

#[tokio::test]
async fn a_long_pdf_comes_as_a_map_within_the_cap() {
    let origin = Origin::start().await;
    let world = World::open(&origin);
    let url = origin.put("/t.pdf", Reply::pdf(pdfs::thesis(120)));
    let answer = world.get_url(&url).await;
    assert_eq!(answer.body["pdf"]["map"], true);
    let content = answer.content();
    assert!(content.chars().count() <= 40_000);
    assert!(content.starts_with("# A Thesis\n\n120 pages · ~"), "{}", &content[..200]);
    assert!(content.contains("\n- Chapter 3 (p. 21)\n"));
    assert!(content.contains("ask for pages=\"a-b\" or grep=\"pattern\""));
    let small = world.fetch(json!({ "url": url, "max_chars": 1000 })).await;
    assert!(small.content().chars().count() <= 1_000);
}

#[tokio::test]
async fn a_range_is_exactly_its_pages_and_a_bad_one_is_an_error() {
    let origin = Origin::start().await;
    let world = World::open(&origin);
    let url = origin.put("/r.pdf", Reply::pdf(pdfs::report(5)));
    let answer = world.fetch(json!({ "url": url, "pages": "2-3" })).await;
    assert_eq!(answer.body["pdf"]["returned"], json!([2, 3]));
    let shown: Vec<_> = (1..=5).filter(|n| answer.content().contains(&format!("M{n}X"))).collect();
    assert_eq!(shown, [2, 3]);
    for pages in ["0-1", "5-4", "999", "99999999999999999999"] {
        let answer = world.fetch(json!({ "url": url, "pages": pages })).await;
        assert_eq!((answer.status, answer.error().1), (400, "pages out of range (1-5)"), "{pages}");
    }
    let answer = world.fetch(json!({ "url": url, "pages": "two" })).await;
    assert_eq!((answer.status, answer.error().1), (400, "invalid pages"));
}
