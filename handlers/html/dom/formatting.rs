//! The list of active formatting elements: what a block opens again when the one before closed it too early, and the
//! adoption agency, which sorts out `<b>1<p>2</b>3</p>`.

use super::{
    MAX_DEPTH,
    build::Builder,
    names::Name,
    rules::Rules,
    scopes::{Open, Scope},
    tokens::Tag,
    tree::{At, NONE, Namespace, Spot, Tree},
};

/// The most entries since the last mark. The oldest one goes, so that no page multiplies: each paragraph opens them all.
const MAX_ENTRIES: usize = 32;

/// How far back an entry before the last mark is looked for: marks may outlive their elements and pile up.
const LOOK_BACK: usize = 128;

/// How many elements with the same name and attributes the list holds since the last mark.
const MAX_ALIKE: usize = 3;

/// The most entries of the stack that adoptions move, in a page. Beyond it they only forget the formatting element.
const MAX_MOVES: usize = 2_000_000;

/// An entry of the list.
#[derive(Clone, Copy)]
struct Entry {
    /// [`NONE`] for a mark: the start of a cell or the like, which formatting from outside doesn't reach into.
    node: At,
    name: Name,
}

/// The list of active formatting elements.
#[derive(Default)]
pub(super) struct Formatting {
    entries: Vec<Entry>,
    moves: usize,
}

// === impl Formatting ===

impl Formatting {
    pub(super) fn mark(&mut self) {
        self.entries.push(Entry { node: NONE, name: Name::Other });
    }

    pub(super) fn clear_to_mark(&mut self) {
        while self.entries.pop().is_some_and(|entry| entry.node != NONE) {}
    }

    fn push(&mut self, node: At, name: Name, tree: &Tree) {
        let first = self.since_mark();
        let alike = |entry: &Entry| entry.name == name && tree.are_alike(entry.node, node);
        if self.entries[first..].iter().filter(|entry| alike(entry)).count() >= MAX_ALIKE
            && let Some(oldest) = self.entries[first..].iter().position(alike)
        {
            self.entries.remove(first + oldest);
        }
        if self.entries.len() - first >= MAX_ENTRIES {
            self.entries.remove(first);
        }
        self.entries.push(Entry { node, name });
    }

    /// Where the entries since the last mark start.
    fn since_mark(&self) -> usize {
        self.entries.iter().rposition(|entry| entry.node == NONE).map_or(0, |mark| mark + 1)
    }

    /// Where the last entry of this name since the last mark is.
    fn last(&self, name: Name) -> Option<usize> {
        let first = self.since_mark();
        self.entries[first..].iter().rposition(|entry| entry.name == name).map(|at| first + at)
    }

    /// Whether an element has an entry, also before the last mark.
    fn holds(&self, node: At) -> bool {
        self.entries.iter().rev().take(LOOK_BACK).any(|entry| entry.node == node)
    }

    /// Where the entry of an element is, if it is behind the last mark.
    fn place_of(&self, node: At) -> Option<usize> {
        let first = self.since_mark();
        self.entries[first..].iter().rposition(|entry| entry.node == node).map(|at| first + at)
    }
}

// === impl Builder ===

impl Builder<'_> {
    /// Opens what the end of a block has closed too early.
    pub(super) fn reopen_formatting(&mut self) {
        let is_kept = |entry: &Entry| entry.node == NONE || self.open.is_open(entry.node);
        if self.formatting.entries.last().is_none_or(is_kept) {
            return;
        }
        let first = self.formatting.entries.iter().rposition(is_kept).map_or(0, |kept| kept + 1);
        for at in first..self.formatting.entries.len() {
            if self.open.len() >= MAX_DEPTH || self.tree.is_full() {
                return;
            }
            let Entry { node, name } = self.formatting.entries[at];
            let twin = self.tree.twin(node);
            let spot = self.spot(self.open.top().node);
            self.tree.put(twin, spot);
            self.open.push(twin, name, name as u64, Namespace::Html);
            self.formatting.entries[at].node = twin;
        }
    }

    /// Opens a formatting element.
    pub(super) fn open_formatting(&mut self, tag: &Tag) {
        self.reopen_formatting();
        let node = self.insert(tag);
        self.formatting.push(node, tag.name, &self.tree);
    }

    /// Ends an open `a` before the next one starts.
    pub(super) fn close_link(&mut self) {
        let Some(at) = self.formatting.last(Name::A) else { return };
        let node = self.formatting.entries[at].node;
        self.adopt(Name::A);
        if let Some(at) = self.formatting.place_of(node) {
            self.formatting.entries.remove(at);
        }
        self.open.remove(node, Name::A);
    }

    /// The end tag of a formatting element. `false`: it has none on the list, and is read like any other end tag.
    pub(super) fn adopt(&mut self, name: Name) -> bool {
        let top = self.open.top();
        if top.is(name) && !self.formatting.holds(top.node) {
            self.open.pop();
            return true;
        }
        for round in 0..8 {
            let Some(entry) = self.formatting.last(name) else { return round > 0 };
            let node = self.formatting.entries[entry].node;
            let Some(place) = self.open.place_of(node, name) else {
                self.formatting.entries.remove(entry);
                return true;
            };
            if place < self.open.limit(Scope::Default) {
                return true;
            }
            if self.open.limit(Scope::Special) < place {
                self.open.truncate(place);
                self.formatting.entries.remove(entry);
                return true;
            }
            self.formatting.moves += self.open.len() - place;
            if self.formatting.moves > MAX_MOVES || self.tree.is_full() {
                self.formatting.entries.remove(entry);
                return true;
            }
            self.adopt_block(entry, place);
        }
        true
    }

    /// Moves the lowest block within a formatting element out of it, and formats the block's content instead.
    fn adopt_block(&mut self, entry: usize, place: usize) {
        let formatting = self.formatting.entries[entry];
        let common = self.open.get(place - 1).map_or(0, |open| open.node);
        // The topmost entry first: turned, the formatting element is first.
        let mut above = self.open.split_off(place);
        above.reverse();
        let Some(block_at) = above.iter().position(is_special) else {
            above.reverse();
            return self.open.restore(above);
        };
        let block = above[block_at].node;
        let mut bookmark = entry;
        let mut last = block;
        // Elements between the two: the inner ones that format are split, the others end here.
        let mut between = Vec::new();
        for (count, open) in above[1..block_at].iter().rev().enumerate() {
            let Some(mut at) = self.formatting.place_of(open.node) else { continue };
            if count >= 3 {
                self.formatting.entries.remove(at);
                if at < bookmark {
                    bookmark -= 1;
                }
                continue;
            }
            let twin = self.tree.twin(open.node);
            self.formatting.entries[at].node = twin;
            between.push(Open::new(twin, open.name));
            if last == block {
                at += 1;
                bookmark = at;
            }
            self.tree.detach(last);
            self.tree.put(last, Spot::In(twin));
            last = twin;
        }
        self.tree.detach(last);
        let spot = self.spot(common);
        self.tree.put(last, spot);
        let twin = self.tree.twin(formatting.node);
        self.tree.move_children(block, twin);
        self.tree.put(twin, Spot::In(block));
        if let Some(entry) = self.formatting.place_of(formatting.node) {
            self.formatting.entries.remove(entry);
            if entry < bookmark {
                bookmark -= 1;
            }
        }
        let bookmark = bookmark.min(self.formatting.entries.len());
        self.formatting.entries.insert(bookmark, Entry { node: twin, name: formatting.name });
        // Back on the stack, the lowest one last.
        let mut back: Vec<Open> = above[block_at + 1..].iter().rev().copied().collect();
        back.push(Open::new(twin, formatting.name));
        back.push(above[block_at]);
        back.extend(between);
        self.open.restore(back);
    }
}

fn is_special(open: &Open) -> bool {
    open.has(Rules::SPECIAL) || open.is_point()
}
