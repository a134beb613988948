//! Marks around words: where they begin and end.

use super::{Inline, Mode};
use crate::html::emit::escape;

/// Markup around a piece of text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Mark {
    Strong,
    Emphasis,
    Strike,
    Highlight,
    Superscript,
    Subscript,
    /// Its number among the links of the text.
    Link(usize),
}

/// How far a mark has come.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// It is for a heading that comes below it.
    Waiting,
    /// It is written before the next word.
    Pending,
    /// It stands at this place of the text.
    Written(usize),
    /// It isn't written (again).
    Spent,
}

pub(super) struct Open {
    pub(super) mark: Mark,
    pub(super) state: State,
}

/// Where a link leads.
pub(in super::super) struct Target {
    pub(in super::super) address: String,
    pub(in super::super) title: Option<String>,
}

// === impl Mark ===

impl Mark {
    fn sign(self) -> &'static str {
        match self {
            Self::Strong => "**",
            Self::Emphasis => "*",
            Self::Strike => "~~",
            Self::Highlight => "==",
            Self::Superscript => "^",
            Self::Subscript => "~",
            Self::Link(_) => "[",
        }
    }
}

// === impl Inline ===

impl Inline {
    pub(in super::super) fn in_link(&self) -> bool {
        self.open.iter().any(|open| matches!(open.mark, Mark::Link(_)))
    }

    /// Opens a mark. A mark within the same mark means nothing.
    pub(in super::super) fn open(&mut self, mark: Mark) {
        let spent =
            self.open.iter().any(|open| open.mark == mark) || (mark == Mark::Strong && self.mode == Mode::Heading);
        self.open.push(Open { mark, state: if spent { State::Spent } else { State::Pending } });
        self.pending += usize::from(!spent);
    }

    /// Opens a link. `waits`: for the heading below it.
    pub(in super::super) fn open_link(&mut self, target: Target, waits: bool) {
        self.links.push(target);
        let mark = Mark::Link(self.links.len() - 1);
        self.open.push(Open { mark, state: if waits { State::Waiting } else { State::Pending } });
        self.pending += usize::from(!waits);
    }

    /// A heading begins: a link that waits for it may be written.
    pub(in super::super) fn wake_link(&mut self) {
        for open in &mut self.open {
            if open.state == State::Waiting {
                open.state = State::Pending;
                self.pending += 1;
            }
        }
    }

    /// Closes the mark that was opened last.
    pub(in super::super) fn close(&mut self) {
        let Some(open) = self.open.pop() else { return };
        match open.state {
            State::Pending => self.pending -= 1,
            State::Written(at) => self.write_end(open.mark, at),
            State::Waiting | State::Spent => {}
        }
        if self.open.is_empty() {
            self.links.clear();
        }
    }

    pub(super) fn write_starts(&mut self) {
        for open in self.open.iter_mut().filter(|open| open.state == State::Pending) {
            let mut begin = self.out.len();
            let is_starred = |mark| matches!(mark, Mark::Strong | Mark::Emphasis);
            match self.closed.take().filter(|(_, _, end)| *end == begin) {
                // The same mark goes on. Every link is one of its own.
                Some((mark, start, end)) if mark == open.mark && !matches!(mark, Mark::Link(_)) => {
                    self.out.truncate(end - mark.sign().len());
                    begin = start;
                }
                // Nobody could tell the asterisks of two marks side by side.
                Some((mark, ..)) if is_starred(mark) && is_starred(open.mark) => {
                    open.state = State::Spent;
                    continue;
                }
                _ => self.out.push_str(open.mark.sign()),
            }
            self.starred |= is_starred(open.mark);
            open.state = State::Written(begin);
        }
        self.pending = 0;
    }

    pub(super) fn write_end(&mut self, mark: Mark, begin: usize) {
        let sign = mark.sign();
        if self.out.len() <= begin + sign.len() {
            self.out.truncate(begin);
            return;
        }
        if let Mark::Link(number) = mark {
            self.end_link(number, begin + sign.len());
        } else {
            self.out.push_str(sign);
        }
        self.closed = Some((mark, begin, self.out.len()));
    }

    fn end_link(&mut self, number: usize, label: usize) {
        if !escape::is_balanced(&self.out[label..]) {
            let escaped = escape::brackets(&self.out[label..]);
            self.out.truncate(label);
            self.out.push_str(&escaped);
            // Their places are others now.
            self.stars.clear();
            self.underscores.clear();
        }
        self.out.push_str("](");
        if let Some(target) = self.links.get(number) {
            escape::destination(&target.address, &mut self.out);
            if let Some(title) = &target.title {
                self.out.push_str(" \"");
                let escaped: &[char] = if self.mode == Mode::Cell { &['"', '|'] } else { &['"'] };
                self.out.push_str(&escape::one_line(title, escaped));
                self.out.push('"');
            }
        }
        self.out.push(')');
    }
}
