//! The stack of open elements and the list of active formatting elements, as the tree builder of the standard keeps
//! them.

use super::elements::{Kind, Name};
use std::collections::HashMap;

/// The deepest nesting that is passed on.
pub(super) const MAX_DEPTH: usize = 512;

/// The most formatting elements that may be open at once.
const MAX_FORMATTING: usize = 24;

/// How many blocks a misnested end tag of a formatting element is carried through (the outer loop of the standard's
/// "adoption agency").
const ADOPTION_LIMIT: usize = 8;

/// What becomes of a tag.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Passed {
    /// It is passed on.
    On,
    /// It is left out.
    Over,
    /// It is left out, and the words before and behind it belong apart.
    OverBlock,
}

/// Where the tree builder stands.
#[derive(Default)]
pub(super) struct Stack {
    open: Vec<Name>,
    /// The list of active formatting elements; `None` is a marker.
    formatting: Vec<Option<Formatting>>,
    /// How many elements of a name were left out at the depth limit and are not closed yet.
    dropped: HashMap<Name, usize>,
    /// The same of formatting elements that were left out for their number.
    dropped_formatting: HashMap<Name, usize>,
}

/// An entry of the list of active formatting elements.
#[derive(Clone, Copy)]
struct Formatting {
    name: Name,
    /// A hash of the attributes.
    attributes: u64,
    /// Whether it is on the stack. One that isn't is opened again for the next text or inline element.
    open: bool,
}

// === impl Stack ===

impl Stack {
    /// Follows a start tag.
    pub(super) fn start(&mut self, name: Name, attributes: &[&str]) -> Passed {
        if !self.close_before(name) {
            return Passed::OverBlock;
        }
        if !name.is_special() || name == Name::BUTTON {
            self.reopen();
        }
        if self.open.len() >= MAX_DEPTH {
            *self.dropped.entry(name).or_default() += 1;
            return Passed::OverBlock;
        }
        if name.kind() == Kind::Formatting && !self.list_formatting(name, attributes) {
            *self.dropped_formatting.entry(name).or_default() += 1;
            return Passed::Over;
        }
        if name.is_cell() {
            self.formatting.push(None);
        }
        self.open.push(name);
        Passed::On
    }

    /// Follows an end tag.
    pub(super) fn end(&mut self, name: Name) -> Passed {
        if take_one(&mut self.dropped_formatting, name) {
            Passed::Over
        } else if !take_one(&mut self.dropped, name) && self.close(name) {
            Passed::On
        } else {
            Passed::OverBlock
        }
    }

    /// Closes the element that was opened last.
    pub(super) fn close_again(&mut self, name: Name) {
        if name.kind() == Kind::Formatting {
            self.formatting.pop();
            self.open.pop();
        } else {
            self.pop_to(self.open.len().saturating_sub(1));
        }
    }

    /// How many elements may be opened again for the next text.
    pub(super) fn reopens(&self) -> usize {
        self.formatting.len() - self.since_marker()
    }

    /// Lists a formatting element. False when too many are open.
    fn list_formatting(&mut self, name: Name, attributes: &[&str]) -> bool {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        attributes.hash(&mut hasher);
        let attributes = hasher.finish();
        let since = self.since_marker();
        let same = |entry: &Option<Formatting>| {
            entry.is_some_and(|entry| (entry.name, entry.attributes) == (name, attributes))
        };
        // Of the same element at most three are listed ("Noah's Ark clause").
        if self.formatting[since..].iter().filter(|entry| same(entry)).count() >= 3 {
            let earliest = self.formatting[since..].iter().position(same).unwrap_or_default();
            self.formatting.remove(since + earliest);
        } else if self.formatting.len() - since >= MAX_FORMATTING && !matches!(name, Name::A | Name::NOBR) {
            return false;
        }
        self.formatting.push(Some(Formatting { name, attributes, open: true }));
        true
    }

    /// Where the entries behind the last marker begin.
    fn since_marker(&self) -> usize {
        self.formatting.iter().rposition(Option::is_none).map_or(0, |marker| marker + 1)
    }

    /// Follows a text or a void element: opens the listed formatting elements that a block has closed.
    pub(super) fn reopen(&mut self) {
        let since = self.since_marker();
        for entry in self.formatting[since..].iter_mut().flatten().filter(|entry| !entry.open) {
            entry.open = true;
            self.open.push(entry.name);
        }
    }

    /// Closes what the start of `name` closes. False when the tree builder ignores the tag.
    fn close_before(&mut self, name: Name) -> bool {
        if name.is_table_part() {
            return self.close_to_table(name);
        }
        if name == Name::TABLE {
            if self.open.last().is_some_and(|top| *top == Name::TABLE || (top.is_table_part() && !top.is_cell())) {
                self.close_through(|open| open == Name::TABLE, |_| false);
            }
        } else if matches!(name, Name::A | Name::NOBR) {
            self.end_formatting(name);
            if name == Name::A {
                self.forget(name);
            }
        } else if name == Name::BUTTON {
            self.close_through(|open| open == name, ends_scope);
        } else if name.is_heading() && self.open.last().is_some_and(|top| top.is_heading()) {
            self.pop_to(self.open.len() - 1);
        } else if matches!(name, Name::LI | Name::DD | Name::DT) {
            let same = move |open| if name == Name::LI { open == name } else { matches!(open, Name::DD | Name::DT) };
            self.close_through(same, |open| !open.lets_items_through());
        }
        if name.kind() == Kind::Block {
            self.close_through(|open| open == Name::P, |open| ends_scope(open) || open == Name::BUTTON);
        }
        true
    }

    /// Closes down to where a part of a table belongs, and opens the parts that are implied.
    fn close_to_table(&mut self, name: Name) -> bool {
        let Some(table) = self.open.iter().rposition(|open| *open == Name::TABLE) else { return false };
        let group = |open: Name| matches!(open, Name::TBODY | Name::THEAD | Name::TFOOT);
        let in_row = matches!(name, Name::TD | Name::TH);
        let mut keep = table + 1;
        if name == Name::TR || in_row {
            keep += usize::from(self.open.get(keep).is_some_and(|open| group(*open)));
            keep += usize::from(in_row && self.open.get(keep) == Some(&Name::TR));
        }
        self.pop_to(keep);
        if (name == Name::TR || in_row) && self.open.last() == Some(&Name::TABLE) {
            self.open.push(Name::TBODY);
        }
        if in_row && self.open.last() != Some(&Name::TR) {
            self.open.push(Name::TR);
        }
        true
    }

    /// Closes the element, if it is open. False when the tree builder ignores the tag.
    fn close(&mut self, name: Name) -> bool {
        match name.kind() {
            Kind::Void | Kind::Raw | Kind::Frame => false,
            Kind::Formatting => self.end_formatting(name) || self.close_through(|open| open == name, Name::is_special),
            Kind::Plain => self.close_through(|open| open == name, Name::is_special),
            _ if name == Name::TABLE => self.close_through(|open| open == name, |_| false),
            _ if name.is_table_part() => self.close_through(|open| open == name, |open| open == Name::TABLE),
            _ if name.is_heading() => self.close_through(Name::is_heading, ends_scope),
            _ if name == Name::P => {
                self.close_through(|open| open == name, |open| ends_scope(open) || open == Name::BUTTON)
            }
            _ if name == Name::LI => self.close_through(|open| open == name, |open| ends_scope(open) || open.is_list()),
            _ => self.close_through(|open| open == name, ends_scope),
        }
    }

    /// Takes a formatting element off the list and out of the stack, which leaves the blocks in it open.
    fn end_formatting(&mut self, name: Name) -> bool {
        let since = self.since_marker();
        let is_it = |entry: &Option<Formatting>| entry.is_some_and(|entry| entry.name == name);
        let Some(listed) = self.formatting[since..].iter().rposition(is_it) else { return false };
        let is_open = self.formatting[since + listed].is_some_and(|entry| entry.open);
        let within = self.open.iter().rposition(|open| *open == name).filter(|_| is_open);
        if within.is_some_and(|within| self.open[within..].iter().any(|open| ends_scope(*open))) {
            // The tree builder ignores the tag.
            return true;
        }
        let entry = self.formatting.remove(since + listed);
        let Some(within) = within else { return true };
        let blocks = (within..self.open.len()).filter(|&at| self.open[at].is_special()).take(ADOPTION_LIMIT);
        let (last, count) = blocks.fold((within, 0), |(_, count), at| (at, count + 1));
        // Behind the last block that is open in it everything closes, before it all inline elements do.
        if count < ADOPTION_LIMIT {
            self.pop_to(last + 1);
        }
        let mut at = 0;
        self.open.retain(|open| {
            at += 1;
            at - 1 < within
                || at - 1 > last
                || open.is_special()
                || (open.kind() == Kind::Formatting && at - 1 != within)
        });
        if count == ADOPTION_LIMIT {
            // The tree builder gives up, and the element stays, within that many blocks.
            self.open.push(name);
            self.formatting.push(entry);
        }
        true
    }

    /// Takes a formatting element off the list and out of the stack, and leaves everything else.
    fn forget(&mut self, name: Name) {
        let since = self.since_marker();
        let is_it = |entry: &Option<Formatting>| entry.is_some_and(|entry| entry.name == name);
        if let Some(listed) = self.formatting[since..].iter().rposition(is_it)
            && self.formatting.remove(since + listed).is_some_and(|entry| entry.open)
            && let Some(within) = self.open.iter().rposition(|open| *open == name)
        {
            self.open.remove(within);
        }
    }

    /// Closes everything through the innermost open element that is `wanted`, unless one that `stops` is in between.
    fn close_through(&mut self, wanted: impl Fn(Name) -> bool, stops: impl Fn(Name) -> bool) -> bool {
        for at in (0..self.open.len()).rev() {
            let open = self.open[at];
            if wanted(open) {
                self.pop_to(at);
                return true;
            }
            if stops(open) {
                return false;
            }
        }
        false
    }

    fn pop_to(&mut self, length: usize) {
        if length >= self.open.len() {
            return;
        }
        for name in self.open.drain(length..).rev() {
            if name.kind() == Kind::Formatting {
                let mut entries = self.formatting.iter_mut().rev().map_while(Option::as_mut);
                if let Some(entry) = entries.find(|entry| entry.name == name && entry.open) {
                    entry.open = false;
                }
            } else if name.is_cell() {
                let marker = self.formatting.iter().rposition(Option::is_none).unwrap_or_default();
                self.formatting.truncate(marker);
                self.dropped_formatting.clear();
            }
        }
        self.dropped.clear();
    }
}

/// Takes the end tag of a dropped element off its count, if there is one.
fn take_one(dropped: &mut HashMap<Name, usize>, name: Name) -> bool {
    dropped.get_mut(&name).filter(|count| **count > 0).map(|count| *count -= 1).is_some()
}

fn ends_scope(name: Name) -> bool {
    name == Name::TABLE || name.is_cell()
}
