//! Promise: a search names the pages that answer, with their sections, for documents of every kind.

use crate::support::{Origin, Reply, World, pdfs};
use serde_json::json;

#[tokio::test]
async fn a_search_finds_the_page_of_a_pdf() {
    let origin = Origin::start().await;
    let world = World::open(&origin);
    let url = origin.put("/r.pdf", Reply::pdf(pdfs::report(5)));
    let answer = world.fetch(json!({ "url": url, "search": "marker M3X", "top_k": 2 })).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    let hit = &answer.body["matches"][0];
    assert_eq!((&hit["page"], &hit["low_confidence"]), (&json!(3), &json!(false)), "{}", answer.text);
    assert!(hit["locator"].as_str().unwrap().starts_with("web/127.0.0.1:"), "{hit}");
    assert!(answer.content().contains("\n\npage 3"), "{}", answer.content());
    assert!(answer.body["matches"].as_array().unwrap().len() <= 2);
}

#[tokio::test]
async fn a_paraphrase_finds_the_part_of_a_page() {
    let origin = Origin::start().await;
    let world = World::open(&origin);
    let filler = "The orchestra plays on Sundays, and the hall is full of people who like music. ".repeat(30);
    let page = format!(
        "<title>Manual</title><main><h1>Manual</h1><h2>Music</h2><p>{filler}</p><h2>Storage</h2><p>To remove a document from the \
         disk, drop it into the bin and empty that.</p><p>{filler}</p></main>"
    );
    let url = origin.put("/manual", Reply::html(&page));
    let answer = world.fetch(json!({ "url": url, "search": "How do I delete a file?" })).await;
    assert!(answer.content().contains("drop it into the bin"), "{}", answer.text);
    assert!(answer.body["matches"][0]["section"].as_array().unwrap().contains(&json!("Storage")), "{}", answer.text);
}

#[tokio::test]
async fn a_search_that_makes_no_sense_says_why() {
    let origin = Origin::start().await;
    let world = World::open(&origin);
    let url = origin.put("/a.txt", Reply::new("text/plain", "words"));
    for body in [
        json!({ "url": url, "search": "  " }),
        json!({ "url": url, "search": "..." }),
        json!({ "url": url, "top_k": 3 }),
        json!({ "url": url, "search": "x", "top_k": 0 }),
        json!({ "url": url, "search": "x", "top_k": 101 }),
        json!({ "url": url, "search": "x", "grep": "x" }),
        json!({ "url": url, "search": "x".repeat(1_001) }),
    ] {
        let answer = world.fetch(body.clone()).await;
        assert_eq!((answer.status, answer.error().1), (400, "invalid search"), "{body}: {}", answer.text);
    }
    for (query, most) in [("x".repeat(1_000), 1), ("words".to_owned(), 100)] {
        let answer = world.fetch(json!({ "url": url, "search": query, "top_k": most })).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
    }
}

#[tokio::test]
async fn a_question_is_answered_with_passages_that_stand_in_the_document() {
    let origin = Origin::start().await;
    let world = World::open(&origin);
    let pdf = pdfs::Pdf::new()
        .title("Manual")
        .page(&["The orchestra plays on Sundays."])
        .page(&["To remove a document from the disk, drop it into the bin."])
        .page(&["Painting a house takes two coats."]);
    let url = origin.put("/m.pdf", Reply::pdf(pdf.bytes()));
    let answer = world.fetch(json!({ "url": url, "question": "How do I delete a file?" })).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    let digest = &answer.body["digest"];
    assert_eq!((&digest["engine"], &digest["unverified"]), (&json!("extractive"), &json!([])));
    assert!(
        answer.content().starts_with("> To remove a document from the disk, drop it into the bin.\n> (p. 2)"),
        "{}",
        answer.text
    );
    let first = &digest["citations"][0];
    assert_eq!(
        (&first["page"], &first["quote"]),
        (&json!(2), &json!("To remove a document from the disk, drop it into the bin."))
    );
    // The locator names the lines that the quote stands on.
    let page = world.fetch(json!({ "url": url, "pages": "2" })).await;
    assert!(page.content().contains(first["quote"].as_str().unwrap()));
    for body in [
        json!({ "url": url, "mode": "digest" }),
        json!({ "url": url, "question": "why?", "mode": "raw" }),
        json!({ "url": url, "question": "why?", "pages": "1" }),
        json!({ "url": url, "question": "x".repeat(1_001) }),
    ] {
        let answer = world.fetch(body.clone()).await;
        assert_eq!((answer.status, answer.error().1), (400, "invalid question"), "{body}: {}", answer.text);
    }
}
