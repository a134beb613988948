//! Which addresses pass. The expectations are written out by hand, not computed from the table, so that a wrong row
//! fails.

use super::*;

/// Addresses with their verdicts: the edges of every range and their neighbours, and addresses by which other guards were
/// passed. The live tests read the same file.
const ADDRESSES: &str = include_str!("../../../tests/testdata/guard/addresses.tsv");

#[test]
fn every_address_is_judged_alike_for_both_classes_and_as_a_host() {
    let rows = ADDRESSES.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect::<Vec<_>>());
    let mut count = 0;
    for row in rows {
        let (address, public) = (row[0], row[1] == "public");
        assert!(public || row[1] == "refused", "{row:?}");
        for class in Class::ALL {
            assert_eq!(Policy::default().allows(class, ip(address)), public, "{address}");
        }
        let host = if address.contains(':') { format!("[{address}]") } else { address.to_owned() };
        assert_eq!(check(&format!("http://{host}/")), public.then_some(()).ok_or(Address), "{address}");
        count += 1;
    }
    assert!(count >= 140, "{count} addresses");
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
