//! Which URLs pass before anything is looked up.

use super::*;

/// Every way of writing an address of this machine or of a metadata service that a parser of addresses accepts.
const SPELLINGS: &[&str] = &[
    "http://127.0.0.1/",
    "http://127.1/",
    "http://127.0.1/",
    "http://2130706433/",
    "http://017700000001/",
    "http://0x7f000001/",
    "http://0x7f.1/",
    "http://0177.0.0.1/",
    "http://0177.0.0.0x1/",
    "http://127.0.0.1./",
    "http://127.255.255.254/",
    "http://①②⑦.⓪.⓪.①/",
    "http://１２７.0.0.1/",
    "http://127。0。0。1/",
    "http://169。254。169。254/",
    "http://0/",
    "http://0.0.0.0/",
    "http://[::]/",
    "http://[::1]/",
    "http://[0:0:0:0:0:0:0:1]/",
    "http://[::127.0.0.1]/",
    "http://[::ffff:127.0.0.1]/",
    "http://[::ffff:7f00:1]/",
    "http:127.0.0.1",
    "http:///127.0.0.1/",
    "http:\\\\127.0.0.1\\",
    "http://127.0.0.1\\@example.com/",
    "http://%31%32%37.0.0.1/",
    "http://127%2e0%2e0%2e1/",
    "https://127.0.0.1:443/",
];

#[test]
fn no_spelling_of_a_local_address_passes() {
    for url in SPELLINGS {
        assert_eq!(check(url), Err(Address), "{url}");
    }
    assert_eq!(check("http://example.com\\@127.0.0.1/"), Ok(()), "a backslash ends the host");
}

#[test]
fn what_is_no_host_is_no_address_at_all() {
    for url in [
        "http://[fe80::1%eth0]/",
        "http://[fe80::1%25eth0]/",
        "http://256.1.1.1/",
        "http://1.2.3.4.5/",
        "http://0x100000000/",
        "http://example.com:65536/",
        "http://exa mple.com/",
        "http://exam\0ple.com/",
        "http://example%00.com/",
        "http://[[::1]]/",
        "http://",
    ] {
        assert!(PageUrl::parse(url).is_err(), "{url}");
    }
}

#[test]
fn credentials_are_refused_and_empty_ones_are_none() {
    for url in ["http://u:p@example.com/", "http://u@example.com/", "http://:p@example.com/", "http://u:@example.com/"]
    {
        assert_eq!(check(url), Err(Userinfo), "{url}");
    }
    for url in ["http://@example.com/", "http://:@example.com/"] {
        assert_eq!(check(url), Ok(()), "{url}");
    }
}

#[test]
fn ports_are_those_of_the_web_and_the_operators_except_the_dangerous() {
    let never = [0, 22, 25, 110, 143, 465, 587, 6379, 11211];
    let listed = [8080, 1].into_iter().chain(never).collect();
    let policy = opened(Egress { allow_ports: listed, ..Egress::default() });
    let url = |port| page(&format!("http://example.com:{port}/"));
    for port in [80, 443, 8080, 1, 65535, 79, 81, 442, 444, 21].into_iter().chain(never) {
        let web = matches!(port, 80 | 443);
        let fleet = web || matches!(port, 8080 | 1);
        assert_eq!(policy.check(Fleet, &url(port)).is_ok(), fleet, "{port}");
        assert_eq!(policy.check(Restricted, &url(port)).is_ok(), web, "{port}");
    }
    assert_eq!(policy.check(Fleet, &url(22)), Err(Port));
    assert_eq!(check("http://example.com:080/"), Ok(()));
    assert_eq!(check("https://example.com:80/"), Ok(()));
}

#[test]
fn names_that_no_public_host_has_are_refused() {
    let label = "a".repeat(63);
    let longest = format!("{label}.{label}.{label}.{}", "a".repeat(61));
    assert_eq!(longest.len(), 253);
    let too_long = [format!("{longest}a"), format!("{label}a.com"), format!("{label}.{longest}")];
    let refused = [
        "localhost",
        "LOCALHOST",
        "localhost.",
        "a.localhost",
        "metadata",
        "metadata.",
        "com",
        "printer.local",
        "metadata.google.internal",
        "metadata.google.internal.",
        "router.home.arpa",
        "home.arpa",
        "x.onion",
        "x.i2p",
        "a..b",
        ".example.com",
        "example.com..",
        "127.0.0.1..",
        "example.123.",
    ];
    for host in refused.into_iter().chain(too_long.iter().map(String::as_str)) {
        // Some are no addresses for the parser already.
        let checked = PageUrl::parse(&format!("http://{host}/")).map(|url| Policy::default().check(Fleet, &url));
        assert!(matches!(checked, Err(Error::BadUrl) | Ok(Err(Name))), "{host}: {checked:?}");
    }
    for host in [
        "example.com",
        "example.com.",
        "notlocalhost.com",
        "localhost.example.com",
        "mylocal.xlocal",
        "xinternal.com",
        "arpa.home.com",
        "1.2.3.com",
        "xn--fa-hia.de",
        "faß.de",
        "a_b.example.com",
        &longest,
        &format!("{label}.com"),
    ] {
        assert_eq!(check(&format!("http://{host}/")), Ok(()), "{host}");
    }
}

#[test]
fn a_listed_name_is_let_through_for_its_class_only_and_what_it_resolves_to_is_judged() {
    let listed = vec!["Wiki".to_owned(), "git.corp.internal.".to_owned(), "a..b".to_owned()];
    let policy = opened(Egress { allow_names: listed, ..Egress::default() });
    for url in ["http://wiki/", "http://wiki./", "http://git.corp.internal/"] {
        assert_eq!(policy.check(Fleet, &page(url)), Ok(()), "{url}");
        assert_eq!(policy.check(Restricted, &page(url)), Err(Name), "{url}");
    }
    for url in ["http://wiki2/", "http://x.git.corp.internal/", "http://corp.internal/", "http://a..b/"] {
        assert_eq!(policy.check(Fleet, &page(url)), Err(Name), "{url}");
    }
    assert!(policy.lists(Fleet, "WIKI.") && !policy.lists(Fleet, "x.wiki") && !policy.lists(Restricted, "wiki"));
    assert!(!policy.allows(Fleet, ip("10.0.0.1")));
}
