//! The tokens of a page: tags and the text between them.

use super::{
    entities::{self, Place},
    names::{MAX_NAME, Name},
    raw,
};
use memchr::{memchr, memchr3};
use std::hash::{BuildHasher, RandomState};

/// A part of the source, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Span {
    pub(super) start: usize,
    pub(super) end: usize,
}

/// A tag. Its attributes stand in [`Tokens::attrs`] until the next token.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tag {
    pub(super) name: Name,
    /// Where the name stands, as written.
    pub(super) local: Span,
    /// The same for the same name, in whatever case.
    pub(super) key: u64,
    pub(super) self_closing: bool,
}

/// An attribute as written.
#[derive(Clone, Copy, Debug)]
pub(super) struct RawAttr {
    pub(super) name: Span,
    pub(super) value: Span,
}

/// What comes next in a page.
#[derive(Clone, Copy, Debug)]
pub(super) enum Token {
    /// Text with character references.
    Text(Span),
    /// Text of a CDATA section.
    Verbatim(Span),
    Start(Tag),
    End(Tag),
}

/// Reads a page token by token.
pub(super) struct Tokens<'a> {
    pub(super) source: &'a str,
    at: usize,
    attrs: Vec<RawAttr>,
    max_attrs: usize,
    hasher: RandomState,
    /// The rest of the source has no `]]>`.
    no_cdata_end: bool,
    /// A `<!--` in a script hid all end tags of the rest: from here on the first end tag counts.
    plain_scripts: bool,
}

// === impl Span ===

impl Span {
    pub(super) fn of(self, source: &str) -> &str {
        source.get(self.start..self.end).unwrap_or_default()
    }
}

// === impl Tag ===

impl Tag {
    /// A tag that the page doesn't write out.
    pub(super) fn implied(name: Name) -> Self {
        Self { name, local: Span::default(), key: name as u64, self_closing: false }
    }
}

// === impl Tokens ===

impl<'a> Tokens<'a> {
    /// `max_attrs`: of a tag, further ones are dropped.
    pub(super) fn new(source: &'a str, max_attrs: usize) -> Self {
        Self {
            source,
            at: 0,
            attrs: Vec::new(),
            max_attrs,
            hasher: RandomState::new(),
            no_cdata_end: false,
            plain_scripts: false,
        }
    }

    /// The attributes of the last tag, a repeated one each time.
    pub(super) fn attrs(&self) -> &[RawAttr] {
        &self.attrs
    }

    /// The value of an attribute of the last tag, as written.
    pub(super) fn attr(&self, name: &str) -> Option<&'a str> {
        let attr = self.attrs.iter().find(|attr| attr.name.of(self.source).eq_ignore_ascii_case(name))?;
        Some(attr.value.of(self.source))
    }

    /// The next token. `cdata`: CDATA sections are text and not comments.
    pub(super) fn next(&mut self, cdata: bool) -> Option<Token> {
        let bytes = self.source.as_bytes();
        while let Some(&first) = bytes.get(self.at) {
            let start = self.at;
            if first != b'<' || !self.is_markup(start) {
                self.at = self.text_end(start);
                return Some(Token::Text(Span { start, end: self.at }));
            }
            match bytes[start + 1] {
                b'!' if cdata && bytes[start..].starts_with(b"<![CDATA[") => {
                    if let Some(span) = self.cdata(start + 9) {
                        return Some(Token::Verbatim(span));
                    }
                }
                b'!' if bytes[start..].starts_with(b"<!--") => self.at = raw::comment_end(bytes, start + 4),
                b'/' if bytes[start + 2].is_ascii_alphabetic() => return self.tag(start + 2).map(Token::End),
                b'!' | b'?' | b'/' => {
                    self.at = memchr(b'>', &bytes[start..]).map_or(bytes.len(), |end| start + end + 1);
                }
                _ => return self.tag(start + 1).map(Token::Start),
            }
        }
        None
    }

    /// The content of the raw element that was just started. What follows is behind its end tag.
    pub(super) fn raw(&mut self, name: Name) -> Span {
        let bytes = self.source.as_bytes();
        let start = self.at;
        let end = raw::end(bytes, start, name, &mut self.plain_scripts).unwrap_or(bytes.len());
        self.at = end;
        if end < bytes.len() {
            self.tag(end + 2);
        }
        Span { start, end }
    }

    /// All that follows.
    pub(super) fn rest(&mut self) -> Span {
        let start = std::mem::replace(&mut self.at, self.source.len());
        Span { start, end: self.source.len() }
    }

    /// Whether the `<` at this place starts a tag or comment.
    fn is_markup(&self, at: usize) -> bool {
        match self.source.as_bytes().get(at + 1) {
            Some(b'!' | b'?') => true,
            Some(b'/') => at + 2 < self.source.len(),
            next => next.is_some_and(u8::is_ascii_alphabetic),
        }
    }

    fn text_end(&self, start: usize) -> usize {
        let bytes = self.source.as_bytes();
        let mut at = start;
        while let Some(length) = memchr(b'<', &bytes[at..]) {
            at += length;
            if at > start && self.is_markup(at) {
                return at;
            }
            at += 1;
        }
        bytes.len()
    }

    /// The content of a CDATA section. Without an end it is none.
    fn cdata(&mut self, start: usize) -> Option<Span> {
        let found =
            if self.no_cdata_end { None } else { memchr::memmem::find(&self.source.as_bytes()[start..], b"]]>") };
        let end = found.map(|length| start + length);
        self.no_cdata_end |= end.is_none();
        self.at = end.map_or(start, |end| end + 3);
        end.map(|end| Span { start, end })
    }

    /// Reads the tag whose name starts here. The end of the source within a tag drops it.
    fn tag(&mut self, start: usize) -> Option<Tag> {
        let bytes = self.source.as_bytes();
        self.attrs.clear();
        let mut at = start;
        while !matches!(bytes.get(at), None | Some(b' ' | b'\n' | b'\t' | b'\r' | b'\x0C' | b'/' | b'>')) {
            at += 1;
        }
        let local = Span { start, end: at };
        let mut self_closing = false;
        loop {
            match bytes.get(at) {
                None => {
                    self.at = at;
                    return None;
                }
                Some(b'>') => break,
                Some(b' ' | b'\n' | b'\t' | b'\r' | b'\x0C') => {
                    self_closing = false;
                    at += 1;
                }
                Some(b'/') => {
                    self_closing = true;
                    at += 1;
                }
                Some(_) => {
                    self_closing = false;
                    at = self.attribute(at);
                }
            }
        }
        self.at = at + 1;
        let (name, key) = self.identify(local);
        Some(Tag { name, local, key, self_closing })
    }

    /// Reads the attribute that starts here and gives its end.
    fn attribute(&mut self, start: usize) -> usize {
        let bytes = self.source.as_bytes();
        let is_space = |byte: u8| matches!(byte, b' ' | b'\n' | b'\t' | b'\r' | b'\x0C');
        let skip_spaces = |mut at: usize| {
            while bytes.get(at).is_some_and(|byte| is_space(*byte)) {
                at += 1;
            }
            at
        };
        let mut at = start + 1;
        while !matches!(bytes.get(at), None | Some(b' ' | b'\n' | b'\t' | b'\r' | b'\x0C' | b'/' | b'>' | b'=')) {
            at += 1;
        }
        let name = Span { start, end: at };
        let mut value = Span { start: at, end: at };
        let mut end = at;
        at = skip_spaces(at);
        if bytes.get(at) == Some(&b'=') {
            at = skip_spaces(at + 1);
            if let Some(quote @ (b'"' | b'\'')) = bytes.get(at) {
                let length = memchr(*quote, &bytes[at + 1..]);
                value = Span { start: at + 1, end: length.map_or(bytes.len(), |length| at + 1 + length) };
                end = (value.end + 1).min(bytes.len());
            } else {
                let start = at;
                while bytes.get(at).is_some_and(|byte| *byte != b'>' && !is_space(*byte)) {
                    at += 1;
                }
                value = Span { start, end: at };
                end = at;
            }
        }
        if self.attrs.len() < self.max_attrs {
            self.attrs.push(RawAttr { name, value });
        }
        end
    }

    fn identify(&self, local: Span) -> (Name, u64) {
        let written = local.of(self.source);
        let name = Name::of(written);
        if name != Name::Other {
            return (name, name as u64);
        }
        let mut lower = [0; MAX_NAME];
        let lower = &mut lower[..written.len().min(MAX_NAME)];
        for (to, from) in lower.iter_mut().zip(written.bytes()) {
            *to = from.to_ascii_lowercase();
        }
        let name = std::str::from_utf8(lower).map_or(Name::Other, Name::of);
        // Keys below this bit are the numbers of known names.
        let key = if name == Name::Other { self.hasher.hash_one(&*lower) | 1 << 63 } else { name as u64 };
        (name, key)
    }
}

/// Appends text as a page means it: with its character references (`place`: `None` if it has none), `\n` at the end of
/// every line, and `nul` for each NUL.
pub(super) fn decode(source: &str, place: Option<Place>, nul: &str, out: &mut String) {
    let bytes = source.as_bytes();
    let mut at = 0;
    while let Some(length) = memchr3(b'&', b'\r', b'\0', &bytes[at..]) {
        out.push_str(&source[at..at + length]);
        at += length + 1;
        match bytes[at - 1] {
            b'\r' if bytes.get(at) == Some(&b'\n') => {}
            b'\r' => out.push('\n'),
            b'\0' => out.push_str(nul),
            _ => match place.map_or(0, |place| entities::decode(&source[at..], place, out)) {
                0 => out.push('&'),
                length => at += length,
            },
        }
    }
    out.push_str(&source[at..]);
}
