//! Promise: nobody reaches what is not public: not directly, not by a redirect, in no spelling.

use crate::support::{Dns, Origin, Reply, World, world};
use serde_json::json;

/// Ways to write 127.0.0.1 and its kin.
const SPELLINGS: [&str; 17] = [
    "127.0.0.1",
    "127.1",
    "2130706433",
    "0x7f.1",
    "0x7f000001",
    "0177.0.0.1",
    "127.0.0.1.",
    "127.0.0.2",
    "0",
    "0.0.0.0",
    "[::]",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "[::127.0.0.1]",
    "localhost",
    "localhost.",
    "a.localhost",
];

#[tokio::test]
async fn a_binary_with_its_default_configuration_reaches_nothing_here() {
    let private = Origin::start().await;
    let world = World::start("[server]\nlisten = \"127.0.0.1:0\"\n[admin]\nlisten = \"127.0.0.1:0\"\n");
    for host in SPELLINGS {
        for port in [private.address.port(), world.admin.port(), 80] {
            let answer = world.get_url(&format!("http://{host}:{port}/healthz")).await;
            assert_eq!((answer.status, answer.error().1), (403, "address not allowed"), "{host}:{port}");
        }
    }
    assert_eq!(private.accepted(), 0);
}

#[tokio::test]
async fn a_redirect_is_judged_like_a_first_address() {
    let (origin, private) = (Origin::start().await, Origin::start().await);
    let world = World::open(&origin);
    let port = private.address.port();
    let targets = SPELLINGS.iter().map(|host| format!("http://{host}:{port}/")).chain([
        "http://169.254.169.254/latest/meta-data/".to_owned(),
        "http://user:secret@127.0.0.1/".to_owned(),
        "http://10.0.0.1/".to_owned(),
        "http://metadata/".to_owned(),
        "http://printer.local/".to_owned(),
    ]);
    for (n, target) in targets.enumerate() {
        let answer = world.get_url(&origin.put(&format!("/{n}"), Reply::redirect(&target))).await;
        assert_eq!((answer.status, answer.error().1), (403, "address not allowed"), "{target}");
        assert!(!answer.text.contains(&port.to_string()), "the answer tells no address");
    }
    let file = world.get_url(&origin.put("/file", Reply::redirect("file:///etc/passwd"))).await;
    assert_eq!((file.status, file.error().1), (403, "url scheme not allowed"));
    assert_eq!(private.accepted(), 0);
}

/// The addresses that the guard refuses: the edges of every range, and those by which other guards were passed.
fn refused() -> impl Iterator<Item = &'static str> {
    let rows = include_str!("../testdata/guard/addresses.tsv").lines().filter(|line| !line.starts_with('#'));
    rows.filter_map(|row| row.split_once('\t'))
        .filter(|(_, verdict)| verdict.starts_with("refused"))
        .map(|(address, _)| address)
}

#[tokio::test]
async fn every_refused_address_is_refused_as_a_host_as_a_target_and_as_an_answer() {
    let (origin, private) = (Origin::start().await, Origin::start().await);
    let dns = Dns::start().await;
    // The ports are open, so that the address alone decides. So is the address that redirects: other tests refuse that one.
    let (port, open) = (private.address.port(), origin.address);
    let config = format!(
        "[server]\nlisten = \"127.0.0.1:0\"\n[admin]\nlisten = \"127.0.0.1:0\"\n[egress]\nallow_private = [\"127.0.0.1/32\"]\n\
         allow_ports = [{port}, {}]\n",
        open.port()
    );
    let world = dns.as_ref().map_or_else(|| World::start(&config), |dns| World::with_dns(dns, &config));
    let mut count = 0;
    let others = refused().filter(|address| !address.ends_with(":127.0.0.1") && *address != "127.0.0.1");
    for (n, address) in others.enumerate() {
        let host = if address.contains(':') { format!("[{address}]") } else { address.to_owned() };
        let target = format!("http://{host}:{port}/");
        let redirect = origin.put(&format!("/{n}"), Reply::redirect(&target));
        let mut asked = vec![target, redirect];
        if let Some(dns) = &dns {
            dns.put(&format!("n{n}.names.example"), &[address]);
            asked.push(format!("http://n{n}.names.example:{port}/"));
        }
        for url in asked {
            let answer = world.get_url(&url).await;
            assert_eq!((answer.status, answer.error().1), (403, "address not allowed"), "{address}: {url}");
        }
        count += 1;
    }
    assert!(count >= 80, "{count} addresses");
    assert_eq!(private.accepted(), 0);
}

#[tokio::test]
async fn what_a_page_refers_to_is_not_fetched_by_itself() {
    let (origin, private) = (Origin::start().await, Origin::start().await);
    let world = World::open(&origin);
    let port = private.address.port();
    let there = format!("http://127.0.0.1:{port}/x");
    let page = format!(
        "<meta http-equiv=refresh content='0;url={there}'><link rel=preload href={there}><link rel=canonical href={there}><link \
         rel=alternate type=application/rss+xml href={there}><base href={there}><p>Words.</p><img src={there}><iframe \
         src={there}></iframe>"
    );
    let reply = Reply::html(&page)
        .header("Refresh", &format!("0;url={there}"))
        .header("Link", &format!("<{there}>; rel=preload"))
        .header("Alt-Svc", &format!("h2=\"127.0.0.1:{port}\"; ma=60"))
        .header("Content-Location", &there);
    let url = origin.put("/page", reply);
    for _ in 0..2 {
        let answer = world.fetch(json!({ "url": url, "max_age": 0 })).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
    }
    assert_eq!((origin.hits("/page"), private.accepted()), (2, 0));
}

#[tokio::test]
async fn a_name_is_judged_by_every_address_it_has() {
    let Some(dns) = Dns::start().await else { return };
    let private = Origin::start().await;
    let port = private.address.port();
    // The port is open, so that the address alone decides.
    let config = format!(
        "[server]\nlisten = \"127.0.0.1:0\"\n[admin]\nlisten = \"127.0.0.1:0\"\n[egress]\nallow_ports = [{port}]\n"
    );
    let world = World::with_dns(&dns, &config);
    let answers: [&[&str]; 14] = [
        &["127.0.0.1"],
        &["127.0.0.2"],
        &["0.0.0.0"],
        &["::"],
        &["::1"],
        &["::ffff:127.0.0.1"],
        &["::127.0.0.1"],
        &["64:ff9b::7f00:1"],
        &["2002:7f00:1::"],
        &["169.254.169.254"],
        &["10.0.0.1", "10.0.0.2"],
        &["fd00:ec2::254"],
        &["93.184.216.34", "127.0.0.1"],
        &["127.0.0.1", "2606:2800:220:1::1"],
    ];
    for (n, addresses) in answers.iter().enumerate() {
        let name = format!("n{n}.names.example");
        dns.put(&name, addresses);
        let answer = world.get_url(&format!("http://{name}:{port}/")).await;
        assert_eq!((answer.status, answer.error().1), (403, "address not allowed"), "{addresses:?}");
    }
    let nobody = world.get_url(&format!("http://nobody.names.example:{port}/")).await;
    assert_eq!((nobody.status, nobody.error().1), (502, "could not resolve host"));
    assert_eq!(private.accepted(), 0);
    drop(world);
    // The same names reach what the operator opens, or this test proves nothing.
    private.put("/", Reply::html("<article><p>Some words behind a name.</p></article>"));
    let world = World::with_dns(&dns, &world::config(&[port], ""));
    assert_eq!(world.fetch(json!({ "url": format!("http://n0.names.example:{port}/") })).await.status, 200);
    assert_eq!(private.accepted(), 1);
}
