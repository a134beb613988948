//! Promise: what a restricted caller reads leaves no trace outside its own partition.

use crate::support::{Origin, Reply, World, pdfs, world};
use serde_json::json;

const RESTRICTED: &str =
    "[egress.restricted]\nallow_private = [\"127.0.0.1/32\"]\nallow_ports = [PORT]\n[telemetry]\nlevel = \"trace\"";

async fn private_world(origin: &Origin) -> World {
    let extra = RESTRICTED.replace("PORT", &origin.address.port().to_string());
    let callers = world::callers();
    World::start(&world::config(&[origin.address.port()], &format!("{extra}\n{callers}")))
}

#[tokio::test]
async fn logs_and_metrics_hold_nothing_of_it() {
    let origin = Origin::start().await;
    let world = private_world(&origin).await;
    let page = "<html><head><title>CANARYTITLE</title></head><body><article><p>CANARYTEXT is a word on this page, and \
                there are some others, too.</p></article></body></html>";
    let page = origin.put("/CANARYPATH?q=CANARYQUERY", Reply::html(page));
    let pdf = origin.put("/CANARYFILE.pdf", Reply::pdf(pdfs::report(2)));
    origin.put("/CANARYHOP", Reply::redirect(&page));
    for body in [
        json!({ "url": page }),
        json!({ "url": page, "grep": "CANARYGREP" }),
        json!({ "url": page, "question": "CANARYQUESTION?" }),
        json!({ "url": page, "CANARYFIELD": 1 }),
        json!({ "url": pdf, "pages": "2" }),
        json!({ "url": pdf, "pages": "CANARYPAGES" }),
        json!({ "url": origin.url("/CANARYHOP") }),
        json!({ "url": origin.url("/CANARYMISSING") }),
        json!({ "url": "http://CANARYHOST.invalid/" }),
        json!({ "url": "http://10.0.0.1/CANARYREFUSED" }),
    ] {
        world.fetch_as("restricted", body).await;
    }
    let metrics = world.admin("/metrics").await;
    for seen in [world.log(), metrics] {
        let leak = seen.lines().find(|line| line.to_ascii_uppercase().contains("CANARY"));
        assert_eq!(leak, None);
        assert!(!seen.contains("M1X"), "text of a page");
        assert!(!seen.contains(&format!("\"{}\"", origin.address.ip())), "the host");
    }
    // The same as a fleet caller, or this test proves nothing.
    world.fetch_as("fleet-1", json!({ "url": page })).await;
    assert!(world.log().contains(&origin.address.ip().to_string()), "the probe sees");
}

#[tokio::test]
async fn its_pages_are_invisible_to_the_fleet() {
    let origin = Origin::start().await;
    let world = private_world(&origin).await;
    let url = origin.put("/r.pdf", Reply::pdf(pdfs::report(2)));
    for (caller, cached, hits) in [
        ("restricted", false, 1),
        ("restricted", true, 1),
        ("fleet-1", false, 2),
        ("fleet-2", true, 2),
        ("restricted", true, 2),
    ] {
        let answer = world.fetch_as(caller, json!({ "url": url })).await;
        assert_eq!((&answer.body["from_cache"], origin.hits("/r.pdf")), (&cached.into(), hits), "{caller}");
    }
}

#[tokio::test]
async fn strangers_are_asked_for_a_token() {
    let origin = Origin::start().await;
    let world = private_world(&origin).await;
    for caller in ["", "nobody"] {
        let answer = world.fetch_as(caller, json!({ "url": origin.url("/") })).await;
        assert_eq!((answer.status, answer.error().1), (401, "missing or unknown token"));
    }
    assert_eq!(origin.accepted(), 0);
}
