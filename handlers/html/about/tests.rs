use super::*;
use crate::{ContentHash, Kind, Unit};

const ADDRESS: &str = "https://www.example.test/2024/05/03/title";

fn filled(html: &str) -> Document {
    let dom = Dom::parse(html, false);
    let mut document = Document::new(Kind::new("html"), Unit::Part, ContentHash::of(b""), 0);
    About::read(&dom, Url::parse(ADDRESS).ok().as_ref()).fill(&mut document);
    document
}

fn title(html: &str) -> (String, String) {
    let document = filled(html);
    (document.title.unwrap_or_default(), source(&document.metadata, "title"))
}

fn author(html: &str) -> (String, String) {
    let document = filled(html);
    (document.byline.unwrap_or_default(), source(&document.metadata, "byline"))
}

fn published(html: &str) -> (String, String) {
    let document = filled(html);
    (document.published.unwrap_or_default(), source(&document.metadata, "published"))
}

fn source(metadata: &Map<String, Value>, field: &str) -> String {
    metadata.get("sources").and_then(|sources| text(sources.get(field))).unwrap_or_default()
}

fn pair(value: &str, source: &str) -> (String, String) {
    (value.to_owned(), source.to_owned())
}

#[test]
fn the_title_goes_without_the_name_of_the_site() {
    for (html, expected) in [
        ("<title>A long title | Example</title>", "A long title"),
        ("<meta property=og:site_name content=Paper><title>Two words - Paper</title>", "Two words"),
        ("<title>Example: Chapter 11. Indexes</title>", "Chapter 11. Indexes"),
        ("<title>A - B</title>", "A - B"),
        ("<title>Topic of the thread - Forum</title><h1>Forum</h1>", "Topic of the thread"),
    ] {
        assert_eq!(title(html), pair(expected, "title"), "{html}");
    }
}

#[test]
fn a_heading_that_says_the_same_is_the_title() {
    assert_eq!(
        title("<title>How To Bake Bread in 2024 | Blog</title><h1>How To Bake Bread</h1>"),
        pair("How To Bake Bread", "h1")
    );
    assert_eq!(
        title("<meta property=og:type content=article><title>Bake bread</title><h1>How To Bake Bread</h1>"),
        pair("How To Bake Bread", "h1")
    );
    assert_eq!(title("<title>Fixture Article</title><h1>Fixture Heading</h1>"), pair("Fixture Article", "title"));
    let application = "<title>Site - the heart of it</title><h1>Best laptop for college to buy now</h1>";
    assert_eq!(title(application), pair("Best laptop for college to buy now", "h1"));
}

#[test]
fn a_heading_that_leads_home_is_no_title() {
    assert_eq!(title("<title>Words of it</title><h1><a href=/>Words of it all</a></h1>"), pair("Words of it", "title"));
    assert_eq!(title("<h1>Quickstart<a class=headerlink href=#q>¶</a></h1>"), pair("Quickstart", "h1"));
    assert_eq!(title("<h1>Only <br>heading</h1>"), pair("Only heading", "h1"));
}

#[test]
fn authors_are_named_without_what_stands_around_them() {
    for (html, expected) in [
        (
            "<script type=application/ld+json>{\"author\":[{\"name\":\"Ada L.\"},{\"name\":\"Bob\"}]}</script>",
            pair("Ada L, Bob", "json-ld"),
        ),
        (
            "<script type=application/ld+json>{\"@graph\":[{\"author\":{\"@id\":\"#a\"}},{\"@id\":\"#a\",\"name\":\"Ada\"}]}</script>",
            pair("Ada", "json-ld"),
        ),
        ("<meta name=author content='By Ada Lovelace | 3 May'>", pair("Ada Lovelace", "meta")),
        ("<meta name=author content=admin><a rel=author>Ada</a>", pair("Ada", "text")),
        ("<meta property=article:author content=https://x.test/ada><p class=byline>By Ada</p>", pair("Ada", "text")),
        ("<h1>T</h1><p>by <a href=/a>Ada Lovelace</a></p>", pair("Ada Lovelace", "text")),
        ("<article data-author=poster1>x</article><a class=username>later</a>", pair("poster1", "text")),
        ("<h1>T</h1><p>By the way, this is a sentence.</p>", pair("", "")),
    ] {
        assert_eq!(author(html), expected, "{html}");
    }
}

#[test]
fn dates_are_taken_from_the_surest_place_and_written_as_iso() {
    let json_ld = "<script type=application/ld+json>{\"datePublished\":\"2024-01-02T03:04:05Z\"}</script>";
    for (html, expected) in [
        (json_ld, pair("2024-01-02T03:04:05Z", "json-ld")),
        ("<meta property=article:published_time content=2024-02-03>", pair("2024-02-03", "og")),
        ("<meta name=date content='March 4, 2024'>", pair("2024-03-04", "meta")),
        ("<time datetime=2024-05-06>x</time>", pair("2024-05-06", "time")),
        ("<p>nothing</p>", pair("2024-05-03", "url")),
    ] {
        assert_eq!(published(html), expected, "{html}");
    }
}

#[test]
fn dates_are_read_in_many_forms() {
    for (shown, day) in [
        ("Jan 2, 2024", "2024-01-02"),
        ("2nd January 2024", "2024-01-02"),
        ("2. März 2024", "2024-03-02"),
        ("le 14 juillet 2023", "2023-07-14"),
        ("5 de mayo de 2024", ""),
        ("02.01.2024", "2024-01-02"),
        ("01/31/2024", "2024-01-31"),
        ("2024年1月2日", "2024-01-02"),
        ("Tue, 02 Jan 2024 10:00:00 GMT", "2024-01-02"),
        ("12 of 34 in 2024", ""),
        ("99/99/2024", ""),
    ] {
        let dom = Dom::parse(&format!("<p class=date>{shown}</p>"), false);
        let found = About::read(&dom, None).published.map(|found| found.value).unwrap_or_default();
        assert_eq!(found, day, "{shown}");
    }
}

#[test]
fn json_ld_is_read_where_it_is_not_quite_json() {
    for block in [
        "{\"headline\":\"x\"};",
        "<!-- {\"headline\":\"x\"} -->",
        "{\"headline\":\"x\",}",
        "{\"headline\":\"x\",\"text\":\"a\nb\"}",
        "[{\"@graph\":[{\"headline\":\"x\"}]}]",
    ] {
        let dom = Dom::parse(&format!("<script type=application/ld+json>{block}</script>"), false);
        assert_eq!(json_ld::first(&json_ld::read(&dom), &["headline"]).as_deref(), Some("x"), "{block}");
    }
    let deep = format!("<script type=application/ld+json>{}</script>", "[".repeat(100_000));
    assert!(json_ld::read(&Dom::parse(&deep, false)).is_empty());
}

#[test]
fn what_describes_the_page_comes_before_what_is_around_it() {
    let page = "<script type=application/ld+json>[{\"@type\":\"Organization\",\"name\":\"o\"},{\"@type\":\"NewsArticle\",\"name\":\"a\"}]</script>";
    assert_eq!(json_ld::first(&json_ld::read(&Dom::parse(page, false)), &["name"]).as_deref(), Some("a"));
}

#[test]
fn maps_are_kept_whole_and_links_absolute() {
    let document = filled(
        "<html lang=de dir=rtl><link rel=canonical href=/c><link rel='shortcut icon' href=i.ico>\
         <link rel=alternate type=application/rss+xml href=/feed><link rel=alternate hreflang=fr href=/fr>\
         <meta name=robots content='NOINDEX,follow'><meta property=og:image content=/i.png>\
         <meta property=og:custom content=y><meta name=twitter:card content=summary><meta name=keywords content='a, b'>",
    );
    let metadata = &document.metadata;
    assert_eq!(document.language.as_deref(), Some("de"));
    assert_eq!(document.canonical_url.as_deref(), Some("https://www.example.test/c"));
    assert_eq!(metadata["direction"], "rtl");
    assert_eq!(metadata["favicon"], "https://www.example.test/2024/05/03/i.ico");
    assert_eq!(metadata["feeds"], serde_json::json!(["https://www.example.test/feed"]));
    assert_eq!(metadata["alternates"]["fr"], "https://www.example.test/fr");
    assert_eq!((&metadata["noindex"], &metadata["keywords"]), (&Value::from(true), &Value::from("a, b")));
    assert_eq!(metadata["image"], "https://www.example.test/i.png");
    assert_eq!(
        (&metadata["opengraph"]["custom"], &metadata["twitter"]["card"]),
        (&Value::from("y"), &Value::from("summary"))
    );
}
