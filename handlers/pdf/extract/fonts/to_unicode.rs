//! A font's `ToUnicode` map: from codes to characters. Read leniently, as many of these maps are broken.

use std::{cmp::Ordering, ops::Range};

/// The most entries of one map.
const MAX_ENTRIES: usize = 200_000;
/// The most characters of one code.
const MAX_CHARS: usize = 64;
/// How many entries that overlap are looked at.
const OVERLAP: usize = 4;
/// From how many codes on a map that gives all of them one character is a broken one.
const ENOUGH: u32 = 4;

/// The map.
#[derive(Debug, Default)]
pub(super) struct ToUnicode {
    entries: Vec<Entry>,
    text: String,
}

#[derive(Clone, Debug)]
struct Entry {
    first: u32,
    last: u32,
    /// The characters of the first code, in `text`. The last character counts up with the code.
    to: Range<u32>,
}

/// A piece of the map's program.
#[derive(Clone, Copy)]
enum Token<'a> {
    Word(&'a [u8]),
    Hex(&'a [u8]),
    Open,
    Close,
}

struct Tokens<'a> {
    data: &'a [u8],
    at: usize,
}

// === impl ToUnicode ===

impl ToUnicode {
    /// Reads a map. None when it maps nothing, or everything to one character.
    pub(super) fn parse(data: &[u8]) -> Option<Self> {
        let mut map = Self::default();
        let mut tokens = Tokens { data, at: 0 };
        while let Some(token) = tokens.next() {
            match token {
                Token::Word(b"beginbfchar") => map.singles(&mut tokens),
                Token::Word(b"beginbfrange") => map.ranges(&mut tokens),
                _ => {}
            }
        }
        map.entries.sort_by_key(|entry| entry.first);
        (!map.entries.is_empty() && !map.is_flat()).then_some(map)
    }

    /// Writes the characters of `code` to `out`; whether there are any.
    pub(super) fn lookup(&self, code: u32, out: &mut String) -> bool {
        out.clear();
        let end = self.entries.partition_point(|entry| entry.first <= code);
        let near = self.entries[..end].iter().rev().take(OVERLAP);
        let Some(entry) = near.into_iter().find(|entry| entry.last >= code) else { return false };
        out.push_str(&self.text[entry.to.start as usize..entry.to.end as usize]);
        let offset = code - entry.first;
        if offset > 0 {
            let Some(last) = out.pop() else { return false };
            match char::from_u32(u32::from(last) + offset) {
                Some(c) => out.push(c),
                None => out.clear(),
            }
        }
        !out.is_empty()
    }

    fn singles(&mut self, tokens: &mut Tokens<'_>) {
        while let Some(Token::Hex(code)) = tokens.next() {
            match tokens.next() {
                Some(Token::Hex(to)) => self.add(number(code), number(code), to),
                Some(Token::Word(word)) if word.first() == Some(&b'/') => {}
                _ => return,
            }
        }
    }

    fn ranges(&mut self, tokens: &mut Tokens<'_>) {
        while let Some(Token::Hex(first)) = tokens.next() {
            let Some(Token::Hex(last)) = tokens.next() else { return };
            let (first, last) = (number(first), number(last));
            match tokens.next() {
                Some(Token::Hex(to)) => {
                    if last.cmp(&first) != Ordering::Less {
                        self.add(first, last.min(first.saturating_add(0xFFFF)), to);
                    }
                }
                Some(Token::Open) => {
                    let mut code = first;
                    while let Some(Token::Hex(to)) = tokens.next() {
                        if code <= last {
                            self.add(code, code, to);
                        }
                        code = code.saturating_add(1);
                    }
                }
                _ => return,
            }
        }
    }

    fn add(&mut self, first: u32, last: u32, to: &[u8]) {
        if self.entries.len() >= MAX_ENTRIES {
            return;
        }
        let from = self.text.len();
        let bytes: Vec<u8> = bytes(to).take(MAX_CHARS * 2).collect();
        if let [only] = bytes[..] {
            // One byte is no UTF-16, but what it means is plain.
            self.text.push(char::from(only));
        } else {
            let units = bytes.chunks_exact(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]]));
            self.text.extend(char::decode_utf16(units).map(|c| c.unwrap_or('\u{FFFD}')));
        }
        if self.text.len() > from {
            self.entries.push(Entry { first, last, to: from as u32..self.text.len() as u32 });
        }
    }

    /// Whether many codes have one character, which then says nothing.
    fn is_flat(&self) -> bool {
        let mut codes = 0u32;
        let first = &self.entries[0];
        let text = &self.text[first.to.start as usize..first.to.end as usize];
        for entry in &self.entries {
            if entry.first != entry.last || &self.text[entry.to.start as usize..entry.to.end as usize] != text {
                return false;
            }
            codes += 1;
        }
        codes >= ENOUGH
    }
}

// === impl Tokens ===

impl<'a> Tokens<'a> {
    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            let &byte = self.data.get(self.at)?;
            let start = self.at;
            self.at += 1;
            match byte {
                b'%' => self.skip(|byte| byte != b'\n' && byte != b'\r'),
                b'[' => return Some(Token::Open),
                b']' => return Some(Token::Close),
                b'<' if self.data.get(self.at) != Some(&b'<') => {
                    self.skip(|byte| byte != b'>');
                    let inside = &self.data[start + 1..self.at];
                    self.at += 1;
                    return Some(Token::Hex(inside));
                }
                byte if byte.is_ascii_whitespace() || byte == 0 => {}
                b'(' | b')' | b'<' | b'>' | b'{' | b'}' => {}
                _ => {
                    self.skip(|byte| !byte.is_ascii_whitespace() && !b"\0()<>[]{}/%".contains(&byte));
                    return Some(Token::Word(&self.data[start..self.at]));
                }
            }
        }
    }

    fn skip(&mut self, inside: impl Fn(u8) -> bool) {
        while self.data.get(self.at).is_some_and(|&byte| inside(byte)) {
            self.at += 1;
        }
    }
}

/// The bytes that hexadecimal digits write; other characters are left out.
fn bytes(hex: &[u8]) -> impl Iterator<Item = u8> + '_ {
    let mut digits = hex.iter().filter_map(|&byte| char::from(byte).to_digit(16));
    std::iter::from_fn(move || {
        let high = digits.next()?;
        Some((high << 4 | digits.next().unwrap_or(0)) as u8)
    })
}

fn number(hex: &[u8]) -> u32 {
    bytes(hex).fold(0, |value, byte| value << 8 | u32::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(map: &ToUnicode, code: u32) -> Option<String> {
        let mut out = String::new();
        map.lookup(code, &mut out).then_some(out)
    }

    #[test]
    fn characters_and_ranges_are_read() {
        let program = b"/x 1 def 2 beginbfchar <01> <00660066> <02><D83DDE00> endbfchar
            2 beginbfrange <0010> <0012> <0041> <20><21>[<0061> <00620063>] endbfrange";
        let map = ToUnicode::parse(program).unwrap();
        let expected = [(1, "ff"), (2, "😀"), (0x10, "A"), (0x12, "C"), (0x20, "a"), (0x21, "bc")];
        for (code, text) in expected {
            assert_eq!(read(&map, code).as_deref(), Some(text));
        }
        assert_eq!(read(&map, 0x13), None);
    }

    #[test]
    fn a_broken_map_gives_what_it_can() {
        let map = ToUnicode::parse(b") beginbfchar <1> <41> <02> <0042 endbfchar <03> <0043>").unwrap();
        assert_eq!(read(&map, 0x10).as_deref(), Some("A"));
        let map = ToUnicode::parse(b"beginbfrange <05> <01> <0041> <20> <40> <DBFF> <41> <41> <0042>").unwrap();
        assert_eq!((read(&map, 3), read(&map, 0x41).as_deref()), (None, Some("B")));
    }

    #[test]
    fn a_map_to_one_character_or_to_nothing_is_none() {
        assert!(ToUnicode::parse(b"beginbfchar <01><0041> <02><0041> <03><0041> <04><0041> endbfchar").is_none());
        assert!(ToUnicode::parse(b"beginbfchar <01> <> endbfchar").is_none());
        assert!(ToUnicode::parse(b"").is_none());
    }
}
