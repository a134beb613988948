//! Selectors.

use super::Dom;
use crate::html::dom::select::{MAX_SELECTOR, Selector};

const PAGE: &str =
    "<main id=m class='a b'><p id=p1 lang=en-GB title='One two'>x</p><p id=p2 class='b md:c'>y<b id=b1></b></p>
    <ul id=u><li id=l1>1<li id=l2 class=b>2<ul><li id=l3>3</ul><li id=l4>4</ul></main><p id=p3 data-x='A.pdf'>";

/// The `id`s of what is selected; `?` when the selector isn't valid.
fn selected(selector: &str) -> String {
    let dom = Dom::parse(PAGE, false);
    let Some(selector) = Selector::parse(selector) else { return "?".to_owned() };
    let ids = super::ids(&dom).filter(|id| selector.matches(&dom, *id));
    ids.map(|id| dom.ident(id)).filter(|ident| !ident.is_empty()).collect::<Vec<_>>().join(" ")
}

fn assert_selected(selectors: &[(&str, &str)]) {
    for (selector, expected) in selectors {
        assert_eq!(selected(selector), *expected, "{selector}");
    }
}

#[test]
fn simple_selectors() {
    assert_selected(&[
        ("P", "p1 p2 p3"),
        ("#p2", "p2"),
        (".b", "m p2 l2"),
        (".a.b", "m"),
        ("p.md\\:c", "p2"),
        ("#\\70 2", "p2"),
        ("main *", "p1 p2 b1 u l1 l2 l3 l4"),
        (" p , b ", "p1 p2 b1 p3"),
    ]);
}

#[test]
fn attributes() {
    assert_selected(&[
        ("[lang]", "p1"),
        ("p[ title = 'One two' ]", "p1"),
        ("[title~=two]", "p1"),
        ("[title~='One two']", ""),
        ("[lang|=en]", "p1"),
        ("[lang|=e]", ""),
        ("[title^=One]", "p1"),
        ("[data-x$='.pdf']", "p3"),
        ("[data-x$='a.PDF' i]", "p3"),
        ("[title*=\"e t\"]", "p1"),
        ("[title*='']", ""),
        ("[class=b]", "l2"),
    ]);
}

#[test]
fn combinators() {
    assert_selected(&[
        ("main li", "l1 l2 l3 l4"),
        ("main > li", ""),
        ("#u>li", "l1 l2 l4"),
        ("li li", "l3"),
        ("p + p", "p2"),
        ("main + p", "p3"),
        ("p ~ ul li", "l1 l2 l3 l4"),
        ("li ~ li", "l2 l4"),
        ("li + li + li", "l4"),
        ("p + p ~ ul > li.b ul > li", "l3"),
        ("main > ul li > ul > li", "l3"),
        ("body > main li + li", "l2 l4"),
        ("p > p", ""),
    ]);
}

#[test]
fn pseudo_classes() {
    assert_selected(&[
        ("li:first-child", "l1 l3"),
        ("li:last-child", "l3 l4"),
        ("li:only-child", "l3"),
        ("li:nth-child(2)", "l2"),
        ("p:not(#p1):not(.b)", "p3"),
        ("p:not(#p1, .b)", "p3"),
    ]);
}

#[test]
fn what_is_not_known_is_no_selector() {
    for selector in [
        "",
        " ",
        ",",
        "p,",
        "p >",
        "> p",
        "p:hover",
        "p::before",
        "[a",
        "[a=]",
        "p:not(:not(a))",
        "p:nth-child(0)",
        "#",
        "p&",
        "a||b",
    ] {
        assert_eq!(selected(selector), "?", "{selector}");
    }
    assert_eq!(selected(&"p,".repeat(MAX_SELECTOR)), "?");
    assert_eq!(selected(&"p ".repeat(33)), "?");
}
