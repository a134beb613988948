//! Names: every answer is judged, one lookup a connection, and nothing is completed by a search list.

use super::*;
use futures::FutureExt;
use reqwest::dns::Resolve;
use resolve::Failure;
use std::sync::mpsc;

/// A public address that no test connects to.
const PUBLIC: &str = "93.184.216.34";

#[tokio::test]
async fn one_bad_answer_refuses_all() {
    let origin = Origin::answering(OK).await;
    for answers in [
        &["127.0.0.1"][..],
        &[PUBLIC, "127.0.0.1"],
        &["127.0.0.1", PUBLIC],
        &["::ffff:127.0.0.1"],
        &["::1", PUBLIC],
        &["0.0.0.0"],
        &[PUBLIC, PUBLIC, "169.254.169.254"],
    ] {
        let subject = Subject::named(origin.port_only(), answers);
        let refused = subject.get(Class::Fleet, &origin.url("rebound.test")).await;
        assert_eq!(refused.unwrap_err(), Error::Refused(Refusal::Address), "{answers:?}");
        assert_eq!(subject.refused("address"), 1);
    }
    assert_eq!(origin.connections(), 0);
}

#[tokio::test]
async fn a_name_that_is_bound_anew_is_judged_anew() {
    let origin = Origin::answering("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n").await;
    let turn = AtomicUsize::new(1);
    let lookup: Lookup =
        Arc::new(move |_| Ok(vec![IpAddr::from([127, 0, 0, u8::try_from(turn.fetch_add(1, SeqCst)).unwrap()])]));
    let subject = Subject::new(origin.opened(), Egress::default(), &lookup);
    assert!(subject.read(Class::Fleet, &origin.url("rebound.test")).await.is_ok());
    let refused = subject.read(Class::Fleet, &origin.url("rebound.test")).await;
    assert_eq!(refused, Err(Error::Refused(Refusal::Address)));
    assert_eq!(origin.connections(), 1);
}

#[tokio::test]
async fn one_connection_is_one_lookup_of_an_absolute_name() {
    let origin = Origin::answering(OK).await;
    let asked = Arc::new(Mutex::new(Vec::new()));
    let seen = asked.clone();
    let lookup: Lookup = Arc::new(move |name| {
        seen.lock().push(name.to_owned());
        Ok(vec!["127.0.0.1".parse().unwrap()])
    });
    let egress = Egress { allow_names: vec!["wiki".to_owned(), "git.internal".to_owned()], ..origin.opened() };
    let subject = Subject::new(egress, Egress::default(), &lookup);
    for (host, name) in [
        ("origin.test", "origin.test."),
        ("rooted.test.", "rooted.test."),
        ("faß.test", "xn--fa-hia.test."),
        // What the operator lists is looked up as it stands.
        ("wiki", "wiki"),
        ("wiki.", "wiki"),
        ("git.internal", "git.internal"),
    ] {
        subject.read(Class::Fleet, &origin.url(host)).await.unwrap();
        assert_eq!(std::mem::take(&mut *asked.lock()), [name], "{host}");
        tokio::time::sleep(Duration::from_millis(20)).await;
        subject.read(Class::Fleet, &origin.url(host)).await.unwrap();
        assert!(asked.lock().is_empty(), "{host}: the connection is still the judged one");
    }
}

#[tokio::test]
async fn a_name_without_an_address_could_not_be_resolved() {
    let failing: [Lookup; 3] =
        [Arc::new(|_| Ok(vec![])), Arc::new(|_| Err(io::Error::other("SERVFAIL"))), Arc::new(|_| panic!("a fault"))];
    for lookup in failing {
        let subject = Subject::new(Egress::default(), Egress::default(), &lookup);
        assert_eq!(subject.get(Class::Fleet, "http://nowhere.test/").await.unwrap_err(), Error::UpstreamDns);
    }
}

#[tokio::test]
async fn all_answers_are_judged_and_sixteen_are_used_with_the_ports_of_the_address() {
    let many: Vec<IpAddr> = vec![PUBLIC.parse().unwrap(); 4000];
    let with_last = |last: &str| {
        let mut many = many.clone();
        many.push(last.parse().unwrap());
        let lookup: Lookup = Arc::new(move |_| Ok(many.clone()));
        Vetted::new(Class::Fleet, Arc::default(), lookup).resolve("many.test".parse().unwrap())
    };
    let ports: Vec<u16> = with_last(PUBLIC).await.unwrap().map(|address| address.port()).collect();
    assert_eq!(ports, [0; 16]);
    let refused = with_last("10.0.0.1").await.err().unwrap();
    assert_eq!(refused.downcast_ref(), Some(&Failure::Refused(Refusal::Address)));
}

#[tokio::test(start_paused = true)]
async fn a_lookup_that_nobody_waits_for_any_more_keeps_its_turn() {
    let (release, held) = mpsc::channel::<()>();
    let (held, began) = (Mutex::new(held), Arc::new(AtomicUsize::new(0)));
    let started = began.clone();
    let lookup: Lookup = Arc::new(move |_| {
        started.fetch_add(1, SeqCst);
        let _ = held.lock().recv();
        Ok(vec![PUBLIC.parse().unwrap()])
    });
    let names = Arc::new(Vetted::new(Class::Fleet, Arc::default(), lookup));
    let look = || {
        names
            .resolve("slow.test".parse().unwrap())
            .map(|found| found.err().and_then(|error| error.downcast_ref::<Failure>().copied()))
    };
    let all = tokio::spawn(futures::future::join_all((0..65).map(|_| look())));
    while began.load(SeqCst) < 64 {
        tokio::task::yield_now().await;
    }
    tokio::time::advance(Duration::from_secs(5)).await;
    assert_eq!(all.await.unwrap(), vec![Some(Failure::TimedOut); 65]);
    let next = tokio::spawn(look());
    tokio::task::yield_now().await;
    tokio::time::advance(Duration::from_secs(5)).await;
    assert_eq!(next.await.unwrap(), Some(Failure::TimedOut));
    assert_eq!(began.load(SeqCst), 64, "the 65th and the 66th have not been looked up");
    drop(release);
    assert_eq!(look().await, None);
}
