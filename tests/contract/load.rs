//! Promise: many callers at once cost one site one request, and leave nothing behind.

use crate::support::{Origin, Reply, World, world};
use std::{sync::Arc, time::Duration};
use tokio::{io::AsyncWriteExt, net::TcpStream, task::JoinSet, time::Instant};

/// Room for everybody, so that nobody is shed.
const ROOM: &str = "[server]\nlisten = \"127.0.0.1:0\"\nmax_requests = 2000\nmax_connections = 2000\n[admin]\nlisten = \"127.0.0.1:0\"\n";

#[tokio::test]
async fn a_stampede_of_a_thousand_asks_the_site_once() {
    let origin = Origin::start().await;
    let world = Arc::new(World::start(&format!(
        "{ROOM}[egress]\nallow_private = [\"127.0.0.1/32\"]\nallow_ports = [{}]\n",
        origin.address.port()
    )));
    let url = origin.put("/slow", Reply::html("<p>Some words.</p>").delay(Duration::from_millis(500)));
    let mut callers = JoinSet::new();
    for _ in 0..1_000 {
        let (world, url) = (world.clone(), url.clone());
        callers.spawn(async move { world.get_url(&url).await.status });
    }
    let statuses = callers.join_all().await;
    assert!(statuses.iter().all(|status| *status == 200), "{:?}", statuses.iter().find(|status| **status != 200));
    assert_eq!(origin.hits("/slow"), 1);
}

#[tokio::test]
async fn health_is_answered_while_others_hold_connections_open() {
    let origin = Origin::start().await;
    let world = World::open(&origin);
    let before = world.descriptors();
    let mut slow = Vec::new();
    for n in 0..200 {
        let mut stream = TcpStream::connect(world.address).await.unwrap();
        // Half of them say nothing, half begin a head.
        if n % 2 == 0 {
            stream.write_all(b"POST /v1/fetch HTTP/1.1\r\nHost: x\r\n").await.unwrap();
        }
        slow.push(stream);
    }
    for _ in 0..10 {
        let began = Instant::now();
        assert!(world.admin("/healthz").await.contains("ok"));
        assert!(began.elapsed() < Duration::from_millis(500), "{:?}", began.elapsed());
    }
    let url = origin.put("/page", Reply::html("<p>Some words.</p>"));
    assert_eq!(world.get_url(&url).await.status, 200);
    drop(slow);
    let deadline = Instant::now() + Duration::from_secs(10);
    while world.descriptors() > before.map(|count| count + 20) && Instant::now() < deadline {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(world.descriptors() <= before.map(|count| count + 20), "{before:?} then {:?}", world.descriptors());
}

#[tokio::test]
async fn what_sites_say_makes_no_new_series_of_metrics() {
    let origin = Origin::start().await;
    let world = World::start(&world::config(&[origin.address.port()], ""));
    let ask = async |n: u16| {
        let media = format!("text/x-kind-{n}");
        let reply = Reply::new(&media, format!("words {n}")).status(200 + n % 400).header("Server", &media);
        world.get_url(&origin.put(&format!("/{n}?q={n}"), reply)).await;
    };
    for n in 0..200 {
        ask(n).await;
    }
    let series = async || world.admin("/metrics").await.lines().filter(|line| !line.starts_with('#')).count();
    let before = series().await;
    for n in 200..400 {
        ask(n).await;
    }
    assert!(series().await <= before + 4, "{before} then {}", series().await);
}
