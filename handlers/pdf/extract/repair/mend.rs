//! Writes damaged objects anew: what is readable of a dictionary, and the data of its stream.

use super::super::streams::Values;

/// The longest dictionary.
const MAX_DICTIONARY: usize = 1 << 20;
/// How far after `obj` a dictionary may begin.
const MAX_GAP: usize = 64;
/// The object whose head ends where `body` begins, in valid syntax; `body` reaches up to the next object. None when it
/// is no dictionary.
pub(super) fn object(body: &[u8]) -> Option<Vec<u8>> {
    let start = memchr::memmem::find(&body[..body.len().min(MAX_GAP)], b"<<")?;
    let mut reader = Values { bytes: &body[..body.len().min(MAX_DICTIONARY)], at: start + 2, is_content: false };
    let mut out = Vec::new();
    reader.dictionary(&mut out, 0);
    let rest = &body[reader.at..];
    let has_length =
        memchr::memmem::find(&out, b"/Length").is_some() || memchr::memmem::find(&out, b"/Filter").is_some();
    let data = match memchr::memmem::find(&rest[..rest.len().min(MAX_GAP)], b"stream") {
        Some(at) if !rest[..at].ends_with(b"end") => Some(&rest[at + b"stream".len()..]),
        // The word itself may be damaged: the data begins on the next line.
        _ if has_length && !rest.trim_ascii_start().starts_with(b"endobj") => {
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
