use super::*;
use crate::html::visible::Visible;

const PROSE: &str = "The quick brown fox studies retrieval systems and writes long plain sentences, so that there is \
                     enough prose, with commas and ordinary words, to call this the main content of the page.";

/// The words that are kept of a page.
fn kept(html: &str) -> String {
    let dom = Dom::parse(html, false);
    let content = choose(&dom, &Visible::of(&dom).seen, false);
    let texts = (0..).zip(&content.kept).filter(|(_, kept)| **kept).map(|(id, _)| dom.text(id));
    texts.collect::<Vec<_>>().join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
}

fn article() -> String {
    format!(
        "<title>Foxes</title><header><a href=/>HOMELINK</a></header><nav><ul><li><a href=/a>NAVLINK one</a><li><a href=/b>NAVLINK \
         two</a></ul></nav><main><article><h1>Foxes</h1><p>{PROSE}</p><p>{PROSE}</p><h2>Their dens</h2><p>{PROSE}</p>\
         <ul><li>SMALLITEM</li></ul><p>{PROSE}</p></article></main><aside class=related><h3>Related</h3><ul><li><a \
         href=/c>RELATEDLINK</a></ul></aside><footer><p>FOOTERTEXT copyright 2024</p></footer>"
    )
}

#[test]
fn an_article_is_kept_without_what_is_around_it() {
    let got = kept(&article());
    for wanted in ["Foxes", "Their dens", "SMALLITEM", "main content"] {
        assert!(got.contains(wanted), "lacks {wanted}: {got}");
    }
    for unwanted in ["HOMELINK", "NAVLINK", "RELATEDLINK", "FOOTERTEXT"] {
        assert!(!got.contains(unwanted), "has {unwanted}: {got}");
    }
}

#[test]
fn the_method_names_the_container_that_agrees() {
    let dom = Dom::parse(&article(), false);
    let content = choose(&dom, &Visible::of(&dom).seen, false);
    assert_eq!(content.method, "rules");
    assert!(
        content.confidence > 0.8 && (0.5..1.0).contains(&content.share),
        "{} {}",
        content.confidence,
        content.share
    );
}

#[test]
fn a_page_of_few_words_is_kept_whole_up_to_its_limit() {
    let short = |letters: usize| format!("<nav><a href=/>HOME</a></nav><p>{}</p>", "abcde ".repeat(letters / 5));
    // Four letters are in the link.
    assert!(kept(&short(390)).contains("HOME"));
    let long = format!("<main><p>{PROSE}</p><p>{PROSE}</p><p>{PROSE}</p></main><nav><a href=/>HOME</a></nav>");
    assert!(!kept(&long).contains("HOME"));
}

#[test]
fn a_page_of_too_many_blocks_is_kept_whole() {
    let page = format!("<nav><a href=/>HOME</a></nav><div>{}</div>", "<p>a b c</p>".repeat(MAX_BLOCKS));
    let dom = Dom::parse(&page, false);
    let content = choose(&dom, &Visible::of(&dom).seen, false);
    assert_eq!((content.method, content.kept[dom.len() - 1]), ("body", true));
}

#[test]
fn images_are_kept_with_the_text_that_holds_them() {
    let page =
        article().replace("<h2>", "<figure><img src=a.png></figure><h2>").replace("<nav>", "<nav><img src=logo.png>");
    let dom = Dom::parse(&page, false);
    let content = choose(&dom, &Visible::of(&dom).seen, false);
    let images = (0..).zip(&content.kept).filter(|(id, _)| dom.name(*id) == crate::html::dom::Name::Img);
    assert_eq!(
        images.map(|(id, kept)| (dom.attr(id, "src").unwrap(), *kept)).collect::<Vec<_>>(),
        [("logo.png", false), ("a.png", true)]
    );
}

#[test]
fn json_ld_tells_of_a_product() {
    let is = |kind: serde_json::Value| is_product(&[serde_json::json!({"@type": kind})]);
    assert!(is("Product".into()) && is(serde_json::json!(["Thing", "http://schema.org/Product"])));
    assert!(!is("Article".into()) && !is_product(&[]));
}
