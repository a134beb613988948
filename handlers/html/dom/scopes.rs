//! The stack of open elements.
//!
//! Every question of the standard ("is there a `p` in button scope?") is a walk down this stack, which a page can make
//! as deep as its bound and ask at every tag. So each entry knows the next entry of its own name and the nearest limit
//! of each scope below it: all questions are comparisons of places.

use super::{
    names::Name,
    rules::Rules,
    tree::{At, Namespace},
};
use rustc_hash::FxHashMap;

/// No place in the stack.
const NOWHERE: u16 = u16::MAX;

/// What limits a search down the stack.
#[derive(Clone, Copy)]
pub(super) enum Scope {
    Default,
    Button,
    List,
    Table,
    /// Elements that end the search of an end tag without rules of its own.
    Special,
    /// The same, but no `address`, `div` and `p`: what ends the search for the item before.
    Item,
    /// Elements of HTML, from within foreign content.
    Html,
}

/// The number of scopes.
const SCOPES: usize = 7;

/// An open element.
#[derive(Clone, Copy)]
pub(super) struct Open {
    pub(super) node: At,
    /// Of the tag, another one when the element is foreign.
    key: u64,
    pub(super) name: Name,
    pub(super) namespace: Namespace,
    /// Where the next element of the same key is open.
    same: u16,
    /// Where the nearest limit of each scope is, this element included.
    limits: [u16; SCOPES],
}

/// The stack. Its lowest element is never closed.
pub(super) struct Stack {
    entries: Vec<Open>,
    /// The topmost place of each name of HTML.
    known: [u16; Name::COUNT],
    /// The topmost place of other keys.
    others: FxHashMap<u64, u16>,
    /// A bit for each node: it is open.
    open: Vec<u64>,
    /// Entries put aside while the stack is changed below them.
    aside: Vec<Open>,
}

// === impl Open ===

impl Open {
    /// An entry for [`Stack::restore`].
    pub(super) fn new(node: At, name: Name) -> Self {
        let (key, namespace) = (name as u64, Namespace::Html);
        Self { node, key, name, namespace, same: NOWHERE, limits: [0; SCOPES] }
    }

    pub(super) fn is(&self, name: Name) -> bool {
        self.name == name && self.namespace == Namespace::Html
    }

    pub(super) fn has(&self, rules: Rules) -> bool {
        self.namespace == Namespace::Html && rules.any_of(self.name)
    }

    /// A foreign element that HTML may stand in, which limits the scopes.
    pub(super) fn is_point(&self) -> bool {
        let is_annotation = self.namespace == Namespace::MathMl && self.name == Name::AnnotationXml;
        self.is_math_text() || self.is_svg_text() || is_annotation
    }

    /// Text in this part of a formula, and most elements, are HTML.
    pub(super) fn is_math_text(&self) -> bool {
        self.namespace == Namespace::MathMl
            && matches!(self.name, Name::Mi | Name::Mo | Name::Mn | Name::Ms | Name::Mtext)
    }

    /// The content of this element of SVG is HTML.
    pub(super) fn is_svg_text(&self) -> bool {
        self.namespace == Namespace::Svg && matches!(self.name, Name::ForeignObject | Name::Desc | Name::Title)
    }
}

// === impl Stack ===

impl Stack {
    pub(super) fn new() -> Self {
        Self {
            entries: Vec::new(),
            known: [NOWHERE; Name::COUNT],
            others: FxHashMap::default(),
            open: Vec::new(),
            aside: Vec::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The element that is open now.
    pub(super) fn top(&self) -> &Open {
        &self.entries[self.entries.len() - 1]
    }

    pub(super) fn get(&self, place: usize) -> Option<&Open> {
        self.entries.get(place)
    }

    pub(super) fn push(&mut self, node: At, name: Name, key: u64, namespace: Namespace) {
        let key = if namespace == Namespace::Html { key } else { key ^ 1 << 62 };
        let mut limits = self.entries.last().map_or([0; SCOPES], |top| top.limits);
        let place = u16::try_from(self.entries.len()).unwrap_or(NOWHERE);
        let mut entry = Open { node, key, name, namespace, same: NOWHERE, limits };
        let mut limit = |scopes: &[Scope]| scopes.iter().for_each(|scope| limits[*scope as usize] = place);
        if namespace == Namespace::Html {
            limit(&[Scope::Html]);
            if Rules::SPECIAL.any_of(name) {
                limit(&[Scope::Special]);
                if !matches!(name, Name::Address | Name::Div | Name::P) {
                    limit(&[Scope::Item]);
                }
            }
            if Rules::SCOPE.any_of(name) {
                limit(&[Scope::Default, Scope::Button, Scope::List]);
            }
            match name {
                Name::Button => limit(&[Scope::Button]),
                Name::Ol | Name::Ul => limit(&[Scope::List]),
                Name::Html | Name::Table | Name::Template => limit(&[Scope::Table]),
                _ => {}
            }
        } else if entry.is_point() {
            limit(&[Scope::Special, Scope::Item, Scope::Default, Scope::Button, Scope::List]);
        }
        entry.limits = limits;
        entry.same = match self.slot(key) {
            Some(slot) => std::mem::replace(slot, place),
            None => self.others.insert(key, place).unwrap_or(NOWHERE),
        };
        self.entries.push(entry);
        let word = node as usize / 64;
        if word >= self.open.len() {
            self.open.resize(word + 1, 0);
        }
        self.open[word] |= 1 << (node % 64);
    }

    /// Closes the open element, but never the lowest one.
    pub(super) fn pop(&mut self) -> Option<Open> {
        if self.entries.len() < 2 {
            return None;
        }
        let entry = self.entries.pop()?;
        match self.slot(entry.key) {
            Some(slot) => *slot = entry.same,
            None if entry.same == NOWHERE => drop(self.others.remove(&entry.key)),
            None => drop(self.others.insert(entry.key, entry.same)),
        }
        self.open[entry.node as usize / 64] &= !(1 << (entry.node % 64));
        Some(entry)
    }

    /// Closes all elements from this place on.
    pub(super) fn truncate(&mut self, place: usize) {
        while self.entries.len() > place && self.pop().is_some() {}
    }

    /// Closes all elements up to the topmost one of this name.
    pub(super) fn pop_until(&mut self, name: Name) {
        if let Some(place) = self.last(name) {
            self.truncate(place);
        }
    }

    /// Where the topmost element of HTML with this name is.
    pub(super) fn last(&self, name: Name) -> Option<usize> {
        Some(self.known[name as usize]).filter(|place| *place != NOWHERE).map(usize::from)
    }

    /// Where the topmost element with the key of a tag is.
    pub(super) fn last_key(&self, key: u64, namespace: Namespace) -> Option<usize> {
        let key = if namespace == Namespace::Html { key } else { key ^ 1 << 62 };
        let place = usize::try_from(key).ok().and_then(|key| self.known.get(key)).or_else(|| self.others.get(&key));
        place.copied().filter(|place| *place != NOWHERE).map(usize::from)
    }

    /// Where the nearest limit of a scope is.
    pub(super) fn limit(&self, scope: Scope) -> usize {
        usize::from(self.top().limits[scope as usize])
    }

    pub(super) fn in_scope(&self, name: Name, scope: Scope) -> bool {
        self.last(name).is_some_and(|place| place >= self.limit(scope))
    }

    pub(super) fn any_in_scope(&self, names: &[Name], scope: Scope) -> bool {
        names.iter().any(|name| self.in_scope(*name, scope))
    }

    pub(super) fn is_open(&self, node: At) -> bool {
        self.open.get(node as usize / 64).is_some_and(|word| word & 1 << (node % 64) != 0)
    }

    /// Where this element of HTML is open.
    pub(super) fn place_of(&self, node: At, name: Name) -> Option<usize> {
        let mut place = if self.is_open(node) { self.last(name) } else { None };
        while let Some(entry) = place.and_then(|place| self.entries.get(place)) {
            if entry.node == node {
                return place;
            }
            place = Some(usize::from(entry.same));
        }
        None
    }

    /// Closes this element of HTML and leaves those above it open.
    pub(super) fn remove(&mut self, node: At, name: Name) {
        if let Some(place) = self.place_of(node, name) {
            let mut above = self.split_off(place);
            above.pop();
            self.restore(above);
        }
    }

    /// Takes the entries from this place on, the topmost one first. Give them back with [`Self::restore`].
    pub(super) fn split_off(&mut self, place: usize) -> Vec<Open> {
        let mut above = std::mem::take(&mut self.aside);
        while self.entries.len() > place.max(1)
            && let Some(entry) = self.pop()
        {
            above.push(entry);
        }
        above
    }

    /// Opens entries again, the last one first.
    pub(super) fn restore(&mut self, mut above: Vec<Open>) {
        while let Some(Open { node, name, key, namespace, .. }) = above.pop() {
            self.push(node, name, if namespace == Namespace::Html { key } else { key ^ 1 << 62 }, namespace);
        }
        self.aside = above;
    }

    /// Where the topmost place of a name of HTML is noted.
    fn slot(&mut self, key: u64) -> Option<&mut u16> {
        usize::try_from(key).ok().and_then(|key| self.known.get_mut(key))
    }
}
