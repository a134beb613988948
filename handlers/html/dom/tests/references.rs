//! Character references, and what else is decoded.

use super::{Dom, Name, body_of, find};

/// A text as the body's only node.
fn decoded(text: &str) -> String {
    let dom = Dom::parse(&format!("<p>{text}"), false);
    dom.text(find(&dom, Name::P) + 1).to_owned()
}

fn decoded_value(value: &str) -> String {
    let dom = Dom::parse(&format!("<p title=\"{value}\">"), false);
    dom.attr(find(&dom, Name::P), "title").unwrap().to_owned()
}

#[test]
fn names_are_decoded() {
    for (text, expected) in [
        ("&lt;&amp;&gt;&quot;&nbsp;", "<&>\"\u{A0}"),
        ("&CounterClockwiseContourIntegral;&nGt;", "∳≫\u{20D2}"),
        ("&copy&copyright&notin;&notit;", "©©right∉¬it;"),
        ("&bogus; &; & &am AT&T &Tab;", "&bogus; &; & &am AT&T \t"),
    ] {
        assert_eq!(decoded(text), expected);
    }
}

#[test]
fn a_query_in_an_attribute_holds_no_reference() {
    assert_eq!(decoded_value("?a=1&copy=2&lt3&amp;b&reg;&eacute"), "?a=1&copy=2&lt3&b®é");
}

#[test]
fn numbers_are_decoded() {
    for (text, expected) in [
        ("&#65;&#x42;&#X43;&#68", "ABCD"),
        ("&#150;&#x99;&#128;", "–™€"),
        ("&#0;&#xD800;&#x110000;&#99999999999999999999;", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
        ("&#;&#x;&#a", "&#;&#x;&#a"),
    ] {
        assert_eq!(decoded(text), expected);
    }
}

#[test]
fn lines_end_in_one_character_and_nul_is_dropped() {
    assert_eq!(decoded("a\r\nb\rc\r\r\nd\0e"), "a\nb\nc\n\nde");
    assert_eq!(decoded_value("a\r\nb\0"), "a\nb\u{FFFD}");
    assert_eq!(body_of("<svg>\0</svg>"), "svg(\"\u{FFFD}\")");
}

#[test]
fn attributes_are_read_in_every_form() {
    let dom = Dom::parse("<a HREF=x/y Class = 'b' checked id=\"c\"d=e f=>g<br/a=b/>", false);
    let attrs: Vec<_> = dom.attrs(find(&dom, Name::A)).collect();
    assert_eq!(attrs, [("href", "x/y"), ("class", "b"), ("checked", ""), ("id", "c"), ("d", "e"), ("f", "")]);
    assert_eq!(dom.attrs(find(&dom, Name::Br)).collect::<Vec<_>>(), [("a", "b/")]);
}
