//! Reads values in damaged syntax: what makes no sense is stepped over.

/// The deepest nesting that is followed.
const MAX_DEPTH: usize = 16;
/// The longest string that may hold parentheses; in a longer one the end was lost, and its first parenthesis counts.
const MAX_STRING: usize = 1_000;
/// What no value reaches over.
const STOPS: [&[u8]; 3] = [b"endobj", b"stream", b"endstream"];

/// Reads what is readable.
pub(in super::super) struct Values<'a> {
    pub(in super::super) bytes: &'a [u8],
    /// Where it stands in `bytes`.
    pub(in super::super) at: usize,
    /// In content an array ends at an operator; elsewhere a word in it is damage.
    pub(in super::super) is_content: bool,
}

// === impl Values ===

impl<'a> Values<'a> {
    pub(super) fn rest(&self) -> &'a [u8] {
        &self.bytes[self.at.min(self.bytes.len())..]
    }

    pub(super) fn skip_white(&mut self) {
        self.at += self.rest().iter().take_while(|byte| byte.is_ascii_whitespace() || **byte == 0).count();
    }

    fn is_stopped(&self) -> bool {
        let rest = self.rest();
        rest.is_empty() || STOPS.iter().any(|stop| rest.starts_with(stop))
    }

    /// The entries after `<<`; an entry without a readable value is left out.
    pub(in super::super) fn dictionary(&mut self, out: &mut Vec<u8>, depth: usize) {
        out.extend_from_slice(b"<<");
        loop {
            self.skip_white();
            if self.is_stopped() {
                break;
            }
            if self.rest().starts_with(b">>") {
                self.at += 2;
                break;
            }
            let length = out.len();
            if self.rest().first() != Some(&b'/') || !self.value(out, depth) {
                self.at += 1;
                continue;
            }
            out.push(b' ');
            self.skip_white();
            if self.is_stopped() || self.rest().starts_with(b">>") || !self.value(out, depth) {
                out.truncate(length);
            }
        }
        out.extend_from_slice(b">>");
    }

    fn array(&mut self, out: &mut Vec<u8>, depth: usize) {
        out.push(b'[');
        loop {
            self.skip_white();
            if self.is_stopped() || self.rest().starts_with(b">>") {
                break;
            }
            if self.rest().first() == Some(&b']') {
                self.at += 1;
                break;
            }
            if self.value(out, depth) {
                out.push(b' ');
            } else if self.is_content && self.rest().first().is_some_and(u8::is_ascii_alphabetic) {
                break;
            } else {
                self.at += 1;
            }
        }
        out.push(b']');
    }

    /// Whether a value stands here; it is copied then.
    pub(super) fn value(&mut self, out: &mut Vec<u8>, depth: usize) -> bool {
        let rest = self.rest();
        let length = match rest.first() {
            _ if depth >= MAX_DEPTH => return false,
            Some(b'/') => 1 + rest[1..].iter().take_while(|byte| is_regular(**byte)).count(),
            Some(b'[') => {
                self.at += 1;
                self.array(out, depth + 1);
                return true;
            }
            Some(b'<') if rest.starts_with(b"<<") => {
                self.at += 2;
                self.dictionary(out, depth + 1);
                return true;
            }
            Some(b'<') => {
                2 + rest[1..].iter().take_while(|byte| byte.is_ascii_hexdigit() || byte.is_ascii_whitespace()).count()
            }
            Some(b'(') => string(rest),
            Some(b'0'..=b'9' | b'+' | b'-' | b'.') => reference(rest).unwrap_or_else(|| number(rest)),
            _ => match [&b"true"[..], b"false", b"null"].iter().find(|word| rest.starts_with(word)) {
                Some(word) => word.len(),
                None => return false,
            },
        };
        let Some(value) = rest.get(..length) else {
            // A string without an end takes the rest, or each of many would be read to the end.
            self.at = self.bytes.len();
            return false;
        };
        if value.starts_with(b"<") && !value.ends_with(b">") {
            return false;
        }
        out.extend_from_slice(value);
        self.at += length;
        true
    }
}

pub(super) fn is_regular(byte: u8) -> bool {
    byte.is_ascii_graphic() && !b"()<>[]{}/%".contains(&byte)
}

fn number(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|byte| byte.is_ascii_digit() || b"+-.".contains(byte)).count()
}

/// The length of `N G R`.
fn reference(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    for _ in 0..2 {
        let digits = bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let white = bytes[at + digits..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        if digits == 0 || white == 0 {
            return None;
        }
        at += digits + white;
    }
    (bytes.get(at) == Some(&b'R') && !bytes.get(at + 1).copied().is_some_and(is_regular)).then_some(at + 1)
}

/// The length of a string with its parentheses; past the end of `bytes` when it has none.
fn string(bytes: &[u8]) -> usize {
    let (mut depth, mut escaped) = (0_usize, false);
    let mut first = None;
    for (n, &byte) in bytes.iter().take(MAX_STRING).enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'(' => depth += 1,
            b')' if depth == 1 => return n + 1,
            b')' => {
                depth -= 1;
                first = first.or(Some(n + 1));
            }
            _ => {}
        }
    }
    let long = || memchr::memchr(b')', &bytes[bytes.len().min(MAX_STRING)..]).map(|at| MAX_STRING + at + 1);
    first.or_else(long).unwrap_or(bytes.len() + 1)
}
