//! The arena and its accessors.

use super::{Dom, Name, body_of, check, content, find};

#[test]
fn a_subtree_is_a_range_of_ids_in_document_order() {
    let dom = Dom::parse("<title>t</title><div id=a class='x y'>1<p>2<b>3</b></p>4</div>5", false);
    check(&dom);
    let (div, p, b) = (find(&dom, Name::Div), find(&dom, Name::P), find(&dom, Name::B));
    assert_eq!(content(&dom), r#"div("1" p("2" b("3")) "4") "5""#);
    assert_eq!((dom.root(), dom.depth(dom.root()), dom.parent(dom.root())), (0, 0, None));
    assert_eq!((dom.parent(p), dom.end(p), dom.depth(b)), (Some(div), p + 4, 4));
    assert_eq!(dom.children(div).collect::<Vec<_>>(), [div + 1, p, dom.end(p)]);
    assert_eq!(dom.ancestors(b).collect::<Vec<_>>(), [p, div, dom.body(), 0]);
    assert_eq!((dom.text(div + 1), dom.text(div), dom.local(div), dom.local(div + 1)), ("1", "", "div", ""));
    assert_eq!((dom.class(div), dom.ident(div), dom.attr(div, "clas"), dom.ident(p)), ("x y", "a", None, ""));
    assert_eq!(dom.attrs(div).collect::<Vec<_>>(), [("id", "a"), ("class", "x y")]);
}

#[test]
fn names_are_in_lower_case_and_unknown_ones_are_kept() {
    let dom = Dom::parse("<DIV><X-Widget Data-A=B>a</x-widget></div>", false);
    let widget = find(&dom, Name::Div) + 1;
    assert_eq!((dom.name(widget), dom.local(widget), dom.attr(widget, "data-a")), (Name::Other, "x-widget", Some("B")));
}

#[test]
fn every_name_is_found_by_its_text() {
    let names = (2..Name::COUNT).map(Name::at);
    names.for_each(|name| assert_eq!(Name::of(name.as_str()), name));
    assert!(["", "x", "ab", "divs", "#text"].iter().all(|text| Name::of(text) == Name::Other));
}

#[test]
fn text_is_one_node_whatever_stood_between() {
    assert_eq!(body_of("a<!-- x -->b</x>c&amp;d</body>e"), r#""abc&de""#);
    // Both texts are put before the table, with attributes read in between.
    assert_eq!(body_of("<table>a<tr class=x>b<tr class=y>c"), r#""abc" table(tbody(tr tr))"#);
}
