//! A parsed page: the tree, and what is asked of it again and again.

use dom_query::{Document, NodeId, NodeRef};
use std::collections::{HashMap, HashSet};
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

/// What an element and everything under it have, measured in one pass: asking each element anew would take time
/// proportional to the depth.
#[derive(Clone, Copy, Default)]
#[expect(clippy::struct_excessive_bools, reason = "four findings of one pass, none a state")]
pub(super) struct Measure {
    /// The mass of the text.
    pub(super) mass: usize,
    /// The mass of the text of links, and their number.
    pub(super) linked: usize,
    pub(super) links: usize,
    pub(super) has_image: bool,
    /// Whether there is an `h1`.
    pub(super) has_title: bool,
    /// Whether there is an `article` or a `main`.
    pub(super) has_container: bool,
    pub(super) has_nav: bool,
}

/// Measures every element under `root`, and `root`.
pub(super) fn measure(root: &NodeRef<'_>) -> HashMap<NodeId, Measure> {
    let mut order = Vec::new();
    walk(root, |node| {
        order.push(*node);
        !is_silent(node)
    });
    let mut measures: HashMap<NodeId, Measure> = HashMap::with_capacity(order.len());
    for node in order.into_iter().rev() {
        let mut own = measures.remove(&node.id).unwrap_or_default();
        if node.is_text() {
            own.mass += mass(&node.text());
        } else if let Some(name) = node.qual_name_ref() {
            match &*name.local {
                "a" => (own.linked, own.links) = (own.mass, own.links + 1),
                "img" => own.has_image = true,
                "h1" => own.has_title = true,
                "article" | "main" => own.has_container = true,
                "nav" => own.has_nav = true,
                _ => {}
            }
        }
        if node.id != root.id
            && let Some(parent) = node.parent()
        {
            measures.entry(parent.id).or_default().add(&own);
        }
        if !node.is_text() {
            measures.insert(node.id, own);
        }
    }
    measures
}

/// The mass of all text that a reader sees under `root`.
pub(super) fn mass_of(root: &NodeRef<'_>, left_out: &HashSet<NodeId>) -> usize {
    texts(root, left_out).iter().map(|node| mass(&node.text())).sum()
}

/// Whether an element has one of the names.
pub(super) fn is_any(node: &NodeRef<'_>, names: &[&str]) -> bool {
    node.qual_name_ref().is_some_and(|name| names.contains(&&*name.local))
}

fn is_silent(node: &NodeRef<'_>) -> bool {
    node.qual_name_ref().is_some_and(|name| SILENT.contains(&&*name.local))
}

// === impl Measure ===

impl Measure {
    fn add(&mut self, child: &Self) {
        self.mass += child.mass;
        self.linked += child.linked;
        self.links += child.links;
        self.has_image |= child.has_image;
        self.has_title |= child.has_title;
        self.has_container |= child.has_container;
        self.has_nav |= child.has_nav;
    }
}
