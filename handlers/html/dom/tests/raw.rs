//! Comments, and elements whose content is text.

use super::{Dom, Name, assert_bodies, body_of, find};
use crate::html::dom::{Id, MAX_SCRIPT};

#[test]
fn comments_are_dropped_up_to_their_end() {
    assert_bodies(&[
        ("a<!-- > -->b<!-->c<!--->d<!--e--!>f<!x>g<?y?>h</ z>i</>j", r#""abcdfghij""#),
        ("a<!-- b", r#""a""#),
        ("a<b<c>d</c>", r#""a" b<c("d")"#),
        ("1 < 2 <3 <", r#""1 < 2 <3 <""#),
    ]);
}

#[test]
fn raw_text_ends_at_its_own_end_tag() {
    assert_bodies(&[
        ("<p><textarea>\n<b>&lt;</b></textareas></textarea >a", r#"p(textarea("<b><</b></textareas>") "a")"#),
        ("<xmp><b>&lt;</xmp>a", r#"xmp("<b>&lt;") "a""#),
        ("<p><iframe><b></iframe>a<style><b></style>b", r#"p(iframe("<b>") "a" style "b")"#),
        ("<pre>\n\na</pre>", r#"pre("\na")"#),
        ("<p>a<plaintext><b>&lt;</plaintext>", r#"p("a") plaintext("<b>&lt;</plaintext>")"#),
    ]);
}

/// The kept content of a page's first script.
fn script(page: &str) -> String {
    let dom = Dom::parse(page, false);
    let script = find(&dom, Name::Script);
    assert!(dom.end(script) <= script + 2, "{page}");
    (script..dom.end(script)).map(|id: Id| dom.text(id)).collect()
}

#[test]
fn only_scripts_that_hold_data_are_kept() {
    assert_eq!(script("<script type='application/ld+json'>{\"a\":\"<b>&amp;\"}</script>"), r#"{"a":"<b>&amp;"}"#);
    assert_eq!(script("<script type=application/JSON>1</script>"), "1");
    assert_eq!(script("<script type='math/tex; mode=display'>x^2</script>"), "x^2");
    assert_eq!(script("<script id=__NEXT_DATA__>2</script>"), "2");
    assert_eq!(script("<script>window.__NUXT__={}</script>"), "window.__NUXT__={}");
    assert_eq!(script("<script>window.__APOLLO_STATE__={}</script>"), "window.__APOLLO_STATE__={}");
    for dropped in ["<script>a()</script>", "<script type=importmap>{}</script>", "<script>__MY_STATE__</script>"] {
        assert_eq!(script(dropped), "", "{dropped}");
    }
    assert_eq!(script(&format!("<script type=application/json>{}</script>", "1".repeat(MAX_SCRIPT + 1))), "");
}

#[test]
fn an_end_tag_in_a_comment_of_a_script_is_none() {
    assert_eq!(body_of("<p><script><!-- <script>a</script> --></script>b"), r#"p(script "b")"#);
    assert_eq!(body_of("<p><script><!-- a</script>b"), r#"p(script "b")"#);
    // Nothing of the page would be left.
    assert_eq!(body_of("<p><script><!-- <script></script>a"), r#"p(script "a")"#);
}
