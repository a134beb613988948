//! Promise: the metrics are the ones that dashboards are built on.

use crate::support::{Origin, Reply, World, pdfs};

#[tokio::test]
async fn the_names_of_the_metrics() {
    let origin = Origin::start().await;
    let world = World::open(&origin);
    let url = origin.put("/r.pdf", Reply::pdf(pdfs::report(2)));
    for _ in 0..2 {
        assert_eq!(world.get_url(&url).await.status, 200);
    }
    world.get_url("http://10.0.0.1/").await;
    let page = world.admin("/metrics").await;
    let names: Vec<_> = page.lines().filter_map(|line| line.strip_prefix("# TYPE ")).collect();
    insta::assert_snapshot!(names.join("\n"));
    for line in [
        "sift_pdf_extract_total{outcome=\"ok\"} 1",
        "sift_pdf_pages_total 2",
        "sift_pdf_cache_hits_total 1",
        "sift_fetch_total{kind=\"pdf\",origin=\"network\",outcome=\"ok\"} 1",
        "sift_fetch_total{kind=\"pdf\",origin=\"hot\",outcome=\"ok\"} 1",
        "sift_guard_refused_total{reason=\"address\"} 1",
    ] {
        assert!(page.lines().any(|found| found == line), "lacks {line}:\n{page}");
    }
}

#[tokio::test]
async fn health_and_readiness_are_apart_from_the_service() {
    let origin = Origin::start().await;
    let world = World::open(&origin);
    assert_eq!(world.admin("/healthz").await, "{\"status\":\"ok\"}");
    assert_eq!(world.admin("/readyz").await, "{\"status\":\"ready\"}");
    let answer = world.fetch(serde_json::json!({ "url": format!("http://{}/healthz", world.admin) })).await;
    assert_eq!(answer.status, 403, "its own pages are no public address");
}
