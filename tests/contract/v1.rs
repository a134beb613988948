//! Promise: the answer of `/v1/fetch` has one shape for all kinds.

use crate::support::{Origin, Reply, World, pdfs};
use serde_json::{Value, json};

/// An answer without what differs from run to run.
fn settled(mut answer: Value, origin: &Origin) -> Value {
    answer["fetched_at"] = "TIME".into();
    let text = answer.to_string().replace(&origin.address.to_string(), "HOST");
    serde_json::from_str(&text).unwrap()
}

#[tokio::test]
async fn the_answer_for_a_pdf() {
    let origin = Origin::start().await;
    let world = World::open(&origin);
    let pdf = pdfs::Pdf::new().title("A Report").page(&["One."]).page(&["Two, with a word."]).bookmark("Two", 2);
    let url = origin.put("/r.pdf", Reply::pdf(pdf.bytes()));
    let answer = world.fetch(json!({ "url": url, "grep": "word", "links": true })).await;
    insta::assert_json_snapshot!(settled(answer.body, &origin));
}

#[tokio::test]
async fn the_answer_for_a_page() {
    let origin = Origin::start().await;
    let world = World::open(&origin);
    let page = "<html lang=\"en\"><head><title>A Page</title></head><body><article><h1>A Page</h1><p>Some words and \
                <a href=\"/x\">a link</a>.</p></article></body></html>";
    origin.put("/page", Reply::html(page));
    let url = origin.put("/short", Reply::redirect("/page"));
    let answer = world.fetch(json!({ "url": url, "links": true })).await;
    insta::assert_json_snapshot!(settled(answer.body, &origin));
}
