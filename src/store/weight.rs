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
            Value::Number(_) => size_of::<serde_json::Number>(),
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;
    use sift_handlers::{ContentHash, ExtractError, Kind, Unit};
    use sift_layers::{Class, PageUrl, Validators, Variant, clock::Timestamp};
    use std::{sync::Arc, time::Duration};

    const LONG: usize = 10_000;

    fn of(step: Step, url: &str) -> u64 {
        let key = Key::new(Class::Fleet, PageUrl::parse(url).unwrap(), Variant::default());
        let (validators, fetched_at) = (Validators::default(), Timestamp(0));
        let entry = Entry { step, status: 200, content_type: None, validators, fetched_at, fresh: Duration::ZERO };
        weight(&key, &entry)
    }

    #[test]
    fn every_text_of_a_document_weighs() {
        let long = || "x".repeat(LONG);
        let deep = (0..120).fold(json!(long()), |inner, _| json!([inner]));
        let texts: [fn(&mut Document, String); 18] = [
            |document, text| document.title = Some(text),
            |document, text| document.byline = Some(text),
            |document, text| document.language = Some(text),
            |document, text| document.published = Some(text),
            |document, text| document.site_name = Some(text),
            |document, text| document.canonical_url = Some(text),
            |document, text| document.description = Some(text),
            |document, text| document.note = Some(text),
            |document, text| drop(document.metadata.insert(text, json!(1))),
            |document, text| document.pages.push(Page::new(1, &text)),
            |document, text| document.pages.push(Page::failed(1, text)),
            |document, text| document.outline.push(OutlineItem { title: text, page: 1, level: 1 }),
            |document, text| document.labels.push(text),
            |document, text| document.links.push(Link { url: text, text: String::new() }),
            |document, text| document.links.push(Link { url: String::new(), text }),
            |document, text| document.sources = Some(Sources { raw: text, ..Sources::default() }),
            |document, text| document.sources = Some(Sources { html: Some(text), ..Sources::default() }),
            |document, text| document.sources = Some(Sources { images: vec![text], ..Sources::default() }),
        ];
        let empty = Document::new(Kind::new("html"), Unit::Part, ContentHash::of(b""), 0);
        let light = of(Step::Read(Arc::new(empty.clone())), "http://a/");
        assert!(light < 1000);
        for (at, set) in texts.iter().enumerate() {
            let mut document = empty.clone();
            set(&mut document, long());
            assert!(of(Step::Read(Arc::new(document)), "http://a/") >= light + LONG as u64, "{at}");
        }
        let mut document = empty.clone();
        document.metadata.insert("deep".to_owned(), deep);
        assert!(of(Step::Read(Arc::new(document)), "http://a/") >= light + LONG as u64);
    }

    #[test]
    fn addresses_weigh_too() {
        let verdict = || Step::Verdict(Kind::new("pdf"), ExtractError::Encrypted);
        let long = format!("http://a/{}", "x".repeat(5_000));
        assert_eq!(of(verdict(), &long), of(verdict(), "http://a/") + 5_000);
        let moved = |url| Step::Moved(PageUrl::parse(url).unwrap());
        assert_eq!(of(moved(&long), "http://a/"), of(moved("http://a/"), "http://a/") + 5_000);
    }
}
