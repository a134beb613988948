//! A page as a tree: one arena, nodes in document order.
//!
//! The way of a page: [`tokens`] → [`build`], which grows a [`tree`] as the HTML standard has it → [`order`], which
//! numbers the nodes. The bounds below hold whatever the page is, and the time is linear in its length.

mod body;
mod build;
mod entities;
mod flat;
mod foreign;
mod formatting;
mod head;
mod names;
mod order;
mod raw;
mod rows;
mod rules;
mod scopes;
mod select;
mod tables;
mod templates;
#[cfg(test)]
mod tests;
mod tokens;
mod tree;

pub(crate) use names::Name;
pub(crate) use select::Selector;

/// The longest source that is read, in bytes. What is longer is cut: places in it are 32-bit numbers, and decoding may
/// treble the length.
pub(crate) const MAX_SOURCE: usize = 1 << 30;

/// The deepest node, the root being at 0. What is nested deeper stands at this depth.
pub(crate) const MAX_DEPTH: usize = 512;

/// The most nodes. Of what follows only the text is kept.
pub(crate) const MAX_NODES: usize = 400_000;

/// The most attributes of an element. Further ones are dropped.
pub(crate) const MAX_ATTRS: usize = 64;

/// The most attributes of a page. Further ones are dropped.
pub(crate) const MAX_ALL_ATTRS: usize = 1_000_000;

/// The longest script that is kept, in bytes.
pub(crate) const MAX_SCRIPT: usize = 1 << 20;

/// A node. Ids are in document order: a subtree is `id..dom.end(id)`.
pub(crate) type Id = u32;

/// A node of the arena.
#[derive(Clone, Copy, Debug)]
struct Node {
    parent: Id,
    end: Id,
    /// Where the text, or the name of an unknown element, starts in [`Dom::text`].
    start: u32,
    /// The length of that, in bytes.
    length: u32,
    /// The first one of [`Dom::attrs`].
    attrs: u32,
    attr_count: u8,
    name: Name,
}

/// An attribute: its name, followed by its value.
#[derive(Clone, Copy, Debug)]
struct Attr {
    start: u32,
    /// The length of the value, in bytes.
    value: u32,
    /// The length of the name, in bytes.
    name: u8,
}

/// A parsed page.
#[derive(Debug)]
pub(crate) struct Dom {
    nodes: Vec<Node>,
    attrs: Vec<Attr>,
    /// All text, names and attributes.
    text: String,
    body: Id,
}

// === impl Dom ===

impl Dom {
    /// Parses a page as browsers do without scripting. `xml`: `<x/>` is a whole element, as in XHTML.
    pub(crate) fn parse(html: &str, xml: bool) -> Self {
        let html = &html[..html.floor_char_boundary(MAX_SOURCE)];
        build::Builder::new(html, xml).run()
    }

    /// How many nodes there are.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The `html` element.
    #[expect(clippy::unused_self, reason = "which node it is, is the arena's affair")]
    pub(crate) fn root(&self) -> Id {
        0
    }

    pub(crate) fn body(&self) -> Id {
        self.body
    }

    pub(crate) fn name(&self, id: Id) -> Name {
        self.nodes[id as usize].name
    }

    /// The name of an element in lower case, also of an unknown one; empty for a text.
    pub(crate) fn local(&self, id: Id) -> &str {
        match self.name(id) {
            Name::Text => "",
            Name::Other => self.own_text(id),
            name => name.as_str(),
        }
    }

    /// The text of a text node; empty for an element.
    pub(crate) fn text(&self, id: Id) -> &str {
        if self.name(id) == Name::Text { self.own_text(id) } else { "" }
    }

    pub(crate) fn parent(&self, id: Id) -> Option<Id> {
        (id != 0).then(|| self.nodes[id as usize].parent)
    }

    /// The first node after the subtree of this one.
    pub(crate) fn end(&self, id: Id) -> Id {
        self.nodes[id as usize].end
    }

    /// How many ancestors the node has.
    #[cfg(test)]
    pub(crate) fn depth(&self, id: Id) -> usize {
        self.ancestors(id).count()
    }

    pub(crate) fn children(&self, id: Id) -> impl Iterator<Item = Id> + '_ {
        let (mut next, end) = (id + 1, self.end(id));
        std::iter::from_fn(move || {
            let child = (next < end).then_some(next)?;
            next = self.end(child);
            Some(child)
        })
    }

    /// The ancestors, the nearest one first.
    pub(crate) fn ancestors(&self, id: Id) -> impl Iterator<Item = Id> + '_ {
        std::iter::successors(self.parent(id), |id| self.parent(*id))
    }

    /// Names, in lower case, and values.
    pub(crate) fn attrs(&self, id: Id) -> impl Iterator<Item = (&str, &str)> + '_ {
        let node = &self.nodes[id as usize];
        self.attrs[node.attrs as usize..][..usize::from(node.attr_count)].iter().map(|attr| {
            let text = &self.text[attr.start as usize..];
            text[..usize::from(attr.name) + attr.value as usize].split_at(usize::from(attr.name))
        })
    }

    pub(crate) fn attr(&self, id: Id, name: &str) -> Option<&str> {
        self.attrs(id).find(|(found, _)| *found == name).map(|(_, value)| value)
    }

    /// The value of `class`, empty when there is none.
    pub(crate) fn class(&self, id: Id) -> &str {
        self.attr(id, "class").unwrap_or_default()
    }

    /// The value of `id`, empty when there is none.
    pub(crate) fn ident(&self, id: Id) -> &str {
        self.attr(id, "id").unwrap_or_default()
    }

    fn own_text(&self, id: Id) -> &str {
        let node = &self.nodes[id as usize];
        &self.text[node.start as usize..][..node.length as usize]
    }
}
