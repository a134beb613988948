//! What no reader of the page sees: scripts, templates, form controls, hidden elements.

use super::page::{Page, attr, is_any, mass_of, walk};
use dom_query::{NodeId, NodeRef};
use std::collections::HashSet;

/// Elements without content for a reader.
const NOISE: &str = "script, style, link, meta, base, title, noscript, x-template, x-select, input:not([type=checkbox]), \
                     textarea, button, dialog:not([open]), noembed, canvas, x-applet, datalist, area, map";

/// A page with less visible text than this, in characters, may have it all in hidden elements.
const THIN: usize = 200;

/// A drawing or form control with one of these in it is an element that was never closed.
const CONTENT: [&str; 12] =
    ["p", "div", "h1", "h2", "h3", "table", "ul", "ol", "article", "section", "main", "blockquote"];

/// Removes it all, and answers with how many hidden elements there were. They stay when they hold the page's only text.
pub(super) fn clean(page: &Page) -> usize {
    let Some(body) = page.body() else { return 0 };
    drawings_and_controls(&body);
    page.tree.select(NOISE).remove();
    let hidden = hidden_elements(&body);
    let ids: HashSet<NodeId> = hidden.iter().map(|node| node.id).collect();
    let visible = mass_of(&body, &ids);
    if visible >= THIN || mass_of(&body, &HashSet::new()) < 4 * visible.max(1) {
        for node in &hidden {
            node.remove_from_parent();
        }
    }
    hidden.len()
}

/// Removes drawings and controls, unless one was never closed and has the rest of the page in it.
fn drawings_and_controls(body: &NodeRef<'_>) {
    const NAMES: [&str; 3] = ["x-svg", "x-select", "button"];
    let mut outermost = Vec::new();
    walk(body, |node| {
        let is_one = is_any(node, &NAMES);
        if is_one {
            outermost.push(*node);
        }
        !is_one
    });
    for node in outermost {
        let within = node.descendants();
        if within.iter().any(|node| is_any(node, &CONTENT)) {
            within.iter().filter(|node| is_any(node, &NAMES)).chain([&node]).for_each(|node| node.rename("div"));
        } else {
            node.remove_from_parent();
        }
    }
}

/// The outermost hidden elements that have content.
fn hidden_elements<'a>(body: &NodeRef<'a>) -> Vec<NodeRef<'a>> {
    let mut hidden = Vec::new();
    walk(body, |node| {
        let is_hidden = node.is_element() && node.id != body.id && is_hidden(node);
        if is_hidden {
            hidden.push(*node);
        }
        !is_hidden
    });
    hidden
}

fn is_hidden(node: &NodeRef<'_>) -> bool {
    if node.attr("hidden").is_some_and(|value| !value.eq_ignore_ascii_case("until-found")) {
        return true;
    }
    // Permalinks and icons are marked so, too, but so is what a dialog covers.
    if node.attr("aria-hidden").is_some_and(|value| value.trim().eq_ignore_ascii_case("true")) {
        return !is_any(node, &["img", "main", "article"]);
    }
    node.has_attr("style") && style_hides(&attr(node, "style"))
}

fn style_hides(style: &str) -> bool {
    let style = style.to_ascii_lowercase();
    let (mut clipped, mut flat, mut positioned, mut outside) = (false, false, false, false);
    for declaration in style.split(';') {
        let Some((property, value)) = declaration.split_once(':') else { continue };
        let value = value.trim().trim_end_matches("!important").trim_end();
        match property.trim() {
            "display" if value == "none" => return true,
            "visibility" if matches!(value, "hidden" | "collapse") => return true,
            "opacity" | "font-size"
                if length(value).is_some_and(|size| size <= f32::from(property.trim() != "opacity")) =>
            {
                return true;
            }
            "text-indent" if length(value).is_some_and(|indent| indent <= -999.0) => return true,
            "left" | "right" | "top" | "bottom" | "margin-left" => {
                outside |= length(value).is_some_and(|offset| offset <= -999.0);
            }
            "position" => positioned = matches!(value, "absolute" | "fixed"),
            "width" | "height" | "max-width" | "max-height" => flat |= length(value) == Some(0.0),
            "overflow" => clipped = value == "hidden",
            "clip" if value.starts_with("rect(0") || value.starts_with("rect(1px") => return true,
            _ => {}
        }
    }
    (outside && (positioned || style.contains("margin-left"))) || (flat && clipped)
}

/// A number of pixels, or of any unit where zero is zero. A percentage is no length.
fn length(value: &str) -> Option<f32> {
    let digits = value.trim_end_matches(|unit: char| unit.is_ascii_alphabetic());
    let number: f32 = digits.trim().parse().ok()?;
    match &value[digits.len()..] {
        "" | "px" | "pt" => Some(number),
        // In units of the font nothing is as small as a pixel, unless it is nothing.
        _ if number == 0.0 => Some(0.0),
        _ if number < 0.0 => Some(number * 16.0),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
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

    fn cleaned(html: &str) -> (String, usize) {
        let page = Page::new(super::super::guard::guarded(html, false), None);
        let count = clean(&page);
        (page.tree.root().text().split_whitespace().collect::<Vec<_>>().join(" "), count)
    }

    #[test]
    fn hidden_elements_go_and_are_counted() {
        let text = "seen ".repeat(60);
        let (got, count) =
            cleaned(&format!("<p>{text}</p><p hidden>a<b hidden>b</b></p><div aria-hidden=true>c</div>"));
        assert_eq!((got.as_str(), count), (text.trim(), 2));
    }

    #[test]
    fn hidden_text_stays_when_there_is_no_other() {
        let text = "hidden ".repeat(60);
        assert_eq!(cleaned(&format!("<p>Hi </p><div style='opacity:0'>{text}</div>")).0, format!("Hi {}", text.trim()));
    }

    #[test]
    fn a_drawing_goes_with_its_words_unless_it_was_never_closed() {
        assert_eq!(cleaned("a<svg><title>t</title><text>x</text></svg>b").0, "a b".replace(' ', ""));
        assert_eq!(cleaned("<svg><path d=x><p>kept</p>").0, "kept");
    }
}
