//! Formulas as `TeX`: `MathML` with its annotation, `KaTeX`, `MathJax`, and delimiters in the text.

use super::{Page, has_class};
use crate::html::dom::{Dom, Id, Name};

/// The longest formula in the text, in bytes.
const MAX_FORMULA: usize = 1_000;

/// Classes of what shows a formula, often twice: as `MathML` and as a drawing.
const SHOWN: [&str; 7] =
    ["katex-display", "katex", "mwe-math-element", "MathJax_Display", "MathJax", "MathJax_SVG", "MathJax_CHTML"];

/// Classes of what stands there until a formula is drawn.
const PREVIEW: &str = "MathJax_Preview";

/// What an element is to the formulas of the page.
pub(super) enum Formula {
    /// It shows this formula, and nothing else.
    Shows { tex: String, displayed: bool },
    /// It shows a formula that another element says.
    Repeats,
}

/// What the element is to the formulas, if anything.
pub(super) fn formula(page: &Page<'_>, id: Id) -> Option<Formula> {
    let dom = page.dom;
    match dom.name(id) {
        Name::Math => shown(dom, id, displayed(dom, id)),
        Name::Script => {
            let kind = dom.attr(id, "type").filter(|kind| kind.starts_with("math/"))?;
            let tex = folded(&super::texts(dom, id, page.kept).collect::<String>());
            (!tex.is_empty()).then(|| Formula::Shows { tex, displayed: kind.contains("display") })
        }
        Name::Span | Name::Div | Name::Other => drawing(page, id),
        _ => None,
    }
}

fn drawing(page: &Page<'_>, id: Id) -> Option<Formula> {
    let dom = page.dom;
    if !page.survey.has_math && !page.survey.has_math_scripts {
        return None;
    }
    let container = dom.name(id) == Name::Other && dom.local(id) == "mjx-container";
    if has_class(dom, id, &[PREVIEW]) {
        return Some(Formula::Repeats);
    }
    if !container && !has_class(dom, id, &SHOWN) {
        return None;
    }
    if page.survey.has_math_scripts && dom.class(id).contains("MathJax") {
        return Some(Formula::Repeats);
    }
    let Some(math) = (id..dom.end(id)).find(|id| dom.name(*id) == Name::Math) else {
        return container.then_some(Formula::Repeats);
    };
    let is_displayed = displayed(dom, math)
        || has_class(dom, id, &["katex-display", "MathJax_Display"])
        || dom.attr(id, "display") == Some("true");
    shown(dom, math, is_displayed)
}

fn displayed(dom: &Dom, math: Id) -> bool {
    dom.attr(math, "display") == Some("block")
}

fn shown(dom: &Dom, math: Id, displayed: bool) -> Option<Formula> {
    let tex = folded(&tex(dom, math));
    (!tex.is_empty()).then_some(Formula::Shows { tex, displayed })
}

fn folded(tex: &str) -> String {
    super::escape::one_line(tex, &[])
}

/// The formula in the text between `\(` and `\)`, `\[` and `\]` or `$$` and `$$`, if one begins there; and what is
/// left of the text.
pub(super) fn delimited(text: &str) -> Option<(String, &str)> {
    let (open, close) = match text.as_bytes() {
        [b'\\', b'(', ..] => ("$", "\\)"),
        [b'\\', b'[', ..] => ("$$", "\\]"),
        [b'$', b'$', ..] => ("$$", "$$"),
        _ => return None,
    };
    let rest = &text[2..];
    let near = &rest.as_bytes()[..rest.len().min(MAX_FORMULA)];
    let end = memchr::memmem::find(near, close.as_bytes()).filter(|&end| end > 0)?;
    let formula = folded(&rest[..end]);
    (!formula.is_empty()).then(|| (format!("{open}{formula}{open}"), &rest[end + 2..]))
}

/// `TeX` from the annotation, the `alttext`, or the structure.
fn tex(dom: &Dom, math: Id) -> String {
    let below = math + 1..dom.end(math);
    let annotation = below.clone().find(|id| {
        dom.local(*id) == "annotation"
            && dom.attr(*id, "encoding").is_some_and(|encoding| encoding.to_ascii_lowercase().contains("tex"))
    });
    if let Some(annotation) = annotation {
        return (annotation..dom.end(annotation)).map(|id| dom.text(id)).collect();
    }
    match dom.attr(math, "alttext") {
        Some(text) if !text.trim().is_empty() => text.to_owned(),
        _ => structure(dom, math),
    }
}

/// A step in writing out a formula: what to visit, or what to write.
enum Step {
    Visit(Id),
    Write(&'static str),
}

fn structure(dom: &Dom, math: Id) -> String {
    let mut out = String::new();
    let mut steps = vec![Step::Visit(math)];
    while let Some(step) = steps.pop() {
        let id = match step {
            Step::Write(text) => {
                out.push_str(text);
                continue;
            }
            Step::Visit(id) => id,
        };
        if dom.name(id) == Name::Text {
            out.push_str(dom.text(id).trim());
            continue;
        }
        let between: &[&'static str] = match dom.local(id) {
            "msup" | "mover" => &["{", "}^{", "}"],
            "msub" | "munder" => &["{", "}_{", "}"],
            "msubsup" | "munderover" => &["{", "}_{", "}^{", "}"],
            "mfrac" => &["\\frac{", "}{", "}"],
            "msqrt" => &["\\sqrt{", "}"],
            "annotation" | "annotation-xml" => continue,
            _ => &[],
        };
        let children: Vec<Id> = dom.children(id).filter(|child| is_mathful(dom, *child)).collect();
        // A base of one letter needs no braces: `x^{2}`.
        let bare = between.first() == Some(&"{") && children.first().is_some_and(|base| is_letter(dom, *base));
        let text = |at: usize| match between.get(at).copied().unwrap_or_default() {
            "{" if bare => "",
            "}^{" if bare && at == 1 => "^{",
            "}_{" if bare && at == 1 => "_{",
            text => text,
        };
        steps.push(Step::Write(between.last().copied().unwrap_or_default()));
        for (at, child) in children.iter().enumerate().rev() {
            steps.push(Step::Visit(*child));
            if at + 1 < between.len() {
                steps.push(Step::Write(text(at)));
            }
        }
    }
    out
}

fn is_mathful(dom: &Dom, id: Id) -> bool {
    dom.name(id) != Name::Text || !dom.text(id).trim().is_empty()
}

/// Whether a subtree is one character. It looks at no more than the first few nodes.
fn is_letter(dom: &Dom, id: Id) -> bool {
    let near = dom.end(id) - id <= 8;
    near && (id..dom.end(id)).map(|id| dom.text(id).trim().chars().count()).sum::<usize>() == 1
}
