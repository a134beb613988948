//! Promise: what can't be read is said in one sentence, with the next thing to try, and never as a 500.

use crate::support::{Origin, Reply, World, pdfs};
use serde_json::json;

/// Made of three lines of our own, encrypted with the user password `open sesame` (AES-256).
const ENCRYPTED: &[u8] = include_bytes!("../testdata/pdf/user-password-aes256.pdf");

#[tokio::test]
async fn a_scan_hints_at_ocr_and_an_encrypted_file_at_the_password() {
    let origin = Origin::start().await;
    let world = World::open(&origin);
    let scan = world.get_url(&origin.put("/scan.pdf", Reply::pdf(pdfs::scan()))).await;
    assert_eq!(scan.error(), (422, "no text layer (scanned PDF?)", "ocr"));
    let url = origin.put("/locked.pdf", Reply::pdf(ENCRYPTED.to_vec()));
    assert_eq!(world.get_url(&url).await.error(), (422, "encrypted", "pdf_password"));
    let wrong = world.fetch(json!({ "url": url, "pdf_password": "open barley" })).await;
    assert_eq!(wrong.error(), (422, "encrypted", "pdf_password"));
    let right = world.fetch(json!({ "url": url, "pdf_password": "open sesame" })).await;
    assert!(right.content().contains("Forty thieves"), "{}", right.text);
    assert!(!world.log().contains("sesame"));
}

#[tokio::test]
async fn a_cut_off_file_gives_what_it_holds_or_is_unreadable() {
    let origin = Origin::start().await;
    let world = World::open(&origin);
    let whole = pdfs::report(3);
    for percent in [5, 20, 40, 60, 80, 95, 99] {
        let cut = whole[..whole.len() * percent / 100].to_vec();
        let answer = world.get_url(&origin.put(&format!("/cut-{percent}.pdf"), Reply::pdf(cut))).await;
        match answer.status {
            200 => assert!(answer.content().contains("M1X"), "{percent}: {}", answer.text),
            422 => assert!(
                ["unreadable PDF", "no text layer (scanned PDF?)"].contains(&answer.error().1),
                "{percent}: {}",
                answer.text
            ),
            other => panic!("{percent}: {other}: {}", answer.text),
        }
    }
}

#[tokio::test]
async fn a_verdict_is_remembered_like_a_document() {
    let origin = Origin::start().await;
    let world = World::open(&origin);
    let url = origin.put("/scan.pdf", Reply::pdf(pdfs::scan()));
    for _ in 0..2 {
        assert_eq!(world.get_url(&url).await.status, 422);
    }
    assert_eq!(origin.hits("/scan.pdf"), 1);
    assert_eq!(world.fetch(json!({ "url": url, "max_age": 0 })).await.status, 422);
    assert_eq!(origin.hits("/scan.pdf"), 2, "max_age 0 asks again");
}

#[tokio::test]
async fn a_bad_request_is_told_what_is_wrong_with_it() {
    let origin = Origin::start().await;
    let world = World::open(&origin);
    let url = origin.put("/missing", Reply::new("text/html", "<p>gone</p>").status(404));
    let cases = [
        (json!({ "url": url, "page": "2" }), (400, "unknown field \"page\"", "did you mean \"pages\"?")),
        (json!({ "url": "not an address" }), (400, "invalid url", "give an absolute http or https address")),
        (json!({ "url": "ftp://example.com/" }), (403, "url scheme not allowed", "only http and https")),
        (json!({ "url": url, "question": "" }), (400, "invalid question", "give a question")),
        (json!({ "url": url }), (502, "upstream answered 404", "check the address")),
    ];
    for (body, expected) in cases {
        let answer = world.fetch(body).await;
        assert_eq!(answer.error(), expected, "{}", answer.text);
        assert!(!answer.body["request_id"].as_str().unwrap().is_empty());
    }
    assert_eq!(world.get_url(&url).await.body["upstream_status"], 404);
}
