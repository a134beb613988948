use super::*;

#[test]
fn styles_that_hide_are_known() {
    for style in [
        "display:none",
        "color:red; DISPLAY : none !important",
        "visibility:hidden",
        "opacity:0",
        "opacity: 0.0",
        "font-size:0",
        "font-size:1px",
        "position:absolute;left:-9999px",
        "position:fixed; top:-999em",
        "text-indent:-9999px",
        "height:0;overflow:hidden",
        "clip:rect(0 0 0 0)",
    ] {
        assert!(style_hides(style), "{style}");
    }
}

#[test]
fn styles_that_show_are_left() {
    for style in [
        "",
        "display:block",
        "opacity:1",
        "opacity:.5",
        "font-size:2px",
        "font-size:1em",
        "left:-9999px",
        "position:absolute;left:-20px",
        "height:0",
        "width:0%;overflow:hidden",
    ] {
        assert!(!style_hides(style), "{style}");
    }
}

fn seen(html: &str) -> (String, usize) {
    let dom = Dom::parse(html, false);
    let visible = Visible::of(&dom);
    let texts = (dom.body()..dom.end(dom.body())).filter(|id| visible.seen[*id as usize]).map(|id| dom.text(id));
    (texts.collect::<String>().split_whitespace().collect::<Vec<_>>().join(" "), visible.hidden)
}

#[test]
fn hidden_elements_are_left_out_and_counted() {
    let text = "seen ".repeat(60);
    let (got, count) = seen(&format!("<p>{text}</p><p hidden>a<b hidden>b</b></p><div aria-hidden=true>c</div>"));
    assert_eq!((got.as_str(), count), (text.trim(), 2));
}

#[test]
fn hidden_text_is_seen_when_there_is_no_other() {
    let text = "hidden ".repeat(60);
    assert_eq!(seen(&format!("<p>Hi </p><div style='opacity:0'>{text}</div>")).0, format!("Hi {}", text.trim()));
}

#[test]
fn text_for_pages_without_scripts_is_seen_when_there_is_no_other() {
    let text = "spare ".repeat(60);
    assert_eq!(seen(&format!("<p>Hi </p><noscript><p>{text}</p></noscript>")).0, format!("Hi {}", text.trim()));
    let full = "full ".repeat(60);
    assert_eq!(seen(&format!("<p>{full}</p><noscript><p>{text}</p></noscript>")).0, full.trim());
}

#[test]
fn a_drawing_is_left_out_unless_it_was_never_closed() {
    assert_eq!(seen("a<svg><title>t</title><text>x</text></svg>b").0, "ab");
    assert_eq!(seen("<select><option>x<p>kept</p>").0, "xkept");
}

#[test]
fn scripts_in_hidden_elements_stay_out() {
    let text = "hidden ".repeat(60);
    assert_eq!(seen(&format!("<div hidden><script>var x</script>{text}</div>")).0, text.trim());
}
