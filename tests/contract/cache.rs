//! Promise: the second time costs nothing, and a confirmed copy costs no child.

use crate::support::{Origin, Reply, World, pdfs, world};
use serde_json::json;
use std::time::Duration;

#[tokio::test]
async fn a_view_of_a_fetched_document_costs_no_get_and_no_child() {
    let origin = Origin::start().await;
    let world = World::open(&origin);
    let target = origin.put("/t.pdf", Reply::pdf(pdfs::report(9)));
    let url = origin.put("/doi", Reply::redirect(&target));
    assert_eq!(world.get_url(&url).await.body["from_cache"], false);
    for body in [json!({ "url": url, "pages": "2-3" }), json!({ "url": target, "grep": "M7X" })] {
        let answer = world.fetch(body).await;
        assert_eq!((answer.status, &answer.body["from_cache"]), (200, &true.into()), "{}", answer.text);
    }
    assert_eq!((origin.hits("/doi"), origin.hits("/t.pdf")), (1, 1));
    assert!((world.extractions().await - 1.0).abs() < f64::EPSILON);
    assert!((world.metric("sift_pdf_cache_hits_total").await - 2.0).abs() < f64::EPSILON);
}

#[tokio::test]
async fn past_its_time_a_copy_is_confirmed_and_not_read_again() {
    let origin = Origin::start().await;
    let config = world::config(&[origin.address.port()], "[cache]\nttl.pdf = \"1s\"");
    let world = World::start(&config);
    let url = origin.put("/r.pdf", Reply::pdf(pdfs::report(3)).etag("\"v1\""));
    assert_eq!(world.get_url(&url).await.status, 200);
    tokio::time::sleep(Duration::from_millis(1_200)).await;
    let again = world.get_url(&url).await;
    assert_eq!((again.status, origin.hits("/r.pdf"), origin.confirmed()), (200, 2, 1), "{}", again.text);
    assert!(again.content().contains("M3X"));
    assert!((world.extractions().await - 1.0).abs() < f64::EPSILON);
    assert_eq!(world.get_url(&url).await.status, 200);
    assert_eq!(origin.hits("/r.pdf"), 2, "confirmed is fresh again");
}

#[tokio::test]
async fn a_copy_outlives_the_process_and_the_origin() {
    let origin = Origin::start().await;
    let config = world::config(&[origin.address.port()], "[cache]\nttl.pdf = \"1s\"");
    let world = World::start(&config);
    let url = origin.put("/r.pdf", Reply::pdf(pdfs::report(3)));
    assert_eq!(world.get_url(&url).await.status, 200);
    let world = World::start_in(world.stop(), &config);
    tokio::time::sleep(Duration::from_millis(1_200)).await;
    origin.put("/r.pdf", Reply::new("text/plain", "down").status(503));
    let stale = world.get_url(&url).await;
    assert_eq!((stale.status, &stale.body["stale"]), (200, &true.into()), "{}", stale.text);
    assert!(stale.body["note"].as_str().unwrap().contains("out of date"));
    assert!(stale.content().contains("M2X"));
}

#[tokio::test]
async fn no_store_is_honoured_for_pages() {
    let origin = Origin::start().await;
    let world = World::open(&origin);
    let page = "<article><p>A page that changes all the time, or so it says.</p></article>";
    let url = origin.put("/live", Reply::html(page).header("Cache-Control", "private, no-store"));
    for _ in 0..2 {
        assert_eq!(world.get_url(&url).await.status, 200);
    }
    assert_eq!(origin.hits("/live"), 2);
}
