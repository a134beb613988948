//! Every key of the contract is known, and none besides.

use super::{Server, page, warning};
use crate::surface::Rules;
use serde_json::{Value, json};
use sift_handlers::Reading;
use sift_layers::{PageUrl, Variant};
use std::time::Duration;

#[tokio::test]
async fn the_bodies_that_hermes_and_the_sdks_send_are_one_plain_reading() {
    let server = Server::new(Ok(page()));
    let hermes = json!({
        "url": "http://e.test/", "onlyMainContent": true, "waitFor": 3000, "skipTlsVerification": true,
        "removeBase64Images": true, "fastMode": false, "blockAds": true, "storeInCache": true, "maxAge": 14_400_000,
        "formats": ["markdown"], "mobile": false, "origin": "python-sdk@4.17.0"
    });
    let full = json!({
        "formats": [{"type": "markdown"}], "timeout": 30_000, "proxy": "auto", "parsers": ["pdf"], "integration": null,
        "location": {"country": "US", "languages": ["en", "en-GB"], "anything": 1}, "maxAge": 14_400_000,
        "actions": [], "redactPII": false, "__experiment": false
    });
    for body in [hermes, full] {
        let (_, fetch) = server.ask(body).await;
        let terms = fetch.terms;
        assert_eq!(Variant::of(&terms.reading, &terms.headers), Variant::default(), "shares the cache with /v1");
        assert_eq!(terms.max_age, Some(Duration::from_hours(4)));
        assert!(!terms.no_store && !terms.cache_only);
    }
    let (_, fetch) = server.ask(json!({})).await;
    assert_eq!((fetch.terms.max_age, fetch.terms.patience), (None, Some(Duration::from_secs(45))));
    assert_eq!(*fetch.terms.reading, Reading::default());
}

#[tokio::test]
async fn every_key_of_the_contract_is_accepted() {
    for options in [
        json!({"onlyCleanContent": true}),
        json!({"includeTags": ["main"], "excludeTags": [".ad", "#x"]}),
        json!({"headers": {"X-A": "b"}}),
        json!({"waitFor": 60_000}),
        json!({"timeout": 1000, "waitFor": 500}),
        json!({"timeout": 20_000.0}),
        json!({"proxy": "stealth"}),
        json!({"minAge": 0}),
        json!({"lockdown": true}),
        json!({"zeroDataRetention": true}),
        json!({"parsers": ["pdf", "image", {"type": "image"}, {
            "type": "pdf", "mode": "auto", "maxPages": 10_000, "pages": true, "pageMarkdown": true, "blocks": false,
            "pageMarkers": true
        }]}),
        json!({"formats": ["markdown", "html", "rawHtml", "links", "images", "summary", "branding", "screenshot"]}),
        json!({"formats": ["links", {"type": "json", "prompt": "p", "schema": {"type": "object"}}]}),
        json!({"formats": ["links", {"type": "attributes", "selectors": [{"selector": "a", "attribute": "href"}]}]}),
        json!({"formats": ["links", {"type": "question", "question": "q"}, {"type": "highlights", "query": "q"}]}),
        json!({"formats": ["links", {"type": "screenshot", "fullPage": true, "quality": 1, "viewport": {}, "x": 1}]}),
        json!({"formats": []}),
    ] {
        Server::new(Ok(page())).ask(options).await;
    }
}

#[tokio::test]
async fn an_unknown_key_is_named_wherever_it_stands() {
    let server = Server::new(Ok(page()));
    for (options, message) in [
        (json!({"bogusKey": 1}), r#"unknown key in body: "bogusKey""#),
        (json!({"onlymaincontent": true, "b": 1}), r#"unknown key in body: "onlymaincontent", "b""#),
        (json!({"formats": ["links", {"type": "markdown", "x": 1}]}), r#"unknown key in formats[1]: "x""#),
        (json!({"formats": ["links", {"type": "json", "x": 1}]}), r#"unknown key in formats[1]: "x""#),
        (json!({"parsers": [{"type": "pdf", "max_pages": 1}]}), r#"unknown key in parsers[0]: "max_pages""#),
    ] {
        let json = server.refused(options).await;
        assert_eq!(json["code"], "BAD_REQUEST");
        assert!(json["error"].as_str().unwrap().starts_with(&format!("{message}. Hint: ")), "{}", json["error"]);
        assert_eq!(json["details"][0]["message"], message);
    }
    let json = server.refused(json!({"parsers": [{"type": "pdf", "maxPages": 0}]})).await;
    assert_eq!(json["details"][0]["path"], json!(["parsers", 0, "maxPages"]));
}

#[tokio::test]
async fn a_wrong_type_or_a_value_out_of_range_is_refused() {
    let server = Server::new(Ok(page()));
    for options in [
        json!({"url": 1}),
        json!({"url": null}),
        json!({"url": ""}),
        json!({"url": "ftp://example.com/x"}),
        json!({"url": "javascript:alert(1)"}),
        json!({"onlyMainContent": "true"}),
        json!({"includeTags": "main"}),
        json!({"includeTags": ["main", 1]}),
        json!({"timeout": 999}),
        json!({"timeout": "1000"}),
        json!({"timeout": 1000.5}),
        json!({"waitFor": 60_001}),
        json!({"waitFor": -1}),
        json!({"waitFor": 501, "timeout": 1000}),
        json!({"maxAge": -1}),
        json!({"maxAge": 1e30}),
        json!({"proxy": "direct"}),
        json!({"formats": "markdown"}),
        json!({"formats": ["nonsense"]}),
        json!({"formats": ["screenshot@fullPage"]}),
        json!({"formats": [{"prompt": "no type"}]}),
        json!({"formats": [["markdown"]]}),
        json!({"parsers": ["docx"]}),
        json!({"parsers": [{"type": "pdf", "maxPages": 10_001}]}),
        json!({"parsers": [{"type": "pdf", "mode": "slow"}]}),
        json!({"location": {"languages": ["en\r\nX: y"]}}),
        json!({"location": {"languages": vec!["de"; 11]}}),
        json!({"location": "US"}),
    ] {
        assert_eq!(server.refused(options).await["code"], "BAD_REQUEST");
    }
    assert_eq!(server.scrape(json!({"formats": ["markdown"]})).await.json["code"], "BAD_REQUEST", "no url");
    assert_eq!(server.scrape(json!([])).await.json["code"], "BAD_REQUEST");
    for body in ["{nope", "", "{\"url\":\"http://e.test/\"} x", &"[".repeat(10_000)] {
        let answered = server.send("POST", "/v2/scrape", body.to_owned()).await;
        assert_eq!((answered.status, &answered.json["code"]), (400, &json!("BAD_REQUEST_INVALID_JSON")));
    }
}

#[tokio::test]
async fn what_cannot_be_honoured_is_refused_or_named() {
    let server = Server::new(Ok(page()));
    let json = server.refused(json!({"actions": [{"type": "wait", "milliseconds": 10}]})).await;
    assert_eq!(json["code"], "SCRAPE_ACTIONS_NOT_SUPPORTED");
    for on in [json!(true), json!({}), json!({"mode": "fast"}), json!("x"), json!(1)] {
        for key in ["redactPII", "threatProtection", "safeMode", "profile", "useMock", "__experiment"] {
            server.refused(json!({ key: on.clone() })).await;
        }
    }
    for off in [json!(false), json!(null), json!(""), json!(0)] {
        server.ask(json!({"redactPII": off, "useMock": off, "__experiment": off})).await;
    }
    for name in ["screenshot", "summary", "json", "attributes", "rawBase64"] {
        let json = server.refused(json!({"formats": [name]})).await;
        assert!(json["error"].as_str().unwrap().contains(name), "{json}");
        let (data, _) = server.ask(json!({"formats": ["markdown", {"type": name}]})).await;
        assert!(warning(&data).contains(name), "{data}");
    }
    let (data, _) = server.ask(json!({"parsers": [{"type": "pdf", "mode": "ocr", "blocks": true}]})).await;
    assert!(warning(&data).contains("ocr") && warning(&data).contains("blocks"));
}

#[tokio::test]
async fn an_address_without_a_scheme_is_an_http_address() {
    let server = Server::new(Ok(page()));
    for (sent, asked) in [
        ("example.com", "http://example.com"),
        ("  example.com:8080/?to=https://x.test/ ", "http://example.com:8080/?to=https://x.test/"),
        ("//example.com/a", "http://example.com/a"),
        ("HTTPS://Example.com/a#b", "HTTPS://Example.com/a#b"),
    ] {
        let (data, fetch) = server.ask(json!({"url": sent})).await;
        assert_eq!(data["metadata"]["sourceURL"], asked);
        assert_eq!(fetch.url, PageUrl::parse(asked).unwrap());
    }
}

#[tokio::test]
async fn options_become_the_terms_of_the_fetch() {
    let server = Server::new(Ok(page()));
    let reading = async |options: Value| server.ask(options).await.1.terms.reading.clone();
    assert!(!reading(json!({"onlyMainContent": false})).await.main_only);
    let tags = reading(json!({"includeTags": [".a"], "excludeTags": [".b"]})).await;
    assert_eq!((tags.include.as_slice(), tags.exclude.as_slice()), (&[".a".to_owned()][..], &[".b".to_owned()][..]));
    for format in ["html", "rawHtml", "images"] {
        assert!(reading(json!({"formats": [format]})).await.keep_sources);
    }
    assert_eq!(*reading(json!({"formats": ["markdown", "links"]})).await, Reading::default());

    let terms = async |options: Value| server.ask(options).await.1.terms;
    assert_eq!(terms(json!({"timeout": 1000})).await.patience, Some(Duration::from_secs(1)));
    assert_eq!(terms(json!({"timeout": 9_000_000})).await.patience, Some(Duration::from_mins(3)));
    assert_eq!(terms(json!({"maxAge": 0})).await.max_age, Some(Duration::ZERO));
    assert!(terms(json!({"storeInCache": false})).await.no_store);
    assert!(terms(json!({"zeroDataRetention": true})).await.no_store);
    assert!(terms(json!({"minAge": 0})).await.cache_only);
    let lockdown = terms(json!({"lockdown": true, "maxAge": 14_400_000})).await;
    assert!(lockdown.cache_only && lockdown.no_store && lockdown.max_age.is_none());
}

#[tokio::test]
async fn a_header_of_the_callers_own_goes_along_unless_it_is_ours() {
    let server = Server::new(Ok(page()));
    let (_, fetch) = server.ask(json!({"headers": {"X-Conf": "hello", "Authorization": "Basic eA=="}})).await;
    assert_eq!((fetch.terms.headers["x-conf"].as_bytes(), fetch.terms.headers.len()), (&b"hello"[..], 2));
    for name in ["Host", "connection", "Transfer-Encoding", "Range", "If-None-Match", "Cookie", "a b", "x\r\ny", ""] {
        server.refused(json!({"headers": {name: "v"}})).await;
    }
    for value in [json!("a\r\nb"), json!(1)] {
        server.refused(json!({"headers": {"x": value}})).await;
    }
    let generous = Server::with(Ok(page()), Rules { allow_cookies: true, ..Rules::default() });
    let (_, fetch) = generous.ask(json!({"headers": {"Cookie": "a=b"}})).await;
    assert_eq!(fetch.terms.headers["cookie"], "a=b");
}

#[tokio::test]
async fn languages_other_than_english_are_asked_for_and_nothing_else_splits_the_cache() {
    let server = Server::new(Ok(page()));
    for location in [json!({"country": "DE"}), json!({"languages": []}), json!({"languages": ["en-US", "EN"]})] {
        assert!(server.ask(json!({"location": location})).await.1.terms.headers.is_empty());
    }
    let location = json!({"languages": ["de-DE", "de", "en"]});
    let (_, fetch) = server.ask(json!({"location": location})).await;
    assert_eq!(fetch.terms.headers["accept-language"], "de-DE, de;q=0.9, en;q=0.8");
    let (_, fetch) = server.ask(json!({"location": location, "headers": {"accept-language": "fr"}})).await;
    assert_eq!(fetch.terms.headers["accept-language"], "fr", "the caller's own word counts");
    server.ask(json!({"location": {"languages": vec!["de"; 10]}})).await;
}
