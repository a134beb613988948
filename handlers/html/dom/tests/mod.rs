mod arena;
mod bounds;
mod differential;
mod foreign;
mod formatting;
mod implied;
mod properties;
mod raw;
mod references;
mod select;
mod tables;
mod xml;

use super::{Dom, Id, MAX_ATTRS, MAX_DEPTH, MAX_NODES, Name};
use dom_query::Document;
use std::{fmt::Write, ops::Range};

/// The body's content in one line: `p("a" b("c"))`.
fn body_of(html: &str) -> String {
    content(&Dom::parse(html, false))
}

fn content(dom: &Dom) -> String {
    dom.children(dom.body()).map(|child| subtree(dom, child)).collect::<Vec<_>>().join(" ")
}

fn subtree(dom: &Dom, root: Id) -> String {
    let mut out = String::new();
    let mut open = Vec::new();
    for id in root..dom.end(root) {
        while open.pop_if(|end| *end <= id).is_some() {
            out.push(')');
        }
        if !out.is_empty() && !out.ends_with('(') {
            out.push(' ');
        }
        if dom.name(id) == Name::Text {
            write!(out, "{:?}", dom.text(id)).unwrap();
            continue;
        }
        out.push_str(dom.local(id));
        if dom.end(id) > id + 1 {
            out.push('(');
            open.push(dom.end(id));
        }
    }
    out.extend(open.iter().map(|_| ')'));
    out
}

/// Asserts the body's content of each page.
fn assert_bodies(pages: &[(&str, &str)]) {
    for (page, expected) in pages {
        assert_eq!(body_of(page), *expected, "{page}");
    }
}

/// All nodes.
fn ids(dom: &Dom) -> Range<Id> {
    dom.root()..dom.end(dom.root())
}

/// The first element of this name.
fn find(dom: &Dom, name: Name) -> Id {
    ids(dom).find(|id| dom.name(*id) == name).unwrap()
}

/// All text of a page.
fn text_of(dom: &Dom) -> String {
    ids(dom).map(|id| dom.text(id)).collect()
}

/// The lines of a tree: one for each element and text, indented.
fn lines_of(dom: &Dom) -> Vec<String> {
    let mut lines = Vec::new();
    for id in ids(dom) {
        // The other parser keeps the content of templates elsewhere.
        if dom.ancestors(id).any(|above| dom.name(above) == Name::Template) {
            continue;
        }
        let indent = ".".repeat(dom.depth(id));
        if dom.name(id) == Name::Text {
            let silent = dom.parent(id).is_some_and(|parent| dom.name(parent) == Name::Script);
            if !silent {
                lines.push(format!("{indent}{:?}", dom.text(id)));
            }
            continue;
        }
        let mut line = format!("{indent}<{}", dom.local(id));
        dom.attrs(id)
            .filter(|(name, _)| *name != "d" && *name != "points")
            .for_each(|(name, value)| write!(line, " {name}={value:?}").unwrap());
        lines.push(line);
    }
    lines
}

/// The same of the tree that html5ever builds.
fn peer_lines(html: &str) -> Vec<String> {
    let tree = Document::from(html);
    let mut lines = Vec::new();
    let mut stack = vec![(tree.html_root(), 0)];
    let mut text: Option<(usize, String)> = None;
    while let Some((node, depth)) = stack.pop() {
        if node.is_text() {
            let silent = node.parent().is_some_and(|parent| parent.has_name("script") || parent.has_name("style"));
            if !silent {
                match &mut text {
                    Some((at, text)) if *at == depth => text.push_str(&node.text()),
                    _ => {
                        if let Some((depth, text)) = text.take() {
                            lines.push(format!("{}{text:?}", ".".repeat(depth)));
                        }
                        text = Some((depth, node.text().to_string()));
                    }
                }
            }
        } else if node.is_element() {
            if let Some((depth, text)) = text.take() {
                lines.push(format!("{}{text:?}", ".".repeat(depth)));
            }
            let mut line = format!("{}<{}", ".".repeat(depth), node.qual_name_ref().unwrap().local.to_lowercase());
            for attr in node.attrs() {
                let local = attr.name.local.to_lowercase();
                let name = attr
                    .name
                    .prefix
                    .as_ref()
                    .filter(|prefix| !prefix.is_empty())
                    .map_or(local.clone(), |prefix| format!("{prefix}:{local}"));
                if name != "d" && name != "points" {
                    write!(line, " {name}={:?}", &*attr.value).unwrap();
                }
            }
            lines.push(line);
            let children: Vec<_> = node.children();
            stack.extend(children.into_iter().rev().map(|child| (child, depth + 1)));
        }
    }
    if let Some((depth, text)) = text.take() {
        lines.push(format!("{}{text:?}", ".".repeat(depth)));
    }
    lines
}

/// Asserts what holds for every arena.
fn check(dom: &Dom) {
    let count = ids(dom).end;
    assert_eq!(count as usize, dom.len());
    assert!(dom.len() <= MAX_NODES);
    assert_eq!((dom.name(0), dom.end(0)), (Name::Html, count));
    assert_eq!(dom.name(dom.body()), Name::Body);
    for id in 1..count {
        let parent = dom.parent(id).unwrap();
        assert!(parent < id && id < dom.end(id) && dom.end(id) <= dom.end(parent), "{id} in {parent}");
        assert_eq!(dom.depth(id), dom.depth(parent) + 1);
        assert!(dom.depth(id) <= MAX_DEPTH);
        assert!(dom.attrs(id).count() <= MAX_ATTRS);
        if dom.name(id) == Name::Text {
            assert!(!dom.text(id).is_empty() && dom.end(id) == id + 1 && dom.name(parent) != Name::Text);
        }
    }
    for id in 0..count {
        assert!(dom.children(id).all(|child| dom.parent(child) == Some(id)));
    }
}
