//! Promise: nobody reaches what is not public: not directly, not by a redirect, in no spelling.

use crate::support::{Origin, Reply, World, world};

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
async fn the_default_refuses_every_spelling_of_loopback() {
    let private = Origin::start().await;
    // Another port of loopback is allowed, so that redirects have somewhere to start.
    let open = Origin::start().await;
    let world = World::start(&world::config(&[], "")).await;
    let ports = [private.address.port(), 80, 443];
    for host in SPELLINGS {
        for port in ports {
            let answer = world.get_url(&format!("http://{host}:{port}/")).await;
            let allowed = host == "127.0.0.1" && port == 80 || host == "127.0.0.1" && port == 443;
            if !allowed && port == private.address.port() {
                assert_eq!((answer.status, answer.error().1), (403, "address not allowed"), "{host}:{port}");
            }
        }
    }
    assert_eq!((private.accepted(), open.accepted()), (0, 0));
}

#[tokio::test]
async fn a_binary_with_its_default_configuration_reaches_nothing_here() {
    let private = Origin::start().await;
    let world = World::start("[server]\nlisten = \"127.0.0.1:0\"\n[admin]\nlisten = \"127.0.0.1:0\"\n").await;
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
    let world = World::open(&origin).await;
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
