//! Writes objects, a table and a trailer behind a damaged file.

use super::scan::Offsets;
use std::io::Write as _;

/// The first number of an object of our own.
const FIRST: u32 = 5_000_000;
/// How far from `/Encrypt` the file's identifier may stand.
const TRAILER: usize = 1_000;

/// Appends the object `number`. Writing to a vector doesn't fail.
pub(super) fn object(file: &mut Vec<u8>, objects: &mut Offsets, number: u32, generation: u16, body: &[u8]) {
    file.push(b'\n');
    objects.insert(number, (file.len(), generation));
    let _ = writeln!(file, "{number} {generation} obj");
    file.extend_from_slice(body);
    file.extend_from_slice(b"\nendobj\n");
}

/// Appends a catalog, a page tree of `kids`, a table and a trailer, with entries of the old ones.
pub(super) fn tail(file: &mut Vec<u8>, objects: &Offsets, kids: &[(u32, u16)], entries: &str, trailer: &[u8]) {
    let mut objects = objects.clone();
    let catalog = free(&objects);
    let pages = catalog.saturating_add(1);
    object(file, &mut objects, catalog, 0, format!("<</Type/Catalog/Pages {pages} 0 R {entries}>>").as_bytes());
    let mut tree = format!("<</Type/Pages/Count {}/Kids[", kids.len()).into_bytes();
    for (number, generation) in kids {
        let _ = write!(tree, "{number} {generation} R ");
    }
    tree.extend_from_slice(b"]>>");
    object(file, &mut objects, pages, 0, &tree);
    let table = file.len();
    file.extend_from_slice(b"xref\n0 1\n0000000000 65535 f \n");
    let listed: Vec<(u32, (usize, u16))> = objects.into_iter().collect();
    for run in listed.chunk_by(|a, b| a.0 + 1 == b.0) {
        let _ = writeln!(file, "{} {}", run[0].0, run.len());
        for (_, (at, generation)) in run {
            let _ = writeln!(file, "{at:010} {generation:05} n ");
        }
    }
    let _ = write!(file, "trailer\n<</Size {}/Root {catalog} 0 R ", pages.saturating_add(1));
    file.extend_from_slice(trailer);
    let _ = write!(file, ">>\nstartxref\n{table}\n%%EOF\n");
}

/// A number that no object has, and that no reference to a lost object is likely to have.
pub(super) fn free(objects: &Offsets) -> u32 {
    objects.last_key_value().map_or(FIRST, |(number, _)| FIRST.max(number.saturating_add(1)))
}

/// The entries of the old trailer that count, as they stand there: the last of each. There are several readings where
/// digits of the identifier are damaged, without which nothing can be decrypted.
pub(super) fn trailers(bytes: &[u8]) -> Vec<Vec<u8>> {
    let info = reference(bytes, b"/Info").map(|(_, entry)| entry.to_vec()).unwrap_or_default();
    let Some((at, entry)) = reference(bytes, b"/Encrypt") else { return vec![info] };
    let window = &bytes[at.saturating_sub(TRAILER)..(at + TRAILER).min(bytes.len())];
    let identifiers = memchr::memmem::find_iter(window, b"/ID").find_map(|id| {
        // Only the first of the two counts, and the second may be damaged.
        let first = window[id + 3..].trim_ascii_start().strip_prefix(b"[")?.trim_ascii_start();
        let close = if first.starts_with(b"<") { b'>' } else { b')' };
        let end = first.iter().position(|&byte| byte == close)?;
        Some(readings(&first[..=end]))
    });
    let with = |identifier: Vec<u8>| [&info, entry, b" /ID [", &identifier, &identifier, b"]"].concat();
    identifiers.map_or_else(|| vec![[&info, entry].concat()], |all| all.into_iter().map(with).collect())
}

/// What a string of digits may have been, with up to two that are damaged.
fn readings(string: &[u8]) -> Vec<Vec<u8>> {
    let is_damaged = |(n, byte): (usize, &u8)| {
        (n > 0 && n + 1 < string.len() && !byte.is_ascii_hexdigit() && !byte.is_ascii_whitespace()).then_some(n)
    };
    let damaged: Vec<usize> = string.iter().enumerate().filter_map(is_damaged).collect();
    if !string.starts_with(b"<") || damaged.len() > 2 {
        return vec![string.to_vec()];
    }
    damaged.iter().fold(vec![string.to_vec()], |known, &at| {
        let each = |reading: Vec<u8>| {
            b"0123456789abcdef".iter().map(move |&digit| {
                let mut reading = reading.clone();
                reading[at] = digit;
                reading
            })
        };
        known.into_iter().flat_map(each).collect()
    })
}

/// Where the last `key` stands, and its entry when that is a reference.
fn reference<'a>(bytes: &'a [u8], key: &[u8]) -> Option<(usize, &'a [u8])> {
    let at = memchr::memmem::rfind(bytes, key)?;
    let rest = &bytes[at..(at + 40).min(bytes.len())];
    let end = rest.iter().position(|&byte| byte == b'R')?;
    let is_reference = rest[key.len()..end].iter().all(|byte| byte.is_ascii_digit() || byte.is_ascii_whitespace());
    is_reference.then(|| (at, &rest[..=end]))
}
