//! What a reader of the page sees: no scripts, templates, form controls or hidden elements.

use super::dom::{Dom, Id, Name};

/// A page with less visible text than this, in characters that aren't white space, may have it all in elements that
/// are hidden until a script runs.
pub(super) const THIN: usize = 200;

/// So many times the visible text must be hidden before a thin page is taken for one that hides its text.
const MUCH_MORE: usize = 2;

/// Classes of formulas that are drawn beside their source.
const DRAWN: [&str; 4] = ["MathJax_Preview", "MathJax", "MathJax_Display", "MathJax_SVG"];

/// What is seen of a page.
pub(super) struct Visible {
    /// For each node, whether a reader sees it.
    pub(super) seen: Vec<bool>,
    /// The number of hidden elements with all they hold.
    pub(super) hidden: usize,
}

/// How an element is left out.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    Seen,
    /// No reader sees it, whatever runs.
    Silent,
    /// It is seen when no script runs.
    Unscripted,
    Hidden,
}

// === impl Visible ===

impl Visible {
    pub(super) fn of(dom: &Dom) -> Self {
        let marks = marks(dom);
        let visible = mass(dom, &marks, |mark| mark == Mark::Seen);
        let all = mass(dom, &marks, |mark| mark != Mark::Silent);
        let is_bare = visible == 0 || (visible < THIN && all >= THIN && all > MUCH_MORE * visible);
        let seen = |mark: Mark| mark == Mark::Seen || (is_bare && mark != Mark::Silent);
        let mut hidden = 0;
        let mut id = dom.body();
        while id < dom.end(dom.body()) {
            let is_hidden = marks[id as usize] == Mark::Hidden;
            hidden += usize::from(is_hidden);
            id = if is_hidden { dom.end(id) } else { id + 1 };
        }
        Self { seen: marks.iter().map(|mark| seen(*mark)).collect(), hidden }
    }
}

/// The mark of every node of the body: its own, or that of an element around it.
fn marks(dom: &Dom) -> Vec<Mark> {
    let contents = contents_before(dom);
    let mut marks = vec![Mark::Silent; dom.len()];
    let end = dom.end(dom.body());
    let mut id = dom.body();
    while id < end {
        let mark = if id == dom.body() { Mark::Seen } else { mark(dom, id, &contents) };
        match mark {
            Mark::Seen => {
                marks[id as usize] = mark;
                // What a player shows instead of itself is no text of the page.
                let is_player = matches!(dom.name(id), Name::Iframe | Name::Audio | Name::Video | Name::Embed);
                id = if is_player { dom.end(id) } else { id + 1 };
            }
            Mark::Silent => id = dom.end(id),
            Mark::Unscripted | Mark::Hidden => {
                let after = dom.end(id);
                while id < after {
                    let is_silent = dom.name(id) != Name::Text && is_silent(dom, id, &contents);
                    let next = if is_silent { dom.end(id) } else { id + 1 };
                    marks[id as usize] = if is_silent { Mark::Silent } else { mark };
                    id = next;
                }
            }
        }
    }
    marks
}

fn mark(dom: &Dom, id: Id, contents: &[u32]) -> Mark {
    match dom.name(id) {
        Name::Text => Mark::Seen,
        Name::Noscript => Mark::Unscripted,
        _ if is_silent(dom, id, contents) => Mark::Silent,
        _ if is_hidden(dom, id) => Mark::Hidden,
        _ => Mark::Seen,
    }
}

fn is_silent(dom: &Dom, id: Id, contents: &[u32]) -> bool {
    match dom.name(id) {
        Name::Style
        | Name::Link
        | Name::Meta
        | Name::Base
        | Name::Title
        | Name::Template
        | Name::Textarea
        | Name::Canvas
        | Name::Datalist
        | Name::Area
        | Name::Map
        | Name::Param
        | Name::Source
        | Name::Track
        | Name::Noembed
        | Name::Applet => true,
        Name::Script => !dom.attr(id, "type").is_some_and(|kind| kind.starts_with("math/")),
        Name::Dialog => dom.attr(id, "open").is_none(),
        Name::Input => !dom.attr(id, "type").is_some_and(|kind| kind.eq_ignore_ascii_case("checkbox")),
        // One with the blocks of a page in it was never closed, and has the rest of the page in it.
        Name::Svg | Name::Select => contents[id as usize] == contents[dom.end(id) as usize],
        // MathJax draws what its scripts say.
        _ => dom.class(id).split_ascii_whitespace().any(|class| DRAWN.contains(&class)),
    }
}

/// For each node, how many elements that only content has are before it.
fn contents_before(dom: &Dom) -> Vec<u32> {
    let mut count = 0;
    let mut before = Vec::with_capacity(dom.len() + 1);
    for id in 0..dom.len() {
        before.push(count);
        let name = u32::try_from(id).map_or(Name::Text, |id| dom.name(id));
        count += u32::from(matches!(
            name,
            Name::P
                | Name::Div
                | Name::H1
                | Name::H2
                | Name::H3
                | Name::Table
                | Name::Ul
                | Name::Ol
                | Name::Article
                | Name::Section
                | Name::Main
                | Name::Blockquote
        ));
    }
    before.push(count);
    before
}

fn is_hidden(dom: &Dom, id: Id) -> bool {
    // A wiki shows a picture in the place of a formula, whose source it hides.
    if dom.class(id).starts_with("mwe-math-mathml") {
        return false;
    }
    dom.attrs(id).any(|(name, value)| match name {
        "hidden" => !value.eq_ignore_ascii_case("until-found"),
        // Permalinks and icons are marked so, too, but so is what a dialog covers.
        "aria-hidden" => {
            value.trim().eq_ignore_ascii_case("true") && !matches!(dom.name(id), Name::Img | Name::Main | Name::Article)
        }
        "style" => style_hides(value),
        _ => false,
    })
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

/// How many characters of `text` are not white space.
pub(super) fn mass_of(text: &str) -> usize {
    text.chars().filter(|character| !character.is_whitespace()).count()
}

fn mass(dom: &Dom, marks: &[Mark], counts: impl Fn(Mark) -> bool) -> usize {
    (dom.body()..dom.end(dom.body())).filter(|id| counts(marks[*id as usize])).map(|id| mass_of(dom.text(id))).sum()
}

#[cfg(test)]
mod tests;
