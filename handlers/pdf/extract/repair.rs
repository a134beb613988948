//! Rebuilds a file whose catalog, page tree or cross-reference table is lost: every `N G obj` that is left is listed
//! anew, objects in object streams are written out, and a new catalog and page tree stand at the end.

use hayro_syntax::{
    Pdf, PdfData,
    object::{Dict, Name, Object, ObjectIdentifier, Stream},
};
use std::{
    collections::{BTreeMap, HashSet},
    io::Write as _,
};

/// The most objects that are listed.
const MAX_OBJECTS: usize = 1_000_000;
/// The most bytes that object streams may add.
const MAX_UNPACKED: usize = 256 << 20;

/// Where an object stands.
type Offsets = BTreeMap<u32, (usize, u16)>;

/// Whether the page tree says that it has more pages than could be found.
pub(super) fn lost_pages(pdf: &Pdf) -> bool {
    let count = pdf
        .xref()
        .get::<Dict<'_>>(pdf.xref().root_id())
        .and_then(|catalog| catalog.get::<Dict<'_>>(b"Pages"))
        .and_then(|pages| pages.get::<i32>(b"Count"));
    count.and_then(|count| usize::try_from(count).ok()).is_some_and(|count| count > pdf.pages().len())
}

/// Rebuilds the file and opens it; none when there is no page in it.
pub(super) fn rebuild(data: &PdfData, open: impl Fn(Vec<u8>) -> Option<Pdf>) -> Option<Pdf> {
    let bytes: &[u8] = data.as_ref();
    let mut objects = scan(bytes);
    if objects.is_empty() {
        return None;
    }
    let protection = protection(bytes);
    let next = objects.last_key_value().map_or(1, |(number, _)| number.saturating_add(1));
    // First with an empty page tree, to be able to look into the objects.
    let mut file = bytes.to_vec();
    let probe = open(finish(file.clone(), objects.clone(), next, &[], &protection))?;
    unpack(&probe, &mut file, &mut objects);
    drop(probe);
    let next = objects.last_key_value().map_or(1, |(number, _)| number.saturating_add(1));
    let probe = open(finish(file.clone(), objects.clone(), next, &[], &protection))?;
    let roots = roots(&probe, &objects);
    drop(probe);
    if roots.is_empty() {
        return None;
    }
    open(finish(file, objects, next, &roots, &protection))
}

/// Every place of `needle`.
pub(super) fn find_all(bytes: &[u8], needle: &[u8]) -> Vec<usize> {
    let Some(&first) = needle.first() else { return Vec::new() };
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(step) = bytes[at..].iter().position(|&byte| byte == first) {
        at += step;
        if bytes[at..].starts_with(needle) {
            found.push(at);
        }
        at += 1;
    }
    found
}

/// Finds `N G obj`. Of several objects with one number the last one counts, as after an update.
fn scan(bytes: &[u8]) -> Offsets {
    let mut objects = Offsets::new();
    for at in find_all(bytes, b"obj") {
        if at > 0 && bytes[at - 1] == b'd' {
            continue;
        }
        let before = &bytes[at.saturating_sub(24)..at];
        let Some((rest, generation)) = number_before(before) else { continue };
        let Some((rest, number)) = number_before(rest) else { continue };
        let (Ok(number), Ok(generation)) = (u32::try_from(number), u16::try_from(generation)) else { continue };
        if number == 0 || number > 8_388_607 || objects.len() >= MAX_OBJECTS {
            continue;
        }
        objects.insert(number, (at - before.len() + rest.len(), generation));
    }
    objects
}

/// Splits a decimal number off the end, with white space after it.
fn number_before(bytes: &[u8]) -> Option<(&[u8], u64)> {
    let text = bytes.trim_ascii_end();
    let digits = text.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 || digits > 10 {
        return None;
    }
    let (rest, number) = text.split_at(text.len() - digits);
    Some((rest, std::str::from_utf8(number).ok()?.parse().ok()?))
}

/// The encryption entries of the old trailer, as they stand there.
fn protection(bytes: &[u8]) -> Vec<u8> {
    let mut entries = Vec::new();
    let Some(at) = find_all(bytes, b"/Encrypt").pop() else { return entries };
    let rest = &bytes[at..(at + 40).min(bytes.len())];
    if let Some(end) = rest.iter().position(|&byte| byte == b'R') {
        entries.extend_from_slice(&rest[..=end]);
    }
    let window = &bytes[at.saturating_sub(1000)..(at + 1000).min(bytes.len())];
    for id in find_all(window, b"/ID") {
        // Only the first of the two counts, and the second may be damaged.
        let first = window[id + 3..].trim_ascii_start();
        let Some(first) = first.strip_prefix(b"[").map(<[u8]>::trim_ascii_start) else { continue };
        let close = if first.starts_with(b"<") { b'>' } else { b')' };
        if let Some(end) = first.iter().position(|&byte| byte == close) {
            entries.extend_from_slice(b" /ID [");
            entries.extend_from_slice(&first[..=end]);
            entries.extend_from_slice(&first[..=end]);
            entries.push(b']');
            break;
        }
    }
    entries
}

/// Writes the objects of object streams out, unless a later object of that number exists.
fn unpack(pdf: &Pdf, file: &mut Vec<u8>, objects: &mut Offsets) {
    let limit = file.len() + MAX_UNPACKED;
    let listed: Vec<(u32, u16, usize)> = objects.iter().map(|(n, (at, generation))| (*n, *generation, *at)).collect();
    for (number, generation, at) in listed {
        let Some(stream) = pdf.xref().get::<Stream<'_>>(id(number, generation)) else { continue };
        let dict = stream.dict();
        // Known by what it has to have: its type may be damaged.
        let (Some(count), Some(first)) = (dict.get::<u32>(b"N"), dict.get::<u32>(b"First")) else { continue };
        let Ok(inner) = stream.decoded_data() else { continue };
        let Some(head) = inner.get(..(first as usize).min(inner.len())) else { continue };
        let numbers: Vec<u32> = head
            .split(u8::is_ascii_whitespace)
            .filter(|word| !word.is_empty())
            .map_while(|word| std::str::from_utf8(word).ok()?.parse().ok())
            .take((count as usize).saturating_mul(2))
            .collect();
        let pairs: Vec<(u32, usize)> =
            numbers.chunks_exact(2).map(|pair| (pair[0], (first as usize).saturating_add(pair[1] as usize))).collect();
        for (n, &(number, start)) in pairs.iter().enumerate() {
            let end = pairs.get(n + 1).map_or(inner.len(), |next| next.1).min(inner.len());
            let later = objects.get(&number).is_some_and(|known| known.0 > at && known.0 < file.len());
            let Some(body) = inner.get(start..end) else { continue };
            if number == 0 || later || file.len() + body.len() > limit || objects.len() >= MAX_OBJECTS {
                continue;
            }
            file.push(b'\n');
            objects.insert(number, (file.len(), 0));
            let _ = writeln!(file, "{number} 0 obj");
            file.extend_from_slice(body);
            file.extend_from_slice(b"\nendobj\n");
        }
    }
}

/// The tops of what is left of page trees, and pages without one, in the order of the file.
fn roots(pdf: &Pdf, objects: &Offsets) -> Vec<(u32, u16)> {
    let mut nodes: Vec<(usize, u32, u16, Option<u32>)> = Vec::new();
    let mut known = HashSet::new();
    for (&number, &(at, generation)) in objects {
        let Some(Object::Dict(dict)) = pdf.xref().get::<Object<'_>>(id(number, generation)) else { continue };
        let kind = dict.get::<Name<'_>>(b"Type");
        let is_tree = dict.contains_key(b"Kids") && kind.as_deref() == Some(b"Pages");
        let has = |key: &[u8]| dict.contains_key(key);
        let is_page = kind.as_deref() == Some(b"Page")
            || (has(b"Contents") && (has(b"MediaBox") || has(b"Resources")) && !has(b"Subtype"));
        if is_tree {
            known.insert(number);
        }
        if is_tree || is_page {
            nodes.push((at, number, generation, dict.get_ref(b"Parent").map(|parent| parent.obj_number)));
        }
    }
    nodes.retain(|(_, number, _, parent)| parent.is_none_or(|parent| !known.contains(&parent) || parent == *number));
    nodes.sort_unstable();
    nodes.into_iter().map(|(_, number, generation, _)| (number, generation)).collect()
}

fn id(number: u32, generation: u16) -> ObjectIdentifier {
    ObjectIdentifier::new(number, i32::from(generation))
}

/// Appends a catalog, a page tree of `roots`, a table and a trailer.
fn finish(mut file: Vec<u8>, mut objects: Offsets, next: u32, roots: &[(u32, u16)], protection: &[u8]) -> Vec<u8> {
    // Writing to a vector doesn't fail.
    let (catalog, pages) = (next, next.saturating_add(1));
    file.extend_from_slice(b"\n");
    objects.insert(catalog, (file.len(), 0));
    let _ = write!(file, "{catalog} 0 obj\n<</Type/Catalog/Pages {pages} 0 R>>\nendobj\n");
    objects.insert(pages, (file.len(), 0));
    let _ = write!(file, "{pages} 0 obj\n<</Type/Pages/Count {}/Kids[", roots.len());
    for (number, generation) in roots {
        let _ = write!(file, "{number} {generation} R ");
    }
    file.extend_from_slice(b"]>>\nendobj\n");
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
    file.extend_from_slice(protection);
    let _ = write!(file, ">>\nstartxref\n{table}\n%%EOF\n");
    file
}
