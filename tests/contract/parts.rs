//! Promise: a long page of the web has parts as a PDF has pages: a map, ranges, grep and offsets work on them.

use crate::support::{Origin, Reply, World};
use serde_json::json;

/// A manual of 60 chapters, each with a word of its own.
fn manual() -> String {
    let prose = "The chapter tells, in long and plain sentences with commas, what a reader does first and what comes after that. ";
    let chapters: String = (1..=60)
        .map(|n| format!("<h2>Chapter {n}</h2><p>{prose}{prose}Marker M{n}X. {}</p>", prose.repeat(8)))
        .collect();
    format!("<title>The Manual</title><nav><a href=/>NAVLINK</a></nav><main><h1>The Manual</h1>{chapters}</main>")
}

#[tokio::test]
async fn a_long_page_comes_as_a_map_of_its_headings() {
    let origin = Origin::start().await;
    let world = World::open(&origin);
    let url = origin.put("/manual", Reply::html(&manual()));
    let answer = world.get_url(&url).await;
    let content = answer.content();
    assert!(content.chars().count() <= 40_000);
    assert!(content.starts_with("# The Manual\n\n"), "{}", &content[..200]);
    assert!(content.contains("Chapter 1 (") && content.contains("Chapter 60 ("), "{content}");
    assert!(!content.contains("NAVLINK"));
}

#[tokio::test]
async fn ranges_grep_and_offsets_work_on_parts() {
    let origin = Origin::start().await;
    let world = World::open(&origin);
    let url = origin.put("/manual", Reply::html(&manual()));
    let hit = world.fetch(json!({ "url": url, "grep": "M31X" })).await;
    let part = hit.body["matches"][0]["page"].as_u64().expect("a part");
    assert!((2..60).contains(&part), "{}", hit.text);
    let range = world.fetch(json!({ "url": url, "pages": part.to_string() })).await;
    assert!(range.content().contains("M31X") && !range.content().contains("M1X"), "{}", range.text);
    let whole = range.content();
    let rest = world.fetch(json!({ "url": url, "pages": part.to_string(), "offset": 1_000 })).await;
    let tail = rest.content().lines().last().expect("a line").to_owned();
    assert!(rest.content().len() < whole.len() && whole.contains(&tail), "{}", rest.text);
    let from = world.fetch(json!({ "url": url, "offset": 20_000 })).await;
    assert!(from.status == 200 && !from.content().contains("M1X"), "{}", from.text);
}
