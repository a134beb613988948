//! What a page needn't write out.

use super::{Dom, Name, assert_bodies, find, subtree};

#[test]
fn html_head_and_body_are_always_there() {
    for (page, expected) in [
        ("", "html(head body)"),
        ("a", r#"html(head body("a"))"#),
        ("<title>a</title><p>b", r#"html(head(title("a")) body(p("b")))"#),
        ("<!doctype html><html><head></head>\n<body>a</html>b", r#"html(head "\n" body("ab"))"#),
        ("<head><div>a</head>", r#"html(head body(div("a")))"#),
        ("<frameset><frame src=a><noframes>b</noframes></frameset>", r#"html(head(noframes("b")) body)"#),
    ] {
        let dom = Dom::parse(page, false);
        assert_eq!(subtree(&dom, 0), expected, "{page}");
    }
}

#[test]
fn a_second_html_or_body_adds_attributes() {
    let dom = Dom::parse("<html lang=a><body id=b>x<html lang=c dir=d><body id=e class=f>", false);
    assert_eq!(dom.attrs(0).collect::<Vec<_>>(), [("lang", "a"), ("dir", "d")]);
    assert_eq!(dom.attrs(dom.body()).collect::<Vec<_>>(), [("id", "b"), ("class", "f")]);
}

#[test]
fn a_block_ends_a_paragraph_unless_a_button_is_between() {
    assert_bodies(&[
        ("<p>a<p>b", r#"p("a") p("b")"#),
        ("<p>a<div>b</div>c", r#"p("a") div("b") "c""#),
        ("<p>a<span>b<h1>c", r#"p("a" span("b")) h1("c")"#),
        ("<p>a<table><tr><td>b", r#"p("a") table(tbody(tr(td("b"))))"#),
        ("<p>a<button><p>b", r#"p("a" button(p("b")))"#),
        ("a</p>b", r#""a" p "b""#),
    ]);
}

#[test]
fn items_end_items() {
    assert_bodies(&[
        ("<ul><li>a<li>b<ul><li>c</ul><li>d</ul>", r#"ul(li("a") li("b" ul(li("c"))) li("d"))"#),
        ("<dl><dt>a<dd>b<dt>c</dl>", r#"dl(dt("a") dd("b") dt("c"))"#),
        ("<li>a<div><li>b", r#"li("a" div) li("b")"#),
        (
            "<select><option>a<option>b<optgroup><option>c</select>d",
            r#"select(option("a") option("b") optgroup(option("c"))) "d""#,
        ),
        ("<ruby>a<rt>b<rp>c<rt>d</ruby>", r#"ruby("a" rt("b") rp("c") rt("d"))"#),
    ]);
}

#[test]
fn headings_and_buttons_do_not_nest() {
    assert_bodies(&[
        ("<h1>a<h2>b</h3>c", r#"h1("a") h2("b") "c""#),
        ("<button>a<button>b", r#"button("a") button("b")"#),
        ("<form>a<form>b</form>c", r#"form("ab") "c""#),
    ]);
}

#[test]
fn end_tags_close_only_what_is_in_their_scope() {
    assert_bodies(&[
        ("<div>a</span>b</div>c", r#"div("ab") "c""#),
        ("<span>a<div>b</span>c", r#"span("a" div("bc"))"#),
        ("<div><table><td>a</div>b", r#"div(table(tbody(tr(td("ab")))))"#),
        ("<x-a>a<x-b>b</x-a>c", r#"x-a("a" x-b("b")) "c""#),
        ("a</br>b<image src=x>", r#""a" br "b" img"#),
    ]);
}

#[test]
fn noscript_holds_elements() {
    assert_bodies(&[("<body><noscript><p>a</p></noscript>", r#"noscript(p("a"))"#)]);
    let dom = Dom::parse("<head><noscript><link href=a></noscript><title>b", false);
    assert_eq!(dom.parent(find(&dom, Name::Link)), Some(find(&dom, Name::Noscript)));
    assert_eq!(dom.parent(find(&dom, Name::Title)), Some(find(&dom, Name::Head)));
}

#[test]
fn the_content_of_a_template_is_its_children() {
    assert_bodies(&[
        ("<div><template><tr><td>a</template>b", r#"div(template(tr(td("a"))) "b")"#),
        ("<div><template><p>a<p>b</template>c</div>", r#"div(template(p("a") p("b")) "c")"#),
        ("<table><template><li>a</template><tr><td>b", r#"table(template(li("a")) tbody(tr(td("b"))))"#),
        ("<div><b>a<template>b</b>c</template>d", r#"div(b("a" template("bc") "d"))"#),
        ("<div><template><col>a</template>b", r#"div(template(col "a") "b")"#),
    ]);
    let dom = Dom::parse("<head><template><div>a</div></template><title>b", false);
    assert_eq!(subtree(&dom, 0), r#"html(head(template(div("a")) title("b")) body)"#);
}
