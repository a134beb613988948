//! Which addresses pass. The expectations are written out by hand, not computed from the table, so that a wrong row
//! fails.

use super::*;

/// Ranges: the neighbour below (public, unless `-`), the first, the last, the neighbour above (public, unless `-`).
const EDGES: &[[&str; 4]] = &[
    ["-", "0.0.0.0", "0.255.255.255", "1.0.0.0"],
    ["9.255.255.255", "10.0.0.0", "10.255.255.255", "11.0.0.0"],
    ["100.63.255.255", "100.64.0.0", "100.127.255.255", "100.128.0.0"],
    ["126.255.255.255", "127.0.0.0", "127.255.255.255", "128.0.0.0"],
    ["168.63.129.15", "168.63.129.16", "168.63.129.16", "168.63.129.17"],
    ["169.253.255.255", "169.254.0.0", "169.254.255.255", "169.255.0.0"],
    ["172.15.255.255", "172.16.0.0", "172.31.255.255", "172.32.0.0"],
    ["191.255.255.255", "192.0.0.0", "192.0.0.255", "192.0.1.0"],
    ["192.0.1.255", "192.0.2.0", "192.0.2.255", "192.0.3.0"],
    ["192.31.195.255", "192.31.196.0", "192.31.196.255", "192.31.197.0"],
    ["192.52.192.255", "192.52.193.0", "192.52.193.255", "192.52.194.0"],
    ["192.88.98.255", "192.88.99.0", "192.88.99.255", "192.88.100.0"],
    ["192.167.255.255", "192.168.0.0", "192.168.255.255", "192.169.0.0"],
    ["192.175.47.255", "192.175.48.0", "192.175.48.255", "192.175.49.0"],
    ["198.17.255.255", "198.18.0.0", "198.19.255.255", "198.20.0.0"],
    ["198.51.99.255", "198.51.100.0", "198.51.100.255", "198.51.101.0"],
    ["203.0.112.255", "203.0.113.0", "203.0.113.255", "203.0.114.0"],
    ["223.255.255.255", "224.0.0.0", "239.255.255.255", "-"],
    ["-", "240.0.0.0", "255.255.255.255", "-"],
    ["-", "::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2000::"],
    ["2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", "2001:200::"],
    ["2001:db7:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "2001:db9::"],
    ["2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "2003::"],
    [
        "2620:4f:7fff:ffff:ffff:ffff:ffff:ffff",
        "2620:4f:8000::",
        "2620:4f:8000:ffff:ffff:ffff:ffff:ffff",
        "2620:4f:8001::",
    ],
    ["3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", "3fff:1000::"],
    ["3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "4000::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "-"],
];

/// Addresses with a history: services, embeddings and ranges by which other guards were passed.
const NAMED: &[(&str, bool)] = &[
    ("8.8.8.8", true),
    ("1.1.1.1", true),
    ("93.184.216.34", true),
    ("100.100.100.200", false), // Alibaba metadata
    ("127.0.0.1", false),
    ("127.0.1.1", false),
    ("169.254.169.254", false), // AWS, GCP, Azure, OCI metadata
    ("169.254.170.2", false),   // ECS
    ("169.254.170.23", false),  // EKS
    ("172.17.0.1", false),      // a container bridge
    ("192.0.0.192", false),     // OCI
    ("192.0.0.9", false),       // anycast within the protocol range
    ("192.18.0.1", true),       // not 198.18
    ("172.1.0.1", true),        // not 172.16/12
    ("224.0.0.251", false),
    ("255.255.255.255", false),
    ("::", false),
    ("::1", false),
    ("::127.0.0.1", false), // compatible
    ("::a9fe:a9fe", false),
    ("::ffff:127.0.0.1", false), // mapped
    ("::ffff:0.0.0.0", false),
    ("::ffff:169.254.169.254", false),
    ("::ffff:10.0.0.1", false),
    ("::ffff:8.8.8.8", true),
    ("::ffff:0:127.0.0.1", false), // translated
    ("::ffff:0:8.8.8.8", false),
    ("64:ff9b::7f00:1", false), // NAT64
    ("64:ff9b::a9fe:a9fe", false),
    ("64:ff9b::808:808", false),
    ("64:ff9b:1::1", false),
    ("100::1", false), // discard
    ("100:0:0:1::1", false),
    ("2001::1", false), // Teredo
    ("2001:0:7f00:1::", false),
    ("2001:2::1", false),  // benchmarks
    ("2001:10::1", false), // ORCHID
    ("2001:20::1", false), // ORCHIDv2
    ("2001:db8::1", false),
    ("2002:7f00:1::", false), // 6to4
    ("2002:a9fe:a9fe::", false),
    ("2606:4700:4700::1111", true),
    ("2001:4860:4860::8888", true),
    ("2a00:1450:4001::1", true),
    ("3ffe::1", true),
    ("5f00::1", false), // SRv6
    ("fc00::1", false),
    ("fd00:ec2::254", false), // AWS
    ("fd20:ce::254", false),  // GCP
    ("fe80::1", false),
    ("fec0::1", false), // site local
    ("ff02::1", false),
];

#[test]
fn every_range_ends_where_it_should() {
    let policy = Policy::default();
    for [below, first, last, above] in EDGES {
        for inside in [first, last] {
            assert!(!policy.allows(Fleet, ip(inside)), "{inside}");
        }
        for outside in [below, above].into_iter().filter(|edge| **edge != "-") {
            assert!(policy.allows(Fleet, ip(outside)), "{outside}");
        }
    }
}

#[test]
fn addresses_with_a_history_are_judged_alike_for_both_classes() {
    for (address, public) in NAMED {
        for class in Class::ALL {
            assert_eq!(Policy::default().allows(class, ip(address)), *public, "{address}");
        }
        let host = if address.contains(':') { format!("[{address}]") } else { (*address).to_owned() };
        assert_eq!(check(&format!("http://{host}/")), public.then_some(()).ok_or(Address), "{address}");
    }
}

#[test]
fn an_opened_network_is_open_for_its_class_to_its_edges() {
    let policy = opened(nets(&["10.20.0.0/16", "fd00:1::/32"]));
    for (address, open) in [
        ("10.19.255.255", false),
        ("10.20.0.0", true),
        ("10.20.255.255", true),
        ("10.21.0.0", false),
        ("::ffff:10.20.0.1", true),
        ("fd00::ffff", false),
        ("fd00:1::", true),
        ("fd00:1:ffff:ffff:ffff:ffff:ffff:ffff", true),
        ("fd00:2::", false),
    ] {
        assert_eq!(policy.allows(Fleet, ip(address)), open, "{address}");
        assert!(!policy.allows(Restricted, ip(address)), "{address}");
    }
}

#[test]
fn only_its_exact_address_opens_a_metadata_service() {
    let services =
        ["169.254.169.254", "168.63.129.16", "100.100.100.200", "192.0.0.192", "fd00:ec2::254", "fd20:ce::254"];
    let wide = opened(nets(&["0.0.0.0/0", "::/0"]));
    let nearly = opened(nets(&["169.254.169.254/31", "168.63.129.16/31", "100.100.100.200/31", "fd00:ec2::254/127"]));
    for service in services {
        assert!(!wide.allows(Fleet, ip(service)), "{service}");
        assert!(!nearly.allows(Fleet, ip(service)), "{service}");
        let exact = opened(nets(&[&format!("{service}/{}", if service.contains(':') { 128 } else { 32 })]));
        assert!(exact.allows(Fleet, ip(service)), "{service}");
        assert!(!exact.allows(Fleet, ip("127.0.0.1")) && !exact.allows(Restricted, ip(service)), "{service}");
    }
    assert!(wide.allows(Fleet, ip("127.0.0.1")) && wide.allows(Fleet, ip("100.100.100.201")));
}

#[test]
fn metadata_ranges_end_where_they_should() {
    let wide = opened(nets(&["0.0.0.0/0", "::/0"]));
    for [below, first, last, above] in [
        ["169.253.255.255", "169.254.0.0", "169.254.255.255", "169.255.0.0"],
        ["168.63.129.15", "168.63.129.16", "168.63.129.16", "168.63.129.17"],
        ["100.100.100.199", "100.100.100.200", "100.100.100.200", "100.100.100.201"],
        ["192.0.0.191", "192.0.0.192", "192.0.0.192", "192.0.0.193"],
        [
            "fd00:ec1:ffff:ffff:ffff:ffff:ffff:ffff",
            "fd00:ec2::",
            "fd00:ec2:ffff:ffff:ffff:ffff:ffff:ffff",
            "fd00:ec3::",
        ],
        ["fd20:cd:ffff:ffff:ffff:ffff:ffff:ffff", "fd20:ce::", "fd20:ce:ffff:ffff:ffff:ffff:ffff:ffff", "fd20:cf::"],
    ] {
        assert!(!wide.allows(Fleet, ip(first)) && !wide.allows(Fleet, ip(last)), "{first}");
        assert!(wide.allows(Fleet, ip(below)) && wide.allows(Fleet, ip(above)), "{first}");
    }
}

#[test]
fn behind_nat64_the_carried_address_is_judged() {
    // The examples of RFC 6052 §2.4, with a public, a local and a metadata address in place of 192.0.2.33.
    for (prefix, public, local, metadata) in [
        ("2001:db8::/32", "2001:db8:808:808::", "2001:db8:7f00:1::", "2001:db8:a9fe:a9fe::"),
        ("2001:db8:100::/40", "2001:db8:108:808:8::", "2001:db8:17f:0:1::", "2001:db8:1a9:fea9:fe::"),
        ("2001:db8:122::/48", "2001:db8:122:808:8:800::", "2001:db8:122:7f00:0:100::", "2001:db8:122:a9fe:a9:fe00::"),
        ("2001:db8:122:300::/56", "2001:db8:122:308:8:808::", "2001:db8:122:37f::1:0:0", "2001:db8:122:3a9:fe:a9fe::"),
        (
            "2001:db8:122:344::/64",
            "2001:db8:122:344:8:808:800::",
            "2001:db8:122:344:7f:0:100::",
            "2001:db8:122:344:a9:fea9:fe00::",
        ),
        ("64:ff9b::/96", "64:ff9b::8.8.8.8", "64:ff9b::127.0.0.1", "64:ff9b::169.254.169.254"),
    ] {
        let policy = opened(Egress { nat64_prefix: Some(prefix.parse().unwrap()), ..nets(&["::/0"]) });
        assert!(policy.allows(Fleet, ip(public)), "{prefix}");
        assert!(!policy.allows(Fleet, ip(local)), "{prefix}");
        assert!(!policy.allows(Fleet, ip(metadata)), "{prefix}");
        assert!(!policy.allows(Restricted, ip(public)), "{prefix}");
    }
    let odd = opened(Egress { nat64_prefix: Some("64:ff9b::/72".parse().unwrap()), ..Egress::default() });
    assert!(!odd.allows(Fleet, ip("64:ff9b::808:808")), "a prefix of no proper length carries nothing");
}
