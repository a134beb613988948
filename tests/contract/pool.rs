//! Promise: PDFs share two slots and four places fairly, and equal requests share one job.

use crate::support::{Origin, Reply, World, pdfs, world};
use futures::future::join_all;
use serde_json::json;
use std::time::Duration;

async fn busy_world(origin: &Origin, pdf: &str) -> World {
    let callers = world::callers();
    let config = world::config(&[origin.address.port()], &format!("[pdf]\n{pdf}\n{callers}"));
    World::start(&config)
}

#[tokio::test]
async fn the_seventh_caller_is_told_to_come_back() {
    let origin = Origin::start().await;
    let world = busy_world(&origin, "deadline = \"4s\"").await;
    for n in 1..=7 {
        origin.put(&format!("/{n}.pdf"), Reply::pdf(pdfs::slow(n)));
    }
    let first_six = join_all((1..=6).map(|n| {
        let (world, url) = (&world, origin.url(&format!("/{n}.pdf")));
        async move { world.fetch_as(&format!("fleet-{n}"), json!({ "url": url })).await.status }
    }));
    let seventh = async {
        tokio::time::sleep(Duration::from_secs(2)).await;
        let answer = world.fetch_as("fleet-7", json!({ "url": origin.url("/7.pdf") })).await;
        assert_eq!((answer.status, answer.error().1), (503, "pdf workers busy"), "{}", answer.text);
        assert_eq!(answer.retry_after.as_deref(), Some("10"));
        // A page is no PDF: it takes no place.
        let page = origin.put("/page", Reply::html("<article><p>Some words on a page.</p></article>"));
        assert_eq!(world.fetch_as("fleet-8", json!({ "url": page })).await.status, 200);
    };
    let (six, ()) = tokio::join!(first_six, seventh);
    assert_eq!(six, [422; 6]);
    assert!(world.childless(Duration::from_secs(1)).await);
    assert!(world.metric("sift_pool_places_in_use").await.abs() < f64::EPSILON);
}

#[tokio::test]
async fn who_waits_too_long_for_a_slot_is_told_so() {
    let origin = Origin::start().await;
    let world = busy_world(&origin, "slots = 1\npatience = \"1s\"\ndeadline = \"4s\"").await;
    let urls: Vec<_> = (1..=2).map(|n| origin.put(&format!("/{n}.pdf"), Reply::pdf(pdfs::slow(n)))).collect();
    let first = world.fetch_as("fleet-1", json!({ "url": urls[0] }));
    let second = async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        world.fetch_as("fleet-2", json!({ "url": urls[1] })).await
    };
    let (first, second) = tokio::join!(first, second);
    assert_eq!(first.status, 422);
    assert_eq!((second.status, second.error().1), (503, "pdf workers busy"));
}

#[tokio::test]
async fn equal_requests_share_one_get_and_one_child() {
    let origin = Origin::start().await;
    let world = busy_world(&origin, "").await;
    let url = origin.put("/r.pdf", Reply::pdf(pdfs::report(3)).delay(Duration::from_millis(300)));
    origin.put("/short", Reply::redirect(&url));
    origin.put("/shorter", Reply::redirect(&url));
    let asks = [
        ("fleet-1", url.clone()),
        ("fleet-1", url.clone()),
        ("fleet-2", url.clone()),
        ("fleet-3", origin.url("/short")),
        ("fleet-4", origin.url("/shorter")),
    ];
    let answers = join_all(asks.iter().map(|(caller, url)| world.fetch_as(caller, json!({ "url": url })))).await;
    assert!(answers.iter().all(|answer| answer.status == 200), "{answers:?}");
    assert_eq!(origin.hits("/r.pdf"), 1);
    assert!((world.extractions().await - 1.0).abs() < f64::EPSILON);
    assert_eq!(answers[3].body["final_url"], url.as_str());
}

#[tokio::test]
async fn a_second_pdf_of_one_caller_is_refused_while_the_first_runs() {
    let origin = Origin::start().await;
    let world = busy_world(&origin, "deadline = \"3s\"").await;
    let slow = origin.put("/slow.pdf", Reply::pdf(pdfs::slow(1)));
    let other = origin.put("/other.pdf", Reply::pdf(pdfs::report(1)));
    let first = world.fetch_as("fleet-1", json!({ "url": slow }));
    let second = async {
        tokio::time::sleep(Duration::from_secs(1)).await;
        let refused = world.fetch_as("fleet-1", json!({ "url": other })).await;
        assert_eq!((refused.status, refused.error().1), (429, "busy: one pdf at a time"), "{}", refused.text);
        assert_eq!(refused.retry_after.as_deref(), Some("5"));
        assert_eq!(world.fetch_as("fleet-2", json!({ "url": other })).await.status, 200);
        // What is in the cache takes no turn.
        assert_eq!(world.fetch_as("fleet-1", json!({ "url": other })).await.status, 200);
    };
    tokio::join!(first, second);
}
