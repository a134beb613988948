//! A parsed page: the tree, and what is asked of it again and again.

use dom_query::{Document, NodeId, NodeRef};
use std::collections::HashSet;
use url::Url;

/// A page within its bounds.
pub(super) struct Page {
    pub(super) tree: Document,
    /// The address that links are resolved by: the document's own, changed by `<base>`.
    pub(super) base: Option<Url>,
    /// The address of the document.
    pub(super) address: Option<Url>,
}

/// Text nodes whose content no reader sees.
const SILENT: [&str; 5] = ["script", "style", "title", "noscript", "x-template"];

// === impl Page ===

impl Page {
    pub(super) fn new(guarded: String, address: Option<Url>) -> Self {
        let tree = Document::from(guarded);
        let declared = tree.select("base[href]").attr("href");
        let base = match (&address, declared) {
            (Some(address), Some(href)) => address.join(href.trim()).ok().or_else(|| Some(address.clone())),
            (None, Some(href)) => Url::parse(href.trim()).ok(),
            (address, None) => address.clone(),
        };
        // A base that isn't an address of the web (`data:`, `file:`) would make nonsense of every link.
        let base = base.filter(|base| matches!(base.scheme(), "http" | "https")).or_else(|| address.clone());
        Self { tree, base, address }
    }

    /// The absolute form of an address. Without a base only absolute ones have it.
    pub(super) fn absolute(&self, href: &str) -> Option<String> {
        let href: String = href.trim().chars().filter(|character| !matches!(character, '\n' | '\r' | '\t')).collect();
        let url = match &self.base {
            // A fragment is a place in the page itself, whatever `<base>` says of other links.
            Some(base) if href.starts_with('#') => self.address.as_ref().unwrap_or(base).join(&href),
            Some(base) => base.join(&href),
            None => Url::parse(&href),
        };
        let url = url.ok()?;
        matches!(url.scheme(), "http" | "https" | "mailto" | "tel" | "ftp").then(|| String::from(url))
    }

    pub(super) fn body(&self) -> Option<NodeRef<'_>> {
        self.tree.body()
    }
}

/// The text nodes under `root` that a reader sees, in document order, without what stands under `left_out`.
pub(super) fn texts<'a>(root: &NodeRef<'a>, left_out: &HashSet<NodeId>) -> Vec<NodeRef<'a>> {
    let mut found = Vec::new();
    walk(root, |node| {
        if left_out.contains(&node.id) {
            return false;
        }
        if node.is_text() {
            found.push(*node);
        }
        !is_silent(node)
    });
    found
}

/// Visits `root` and what is under it in document order. `visit` says whether the children are visited, too.
pub(super) fn walk<'a>(root: &NodeRef<'a>, mut visit: impl FnMut(&NodeRef<'a>) -> bool) {
    let mut node = *root;
    loop {
        if visit(&node)
            && let Some(child) = node.first_child()
        {
            node = child;
            continue;
        }
        loop {
            if node.id == root.id {
                return;
            }
            if let Some(next) = node.next_sibling() {
                node = next;
                break;
            }
            let Some(parent) = node.parent() else { return };
            node = parent;
        }
    }
}

/// The name of an element, in lower case; empty for other nodes.
pub(super) fn name_of(node: &NodeRef<'_>) -> String {
    node.qual_name_ref().map(|name| name.local.to_string()).unwrap_or_default()
}

/// An attribute, or the empty string.
pub(super) fn attr(node: &NodeRef<'_>, name: &str) -> String {
    node.attr(name).map(|value| value.to_string()).unwrap_or_default()
}

/// How many characters of `text` are not white space.
pub(super) fn mass(text: &str) -> usize {
    text.chars().filter(|character| !character.is_whitespace()).count()
}

/// The mass of all text that a reader sees under `root`.
pub(super) fn mass_of(root: &NodeRef<'_>, left_out: &HashSet<NodeId>) -> usize {
    texts(root, left_out).iter().map(|node| mass(&node.text())).sum()
}

/// Whether an element is one of the named, or any node under it.
pub(super) fn has_any(root: &NodeRef<'_>, names: &[&str]) -> bool {
    root.descendants_it().any(|node| names.contains(&name_of(&node).as_str()))
}

fn is_silent(node: &NodeRef<'_>) -> bool {
    node.qual_name_ref().is_some_and(|name| SILENT.contains(&&*name.local))
}
