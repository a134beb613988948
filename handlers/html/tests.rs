use super::*;
use crate::{Content, Reading, conformance};
use bytes::Bytes;
use std::sync::Arc;

const PROSE: &str = "The quick brown fox studies retrieval systems and writes long plain sentences, so that there is \
                     enough prose, with commas and ordinary words, to call this the main content of the page. ";

fn article() -> String {
    format!(
        "<!doctype html><html lang=en><head><meta charset=utf-8><title>Fixture Article</title>\
         <meta name=description content='A page used for tests.'><meta property=og:title content='OG Fixture'>\
         <meta property=og:site_name content=FixtureSite><script>var SCRIPT_TRAP=1;</script><style>.STYLE_TRAP{{}}</style></head>\
         <body><nav><ul><li><a href=/nav1>NAVTRAP one</a></li><li><a href=/nav2>NAVTRAP two</a></li></ul></nav>\
         <main><article><h1>Fixture Heading</h1><p>{PROSE}MAINMARKER. {PROSE}</p><h2 id=sec>Second Heading</h2><p>{PROSE}</p>\
         <p>See <a href='rel/page.html?x=1&amp;y=2#frag'>a relative link</a> and <a href='#sec'>an anchor</a>. {PROSE}</p>\
         <pre><code class=language-python>def f(x):\n    if x:\n        return \"two  spaces\"\n</code></pre>\
         <table><thead><tr><th>Name</th><th>Value</th></tr></thead><tbody><tr><td>pipe</td><td>a|b</td></tr></tbody></table>\
         <ul><li>first item</li><li>second item</li></ul><img src=img/pic.png alt='a picture'>\
         <img alt=inline src='data:image/png;base64,QUJDQUJD'><div class=secret>EXCLUDEME text. {PROSE}</div>\
         </article></main><footer>FOOTERTRAP copyright</footer></body></html>"
    )
}

async fn read(html: &str, reading: Reading) -> Document {
    let body = Bytes::copy_from_slice(html.as_bytes());
    let source = Source {
        head: Head::new(Some("text/html"), body.clone()),
        base: "https://e.test/dir/page.html".parse().ok(),
        content: Content::Bytes(body),
        reading: Arc::new(reading),
    };
    Html.extract(source).await.unwrap()
}

fn text(document: &Document) -> String {
    document.pages.iter().map(crate::Page::text).collect::<Vec<_>>().join("\n\n")
}

async fn markdown(html: &str) -> String {
    text(&read(html, Reading::default()).await)
}

conformance::suite!(Html, "text/html", article().as_bytes());

#[test]
fn html_is_claimed_by_its_media_type_or_its_bytes() {
    let claim = |media, body: &'static [u8]| Html.claim(&Head::new(media, Bytes::from_static(body)));
    assert_eq!(claim(Some("text/html; charset=x"), b"x"), Claim::Declared);
    assert_eq!(claim(Some("application/xhtml+xml"), b"<?xml?>"), Claim::Declared);
    assert_eq!(claim(Some("text/html"), b"%PDF-1.7"), Claim::None);
    for media in [
        None,
        Some("application/octet-stream"),
        Some("application/pdf"),
        Some("text/markdown"),
        Some("application/json"),
    ] {
        assert_eq!(claim(media, b"<!doctype html>"), Claim::Sniffed, "{media:?}");
        assert_eq!(claim(media, b"other"), Claim::None);
    }
    assert_eq!(claim(Some("text/plain"), b"<!doctype html>"), Claim::None);
}

#[tokio::test]
async fn the_main_content_becomes_markdown() {
    let got = read(&article(), Reading::default()).await;
    let text = text(&got);
    for wanted in [
        "# Fixture Heading",
        "## Second Heading",
        "```python\ndef f(x):\n    if x:\n        return \"two  spaces\"\n```",
        "| Name | Value |",
        "| pipe | a\\|b |",
        "- first item\n- second item",
        "[a relative link](https://e.test/dir/rel/page.html?x=1&y=2#frag)",
        "[an anchor](https://e.test/dir/page.html#sec)",
        "![a picture](https://e.test/dir/img/pic.png)",
    ] {
        assert!(text.contains(wanted), "lacks {wanted:?}:\n{text}");
    }
    for unwanted in ["SCRIPT_TRAP", "STYLE_TRAP", "NAVTRAP", "FOOTERTRAP", "QUJD"] {
        assert!(!text.contains(unwanted), "has {unwanted}");
    }
    assert_eq!(got.title.as_deref(), Some("Fixture Article"));
    assert_eq!((got.language.as_deref(), got.site_name.as_deref()), (Some("en"), Some("FixtureSite")));
    assert_eq!(
        got.outline.iter().map(|item| (item.title.as_str(), item.level)).collect::<Vec<_>>(),
        [("Fixture Heading", 1), ("Second Heading", 2)]
    );
    assert_eq!(got.links.len(), 2);
}

#[tokio::test]
async fn the_whole_body_keeps_navigation_and_footer() {
    let got = text(&read(&article(), Reading { main_only: false, ..Reading::default() }).await);
    assert!(got.contains("NAVTRAP") && got.contains("FOOTERTRAP") && !got.contains("SCRIPT_TRAP"));
}

#[tokio::test]
async fn selectors_include_and_exclude() {
    let secret = || vec![".secret".to_owned(), "]broken[".to_owned()];
    let got = text(&read(&article(), Reading { exclude: secret(), ..Reading::default() }).await);
    assert!(!got.contains("EXCLUDEME") && got.contains("MAINMARKER"));
    let got = text(&read(&article(), Reading { include: secret(), ..Reading::default() }).await);
    assert!(got.contains("EXCLUDEME") && !got.contains("Fixture Heading"));
}

#[tokio::test]
async fn the_source_is_kept_untouched_beside_the_cleaned_html() {
    let sources = read(&article(), Reading { keep_sources: true, ..Reading::default() }).await.sources.unwrap();
    assert_eq!(sources.raw, article());
    let html = sources.html.unwrap();
    assert!(html.contains("MAINMARKER") && !html.contains("SCRIPT_TRAP") && !html.contains("NAVTRAP"));
    assert_eq!(sources.images, ["https://e.test/dir/img/pic.png"]);
}

#[tokio::test]
async fn raw_is_the_decoded_source() {
    let got = read("<p>x &amp; y</p>", Reading { raw: true, ..Reading::default() }).await;
    assert_eq!(text(&got), "<p>x &amp; y</p>");
}

#[tokio::test]
async fn a_page_without_text_says_so() {
    let got =
        read("<html><head><title>Empty</title></head><body><div id=app></div></body></html>", Reading::default()).await;
    assert_eq!((got.pages.len(), got.pages[0].text(), got.total_pages), (1, "", 1));
    assert!(got.note.is_some() && got.title.as_deref() == Some("Empty"));
}

#[tokio::test]
async fn an_empty_body_is_filled_from_what_the_page_carries() {
    let data =
        format!("<script type=application/json id=__NEXT_DATA__>{{\"a\":[\"{PROSE}NEXTMARK {PROSE}\"]}}</script>");
    assert!(markdown(&format!("<div id=app></div>{data}")).await.contains("NEXTMARK"));
    assert!(
        markdown(&format!("<div id=app></div><noscript><p>{PROSE}<b>NOMARK</b> {PROSE}</p></noscript>"))
            .await
            .contains("**NOMARK**")
    );
    let article = format!("<script type=application/ld+json>{{\"articleBody\":\"{PROSE}LDMARK {PROSE}\"}}</script>");
    assert!(markdown(&format!("<p>Loading</p>{article}")).await.contains("LDMARK"));
    assert!(!markdown(&format!("<p>{PROSE}{PROSE}</p>{article}")).await.contains("LDMARK"));
}

#[tokio::test]
async fn a_long_page_is_complete_and_its_headings_know_their_part() {
    let body = (0..300).map(|n| format!("<h2>Heading {n}</h2><p>row {n} {PROSE}</p>")).collect::<Vec<_>>().concat();
    let got = read(&format!("<main><h1>Big</h1>{body}<p>ENDOFBIG</p></main>"), Reading::default()).await;
    assert!(text(&got).contains("ENDOFBIG"));
    assert_eq!(got.outline.len(), 301);
    for item in &got.outline {
        assert!(got.pages[item.page as usize - 1].text().contains(&item.title));
    }
}

#[tokio::test]
async fn a_million_nested_elements_are_read_with_their_text() {
    let deep = "<div>".repeat(200_000) + "Deep text here" + &"</div>".repeat(200_000);
    assert!(markdown(&deep).await.contains("Deep text here"));
    assert!(markdown(&("<b>".repeat(100_000) + "deep")).await.contains("deep"));
    assert!(markdown(&"<ul><li>x".repeat(20_000)).await.len() < 4_000_000);
}
