//! The guard: its layer here, its rules and its table beside.

mod rules;
mod table;

use super::*;
use crate::{
    caller::{Caller, Class},
    clock::Timestamp,
    error::Refusal,
    fetch::Terms,
    key::{Key, Variant},
    url::PageUrl,
};
use Class::{Fleet, Restricted};
use Refusal::{Address, Name, Port, Userinfo};
use proptest::prelude::*;
use std::{
    net::IpAddr,
    sync::atomic::{AtomicUsize, Ordering::SeqCst},
};

fn page(url: &str) -> PageUrl {
    PageUrl::parse(url).unwrap_or_else(|error| panic!("{url}: {error}"))
}

fn check(url: &str) -> Result<(), Refusal> {
    Policy::default().check(Fleet, &page(url))
}

fn ip(text: &str) -> IpAddr {
    text.parse().unwrap()
}

fn opened(egress: Egress) -> Policy {
    Policy::new(egress, Egress::default())
}

fn nets(nets: &[&str]) -> Egress {
    Egress { allow_private: nets.iter().map(|net| net.parse().unwrap()).collect(), ..Egress::default() }
}

#[tokio::test]
async fn a_refused_hop_goes_nowhere_and_is_counted() {
    let (metrics, asked) = (Arc::new(Metrics::default()), Arc::new(AtomicUsize::new(0)));
    let seen = asked.clone();
    let inner = tower::service_fn(move |_: Hop| {
        seen.fetch_add(1, SeqCst);
        std::future::ready(Err::<Found, _>(Error::UpstreamConnect))
    });
    let guarded = address(Arc::default(), metrics.clone()).layer(inner);
    let hop = |url| Hop {
        caller: Caller::new("a", Restricted),
        key: Key::new(Restricted, page(url), Variant::default()),
        terms: Arc::new(Terms::default()),
        since: Timestamp::now(),
    };
    for (url, refusal) in [
        ("http://127.0.0.1/", Address),
        ("http://localhost/", Name),
        ("http://example.com:22/", Port),
        ("http://u@example.com/", Userinfo),
    ] {
        assert_eq!(guarded.clone().oneshot(hop(url)).await.unwrap_err(), Error::Refused(refusal));
        assert_eq!(metrics.guard_refused.get_or_create(&[("reason", refusal.as_str())]).get(), 1);
    }
    assert_eq!(asked.load(SeqCst), 0);
    assert_eq!(guarded.oneshot(hop("http://example.com/")).await.unwrap_err(), Error::UpstreamConnect);
    assert_eq!(asked.load(SeqCst), 1);
}

proptest! {
    #[test]
    fn no_input_upsets_the_guard(host in "\\PC{0,40}", port in "[0-9:]{0,6}", bits: u128) {
        let policy = opened(Egress { nat64_prefix: Some("64:ff9b::/96".parse().unwrap()), ..nets(&["10.0.0.0/8"]) });
        for class in Class::ALL {
            for scheme in ["http://", "https:", "http:\\\\"] {
                if let Ok(url) = PageUrl::parse(&format!("{scheme}{host}{port}/")) {
                    let _ = policy.check(class, &url);
                }
            }
            policy.allows(class, std::net::Ipv6Addr::from(bits).into());
            policy.lists(class, &host);
        }
    }

    /// Written the other way around: what is let through by default carries no address of a private network.
    #[test]
    fn mapped_addresses_are_judged_as_what_they_map(bits: u32) {
        let (policy, v4) = (Policy::default(), std::net::Ipv4Addr::from(bits));
        prop_assert_eq!(policy.allows(Fleet, v4.to_ipv6_mapped().into()), policy.allows(Fleet, v4.into()));
    }
}
