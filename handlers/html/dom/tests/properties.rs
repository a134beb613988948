//! What holds for every page.

use super::{Dom, check, ids, lines_of, peer_lines};
use proptest::{collection::vec, prelude::*};

/// Names that the tree builder has rules for.
const NAMES: [&str; 59] = [
    "a", "b", "i", "nobr", "font", "p", "div", "span", "h1", "h2", "li", "ul", "ol", "dl", "dt", "dd", "table",
    "caption", "colgroup", "col", "tbody", "thead", "tfoot", "tr", "td", "th", "select", "option", "optgroup",
    "button", "form", "input", "object", "marquee", "applet", "pre", "br", "hr", "img", "image", "ruby", "rb", "rt",
    "rp", "rtc", "svg", "math", "g", "html", "head", "body", "meta", "link", "center", "address", "article", "x-y",
    "noscript", "em",
];

/// A piece of a page.
fn piece() -> impl Strategy<Value = String> {
    let name = proptest::sample::select(&NAMES[..]);
    prop_oneof![
        6 => name.clone().prop_map(|name| format!("<{name}>")),
        4 => name.clone().prop_map(|name| format!("</{name}>")),
        1 => (name.clone(), 0..3).prop_map(|(name, id)| format!("<{name} id={id}>")),
        1 => name.prop_map(|name| format!("<{name}/>")),
        3 => Just("x".to_owned()),
        1 => Just(" ".to_owned()),
        1 => Just("&amp;".to_owned()),
        1 => Just("<!-- -->".to_owned()),
    ]
}

/// A page that repeats a few pieces many times, with numbered words between them.
fn bomb() -> impl Strategy<Value = (String, usize)> {
    let unit = prop_oneof![
        vec(piece(), 1..6).prop_map(|pieces| pieces.concat()),
        Just("<template><tr><td>".to_owned()),
        Just("</template>".to_owned()),
        Just("<table>x<tr class=y>".to_owned()),
        Just("<b class=z><p>".to_owned()),
        Just("&#x26;&ltx&CounterClockwiseContourIntegral;".to_owned()),
    ];
    let attrs = (0..200_usize).prop_map(|count| {
        let attrs: Vec<_> = (0..count).map(|number| format!("a{}=&lt;{number}", number % 150)).collect();
        format!("<u {}>", attrs.join(" "))
    });
    (vec(prop_oneof![8 => unit, 1 => attrs], 1..4), 1..1200_usize).prop_map(|(units, times)| {
        let mut page = String::new();
        (0..times).for_each(|number| page.extend([&*units[number % units.len()], &format!(" word{number} ")]));
        (page, times)
    })
}

/// What the text of a page says, in order.
fn words(dom: &Dom) -> Vec<usize> {
    let text = ids(dom).map(|id| dom.text(id)).collect::<Vec<_>>().concat();
    let mut words: Vec<_> =
        text.split("word").skip(1).filter_map(|rest| rest.split(' ').next()?.parse().ok()).collect();
    words.sort_unstable();
    words
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_short_page_has_the_tree_of_browsers(pieces in vec(piece(), 0..24)) {
        let html = format!("<!DOCTYPE html>{}", pieces.concat());
        let dom = Dom::parse(&html, false);
        prop_assert_eq!(lines_of(&dom), peer_lines(&html), "{}", html);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn a_bomb_keeps_its_text_and_the_bounds((page, times) in bomb(), xml: bool) {
        let dom = Dom::parse(&page, xml);
        check(&dom);
        prop_assert_eq!(words(&dom), (0..times).collect::<Vec<_>>());
    }

    #[test]
    fn any_text_makes_a_tree(page in "(?s)[<>/!&;#x\\[\\]='\"a-z \\r\\n\0é-]{0,300}", xml: bool) {
        check(&Dom::parse(&page, xml));
    }
}
