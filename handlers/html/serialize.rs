//! Writes a tree out as HTML, in time linear in its size.

use super::page::name_of;
use dom_query::NodeRef;

/// Elements without an end tag.
const VOID: [&str; 14] =
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"];

/// Inline elements that mean nothing in Markdown: their content stands without them.
const TRANSPARENT: [&str; 14] =
    ["span", "font", "bdi", "bdo", "time", "data", "abbr", "small", "big", "nobr", "label", "output", "u", "wbr"];

/// Attributes that mean something in Markdown.
const MEANINGFUL: [&str; 11] =
    ["href", "title", "src", "alt", "start", "colspan", "rowspan", "type", "checked", "value", "reversed"];

/// How much of a tree is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Everything, with the elements under the names that the page gave them.
    Whole,
    /// What means something in Markdown.
    Bare,
}

/// The children of `root` as HTML.
pub(super) fn inner(root: &NodeRef<'_>, form: Form) -> String {
    let mut out = String::new();
    let mut node = root.first_child();
    let mut depth = 0_usize;
    while let Some(current) = node {
        start(&current, form, &mut out);
        if let Some(child) = current.first_child() {
            depth += 1;
            node = Some(child);
            continue;
        }
        end(&current, form, &mut out);
        let mut last = current;
        node = loop {
            if let Some(next) = last.next_sibling() {
                break Some(next);
            }
            let Some(parent) = last.parent().filter(|_| depth > 0) else { break None };
            depth -= 1;
            end(&parent, form, &mut out);
            last = parent;
        };
    }
    out
}

fn start(node: &NodeRef<'_>, form: Form, out: &mut String) {
    if node.is_text() {
        escape(&node.text(), false, out);
        return;
    }
    let Some(element) = node.element_ref() else { return };
    let name = written(&element.name.local, form);
    if name.is_empty() {
        return;
    }
    out.push('<');
    out.push_str(name);
    for attribute in &element.attrs {
        let key = &*attribute.name.local;
        if form == Form::Whole || MEANINGFUL.contains(&key) {
            out.push(' ');
            out.push_str(key);
            out.push_str("=\"");
            escape(&attribute.value, true, out);
            out.push('"');
        }
    }
    out.push('>');
}

fn end(node: &NodeRef<'_>, form: Form, out: &mut String) {
    let name = name_of(node);
    let name = written(&name, form);
    if !name.is_empty() && !VOID.contains(&name) {
        out.push_str("</");
        out.push_str(name);
        out.push('>');
    }
}

/// The name an element is written under; nothing when its tags are left out.
fn written(name: &str, form: Form) -> &str {
    match form {
        Form::Whole => name.strip_prefix("x-").filter(|own| super::guard::is_renamed(own)).unwrap_or(name),
        Form::Bare if TRANSPARENT.contains(&name) => "",
        Form::Bare => name,
    }
}

fn escape(text: &str, in_attribute: bool, out: &mut String) {
    let mut rest = text;
    while let Some(at) = rest.find(['&', '<', '>', '"', '\u{a0}']) {
        out.push_str(&rest[..at]);
        let length = rest[at..].chars().next().map_or(1, char::len_utf8);
        out.push_str(match &rest[at..at + length] {
            "&" => "&amp;",
            "<" => "&lt;",
            ">" => "&gt;",
            "\"" if in_attribute => "&quot;",
            "\u{a0}" => "&nbsp;",
            other => other,
        });
        rest = &rest[at + length..];
    }
    out.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::*;
    use dom_query::Document;

    fn written_as(html: &str, form: Form) -> String {
        inner(&Document::from(html).body().unwrap(), form)
    }

    #[test]
    fn a_whole_tree_reads_back_the_same() {
        let html =
            "<div class=\"a&quot;b\"><p>x &amp; y&nbsp;&lt;z&gt; \"q\"</p><br><ul><li>a</li><li></li></ul></div>tail";
        assert_eq!(written_as(html, Form::Whole), html);
        assert_eq!(written_as("<x-form><x-tab>a</x-tab></x-form>", Form::Whole), "<form><x-tab>a</x-tab></form>");
    }

    #[test]
    fn a_bare_tree_has_only_what_means_something() {
        let html = "<p class=c><span id=i>a</span> <a href=/x rel=y>b</a></p>";
        assert_eq!(written_as(html, Form::Bare), "<p>a <a href=\"/x\">b</a></p>");
    }
}
