//! Formatting elements that blocks close too early.

use super::assert_bodies;

#[test]
fn the_next_block_opens_formatting_again() {
    assert_bodies(&[
        ("<p><b>a<p>b</b>c", r#"p(b("a")) p(b("b") "c")"#),
        ("<div><i>a</div>b</i>c", r#"div(i("a")) i("b") "c""#),
        ("<table><td><b>a<td>b", r#"table(tbody(tr(td(b("a")) td("b"))))"#),
        ("<b>a<object>b</b>c</object>d", r#"b("a" object("bc") "d")"#),
    ]);
}

#[test]
fn a_block_within_formatting_is_formatted_inside() {
    assert_bodies(&[
        ("<b>1<p>2</b>3</p>4", r#"b("1") p(b("2") "3") "4""#),
        ("<b>1<i>2</b>3</i>4", r#"b("1" i("2")) i("3") "4""#),
        ("<b><i>1<div>2</b>3</i>4</div>", r#"b(i("1")) i div(i(b("2") "3") "4")"#),
    ]);
}

#[test]
fn links_and_unbroken_lines_do_not_nest() {
    assert_bodies(&[
        ("<a href=1>a<a href=2>b", r#"a("a") a("b")"#),
        ("<a href=1>a<div>b<a href=2>c", r#"a("a") div(a("b") a("c"))"#),
        ("<nobr>a<nobr>b", r#"nobr("a") nobr("b")"#),
    ]);
}

#[test]
fn at_most_three_alike_are_opened_again() {
    assert_bodies(&[("<p><b><b><b><b><b>a<p>b", r#"p(b(b(b(b(b("a")))))) p(b(b(b("b"))))"#)]);
    assert_bodies(&[("<p><b id=1><b id=2><b id=3><b id=4>a<p>b", r#"p(b(b(b(b("a"))))) p(b(b(b(b("b")))))"#)]);
}
