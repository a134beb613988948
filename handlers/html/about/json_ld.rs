//! JSON-LD, also where it is not quite JSON.

use super::{
    super::dom::{Dom, Name},
    text,
};
use serde_json::Value;

/// The longest block that is read, in bytes.
const MAX_BLOCK: usize = 256 << 10;

/// The most objects that are kept.
const MAX_OBJECTS: usize = 50;

/// The types of objects that describe the page itself and not what is around it.
const PAGES: [&str; 14] = [
    "Article",
    "Posting",
    "Report",
    "Recipe",
    "Product",
    "Review",
    "Question",
    "QAPage",
    "VideoObject",
    "Course",
    "Event",
    "Book",
    "WebPage",
    "CreativeWork",
];

/// The objects of a page, those of a `@graph` one by one; those that describe the page itself first.
pub(super) fn read(dom: &Dom) -> Vec<Value> {
    let mut objects = Vec::new();
    let scripts = (0..).take(dom.len()).filter(|id| {
        dom.name(*id) == Name::Script
            && dom.attr(*id, "type").is_some_and(|kind| kind.to_ascii_lowercase().contains("ld+json"))
    });
    for script in scripts {
        let block: String = (script..dom.end(script)).map(|id| dom.text(id)).collect();
        if let Some(data) = parse(&block) {
            take_objects(data, &mut objects);
        }
    }
    objects.sort_by_key(rank);
    objects
}

fn rank(object: &Value) -> usize {
    let kinds = kinds(std::slice::from_ref(object));
    kinds.filter_map(|kind| PAGES.iter().position(|page| kind.ends_with(page))).min().unwrap_or(PAGES.len())
}

/// The types that the objects name.
pub(super) fn kinds(objects: &[Value]) -> impl Iterator<Item = &str> {
    objects.iter().filter_map(|object| object.get("@type")).flat_map(|kind| match kind {
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        kind => kind.as_str().into_iter().collect::<Vec<_>>(),
    })
}

/// The first text under one of the keys.
pub(super) fn first(objects: &[Value], keys: &[&str]) -> Option<String> {
    keys.iter().find_map(|key| objects.iter().find_map(|object| text(object.get(key))))
}

/// The address of the first image.
pub(super) fn image(objects: &[Value]) -> Option<String> {
    let image = objects.iter().find_map(|object| object.get("image"))?;
    let first = image.get(0).unwrap_or(image);
    text(Some(first)).or_else(|| text(first.get("url")))
}

/// Reads a block, if need be without comments, line ends in texts and commas before brackets.
fn parse(block: &str) -> Option<Value> {
    if block.len() > MAX_BLOCK {
        return None;
    }
    let block = block.trim().trim_end_matches(';');
    let bare =
        ["<!--", "//<![CDATA[", "<![CDATA["].iter().fold(block, |text, start| text.trim_start_matches(start).trim());
    let bare = ["-->", "//]]>", "]]>"].iter().fold(bare, |text, end| text.trim_end_matches(end).trim());
    serde_json::from_str(bare).or_else(|_| serde_json::from_str(&mended(bare))).ok()
}

fn mended(block: &str) -> String {
    let mut out = String::with_capacity(block.len());
    let (mut within, mut is_escaped) = (false, false);
    for character in block.chars() {
        if !within && matches!(character, '}' | ']') {
            let kept = out.trim_end();
            if let Some(kept) = kept.strip_suffix(',') {
                out.truncate(kept.len());
            }
        }
        within ^= character == '"' && !is_escaped;
        is_escaped = within && character == '\\' && !is_escaped;
        out.push(if character.is_control() { ' ' } else { character });
    }
    out
}

fn take_objects(data: Value, objects: &mut Vec<Value>) {
    let mut waiting = vec![data];
    while let Some(data) = waiting.pop() {
        match data {
            Value::Array(items) => waiting.extend(items.into_iter().rev()),
            Value::Object(mut object) => match object.remove("@graph") {
                Some(graph) => waiting.push(graph),
                None if objects.len() < MAX_OBJECTS => objects.push(Value::Object(object)),
                None => return,
            },
            _ => {}
        }
    }
}
