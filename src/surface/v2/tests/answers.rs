//! What is in an answer, and what isn't.

use super::{Answered, Server, fetched, page, pdf, warning};
use crate::surface::Rules;
use serde_json::{Value, json};
use sift_handlers::{ContentHash, Document, Kind, Page, Unit};
use sift_layers::{Error, Fetched, Origin, clock::Timestamp};
use std::{collections::HashSet, sync::Arc};

/// The whole answer as text, with the one part that is never the same.
fn shown(mut answered: Answered) -> String {
    let id = &mut answered.json["data"]["metadata"]["scrapeId"];
    assert_eq!(id.as_str().unwrap().len(), 36);
    *id = "[uuid]".into();
    serde_json::to_string_pretty(&answered.json).unwrap()
}

fn all() -> Value {
    json!({"formats": ["markdown", "html", "rawHtml", "links", "images"], "url": "http://example.com/page"})
}

#[tokio::test]
async fn the_answer_for_a_page() {
    insta::assert_snapshot!(shown(Server::new(Ok(page())).scrape(all()).await));
}

#[tokio::test]
async fn the_answer_for_a_pdf() {
    let body = json!({"url": "http://example.com/r", "parsers": [{"type": "pdf", "pages": true}]});
    insta::assert_snapshot!(shown(Server::new(Ok(pdf())).scrape(body).await));
}

#[tokio::test]
async fn the_answer_for_an_error_page_and_for_an_error_without_a_page() {
    let body = json!({"url": "http://example.com/page"});
    let mut gone = Document::new(Kind::new("html"), Unit::Part, ContentHash::of(b""), 0);
    gone.pages = vec![Page::new(1, "# Gone")];
    let gone = fetched(gone, "http://example.com/gone/", 404, "text/html");
    insta::assert_snapshot!(shown(Server::new(Ok(gone)).scrape(body).await));
    insta::assert_snapshot!(shown(Server::new(Err(Error::UpstreamStatus(599))).scrape(all()).await));
}

#[tokio::test]
async fn only_what_was_asked_for_comes_back() {
    let server = Server::new(Ok(page()));
    let keys = async |formats: Value| {
        let (data, _) = server.ask(json!({ "formats": formats })).await;
        data.as_object().unwrap().keys().cloned().collect::<Vec<_>>()
    };
    assert_eq!(keys(json!(["markdown"])).await, ["markdown", "metadata"]);
    assert_eq!(keys(json!(["html", "links"])).await, ["html", "links", "metadata"]);
    assert_eq!(keys(json!(["rawHtml", "images"])).await, ["rawHtml", "images", "metadata"]);
    assert_eq!(keys(json!([])).await, ["metadata"]);
}

#[tokio::test]
async fn a_page_is_whole_however_long_it_is() {
    let mut document = Document::new(Kind::new("html"), Unit::Part, ContentHash::of(b""), 0);
    document.pages = (1..=900).map(|number| Page::new(number, &format!("part {number} {}", "x".repeat(99)))).collect();
    let server = Server::new(Ok(fetched(document, "http://example.com/", 200, "text/html")));
    let (data, _) = server.ask(json!({})).await;
    let text = data["markdown"].as_str().unwrap();
    assert!(text.len() > 2 * Rules::default().out_cap && text.contains("part 900 x"));
    assert!(!text.contains("--- p"), "parts have no markers");
    assert_eq!(text.matches("\n\n").count(), 899);
    assert_eq!(data["metadata"].get("numPages"), None);
}

#[tokio::test]
async fn nothing_that_a_page_says_of_itself_gets_into_a_reserved_field() {
    let (data, _) = Server::new(Ok(page())).ask(json!({})).await;
    assert!(!data.to_string().contains("TRAP"), "{data}");
    let mut hostile = page();
    let document = Arc::make_mut(&mut hostile.document);
    document.title = Some("  ".to_owned());
    document.description = Some("d".repeat(3000));
    let said = json!({
        "keywords": {"not": "text"}, "robots": 7, "favicon": [null, "a"], "modified": true,
        "opengraph": {"og:locale:alternate": ["de", 1, null, {}], "title": []}, "meta": "not an object",
    });
    document.metadata = said.as_object().unwrap().clone();
    let (data, _) = Server::new(Ok(hostile)).ask(json!({})).await;
    let metadata = &data["metadata"];
    assert_eq!(metadata["title"], "final", "the name of the file, when there is no title");
    assert_eq!(metadata["description"].as_str().unwrap().len(), 2000);
    assert_eq!((&metadata["robots"], &metadata["favicon"]), (&json!("7"), &json!("a")));
    assert_eq!(metadata["ogLocaleAlternate"], json!(["de", "1"]));
    for absent in ["keywords", "modifiedTime", "ogTitle"] {
        assert_eq!(metadata.get(absent), None);
    }
}

#[tokio::test]
async fn a_title_is_never_empty() {
    for (url, title) in [("http://example.com/a/b.pdf?x=1", "b.pdf"), ("http://example.com/a/", "example.com")] {
        let bare = fetched((*pdf().document).clone(), url, 200, "application/pdf");
        let (data, _) = Server::new(Ok(bare)).ask(json!({})).await;
        assert_eq!(data["metadata"]["title"], title);
    }
}

#[tokio::test]
async fn every_scrape_has_an_id_of_its_own_in_the_form_of_a_uuid() {
    let server = Server::new(Ok(page()));
    let mut ids = HashSet::new();
    for _ in 0..100 {
        let (data, _) = server.ask(json!({})).await;
        let id = data["metadata"]["scrapeId"].as_str().unwrap().to_owned();
        let lengths: Vec<_> = id.split('-').map(str::len).collect();
        assert_eq!((lengths.as_slice(), &id[14..15]), (&[8, 4, 4, 4, 12][..], "4"));
        assert!("89ab".contains(&id[19..20]) && id.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit()));
        ids.insert(id);
    }
    assert_eq!(ids.len(), 100);
}

#[tokio::test]
async fn pictures_inside_the_text_go_unless_they_are_wanted() {
    let server = Server::new(Ok(page()));
    let (data, _) = server.ask(json!({})).await;
    assert_eq!(data["markdown"], "# One\n\nTwo ![a](<Base64-Image-Removed>) end");
    let (data, _) = server.ask(json!({"removeBase64Images": false})).await;
    assert!(data["markdown"].as_str().unwrap().contains("(data:image/png;base64,QUJD)"));
}

#[test]
fn a_picture_is_cut_out_to_its_end_and_nothing_else() {
    let cut = |text: &'static str| super::super::formats::without_base64_images(text.into()).into_owned();
    for (text, rest) in [
        ("![](data:image/png;base64,QQ==)![b](x)", "![](<Base64-Image-Removed>)![b](x)"),
        ("![](data:image/png;base64,QQ== \"t\") é", "![](<Base64-Image-Removed> \"t\") é"),
        ("![](data:image/svg+xml,%3Csvg%3E)", "![](data:image/svg+xml,%3Csvg%3E)"),
        ("![](data:image/png;base64,QQ", "![](<Base64-Image-Removed>"),
        ("say (data:image/png;base64,QQ==)", "say (data:image/png;base64,QQ==)"),
    ] {
        assert_eq!(cut(text), rest);
    }
}

#[tokio::test]
async fn max_pages_cuts_the_text_the_pages_and_the_count() {
    let server = Server::new(Ok(pdf()));
    for (most, count) in [(1, 1), (3, 3), (4, 3)] {
        let parser = json!({"type": "pdf", "maxPages": most, "pages": true});
        let (data, _) = server.ask(json!({"parsers": [parser]})).await;
        assert_eq!(data["pages"].as_array().unwrap().len(), count);
        assert_eq!((&data["metadata"]["numPages"], &data["metadata"]["totalPages"]), (&json!(count), &json!(5)));
        assert_eq!(data["markdown"].as_str().unwrap().contains("third"), count == 3);
    }
    let (data, _) = Server::new(Ok(page())).ask(json!({"parsers": [{"type": "pdf", "maxPages": 1}]})).await;
    assert!(data["markdown"].as_str().unwrap().contains("Two"), "other documents have no pages to cut");
}

#[tokio::test]
async fn page_markers_stand_between_pages_only() {
    let parser = json!({"type": "pdf", "pageMarkers": true});
    let (data, _) = Server::new(Ok(pdf())).ask(json!({"parsers": [parser]})).await;
    let text = "first\n\n---\n\n<!-- page 2 -->\n\n[page 2 could not be read: bad stream]\n\n---\n\n\
        <!-- page 3 -->\n\nthird";
    assert_eq!(data["markdown"], text);
}

#[tokio::test]
async fn a_pdf_longer_than_one_answer_is_a_map_and_says_so() {
    let mut long = pdf();
    Arc::make_mut(&mut long.document).pages = vec![Page::new(1, &"word ".repeat(1000)); 3];
    let rules = Rules { out_cap: 10_000, ..Rules::default() };
    let server = Server::with(Ok(long), rules);
    let (data, _) = server.ask(json!({})).await;
    assert!(data["markdown"].as_str().unwrap().chars().count() <= 10_000);
    assert!(warning(&data).contains("longer than one answer"));
    let (data, _) = server.ask(json!({"parsers": [{"type": "pdf", "pageMarkers": true}]})).await;
    assert!(data["markdown"].as_str().unwrap().len() > 14_900 && warning(&data).is_empty(), "asked for by name");
}

#[tokio::test]
async fn what_is_not_as_asked_is_said() {
    let (data, _) = Server::new(Ok(pdf())).ask(json!({"parsers": [], "formats": ["markdown", "html", "images"]})).await;
    assert!(warning(&data).contains("parsers leaves pdf out") && warning(&data).contains("html left out"));
    assert_eq!((data.get("html"), &data["images"]), (None, &json!([])));
    let mut odd = Fetched { stale: true, downgraded: true, ..page() };
    Arc::make_mut(&mut odd.document).note = Some("salvaged".to_owned());
    let (data, _) = Server::new(Ok(odd)).ask(json!({"parsers": []})).await;
    for part in ["a copy of 2026-01-01T00:00:00Z", "from https to http", "salvaged"] {
        assert!(warning(&data).contains(part), "{data}");
    }
    assert!(!warning(&data).contains("pdf"), "a page has no file to hand out");
}

#[tokio::test]
async fn a_site_that_shuts_us_out_is_named_with_and_without_a_page() {
    for (status, named) in [(401, true), (403, true), (429, true), (404, false), (503, false)] {
        let shut = fetched((*page().document).clone(), "http://example.com/", status, "text/html");
        for result in [Ok(shut), Err(Error::UpstreamStatus(status))] {
            let (data, _) = Server::new(result).ask(json!({})).await;
            assert_eq!(warning(&data).contains("browser"), named, "{status}");
        }
    }
}

#[tokio::test]
async fn the_cache_shows_in_the_metadata_only_when_it_answered() {
    for (origin, state) in
        [(Origin::Hot, "hit"), (Origin::Disk, "hit"), (Origin::Revalidated, "miss"), (Origin::Network, "miss")]
    {
        let (data, _) = Server::new(Ok(Fetched { origin, ..page() })).ask(json!({})).await;
        let at = (state == "hit").then(|| json!("2026-01-01T00:00:00Z"));
        assert_eq!((&data["metadata"]["cacheState"], data["metadata"].get("cachedAt")), (&json!(state), at.as_ref()));
    }
}

#[tokio::test]
async fn a_copy_younger_than_min_age_is_none() {
    let mut young = Fetched { origin: Origin::Hot, ..page() };
    Arc::make_mut(&mut young.entry).fetched_at = Timestamp(Timestamp::now().0 - 3_600_000);
    let server = Server::new(Ok(young));
    server.ask(json!({"minAge": 3_600_000})).await;
    let answered = server.scrape(json!({"url": "http://example.com/", "minAge": 3_660_000})).await;
    assert_eq!((answered.status, &answered.json["code"]), (404, &json!("SCRAPE_NO_CACHED_DATA")));
}
