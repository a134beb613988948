//! A linear pass over the source, before any tree builder sees it.
//!
//! html5ever's tree building takes time quadratic in the nesting depth, and formatting elements that are never closed
//! (`<b id=1><p><b id=2><p>…`) multiply. This pass follows the stack of open elements as the standard builds it, and
//! drops the tags that would nest too deep, while all text stays. Where it can't be exact it takes the stack for
//! deeper than it is. Elements that switch the tree builder to other rules (`svg`, `select`, `template`, frames) go
//! under names without rules, so that nothing escapes the count.

mod elements;
mod stack;
mod tags;

pub(super) use elements::is_renamed;
use elements::{Kind, Name, renamed};
use stack::{Passed, Stack};
use tags::Tag;

/// The most elements that are passed on. Of what follows only the text is.
const MAX_ELEMENTS: usize = 400_000;

/// Characters with a meaning of our own in the tree, kept out of it: see [`super::marks`].
const RESERVED: [char; 4] = ['\0', super::marks::ESCAPE, super::marks::OPEN, super::marks::CLOSE];

/// The same page, nested no deeper than [`stack::MAX_DEPTH`], without comments, scripts that hold no data, and styles.
/// `xml`: `<x/>` closes every element, as in XHTML.
pub(super) fn guarded(source: &str, xml: bool) -> String {
    let mut guard = Guard {
        source,
        xml,
        // Without it the tree builder would follow the rules of the 1990s.
        out: String::from("<!DOCTYPE html>"),
        stack: Stack::default(),
        frames: Vec::new(),
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
    stack: Stack,
    /// Which of `html`, `head` and `body` were passed on: the attributes of each further one would be merged.
    frames: Vec<String>,
    /// Raw elements without an end tag in the rest of the source.
    endless: Vec<String>,
    /// A `<!--` in a script hid all end tags of the rest: from here on the first end tag counts.
    plain_scripts: bool,
    elements: usize,
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
                    self.stack.reopen();
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
            self.stack.reopen();
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
            Kind::Frame
                if matches!(tag.name.as_str(), "html" | "head" | "body") && !self.frames.contains(&tag.name) =>
            {
                self.write_start(&tag.name, &tag);
                self.frames.push(tag.name);
            }
            Kind::Frame => self.gap(),
            Kind::Void => {
                if self.count() {
                    self.stack.reopen();
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
        if !self.count() {
            return;
        }
        let written = renamed(&tag.name);
        let name = Name::of(written);
        match self.stack.start(name, &tag.attributes) {
            Passed::On => self.write_start(written, tag),
            Passed::Over => return,
            Passed::OverBlock => return self.gap(),
        }
        if tag.closes_itself && (self.xml || !name.is_known()) {
            self.stack.close_again(name);
            self.write_end(written);
        }
    }

    fn end_tag(&mut self, at: usize) -> usize {
        let Some(tag) = tags::read(self.source, at) else { return self.source.len() };
        let written = renamed(&tag.name);
        let name = Name::of(written);
        if tag.name == "br" {
            self.out.push_str("<br>");
            return tag.end;
        }
        match self.stack.end(name) {
            Passed::On => self.write_end(written),
            Passed::Over => {}
            Passed::OverBlock => self.gap(),
        }
        tag.end
    }

    /// Counts an element with the formatting elements that may be opened again for it. False past the limit.
    fn count(&mut self) -> bool {
        if self.elements >= MAX_ELEMENTS {
            self.gap();
            return false;
        }
        self.elements += 1 + self.stack.reopens() / 4;
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
            self.stack.reopen();
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

/// Whether an attribute of a script says that the script is data or a formula.
fn holds_data(attribute: &str) -> bool {
    let attribute = attribute.to_ascii_lowercase();
    attribute.strip_prefix("type").is_some_and(|value| value.contains("json") || value.contains("math/"))
}

#[cfg(test)]
mod tests;
