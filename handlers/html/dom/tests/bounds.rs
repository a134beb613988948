//! What a hostile page can't do.

use super::{Dom, MAX_ATTRS, MAX_NODES, Name, body_of, check, find, ids, text_of};
use std::ops::Range;

/// Asserts the bounds and that all text is there, and gives the number of nodes.
fn assert_bounded(page: &str, text: &str) -> usize {
    let dom = Dom::parse(page, false);
    check(&dom);
    assert!(text_of(&dom).contains(text), "lost {text}");
    dom.len()
}

/// Numbered pieces.
fn repeat(numbers: Range<usize>, piece: impl Fn(usize) -> String) -> String {
    numbers.map(piece).collect()
}

#[test]
fn deep_nesting_is_flattened_and_its_text_kept() {
    for name in
        ["div", "span", "b", "font", "ul><li", "table><tr><td", "svg", "blockquote", "x-a", "object", "template"]
    {
        assert_bounded(&format!("{}deep", format!("<{name}>").repeat(20_000)), "deep");
    }
}

#[test]
fn end_tags_of_flattened_elements_close_no_others() {
    let deep = 600;
    let page = format!("<main>{}a{}<p>b</main>c", "<div>".repeat(deep), "</div>".repeat(deep));
    let dom = Dom::parse(&page, false);
    check(&dom);
    assert_eq!(dom.parent(find(&dom, Name::P)), Some(find(&dom, Name::Main)));
}

#[test]
fn flattened_blocks_keep_words_apart() {
    let dom = Dom::parse(&format!("{}<p>a</p><p>b</p>", "<div>".repeat(600)), false);
    assert!(ids(&dom).any(|id| dom.text(id) == "b"));
}

#[test]
fn after_the_last_node_only_text_is_read() {
    let page = format!("{}a<p>b</p><style>x</style><script>y</script>c&amp;<title>z</title>", "<br>".repeat(MAX_NODES));
    assert_bounded(&page, "a\nb\nc&");
}

#[test]
fn formatting_does_not_multiply() {
    let page = repeat(0..2000, |number| format!("<p><b id={number}>x"));
    assert!(assert_bounded(&page, "xxx") < 2000 * 40);
    let page = repeat(0..500, |number| format!("<b id={number}><div>"));
    assert!(assert_bounded(&format!("{page}x{}", "</b>".repeat(5000)), "x") < 50_000);
    assert!(assert_bounded(&"<a><div>x</a>".repeat(5000), "xxx") < 100_000);
}

#[test]
fn a_storm_before_a_table_is_one_text() {
    assert_eq!(assert_bounded(&format!("<table>{}", "x<tr class=y>".repeat(5000)), &"x".repeat(5000)), 5006);
}

#[test]
fn attributes_are_counted_and_none_is_read_twice() {
    let many = repeat(0..1000, |number| format!(" a{number}={number}"));
    let dom = Dom::parse(&format!("<p{many}>x"), false);
    let p = find(&dom, Name::P);
    assert_eq!(dom.attrs(p).count(), MAX_ATTRS);
    assert_eq!((dom.attr(p, "a0"), dom.attr(p, "a999")), (Some("0"), None));
    let dom = Dom::parse("<p a=1 A=2 a=3 b=4>", false);
    assert_eq!(dom.attrs(find(&dom, Name::P)).collect::<Vec<_>>(), [("a", "1"), ("b", "4")]);
}

#[test]
fn long_names_are_cut() {
    assert_eq!(body_of(&format!("<{}>a", "É".repeat(99))), r#""<"#.to_owned() + &"É".repeat(99) + r#">a""#);
    assert_eq!(body_of(&format!("<x{}>a", "é".repeat(99))), format!("x{}(\"a\")", "é".repeat(31)));
}
