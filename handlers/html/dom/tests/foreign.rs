//! Foreign content: SVG and formulas.

use super::{Dom, Name, assert_bodies, find};

#[test]
fn elements_close_themselves_and_hold_cdata() {
    assert_bodies(&[
        ("<svg><path/><g/><title>a</title></svg>b", r#"svg(path g title("a")) "b""#),
        ("<math><mi>x</mi><mo/><mn>1</math>b", r#"math(mi("x") mo mn("1")) "b""#),
        ("<svg><![CDATA[a<b>&amp;]]></svg><![CDATA[c]]>", r#"svg("a<b>&amp;")"#),
        ("<svg><style>a</style><script>b</script></svg>c", r#"svg(style script) "c""#),
    ]);
}

#[test]
fn html_breaks_out_but_in_its_places() {
    assert_bodies(&[
        ("<svg><g><p>a", r#"svg(g) p("a")"#),
        ("<svg><g></p>a", r#"svg(g) p "a""#),
        ("<svg><foreignObject><p>a<p>b</p></foreignObject></svg>c", r#"svg(foreignobject(p("a") p("b"))) "c""#),
        ("<math><mtext><p>a</p></mtext></math>b", r#"math(mtext(p("a"))) "b""#),
        ("<math><annotation-xml encoding=text/html><p>a</math>b", r#"math(annotation-xml(p("ab")))"#),
        ("<svg><font>a<font color=b>c", r#"svg(font("a")) font("c")"#),
    ]);
}

#[test]
fn the_lines_of_a_drawing_are_dropped() {
    let dom = Dom::parse("<svg><path d=M0 id=a points=1></svg><p d=x>", false);
    assert_eq!(dom.attrs(find(&dom, Name::Svg) + 1).collect::<Vec<_>>(), [("id", "a")]);
    assert_eq!(dom.attr(find(&dom, Name::P), "d"), Some("x"));
}
