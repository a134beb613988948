//! Files that are embedded in a document: those of its tree of names.

use super::{strings, tree};
use crate::pdf::wire::Attachment;
use hayro_syntax::{
    object::{Array, Dict, Name, Object, Stream, String as PdfString},
    xref::XRef,
};
use std::collections::HashSet;

/// The most attachments that are listed, of the document and of each page.
pub(super) const MAX_ATTACHMENTS: usize = 1000;
/// The most nodes of the tree that are read.
const MAX_NODES: usize = 10_000;
/// The longest name or media type, in characters.
const MAX_CHARS: usize = 255;

/// The embedded files that the catalog names.
pub(super) fn attachments<'a>(xref: &'a XRef, catalog: &Dict<'a>) -> Vec<Attachment> {
    let names = tree::child(xref, catalog, b"Names");
    let root = names.and_then(|names| tree::child(xref, &names, b"EmbeddedFiles"));
    let mut waiting: Vec<Dict<'a>> = root.into_iter().collect();
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    while let Some(node) = waiting.pop() {
        if seen.len() >= MAX_NODES || !seen.insert(node.data().as_ptr()) {
            continue;
        }
        if let Some(pairs) = node.get::<Array<'a>>(b"Names") {
            let mut items = pairs.iter::<Object<'a>>();
            while let (Some(name), Some(file)) = (items.next(), items.next()) {
                if found.len() >= MAX_ATTACHMENTS {
                    return found;
                }
                let name = name.into_string().and_then(|name| strings::line(PdfString::as_bytes(&name)));
                found.extend(file.into_dict().and_then(|file| attachment(&file, name)));
            }
        }
        let room = MAX_NODES.saturating_sub(waiting.len());
        let kids = tree::children(xref, &node, b"Kids", room);
        waiting.extend(kids.into_iter().rev());
    }
    found
}

/// The file of a file specification, when it is embedded; `name` is what it is called otherwise.
pub(super) fn attachment(file: &Dict<'_>, name: Option<String>) -> Option<Attachment> {
    let embedded = file.get::<Dict<'_>>(b"EF")?;
    let own = |key: &[u8]| file.get::<PdfString<'_>>(key).and_then(|name| strings::line(name.as_bytes()));
    let name = own(b"UF").or_else(|| own(b"F")).or(name)?;
    let stream = [&b"UF"[..], b"F"].into_iter().find_map(|key| embedded.get::<Stream<'_>>(key))?;
    let dict = stream.dict();
    // What the file says of its size costs nothing; to know better it would have to be unpacked.
    let said = dict.get::<Dict<'_>>(b"Params").and_then(|params| params.get::<i32>(b"Size"));
    let size = said.and_then(|size| u64::try_from(size).ok());
    let plain = || stream.filters().is_empty().then(|| stream.raw_data().len() as u64);
    let kind = dict.get::<Name<'_>>(b"Subtype").and_then(|kind| strings::line(&kind));
    Some(Attachment {
        name: name.chars().take(MAX_CHARS).collect(),
        size: size.or_else(plain),
        media_type: kind.filter(|kind| kind.contains('/')).map(|kind| kind.chars().take(MAX_CHARS).collect()),
    })
}
