//! XHTML.

use super::{Dom, body_of, content};

#[test]
fn a_self_closing_tag_is_a_whole_element_only_in_xml() {
    let page = "<div/><a id='x'/><p/>a<script src='b'/><textarea/><title/>c<br/>d";
    let xml = Dom::parse(page, true);
    assert_eq!(content(&xml), r#"div a p "a" script textarea title "c" br "d""#);
    assert_eq!(body_of("<div/>a"), r#"div("a")"#);
}

#[test]
fn parts_of_tables_close_themselves() {
    let dom = Dom::parse("<table><tr><td/><td>a</td></tr><tr/></table>b<table/>c", true);
    assert_eq!(content(&dom), r#"table(tbody(tr(td td("a")) tr)) "b" table "c""#);
}

#[test]
fn cdata_is_text() {
    let dom = Dom::parse("<?xml version='1.0'?><p>a<![CDATA[<b>&amp;]]>c</p><![CDATA[d", true);
    assert_eq!(content(&dom), r#"p("a<b>&amp;c") "d""#);
}
