//! The text of one paragraph, heading or cell: blanks as a browser shows them, marks around words, escapes.

mod marks;

pub(super) use marks::{Mark, Target};

use super::{escape, math};
use marks::{Open, State};

/// What the text becomes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// Paragraphs.
    Block,
    /// A heading: one line.
    Heading,
    /// A cell of a table: one line, too, but with `<br>`.
    Cell,
}

/// A text as it grows.
pub(super) struct Inline {
    pub(super) mode: Mode,
    out: String,
    /// White space that is written before the next word: it goes out of marks and disappears at the ends.
    blank: String,
    line_break: bool,
    /// What begins an item within a cell.
    lead: Option<String>,
    open: Vec<Open>,
    /// How many of them are pending.
    pending: usize,
    links: Vec<Target>,
    /// The mark that was closed last, and where it begins and ends.
    closed: Option<(Mark, usize, usize)>,
    /// Where code in single backticks ends.
    code_end: usize,
    /// Where asterisks and underscores are escaped.
    stars: Vec<usize>,
    underscores: Vec<usize>,
    /// Whether marks of asterisks are written.
    starred: bool,
}

// === impl Inline ===

impl Inline {
    pub(super) fn new(mode: Mode) -> Self {
        Self {
            mode,
            out: String::new(),
            blank: String::new(),
            line_break: false,
            lead: None,
            open: Vec::new(),
            pending: 0,
            links: Vec::new(),
            closed: None,
            code_end: 0,
            stars: Vec::new(),
            underscores: Vec::new(),
            starred: false,
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.out.is_empty()
    }

    /// Whether a line break is waiting for a word.
    pub(super) fn breaks(&self) -> bool {
        self.line_break
    }

    /// The text of the page, with white space folded and escapes where they are needed.
    pub(super) fn text(&mut self, text: &str) {
        let bytes = text.as_bytes();
        let mut at = 0;
        while at < bytes.len() {
            if is_blank(bytes[at]) {
                self.space();
                at += 1;
                continue;
            }
            if let Some(length) = self.invisible(&bytes[at..]) {
                at += length;
                continue;
            }
            self.content();
            let plain = bytes[at..].iter().position(|byte| STOPS[usize::from(*byte)]).unwrap_or(bytes.len() - at);
            self.out.push_str(&text[at..at + plain]);
            at += plain;
            if at < bytes.len() && !is_blank(bytes[at]) {
                at = self.special(text, at);
            }
        }
    }

    /// A blank, unless there is one.
    pub(super) fn space(&mut self) {
        if !self.blank.ends_with(' ') {
            self.blank.push(' ');
        }
    }

    /// A line break, once another word comes.
    pub(super) fn break_line(&mut self) {
        self.line_break = !self.out.is_empty();
    }

    /// What comes before the next word of a cell.
    pub(super) fn lead(&mut self, lead: String) {
        self.lead = Some(lead);
    }

    /// Markdown as it is.
    pub(super) fn raw(&mut self, markdown: &str) {
        self.content();
        if self.mode == Mode::Cell && markdown.contains('|') {
            self.out.push_str(&markdown.replace('|', "\\|"));
        } else {
            self.out.push_str(markdown);
        }
    }

    /// Code within a line. Two pieces of code side by side are one.
    pub(super) fn code(&mut self, code: &str) {
        self.content();
        let single = !code.contains('`');
        if single && self.code_end > 0 && self.code_end == self.out.len() {
            self.out.pop();
            self.raw(code);
            self.out.push('`');
        } else {
            self.raw(&super::code::span(code));
        }
        self.code_end = if single { self.out.len() } else { 0 };
    }

    /// The text so far, with all marks closed; those that are still open begin anew in what follows. A link doesn't.
    pub(super) fn take(&mut self) -> String {
        for at in (0..self.open.len()).rev() {
            if let State::Written(begin) = self.open[at].state {
                let mark = self.open[at].mark;
                self.write_end(mark, begin);
                let spent = matches!(mark, Mark::Link(_));
                self.open[at].state = if spent { State::Spent } else { State::Pending };
                self.pending += usize::from(!spent);
            }
        }
        // One alone can't be a pair.
        let mut alone: Vec<usize> = Vec::new();
        alone.extend(self.stars.iter().filter(|_| self.stars.len() == 1 && !self.starred));
        alone.extend(self.underscores.iter().filter(|_| self.underscores.len() == 1));
        alone.sort_unstable();
        let mut text = std::mem::take(&mut self.out);
        for at in alone.into_iter().rev() {
            text.remove(at);
        }
        self.stars.clear();
        self.underscores.clear();
        self.blank.clear();
        (self.starred, self.line_break, self.lead, self.closed, self.code_end) = (false, false, None, None, 0);
        text
    }

    /// Zero-width characters that only tell where a word may be cut, and no-break spaces. Answers with their length.
    fn invisible(&mut self, bytes: &[u8]) -> Option<usize> {
        match bytes {
            [0xC2, 0xA0, ..] => {
                self.blank.push('\u{a0}');
                Some(2)
            }
            [0xC2, 0xAD, ..] => Some(2),
            [0xEF, 0xBB, 0xBF, ..] => Some(3),
            _ => None,
        }
    }

    /// A character that may need an escape, at `at`. Answers with where the text goes on.
    fn special(&mut self, text: &str, at: usize) -> usize {
        let byte = text.as_bytes()[at];
        if !byte.is_ascii() {
            let character = text[at..].chars().next().unwrap_or_default();
            if matches!(character, '\u{a0}' | '\u{ad}' | '\u{feff}') {
                return at;
            }
            self.out.push(character);
            return at + character.len_utf8();
        }
        if matches!(byte, b'\\' | b'$')
            && let Some((formula, rest)) = math::delimited(&text[at..])
        {
            self.raw(&formula);
            return text.len() - rest.len();
        }
        let escapes = if byte == b'|' {
            self.mode == Mode::Cell
        } else {
            escape::is_markup(self.out.chars().next_back(), byte, &text[at + 1..])
        };
        if escapes {
            match byte {
                b'*' => self.stars.push(self.out.len()),
                b'_' => self.underscores.push(self.out.len()),
                _ => {}
            }
            self.out.push('\\');
        }
        self.out.push(char::from(byte));
        at + 1
    }

    /// What stands between what is there and the next word.
    fn content(&mut self) {
        if !self.blank.is_empty() || self.line_break || self.lead.is_some() {
            let fresh = self.out.is_empty();
            if self.line_break && !fresh {
                self.out.push_str(match self.mode {
                    Mode::Block => "\\\n",
                    Mode::Heading => " ",
                    Mode::Cell => "<br>",
                });
            } else if !fresh {
                self.out.push_str(&self.blank);
            }
            self.line_break = false;
            self.blank.clear();
            if let Some(lead) = self.lead.take() {
                self.out.push_str(&lead);
            }
        }
        if self.pending > 0 {
            self.write_starts();
        }
    }
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0C)
}

/// The bytes at which a run of plain text ends: white space, what may need an escape, and the first bytes of characters
/// that aren't written as they are.
const STOPS: [bool; 256] = {
    let mut stops = [false; 256];
    let of = b" \t\n\r\x0C*_`~\\[<&$|\xC2\xEF";
    let mut at = 0;
    while at < of.len() {
        stops[of[at] as usize] = true;
        at += 1;
    }
    stops
};
