//! Promise: Firecrawl's clients work unchanged.

use crate::support::{Origin, Reply, World, pdfs};
use serde_json::json;

#[tokio::test]
async fn a_scrape_of_a_pdf_has_its_text_and_its_pages() {
    let origin = Origin::start().await;
    let world = World::open(&origin);
    let url = origin.put("/r.pdf", Reply::pdf(pdfs::report(3)));
    let short = json!({ "url": url, "formats": ["markdown"] });
    // What the Python client of the agents really sends.
    let full = json!({
        "url": url, "onlyMainContent": true, "waitFor": 3000, "skipTlsVerification": true, "removeBase64Images": true,
        "fastMode": false, "blockAds": true, "storeInCache": true, "maxAge": 14_400_000, "formats": ["markdown"],
        "mobile": false, "origin": "python-sdk@4.17.0",
    });
    for body in [short, full] {
        let answer = world.post("/v2/scrape", "", body).await;
        assert_eq!((answer.status, &answer.body["success"]), (200, &true.into()), "{}", answer.text);
        let data = &answer.body["data"];
        let markdown = data["markdown"].as_str().unwrap();
        assert!(markdown.contains("--- page 2 ---") && markdown.contains("M3X"));
        assert_eq!(data["metadata"]["numPages"], 3);
        assert_eq!(data["metadata"]["title"], "A Report");
    }
    assert_eq!(origin.hits("/r.pdf"), 1, "both surfaces share one cache");
}

#[tokio::test]
async fn a_scrape_that_fails_says_why_in_the_clients_shape() {
    let origin = Origin::start().await;
    let world = World::open(&origin);
    let url = origin.put("/scan.pdf", Reply::pdf(pdfs::scan()));
    let answer = world.post("/v2/scrape", "", json!({ "url": url })).await;
    assert_eq!((&answer.body["success"], &answer.body["code"]), (&false.into(), &"SCRAPE_PDF_OCR_REQUIRED".into()));
    let unknown = world.post("/v2/scrape", "", json!({ "url": url, "bogusKey": 1 })).await;
    assert_eq!((unknown.status, &unknown.body["code"]), (400, &"BAD_REQUEST".into()));
}
