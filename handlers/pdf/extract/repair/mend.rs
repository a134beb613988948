//! Writes damaged objects anew: what is readable of a dictionary, and the data of its stream.

/// The deepest nesting that is followed.
const MAX_DEPTH: usize = 16;
/// The longest dictionary.
const MAX_DICTIONARY: usize = 1 << 20;
/// How far after `obj` a dictionary may begin.
const MAX_GAP: usize = 64;
/// What no value reaches over.
const STOPS: [&[u8]; 3] = [b"endobj", b"stream", b"endstream"];

/// Reads what is readable.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

/// The object whose head ends where `body` begins, in valid syntax; `body` reaches up to the next object. None when it
/// is no dictionary.
pub(super) fn object(body: &[u8]) -> Option<Vec<u8>> {
    let start = memchr::memmem::find(&body[..body.len().min(MAX_GAP)], b"<<")?;
    let mut reader = Reader { bytes: &body[..body.len().min(MAX_DICTIONARY)], at: start + 2 };
    let mut out = Vec::new();
    reader.dictionary(&mut out, 0);
    let rest = &body[reader.at..];
    let has_length =
        memchr::memmem::find(&out, b"/Length").is_some() || memchr::memmem::find(&out, b"/Filter").is_some();
    let data = match memchr::memmem::find(&rest[..rest.len().min(MAX_GAP)], b"stream") {
        Some(at) if !rest[..at].ends_with(b"end") => Some(&rest[at + b"stream".len()..]),
        // The word itself may be damaged: the data begins on the next line.
        _ if has_length => {
            let rest = rest.trim_ascii_start();
            memchr::memchr(b'\n', &rest[..rest.len().min(16)]).map(|at| &rest[at..])
        }
        _ => None,
    };
    if let Some(data) = data {
        let data = data.strip_prefix(b"\r\n").or_else(|| data.strip_prefix(b"\n")).unwrap_or(data);
        let end = memchr::memmem::find(data, b"endstream").or_else(|| memchr::memmem::rfind(data, b"endobj"));
        out.extend_from_slice(b"\nstream\n");
        out.extend_from_slice(&data[..end.unwrap_or(data.len())]);
        out.extend_from_slice(b"\nendstream");
    }
    Some(out)
}

// === impl Reader ===

impl Reader<'_> {
    fn rest(&self) -> &[u8] {
        &self.bytes[self.at.min(self.bytes.len())..]
    }

    fn skip_white(&mut self) {
        self.at += self.rest().iter().take_while(|byte| byte.is_ascii_whitespace() || **byte == 0).count();
    }

    fn is_stopped(&self) -> bool {
        let rest = self.rest();
        rest.is_empty() || STOPS.iter().any(|stop| rest.starts_with(stop))
    }

    /// The entries after `<<`; an entry without a readable value is left out.
    fn dictionary(&mut self, out: &mut Vec<u8>, depth: usize) {
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
            } else {
                self.at += 1;
            }
        }
        out.push(b']');
    }

    /// Whether a value stands here; it is copied then.
    fn value(&mut self, out: &mut Vec<u8>, depth: usize) -> bool {
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

fn is_regular(byte: u8) -> bool {
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
    for (n, &byte) in bytes.iter().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'(' => depth += 1,
            b')' if depth == 1 => return n + 1,
            b')' => depth -= 1,
            _ => {}
        }
    }
    bytes.len() + 1
}
