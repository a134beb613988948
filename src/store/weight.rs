//! How many bytes an entry takes. The same measure for memory and for the statistics of the disk.

use serde_json::{Map, Value};
use sift_handlers::{Document, Link, OutlineItem, Page, Sources};
use sift_layers::{Entry, Key, Step};

/// What an entry costs besides its text: keys, structs and rows.
const ENTRY: usize = 512;

/// The same of a page, an outline item, a link, a label or an image.
const ITEM: usize = 64;

/// The bytes of an entry under its key.
pub(super) fn weight(key: &Key, entry: &Entry) -> u64 {
    let step = match &entry.step {
        Step::Moved(url) => url.as_str().len(),
        Step::Read(document) => of_document(document),
        Step::Verdict(..) => 0,
    };
    let validators = length(entry.validators.etag.as_ref()) + length(entry.validators.last_modified.as_ref());
    let key = key.url().as_str().len() + key.variant().as_str().len();
    (ENTRY + key + step + validators + length(entry.content_type.as_ref())) as u64
}

fn of_document(document: &Document) -> usize {
    let Document { title, byline, language, published, site_name, canonical_url, description, note, .. } = document;
    let fields = [title, byline, language, published, site_name, canonical_url, description, note];
    let fields: usize = fields.into_iter().map(|field| length(field.as_ref())).sum();
    let Document { metadata, outline, pages, labels, links, sources, .. } = document;
    let pages = items(pages, |page: &Page| page.text().len() + length(page.error.as_ref()));
    let outline = items(outline, |item: &OutlineItem| item.title.len());
    let links = items(links, |link: &Link| link.url.len() + link.text.len());
    let sources = sources
        .as_ref()
        .map_or(0, |Sources { raw, html, images }| raw.len() + length(html.as_ref()) + items(images, String::len));
    fields + of_metadata(metadata) + pages + outline + items(labels, String::len) + links + sources
}

/// Without recursion: how deep metadata goes is the page's choice.
fn of_metadata(metadata: &Map<String, Value>) -> usize {
    let mut bytes = metadata.keys().map(|key| ITEM + key.len()).sum();
    let mut open: Vec<&Value> = metadata.values().collect();
    while let Some(value) = open.pop() {
        bytes += match value {
            Value::Null | Value::Bool(_) => 0,
            Value::Number(number) => number.as_str().len(),
            Value::String(text) => text.len(),
            Value::Array(values) => {
                open.extend(values);
                ITEM * values.len()
            }
            Value::Object(map) => {
                open.extend(map.values());
                map.keys().map(|key| ITEM + key.len()).sum()
            }
        };
    }
    bytes
}

fn items<T>(items: &[T], length: impl Fn(&T) -> usize) -> usize {
    items.iter().map(|item| ITEM + length(item)).sum()
}

fn length(text: Option<&String>) -> usize {
    text.map_or(0, String::len)
}
