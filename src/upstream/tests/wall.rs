//! What is not public is not connected to.

use super::*;
use sift_layers::{Caller, Found, Hop, Key, Terms, Variant, clock::Timestamp, guard};
use tower::Layer;

#[tokio::test]
async fn an_opened_origin_is_fetched_by_its_address_and_by_name() {
    let origin = Origin::answering(OK).await;
    let literal = Subject::literal(origin.opened());
    assert_eq!(literal.read(Class::Fleet, &origin.url("127.0.0.1")).await, Ok((200, b"hello".to_vec())));
    assert_eq!(literal.read(Class::Fleet, &origin.url("[::ffff:127.0.0.1]")).await, Ok((200, b"hello".to_vec())));
    let named = Subject::named(origin.opened(), &["127.0.0.1"]);
    assert_eq!(named.read(Class::Fleet, &origin.url("origin.test")).await, Ok((200, b"hello".to_vec())));
    let (named_by, host) =
        (origin.requests.lock()[2].to_ascii_lowercase(), format!("host: origin.test:{}\r\n", origin.port));
    assert!(named_by.contains(&host), "{named_by}");
    assert_eq!(literal.refused("address") + named.refused("address"), 0);
}

#[tokio::test]
async fn without_the_setting_no_spelling_connects() {
    let origin = Origin::answering(OK).await;
    for egress in
        [origin.port_only(), Egress { allow_private: vec!["127.0.0.2/32".parse().unwrap()], ..origin.port_only() }]
    {
        let subject = Subject::literal(egress);
        for host in ["127.0.0.1", "127.1", "2130706433", "0x7f.1", "0", "[::]", "[::ffff:127.0.0.1]", "[::ffff:0:0]"] {
            let refused = subject.get(Class::Fleet, &origin.url(host)).await;
            assert_eq!(refused.unwrap_err(), Error::Refused(Refusal::Address), "{host}");
        }
        assert_eq!(subject.refused("address"), 8);
    }
    let closed = Subject::literal(Egress { allow_ports: vec![], ..origin.opened() });
    let refused = closed.get(Class::Fleet, &origin.url("127.0.0.1")).await;
    assert_eq!(refused.unwrap_err(), Error::Refused(Refusal::Port));
    assert_eq!(origin.connections(), 0);
}

#[tokio::test]
async fn what_is_open_to_one_class_is_closed_to_the_other() {
    let origin = Origin::answering(OK).await;
    let lookup: Lookup = Arc::new(|_| Ok(vec!["127.0.0.1".parse().unwrap()]));
    let subject = Subject::new(origin.opened(), origin.port_only(), &lookup);
    for host in ["127.0.0.1", "origin.test"] {
        let refused = subject.get(Class::Restricted, &origin.url(host)).await;
        assert_eq!(refused.unwrap_err(), Error::Refused(Refusal::Address), "{host}");
        assert_eq!(origin.connections(), 0);
    }
    assert!(subject.get(Class::Fleet, &origin.url("origin.test")).await.is_ok());
}

#[tokio::test]
async fn behind_the_guard_a_refused_hop_never_gets_here() {
    let origin = Origin::answering(OK).await;
    let Subject { upstream, metrics } = Subject::named(origin.port_only(), &["127.0.0.1"]);
    let policy = Arc::new(Policy::new(origin.port_only(), Egress::default()));
    let asked = Arc::new(AtomicUsize::new(0));
    let count = asked.clone();
    let below = service_fn(move |hop: Hop| {
        count.fetch_add(1, SeqCst);
        let request = Request { class: hop.key.class(), url: hop.key.url().clone(), headers: HeaderMap::new() };
        let answer = upstream.clone().oneshot(request);
        async move { answer.await.and(Err::<Found, _>(Error::Internal)) }
    });
    let guarded = guard::address(policy, metrics.clone()).layer(below);
    for (host, asked_before) in [("127.0.0.1", 0), ("localhost", 0), ("metadata", 0), ("rebound.test", 1)] {
        let url = PageUrl::parse(&origin.url(host)).unwrap();
        let hop = Hop {
            caller: Caller::new("a", Class::Fleet),
            key: Key::new(Class::Fleet, url, Variant::default()),
            terms: Arc::new(Terms::default()),
            since: Timestamp::now(),
        };
        let refused = guarded.clone().oneshot(hop).await.unwrap_err();
        assert!(matches!(refused, Error::Refused(Refusal::Address | Refusal::Name)), "{host}: {refused:?}");
        assert_eq!(asked.load(SeqCst), asked_before, "{host}");
    }
    let counted: u64 = ["address", "name"]
        .iter()
        .map(|reason| metrics.guard_refused.get_or_create(&[("reason", *reason)]).get())
        .sum();
    assert_eq!(counted, 4, "each refusal counts once");
    assert_eq!(origin.connections(), 0);
}

#[tokio::test]
async fn a_redirect_is_handed_back_and_not_followed() {
    let target = Origin::answering(OK).await;
    let moved = format!("HTTP/1.1 302 Found\r\nLocation: {}\r\nContent-Length: 0\r\n\r\n", target.url("127.0.0.1"));
    let origin = Origin::answering(moved).await;
    let mut egress = origin.opened();
    egress.allow_ports.push(target.port);
    let response = Subject::literal(egress).get(Class::Fleet, &origin.url("127.0.0.1")).await.unwrap();
    assert_eq!(
        (response.status, response.headers["location"].to_str().unwrap()),
        (302, target.url("127.0.0.1").as_str())
    );
    assert_eq!(target.connections(), 0);
}

#[tokio::test]
async fn connections_are_reused_within_a_class_and_never_across() {
    let origin = Origin::answering(OK).await;
    let lookup: Lookup = Arc::new(|_| Err(io::ErrorKind::NotFound.into()));
    let subject = Subject::new(origin.opened(), origin.opened(), &lookup);
    for (class, connections) in
        [(Class::Fleet, 1), (Class::Fleet, 1), (Class::Restricted, 2), (Class::Restricted, 2), (Class::Fleet, 2)]
    {
        subject.read(class, &origin.url("127.0.0.1")).await.unwrap();
        // The connection goes back to its pool once its task has run.
        tokio::time::sleep(Duration::from_millis(20)).await;
        assert_eq!(origin.connections(), connections, "{}", class.as_str());
    }
}

#[test]
fn an_unknown_or_private_peer_is_refused() {
    let clients = Clients {
        fleet: client(Roots::None, vetted()).unwrap(),
        restricted: client(Roots::None, vetted()).unwrap(),
        policy: Arc::default(),
        metrics: Arc::default(),
    };
    let vouch = |peer: &str| clients.vouch(Class::Fleet, Some(peer.parse().unwrap()));
    assert_eq!(vouch("93.184.216.34:80"), Ok(()));
    for peer in ["127.0.0.1:80", "[::1]:80", "[::ffff:10.0.0.1]:80", "[fe80::1%1]:80"] {
        assert_eq!(vouch(peer), Err(Error::Refused(Refusal::Peer)), "{peer}");
    }
    assert_eq!(clients.vouch(Class::Fleet, None), Err(Error::Refused(Refusal::Peer)));
}

fn vetted() -> Vetted {
    Vetted::new(Class::Fleet, Arc::default(), resolve::system())
}
