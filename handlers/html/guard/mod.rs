//! A linear pass over the source, before any tree builder sees it.
//!
//! html5ever's tree building takes time quadratic in the nesting depth, and formatting elements that are never closed
//! (`<b id=1><p><b id=2><p>…`) multiply. This pass follows the stack of open elements as the standard builds it, and
//! drops the tags that would nest too deep, while all text stays. Where it can't be exact it takes the stack for
//! deeper than it is. Elements that switch the tree builder to other rules (`svg`, `select`, `template`, frames) go
//! under names without rules, so that nothing escapes the count.

mod elements;
mod tags;

pub(super) use elements::is_renamed;
use elements::{Kind, Name, renamed};
use std::collections::HashMap;
use tags::Tag;

/// The deepest nesting that is passed on.
pub(super) const MAX_DEPTH: usize = 512;

/// The most elements that are passed on. Of what follows only the text is.
const MAX_ELEMENTS: usize = 400_000;

/// The most formatting elements that may be open at once.
const MAX_FORMATTING: usize = 24;

/// How many blocks a misnested end tag of a formatting element is carried through (the outer loop of the standard's
/// "adoption agency").
const ADOPTION_LIMIT: usize = 8;

/// Characters with a meaning of our own in the tree, kept out of it: see [`super::marks`].
const RESERVED: [char; 4] = ['\0', super::marks::ESCAPE, super::marks::OPEN, super::marks::CLOSE];

/// The same page, nested no deeper than [`MAX_DEPTH`], without comments, scripts that hold no data, and styles.
/// `xml`: `<x/>` closes every element, as in XHTML.
pub(super) fn guarded(source: &str, xml: bool) -> String {
    let mut guard = Guard {
        source,
        xml,
        // Without it the tree builder would follow the rules of the 1990s.
        out: String::from("<!DOCTYPE html>"),
        open: Vec::new(),
        formatting: Vec::new(),
        dropped: HashMap::new(),
        dropped_formatting: HashMap::new(),
        endless: Vec::new(),
        plain_scripts: false,
        elements: 0,
    };
    guard.out.reserve(source.len());
    guard.run();
    guard.out
}

struct Guard<'a> {
    source: &'a str,
    xml: bool,
    out: String,
    /// The stack of open elements.
    open: Vec<Name>,
    /// The list of active formatting elements; `None` is a marker.
    formatting: Vec<Option<Formatting>>,
    /// How many elements of a name were dropped at the depth limit and are not closed yet.
    dropped: HashMap<Name, usize>,
    /// The same of formatting elements that were dropped for their number.
    dropped_formatting: HashMap<Name, usize>,
    /// Raw elements without an end tag in the rest of the source.
    endless: Vec<String>,
    /// A `<!--` in a script hid all end tags of the rest: from here on the first end tag counts.
    plain_scripts: bool,
    elements: usize,
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

// === impl Guard ===

impl Guard<'_> {
    fn run(&mut self) {
        let source = self.source;
        let mut at = 0;
        while let Some(length) = source[at..].find('<') {
            self.text(at, at + length);
            at += length;
            let next = source.as_bytes().get(at + 1).copied().unwrap_or_default();
            at = match next {
                b'!' | b'?' => self.comment(at),
                b'/' if source.as_bytes().get(at + 2).is_some_and(u8::is_ascii_alphabetic) => self.end_tag(at + 2),
                b'/' => source[at..].find('>').map_or(source.len(), |length| at + length + 1),
                letter if letter.is_ascii_alphabetic() => self.start_tag(at + 1),
                _ => {
                    self.out.push_str("&lt;");
                    at + 1
                }
            };
        }
        self.text(at, source.len());
    }

    fn text(&mut self, from: usize, to: usize) {
        let text = &self.source[from..to];
        if !text.is_empty() {
            self.reopen();
        }
        if text.contains(RESERVED) {
            self.out.extend(text.chars().filter(|character| !RESERVED.contains(character)));
        } else {
            self.out.push_str(text);
        }
    }

    /// Where the comment, declaration or instruction that begins at `at` ends.
    fn comment(&self, at: usize) -> usize {
        let rest = &self.source[at..];
        let length = match rest.strip_prefix("<!--") {
            Some(comment) if comment.starts_with('>') => Some(5),
            Some(comment) if comment.starts_with("->") => Some(6),
            Some(comment) => comment_end(comment).map(|end| end + 4),
            None => rest.find('>').map(|length| length + 1),
        };
        length.map_or(self.source.len(), |length| at + length)
    }

    fn start_tag(&mut self, at: usize) -> usize {
        let Some(tag) = tags::read(self.source, at) else { return self.source.len() };
        let name = Name::of(&tag.name);
        match name.kind() {
            _ if tag.name.is_empty() => self.gap(),
            Kind::Raw => return self.raw(&tag),
            Kind::Frame if matches!(tag.name.as_str(), "html" | "head" | "body") => self.write_start(&tag.name, &tag),
            Kind::Frame => self.gap(),
            Kind::Void => {
                if self.count() {
                    self.reopen();
                    self.write_start(&tag.name, &tag);
                }
            }
            _ => self.start(&tag),
        }
        tag.end
    }

    /// An element whose content is text: scripts that hold data and titles are passed on, the others go.
    fn raw(&mut self, tag: &Tag<'_>) -> usize {
        if self.endless.contains(&tag.name) {
            return tag.end;
        }
        let script =
            if tag.name == "script" && !self.plain_scripts { tags::script_end(self.source, tag.end) } else { None };
        self.plain_scripts |= tag.name == "script" && script.is_none();
        let Some((end, next)) = script.or_else(|| tags::raw_end(self.source, tag.end, &tag.name)) else {
            self.endless.push(tag.name.clone());
            return tag.end;
        };
        let content = &self.source[tag.end..end];
        match tag.name.as_str() {
            "script" if tag.attributes.iter().any(|attribute| holds_data(attribute)) && self.count() => {
                self.write_start("script", tag);
                // A comment in a script could hide its end tag from the tokenizer.
                self.out.push_str(&content.replace("<!--", "\\u003c!--"));
                self.out.push_str("</script>");
            }
            "title" if self.count() => {
                self.write_start("title", tag);
                self.text(tag.end, end);
                self.out.push_str("</title>");
            }
            "iframe" if self.count() => {
                self.write_start("iframe", tag);
                self.out.push_str("</iframe>");
            }
            "xmp" if self.count() => {
                self.out.push_str("<pre>");
                self.out.push_str(&content.replace('&', "&amp;").replace('<', "&lt;"));
                self.out.push_str("</pre>");
            }
            _ => {}
        }
        next
    }

    fn start(&mut self, tag: &Tag<'_>) {
        let written = renamed(&tag.name);
        let name = Name::of(written);
        if !self.close_before(name) {
            return self.gap();
        }
        if !self.count() {
            return;
        }
        if !name.is_special() || name == Name::BUTTON {
            self.reopen();
        }
        if self.open.len() >= MAX_DEPTH {
            *self.dropped.entry(name).or_default() += 1;
            return self.gap();
        }
        if name.kind() == Kind::Formatting && !self.list_formatting(name, tag) {
            *self.dropped_formatting.entry(name).or_default() += 1;
            return;
        }
        self.write_start(written, tag);
        if tag.closes_itself && (self.xml || !name.is_known()) {
            self.write_end(written);
            if name.kind() == Kind::Formatting {
                self.formatting.pop();
            }
            return;
        }
        if name.is_cell() {
            self.formatting.push(None);
        }
        self.open.push(name);
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

    /// Lists a formatting element. False when too many are open.
    fn list_formatting(&mut self, name: Name, tag: &Tag<'_>) -> bool {
        use std::hash::{DefaultHasher, Hash, Hasher};
        let mut hasher = DefaultHasher::new();
        tag.attributes.hash(&mut hasher);
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

    /// Opens the listed formatting elements that a block has closed.
    fn reopen(&mut self) {
        let since = self.since_marker();
        for entry in self.formatting[since..].iter_mut().flatten().filter(|entry| !entry.open) {
            entry.open = true;
            self.open.push(entry.name);
        }
    }

    fn end_tag(&mut self, at: usize) -> usize {
        let Some(tag) = tags::read(self.source, at) else { return self.source.len() };
        let written = renamed(&tag.name);
        let name = Name::of(written);
        if tag.name == "br" {
            self.out.push_str("<br>");
        } else if take_one(&mut self.dropped_formatting, name) {
        } else if take_one(&mut self.dropped, name) {
            self.gap();
        } else if self.end(name) {
            self.write_end(written);
        } else {
            self.gap();
        }
        tag.end
    }

    /// Closes the element, if it is open. False when the tree builder ignores the tag.
    fn end(&mut self, name: Name) -> bool {
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
        let Some(within) = within else {
            self.formatting.remove(since + listed);
            return true;
        };
        let blocks = (within..self.open.len()).filter(|&at| self.open[at].is_special()).take(ADOPTION_LIMIT);
        let (last, count) = blocks.fold((within, 0), |(_, count), at| (at, count + 1));
        // Behind the last block that is open in it everything closes, before it all inline elements do.
        if count < ADOPTION_LIMIT {
            self.pop_to(last + 1);
            self.formatting.remove(since + listed);
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
        }
        true
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

    /// Counts an element with the formatting elements that may be opened again for it. False past the limit.
    fn count(&mut self) -> bool {
        if self.elements >= MAX_ELEMENTS {
            self.gap();
            return false;
        }
        self.elements += 1 + self.formatting.len().min(2 * MAX_FORMATTING) / 4;
        true
    }

    fn write_start(&mut self, name: &str, tag: &Tag<'_>) {
        self.out.push('<');
        self.out.push_str(name);
        for attribute in &tag.attributes {
            self.out.push(' ');
            self.out.extend(attribute.chars().filter(|character| !RESERVED.contains(character)));
        }
        // A slash behind an unquoted value would belong to it.
        self.out.push('>');
    }

    fn write_end(&mut self, name: &str) {
        self.out.push_str("</");
        self.out.push_str(name);
        self.out.push('>');
    }

    /// Where a tag was dropped, words stay apart.
    fn gap(&mut self) {
        if !self.out.ends_with([' ', '\n']) {
            self.out.push('\n');
        }
    }
}

/// Where a comment ends, behind its `-->` or `--!>`.
fn comment_end(comment: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        at += comment.get(at..)?.find("--")?;
        let rest = &comment[at + 2..];
        match (rest.strip_prefix('>'), rest.strip_prefix("!>")) {
            (Some(_), _) => return Some(at + 3),
            (_, Some(_)) => return Some(at + 4),
            _ => at += 1,
        }
    }
}

/// Takes the end tag of a dropped element off its count, if there is one.
fn take_one(dropped: &mut HashMap<Name, usize>, name: Name) -> bool {
    dropped.get_mut(&name).filter(|count| **count > 0).map(|count| *count -= 1).is_some()
}

fn ends_scope(name: Name) -> bool {
    name == Name::TABLE || name.is_cell()
}

/// Whether an attribute of a script says that the script is data or a formula.
fn holds_data(attribute: &str) -> bool {
    let attribute = attribute.to_ascii_lowercase();
    attribute.strip_prefix("type").is_some_and(|value| value.contains("json") || value.contains("math/"))
}

#[cfg(test)]
mod tests;
