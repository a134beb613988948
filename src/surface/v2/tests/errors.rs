//! Every error as an answer.

use super::{Server, page};
use crate::surface::tests::EVERY_ERROR;
use crate::surface::v2::errors::Failure;
use serde_json::json;
use sift_layers::{Error, Refusal};
use std::fmt::Write;

#[test]
fn the_table_of_errors() {
    let mut table = String::new();
    for error in EVERY_ERROR {
        let Failure { status, code, message, hint, retry_after, .. } = Failure::from(error);
        let after = retry_after.map_or(String::new(), |seconds| format!(" after {seconds} s"));
        writeln!(table, "{error:?}: {} {code}{after}\n    {message}. Hint: {hint}", status.as_u16()).unwrap();
    }
    insta::assert_snapshot!(table);
}

#[tokio::test]
async fn an_error_carries_its_hint_in_its_text_and_is_never_a_502() {
    // An error status of the target is an answer here; see the answers' tests.
    for error in EVERY_ERROR.into_iter().filter(|error| !matches!(error, Error::UpstreamStatus(_))) {
        let answered = Server::new(Err(error)).scrape(json!({"url": "http://example.com/"})).await;
        let json = &answered.json;
        assert_eq!((&json["success"], &json["request_id"]), (&json!(false), &json!("unknown")));
        let (text, hint) = (json["error"].as_str().unwrap(), json["hint"].as_str().unwrap());
        assert!(text.ends_with(&format!(". Hint: {hint}")), "{json}");
        assert!(json["code"].is_string() && json.get("details").is_none());
        assert_ne!(answered.status, 502);
        let after = answered.headers.get("retry-after").map(|value| value.to_str().unwrap().parse().unwrap());
        assert_eq!(after, Failure::from(error).retry_after);
    }
}

#[test]
fn a_code_that_is_not_firecrawls_is_our_own_in_capitals() {
    for error in EVERY_ERROR {
        let code = Failure::from(error).code;
        let theirs = ["SCRAPE_", "BAD_REQUEST", "UNSUPPORTED_SITE", "UNKNOWN_ERROR"];
        let known = theirs.iter().any(|name| code.starts_with(name));
        assert!(known || code == error.code().to_ascii_uppercase(), "{code}");
    }
}

#[test]
fn the_guards_reason_stays_with_the_guard() {
    let reasons =
        [Refusal::Userinfo, Refusal::Port, Refusal::Name, Refusal::Address, Refusal::Peer, Refusal::Downgrade];
    for reason in reasons {
        assert_eq!(Failure::from(Error::Refused(reason)), Failure::from(Error::Refused(Refusal::Name)));
    }
}

#[tokio::test]
async fn lockdown_has_a_miss_of_its_own() {
    let server = Server::new(Err(Error::NotCached));
    for (key, code) in [("lockdown", "SCRAPE_LOCKDOWN_CACHE_MISS"), ("minAge", "SCRAPE_NO_CACHED_DATA")] {
        let on = if key == "minAge" { json!(1) } else { json!(true) };
        let answered = server.scrape(json!({"url": "http://example.com/", key: on})).await;
        assert_eq!((answered.status, &answered.json["code"]), (404, &json!(code)));
    }
}

#[tokio::test]
async fn other_endpoints_and_methods_are_refused_in_the_same_shape() {
    let server = Server::new(Ok(page()));
    for (method, path, status, code) in [
        ("POST", "/v2/map", 404, "NOT_BUILT"),
        ("POST", "/v2/batch/scrape", 404, "NOT_BUILT"),
        ("GET", "/v2/batch/scrape/1", 404, "NOT_BUILT"),
        ("POST", "/v2/crawl", 404, "NOT_BUILT"),
        ("DELETE", "/v2/crawl/1", 404, "NOT_BUILT"),
        ("POST", "/v2/search", 404, "NOT_BUILT"),
        ("POST", "/v2/parse", 404, "NOT_BUILT"),
        ("POST", "/v2/mapper", 404, "NOT_FOUND"),
        ("POST", "/v2/scrape/", 404, "NOT_FOUND"),
        ("GET", "/v2/%ff", 404, "NOT_FOUND"),
        ("GET", "/v2/", 404, "NOT_FOUND"),
        ("GET", "/v2", 404, "NOT_FOUND"),
        ("GET", "/v2/scrape", 405, "METHOD_NOT_ALLOWED"),
        ("DELETE", "/v2/scrape", 405, "METHOD_NOT_ALLOWED"),
    ] {
        let answered = server.send(method, path, "").await;
        assert_eq!((answered.status, &answered.json["code"]), (status, &json!(code)), "{method} {path}");
        assert!(answered.json["hint"].as_str().unwrap().contains("POST"), "{}", answered.json);
        assert_eq!(answered.headers.contains_key("allow"), status == 405);
    }
}

#[tokio::test]
async fn a_body_over_the_limit_is_refused_in_shape() {
    let Server { router, asked } = Server::new(Ok(page()));
    let server = Server { router: router.layer(axum::extract::DefaultBodyLimit::max(64)), asked };
    let body = |length: usize| format!("{:length$}", r#"{"url":"http://example.com/"}"#);
    assert_eq!(server.send("POST", "/v2/scrape", body(64)).await.status, 200);
    let answered = server.send("POST", "/v2/scrape", body(65)).await;
    assert_eq!((answered.status, &answered.json["code"]), (413, &json!("REQUEST_TOO_LARGE")));
}
