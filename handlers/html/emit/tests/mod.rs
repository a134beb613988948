//! Every rule of the Markdown that is written.

mod blocks;
mod code;
mod inline;
mod links;
mod tables;

use super::*;
use proptest::prelude::*;

fn page(html: &str) -> (Dom, Addresses) {
    let dom = Dom::parse(html, false);
    let addresses = Addresses::of(&dom, "https://e.test/dir/page.html".parse().ok());
    (dom, addresses)
}

/// All of a page as Markdown.
fn md(html: &str) -> String {
    let (dom, addresses) = page(html);
    markdown(&dom, dom.body(), &Kept::all(&dom), &addresses)
}

/// What is left of it without the texts in which a word occurs.
fn without(html: &str, word: &str) -> (String, String) {
    let (dom, addresses) = page(html);
    let kept = Kept::of(&dom, (dom.root()..dom.end(dom.root())).map(|id| !dom.text(id).contains(word)).collect());
    (markdown(&dom, dom.body(), &kept, &addresses), super::html(&dom, dom.body(), &kept, &addresses))
}

#[test]
fn markup_without_anything_kept_below_it_is_not_written() {
    let html = "<h2>GONE</h2><ul><li>GONE</li><li>b</li></ul><blockquote>GONE</blockquote><table><tr><th>GONE<th>GONE\
                <tr><td>GONE<td>GONE</table><p><b>GONE</b><a href=/x>GONE</a><code>GONE</code></p><details><summary>GONE</summary></details>";
    assert_eq!(without(html, "GONE").0, "- b");
    assert_eq!(without("<ol><li>GONE</li><li>b</li></ol>", "GONE").0, "2. b");
}

#[test]
fn html_has_what_is_kept_with_absolute_addresses() {
    let html = "<div class='a\"b' onclick=x() style=color:red><p>x &amp; y&nbsp;&lt;z&gt;<br><a href=r>l</a>\
                <a href='javascript:x'>j</a></p><script>s</script><svg><path/></svg><iframe src=//ads.test></iframe><p>GONE</p><img data-src=i.png alt=A class=c></div>tail";
    assert_eq!(
        without(html, "GONE").1,
        "<div class=\"a&quot;b\"><p>x &amp; y&nbsp;&lt;z&gt;<br><a href=\"https://e.test/dir/r\">l</a><a>j</a></p>\
         <img src=\"https://e.test/dir/i.png\" alt=\"A\"></div>tail"
    );
}

#[test]
fn hostile_pages_give_little_more_than_they_are() {
    let pages = [
        "<ul><li>x".repeat(5_000),
        "<ol start=999999999><li>x".repeat(2_000),
        "<blockquote>x".repeat(5_000),
        "<dl><dd>x".repeat(5_000),
        "<table><tr><th>a<th>b<tr><td>".repeat(2_000),
        format!("<table>{}", "<tr><td colspan=1000 rowspan=1000>x<td>y".repeat(3_000)),
        format!("<table><tr>{}{}", "<td>x".repeat(5_000), "<tr><td>x<td>y".repeat(5_000)),
        format!("<p>{}", "[".repeat(50_000)),
        format!("<p>{}", "\\(".repeat(50_000)),
        format!("<pre>{}", "`".repeat(50_000)),
        "<b><i><a href=/x>".repeat(5_000),
        "<sup><code><sub><katex class=katex>".repeat(2_000),
    ];
    for page in pages {
        let got = md(&page).len();
        assert!(got < 6 * page.len() + 1_000, "{got} from {}: {}", page.len(), &page[..40]);
    }
}

/// Pieces of pages: words that must come out again, and markup around them.
fn piece() -> impl Strategy<Value = String> {
    const TAGS: [&str; 42] = [
        "p",
        "div",
        "b",
        "i",
        "em",
        "strong",
        "a href=/x",
        "a href=#y",
        "ul",
        "ol start=7",
        "li",
        "h1",
        "h3",
        "table",
        "tr",
        "td",
        "td colspan=2",
        "td rowspan=3",
        "th",
        "caption",
        "blockquote",
        "pre",
        "code",
        "sup",
        "sub",
        "dl",
        "dt",
        "dd",
        "details",
        "summary",
        "figure",
        "figcaption",
        "del",
        "mark",
        "q",
        "ruby",
        "rt",
        "kbd",
        "span",
        "thead",
        "ol class=references",
        "li id=y",
    ];
    prop_oneof![
        4 => (0..10_000_u32).prop_map(|number| format!(" word{number} ")),
        4 => prop::sample::select(&TAGS[..]).prop_map(|tag| format!("<{tag}>")),
        3 => prop::sample::select(&TAGS[..]).prop_map(|tag| format!("</{}>", tag.split(' ').next().unwrap())),
        1 => prop::sample::select(&["<br>", "<hr>", "<img src=/i alt='a]b'>", "<input type=checkbox>", "&nbsp;", "&shy;"][..])
            .prop_map(str::to_owned),
        1 => "[-*_`#|$\\\\\\[\\]()~=+.0-9>&; \n]{1,6}",
    ]
}

proptest! {
    #[test]
    fn every_word_that_is_kept_is_written(pieces in prop::collection::vec(piece(), 0..60)) {
        let html = pieces.concat();
        let got = md(&html);
        prop_assert!(got.len() < 60 * html.len() + 100);
        for word in pieces.iter().map(|piece| piece.trim()).filter(|piece| piece.starts_with("word")) {
            prop_assert!(got.contains(word), "{word} of {html:?} isn't in {got:?}");
        }
    }
}
