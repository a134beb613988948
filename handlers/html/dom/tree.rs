//! The tree while it grows: nodes with links, which can be moved.

use super::{
    Attr, MAX_ALL_ATTRS, MAX_ATTRS, MAX_NODES,
    entities::Place,
    names::{MAX_NAME, Name},
    tokens::{RawAttr, Span, Tag, decode},
};

/// A node of the growing tree.
pub(super) type At = u32;

/// No node.
pub(super) const NONE: At = At::MAX;

/// The most nodes that one tag adds.
const SLACK: usize = 256;

/// The rules that an element's content is read by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Namespace {
    Html,
    Svg,
    MathMl,
}

/// A node with its links.
#[derive(Clone, Copy)]
pub(super) struct Draft {
    pub(super) parent: At,
    pub(super) first: At,
    last: At,
    prev: At,
    pub(super) next: At,
    /// Where a text, or the name of an unknown element, starts in [`Tree::text`].
    pub(super) start: u32,
    /// The length of that, in bytes.
    pub(super) length: u32,
    /// The first one of [`Tree::attrs`].
    pub(super) attrs: u32,
    pub(super) attr_count: u8,
    pub(super) name: Name,
    pub(super) namespace: Namespace,
}

/// Where a node is put.
#[derive(Clone, Copy)]
pub(super) enum Spot {
    /// As the last child of this node.
    In(At),
    /// Right before this node.
    Before(At),
}

/// The growing tree.
pub(super) struct Tree {
    pub(super) nodes: Vec<Draft>,
    /// All text, names and attributes.
    pub(super) text: String,
    pub(super) attrs: Vec<Attr>,
}

// === impl Tree ===

impl Tree {
    pub(super) fn new(source: usize) -> Self {
        Self { nodes: Vec::with_capacity(source / 64), text: String::with_capacity(source / 4), attrs: Vec::new() }
    }

    /// Whether no element may be added any more, but for those that one tag implies.
    pub(super) fn is_full(&self) -> bool {
        self.nodes.len() + SLACK >= MAX_NODES
    }

    pub(super) fn node(&self, at: At) -> &Draft {
        &self.nodes[at as usize]
    }

    /// Adds an element that stands nowhere yet.
    pub(super) fn element(&mut self, tag: &Tag, namespace: Namespace, source: &str, attrs: &[RawAttr]) -> At {
        let start = self.text.len();
        if tag.name == Name::Other {
            let local = tag.local.of(source);
            let local = &local[..local.floor_char_boundary(MAX_NAME)];
            self.text.extend(local.chars().map(|character| match character {
                '\0' => char::REPLACEMENT_CHARACTER,
                _ => character.to_ascii_lowercase(),
            }));
        }
        let length = self.text.len() - start;
        let first = self.attrs.len();
        if !attrs.is_empty() {
            let is_drawing = namespace == Namespace::Svg;
            self.add_attrs(source, attrs, first, |name| is_drawing && (name == "d" || name == "points"));
        }
        self.push(Draft {
            start: index(start),
            length: index(length),
            attrs: index(first),
            attr_count: u8::try_from(self.attrs.len() - first).unwrap_or(u8::MAX),
            ..Draft::new(tag.name, namespace)
        })
    }

    /// A second element with the same name and attributes.
    pub(super) fn twin(&mut self, at: At) -> At {
        let Draft { start, length, attrs, attr_count, name, namespace, .. } = *self.node(at);
        self.push(Draft { start, length, attrs, attr_count, ..Draft::new(name, namespace) })
    }

    /// Adds attributes that the element doesn't have yet.
    pub(super) fn merge_attrs(&mut self, at: At, source: &str, attrs: &[RawAttr]) {
        let node = *self.node(at);
        let kept = self.attrs_of(&node).to_vec();
        if attrs.is_empty() || kept.len() >= MAX_ATTRS {
            return;
        }
        let first = self.attrs.len();
        self.attrs.extend(kept);
        self.add_attrs(source, attrs, first, |_| false);
        let node = &mut self.nodes[at as usize];
        node.attrs = index(first);
        node.attr_count = u8::try_from(self.attrs.len() - first).unwrap_or(u8::MAX);
    }

    /// Whether two elements have the same name and attributes.
    pub(super) fn are_alike(&self, one: At, other: At) -> bool {
        let (one, other) = (self.node(one), self.node(other));
        let text = |attr: &Attr| &self.text[attr.start as usize..][..usize::from(attr.name) + attr.value as usize];
        one.name == other.name
            && one.attr_count == other.attr_count
            && (one.attrs == other.attrs
                || self
                    .attrs_of(one)
                    .iter()
                    .zip(self.attrs_of(other))
                    .all(|(one, other)| one.name == other.name && text(one) == text(other)))
    }

    /// The value of an element's attribute.
    pub(super) fn attr(&self, at: At, name: &str) -> Option<&str> {
        self.attrs_of(self.node(at)).iter().find_map(|attr| {
            let text = &self.text[attr.start as usize..][..usize::from(attr.name) + attr.value as usize];
            text.strip_prefix(name).filter(|_| usize::from(attr.name) == name.len())
        })
    }

    pub(super) fn put(&mut self, node: At, spot: Spot) {
        match spot {
            Spot::In(parent) => {
                let last = self.nodes[parent as usize].last;
                self.link(node, parent, last, NONE);
            }
            Spot::Before(next) => {
                let Draft { parent, prev, .. } = *self.node(next);
                self.link(node, parent, prev, next);
            }
        }
    }

    /// Takes a node, with what it contains, from where it stands.
    pub(super) fn detach(&mut self, node: At) {
        let Draft { parent, prev, next, .. } = *self.node(node);
        if parent == NONE {
            return;
        }
        match prev {
            NONE => self.nodes[parent as usize].first = next,
            _ => self.nodes[prev as usize].next = next,
        }
        match next {
            NONE => self.nodes[parent as usize].last = prev,
            _ => self.nodes[next as usize].prev = prev,
        }
        let node = &mut self.nodes[node as usize];
        (node.parent, node.prev, node.next) = (NONE, NONE, NONE);
    }

    /// Makes all children of `from` the children of `to`, which has none.
    pub(super) fn move_children(&mut self, from: At, to: At) {
        let Draft { first, last, .. } = *self.node(from);
        let mut child = first;
        while child != NONE {
            self.nodes[child as usize].parent = to;
            child = self.nodes[child as usize].next;
        }
        (self.nodes[from as usize].first, self.nodes[from as usize].last) = (NONE, NONE);
        (self.nodes[to as usize].first, self.nodes[to as usize].last) = (first, last);
    }

    /// Puts a part of [`Tree::text`] into the tree, together with the text that stands before it.
    pub(super) fn put_text(&mut self, span: Span, spot: Spot) {
        if span.start >= span.end {
            return;
        }
        let before = match spot {
            Spot::In(parent) => self.nodes[parent as usize].last,
            Spot::Before(next) => self.nodes[next as usize].prev,
        };
        let length = index(span.end - span.start);
        if let Some(before) = self.nodes.get_mut(before as usize)
            && before.name == Name::Text
            && before.start + before.length == index(span.start)
        {
            before.length += length;
            return;
        }
        let node = self.push(Draft { start: index(span.start), length, ..Draft::new(Name::Text, Namespace::Html) });
        self.put(node, spot);
    }

    fn link(&mut self, node: At, parent: At, prev: At, next: At) {
        let new = &mut self.nodes[node as usize];
        (new.parent, new.prev, new.next) = (parent, prev, next);
        match prev {
            NONE => self.nodes[parent as usize].first = node,
            _ => self.nodes[prev as usize].next = node,
        }
        match next {
            NONE => self.nodes[parent as usize].last = node,
            _ => self.nodes[next as usize].prev = node,
        }
    }

    fn push(&mut self, node: Draft) -> At {
        self.nodes.push(node);
        index(self.nodes.len() - 1)
    }

    fn attrs_of(&self, node: &Draft) -> &[Attr] {
        &self.attrs[node.attrs as usize..][..usize::from(node.attr_count)]
    }

    /// Appends attributes to those that start at `first`, but none twice.
    fn add_attrs(&mut self, source: &str, attrs: &[RawAttr], first: usize, is_dropped: impl Fn(&str) -> bool) {
        for attr in attrs {
            if self.attrs.len() - first >= MAX_ATTRS || self.attrs.len() >= MAX_ALL_ATTRS {
                return;
            }
            let start = self.text.len();
            let name = attr.name.of(source);
            decode(&name[..name.floor_char_boundary(MAX_NAME)], None, "\u{FFFD}", &mut self.text);
            self.text[start..].make_ascii_lowercase();
            let name = self.text.len() - start;
            let is_known = self.attrs[first..].iter().any(|other| {
                usize::from(other.name) == name && self.text[other.start as usize..][..name] == self.text[start..]
            });
            if is_known || is_dropped(&self.text[start..]) {
                self.text.truncate(start);
                continue;
            }
            decode(attr.value.of(source), Some(Place::Attribute), "\u{FFFD}", &mut self.text);
            let value = index(self.text.len() - start - name);
            self.attrs.push(Attr { start: index(start), value, name: u8::try_from(name).unwrap_or(u8::MAX) });
        }
    }
}

// === impl Draft ===

impl Draft {
    fn new(name: Name, namespace: Namespace) -> Self {
        Self {
            parent: NONE,
            first: NONE,
            last: NONE,
            prev: NONE,
            next: NONE,
            start: 0,
            length: 0,
            attrs: 0,
            attr_count: 0,
            name,
            namespace,
        }
    }
}

/// A place in the buffers of a page. [`super::MAX_SOURCE`] keeps all of them in range.
pub(super) fn index(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}
