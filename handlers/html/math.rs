//! Formulas as `TeX`: `MathML` with its annotation, `KaTeX`, `MathJax`, and delimiters in the text.

use super::{
    marks::Snippets,
    page::{Page, attr, name_of},
};
use dom_query::NodeRef;

/// The longest formula in the text, in bytes.
const MAX_FORMULA: usize = 1_000;

/// Replaces every formula with a mark for `$…$`, or `$$…$$` for a displayed one.
pub(super) fn keep(page: &Page, snippets: &mut Snippets) {
    for node in page.tree.select("script[type^='math/']").nodes() {
        let displayed = attr(node, "type").contains("display");
        put(node, &node.text(), displayed, snippets);
    }
    // MathJax draws what its scripts say.
    page.tree.select(".MathJax_Preview, .MathJax, .MathJax_Display, .MathJax_SVG, mjx-container > x-svg").remove();
    for node in page.tree.select("x-math").nodes() {
        // One within another is part of it.
        if node.ancestors_it(None).any(|up| up.has_name("x-math")) {
            continue;
        }
        let formula = tex(node);
        if formula.is_empty() {
            continue;
        }
        let displayed =
            attr(node, "display") == "block" || node.ancestors_it(Some(4)).any(|up| up.has_class("katex-display"));
        let whole = outermost(node);
        put(&whole, &formula, displayed, snippets);
    }
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
    let end = near.windows(2).position(|window| window == close.as_bytes()).filter(|&end| end > 0)?;
    let formula = rest[..end].trim();
    (!formula.is_empty()).then(|| (format!("{open}{formula}{open}"), &rest[end + 2..]))
}

/// The element that shows the formula once: `KaTeX` and `MediaWiki` draw it a second time beside the `MathML`.
fn outermost<'a>(node: &NodeRef<'a>) -> NodeRef<'a> {
    let mut whole = *node;
    for up in node.ancestors_it(Some(4)) {
        if ["katex", "mwe-math-element", "MathJax", "katex-display"].iter().any(|class| up.has_class(class)) {
            whole = up;
        }
    }
    whole
}

fn put(node: &NodeRef<'_>, formula: &str, displayed: bool, snippets: &mut Snippets) {
    let formula = formula.trim();
    let quotes = if displayed { "$$" } else { "$" };
    let mark = snippets.keep(format!("{quotes}{}{quotes}", formula.split_whitespace().collect::<Vec<_>>().join(" ")));
    let text = node.tree.new_text(mark);
    node.replace_with(&text.id);
}

/// `TeX` from the annotation, the `alttext`, or the structure.
fn tex(math: &NodeRef<'_>) -> String {
    let annotation = math
        .descendants_it()
        .find(|node| name_of(node) == "annotation" && attr(node, "encoding").to_ascii_lowercase().contains("tex"));
    if let Some(annotation) = annotation {
        return annotation.text().trim().to_owned();
    }
    let alternative = attr(math, "alttext");
    if !alternative.trim().is_empty() {
        return alternative.trim().to_owned();
    }
    structure(math)
}

/// A step in writing out a formula: what to visit, or what to write.
enum Step<'a> {
    Visit(NodeRef<'a>),
    Write(&'static str),
}

fn structure(math: &NodeRef<'_>) -> String {
    let mut out = String::new();
    let mut steps = vec![Step::Visit(*math)];
    while let Some(step) = steps.pop() {
        let node = match step {
            Step::Write(text) => {
                out.push_str(text);
                continue;
            }
            Step::Visit(node) => node,
        };
        if node.is_text() {
            out.push_str(node.text().trim());
            continue;
        }
        let between: &[&'static str] = match name_of(&node).as_str() {
            "msup" | "mover" => &["{", "}^{", "}"],
            "msub" | "munder" => &["{", "}_{", "}"],
            "msubsup" | "munderover" => &["{", "}_{", "}^{", "}"],
            "mfrac" => &["\\frac{", "}{", "}"],
            "msqrt" => &["\\sqrt{", "}"],
            "annotation" | "annotation-xml" => continue,
            _ => &[],
        };
        let children: Vec<_> = node.children_it(false).filter(|child| child.is_element() || mathful(child)).collect();
        // A base of one letter needs no braces: `x^{2}`.
        let bare = between.first() == Some(&"{")
            && children.first().is_some_and(|base| base.text().trim().chars().count() == 1);
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

fn mathful(node: &NodeRef<'_>) -> bool {
    node.is_text() && !node.text().trim().is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(html: &str) -> String {
        let page = Page::new(super::super::guard::guarded(html, false), None);
        let mut snippets = Snippets::default();
        keep(&page, &mut snippets);
        snippets.restored(&page.tree.root().text())
    }

    #[test]
    fn an_annotation_is_taken_and_the_drawing_beside_it_left_out() {
        let katex = "<span class=katex><span class=katex-mathml><math><semantics><mrow><mi>E</mi></mrow>\
                     <annotation encoding='application/x-tex'>E=mc^2</annotation></semantics></math></span>\
                     <span class=katex-html aria-hidden=true>E</span></span>";
        assert_eq!(kept(&format!("a {katex} b")), "a $E=mc^2$ b");
    }

    #[test]
    fn mathml_without_annotation_is_written_out() {
        assert_eq!(kept("<math><mi>x</mi><mo>=</mo><msup><mi>y</mi><mn>2</mn></msup></math>"), "$x=y^{2}$");
        assert_eq!(
            kept("<math display=block><mfrac><mn>1</mn><msqrt><mn>2</mn></msqrt></mfrac></math>"),
            "$$\\frac{1}{\\sqrt{2}}$$"
        );
        assert_eq!(kept("<math><msubsup><mi>a</mi><mn>1</mn><mn>2</mn></msubsup></math>"), "$a_{1}^{2}$");
    }

    #[test]
    fn scripts_of_mathjax_are_formulas() {
        assert_eq!(kept("<p>e <script type='math/tex'>a+b</script>"), "e $a+b$");
        assert_eq!(kept("<script type='math/tex; mode=display'>a</script>"), "$$a$$");
    }

    #[test]
    fn delimiters_in_the_text_enclose_formulas() {
        assert_eq!(delimited("\\(a_1\\) b"), Some(("$a_1$".to_owned(), " b")));
        assert_eq!(delimited("$$x * y$$"), Some(("$$x * y$$".to_owned(), "")));
        assert_eq!(delimited("$$ is money"), None);
        assert_eq!(delimited("$5 and $6"), None);
    }
}
