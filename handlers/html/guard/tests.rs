use super::{stack::MAX_DEPTH, *};
use dom_query::Document;
use proptest::prelude::*;

/// The depth of the tree that html5ever builds, and the number of its nodes.
fn built(page: &str) -> (usize, usize) {
    let document = Document::from(page);
    let (mut deepest, mut depth, mut nodes) = (0, 0, 0);
    let mut node = Some(document.root());
    while let Some(current) = node {
        nodes += 1;
        deepest = deepest.max(depth);
        node = current.first_child().inspect(|_| depth += 1).or_else(|| {
            let mut up = current;
            loop {
                if let Some(next) = up.next_sibling() {
                    break Some(next);
                }
                up = up.parent()?;
                depth -= 1;
            }
        });
    }
    (deepest, nodes)
}

/// Text with all white space left out.
fn text_of(page: &str) -> String {
    Document::from(page).root().text().split_whitespace().collect()
}

/// `html` and `body` come on top, and every level of the stack may stand in one link more than the stack has: a link
/// that a second one closes from within a table leaves the stack, and keeps its children.
const BOUND: usize = 2 * MAX_DEPTH + 16;

#[track_caller]
fn assert_bounded(page: &str) {
    let passed = guarded(page, false);
    let (depth, nodes) = built(&passed);
    assert!(depth <= BOUND, "depth {depth} of {}", page.chars().take(60).collect::<String>());
    assert!(nodes < 40 * page.len() / 4 + 1000, "{nodes} nodes of {} bytes", page.len());
}

#[test]
fn ordinary_pages_are_left_as_they_are() {
    for page in [
        "<html lang=en><head><title>a &amp; <b></title><meta charset=utf-8></head><body class=x><p>a<p>b<ul><li>c<li>d</ul>",
        "<table><tr><td>1<td>2<tr><td>3</table><p>x <b>y <i>z</b> w</i>",
        "<div><p>a<div>b</div>c</div><a href=1>x<a href=2>y</a>",
        "<table><caption>c</caption><thead><tr><th>a</table>text<dl><dt>a<dd>b<dt>c</dl>",
        "<h1>a<h2>b</h1><button>x<button>y</button>a < b <3",
    ] {
        let passed = guarded(page, false);
        let tree = |page: &str| Document::from(page).root().html().replace('\n', "").replace("<!DOCTYPE html>", "");
        assert_eq!(tree(&passed), tree(&format!("<!DOCTYPE html>{page}")));
    }
}

#[test]
fn nesting_is_passed_on_up_to_the_limit_and_flattened_beyond_it() {
    let page = |depth: usize| "<div>".repeat(depth) + "x" + &"</div>".repeat(depth) + "<p>y";
    for (depth, passed) in [(MAX_DEPTH - 1, MAX_DEPTH - 1), (MAX_DEPTH, MAX_DEPTH), (MAX_DEPTH + 1, MAX_DEPTH)] {
        let page = guarded(&page(depth), false);
        assert_eq!(page.matches("<div>").count(), passed);
        assert_eq!(page.matches("</div>").count(), passed);
        assert_eq!(text_of(&page), "xy");
    }
}

#[test]
fn hostile_nesting_stays_bounded() {
    for unit in [
        "<div>",
        "<ul><li>x",
        "<table><tr><td>",
        "<table><td>",
        "<table>",
        "<b>",
        "<p><b>x</b><i>y",
        "<b><p></b>",
        "<b><div></b>",
        "<a><b><i>",
        "<svg><title><div>",
        "<svg><foreignObject><div></svg>",
        "<math><mi>",
        "<select><option>",
        "<template>",
        "<object>",
        "<span/>",
        "<x-y/><z>",
        "<button>",
        "<form><div></form>",
        "<table><div>",
        "<li><ul></li>",
        "<dl><dd>",
        "<details><summary>",
        "<frameset><noframes><div>",
        "<noscript><div>",
        "<p><table>",
        "<button><b>",
        "<div><b></div>x",
        "<div><b></div><img>",
        "<b><svg></b><form>",
        "<b><li><h2></table><li>",
        "</table><select><table><a href=x>",
        "<b><table><tr><td><b></table></b>",
    ] {
        assert_bounded(&unit.repeat(3_000));
    }
}

#[test]
fn formatting_elements_with_attributes_of_their_own_do_not_multiply() {
    let page = |unit: fn(usize) -> String| (0..3_000).map(unit).collect::<String>();
    assert_bounded(&page(|n| format!("<p><b id={n}>x</p>")));
    assert_bounded(&page(|n| format!("<p><font id={n}><i id={n}>x")));
    assert_bounded(&page(|n| format!("<b id={n}>{}</b>{}x", "<div>".repeat(9), "</div>".repeat(9))));
    assert_bounded(&page(|n| format!("<table><tr><td><b id={n}>x</table>")));
}

#[test]
fn attributes_of_further_bodies_are_not_merged() {
    let page: Vec<String> = (0..50).map(|n| format!("<body a{n}=1>x")).collect();
    assert_eq!(guarded(&page.concat(), false), format!("<!DOCTYPE html><body a0=1>x{}", "\nx".repeat(49)));
}

#[test]
fn comments_scripts_and_styles_go_and_data_stays() {
    let page = "a<!-- x --><!--> b<!--->c<!-- y --!>d<script>evil()</script><style>p{}</style>\
                <script type=\"application/ld+json\">{\"a\":\"<!-- <script>\"}</script>e<textarea>t</textarea>";
    let passed = guarded(page, false);
    assert_eq!(text_of(&passed.replace("\\u003c", "")), "abcd{\"a\":\"!--<script>\"}e");
    assert!(passed.contains("\\u003c!--"));
}

#[test]
fn what_never_closes_loses_no_text_that_follows() {
    assert_eq!(text_of(&guarded("<title>a<p>b<title>c", false)), "abc");
    assert_eq!(text_of(&guarded("<script>a<p>b", false)), "ab");
    assert_eq!(text_of(&guarded("<p>a</p><!-- b", false)), "a");
}

#[test]
fn xml_closes_every_element_that_says_so() {
    assert_eq!(guarded("<a name='x'/>y<br/>", true), "<!DOCTYPE html><a name='x'></a>y<br>");
    assert_eq!(guarded("<a name='x'/>y", false), "<!DOCTYPE html><a name='x'>y");
}

#[test]
fn reserved_characters_are_kept_out() {
    let page = format!("a\0b{}c<p title='x{}y'>", super::super::marks::OPEN, super::super::marks::ESCAPE);
    assert_eq!(guarded(&page, false), "<!DOCTYPE html>abc<p title='xy'>");
}

#[test]
fn elements_past_the_limit_leave_their_text() {
    let passed = guarded(&"<p>x".repeat(MAX_ELEMENTS + 10), false);
    assert_eq!(passed.matches("<p>").count(), MAX_ELEMENTS);
    assert_eq!(passed.matches('x').count(), MAX_ELEMENTS + 10);
}

#[test]
fn the_pass_is_linear_in_hostile_input() {
    let units = ["<div>", "<!--x-->", "<script><!--<script></script>", "</x>", "<div></p>", "<", "<a b='", "<title>"];
    let start = tokio::time::Instant::now();
    for unit in units {
        guarded(&unit.repeat(1 << 20 >> 4), false);
    }
    assert!(start.elapsed().as_secs() < 20);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, ..ProptestConfig::default() })]
    #[test]
    fn any_mix_of_tags_stays_within_the_depth(
        tags in proptest::collection::vec(
            prop_oneof![
                Just("<b>"), Just("</b>"), Just("<a href=x>"), Just("</a>"), Just("<div>"), Just("</div>"), Just("<p>"),
                Just("</p>"), Just("<table>"), Just("</table>"), Just("<tr>"), Just("<td>"), Just("</td>"), Just("<ul>"),
                Just("<li>"), Just("</ul>"), Just("<span>"), Just("</span>"), Just("<form>"), Just("</form>"), Just("x"),
                Just("<button>"), Just("<select>"), Just("<svg>"), Just("</svg>"), Just("<h2>"), Just("</h3>"), Just("<dd>"),
            ],
            1..8,
        ),
    ) {
        assert_bounded(&tags.concat().repeat(1_200));
    }
}
