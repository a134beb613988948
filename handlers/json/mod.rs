//! The JSON kind: pretty-printed, with keys and numbers as they are written.

mod indent;

use crate::{
    Claim, ContentHandler, ContentHash, Document, ExtractError, Head, Keep, Kind, Limits, OutlineItem, Page, Source,
    Sources, Unit, charset, off_thread, outline, parts, sniff,
};
use async_trait::async_trait;
use std::time::Duration;

/// The JSON handler.
#[derive(Clone, Copy, Debug, Default)]
pub struct Json;

/// Media types of JSON besides `…+json`.
const MEDIA: [&str; 8] = [
    "application/json",
    "text/json",
    "application/x-json",
    "application/x-ndjson",
    "application/ndjson",
    "application/jsonl",
    "application/x-jsonlines",
    "application/json-seq",
];

/// What is said of a body that isn't JSON.
const INVALID: &str = "not valid JSON: shown as it is";

#[async_trait]
impl ContentHandler for Json {
    fn kind(&self) -> Kind {
        Kind::new("json")
    }

    fn claim(&self, head: &Head) -> Claim {
        let declared = head.is_one_of(&MEDIA) || head.media.as_deref().is_some_and(|media| media.ends_with("+json"));
        if declared && !sniff::looks_like_html(&head.prefix) { Claim::Declared } else { Claim::None }
    }

    fn limits(&self) -> Limits {
        Limits {
            body: 5 << 20,
            read: Duration::from_secs(30),
            extract: Duration::from_secs(10),
            keep: Keep::Memory,
            fresh: Duration::from_mins(10),
            pooled: false,
            honours_no_store: true,
        }
    }

    async fn extract(&self, source: Source) -> Result<Document, ExtractError> {
        off_thread(move || extract(source)).await
    }
}

fn extract(source: Source) -> Result<Document, ExtractError> {
    let Source { head, content, reading, .. } = source;
    let bytes = content.into_bytes().map_err(|_| ExtractError::Crashed)?;
    let decoded = charset::decode(&bytes, head.charset.as_deref());
    if charset::is_binary(&bytes) || decoded.text.contains('\0') {
        return Err(ExtractError::Unsupported);
    }
    let mut document = Document::new(Kind::new("json"), Unit::Part, ContentHash::of(&bytes), bytes.len() as u64);
    let (text, keys) = if reading.raw {
        (decoded.text.clone(), Vec::new())
    } else if let Some(indented) = indent::indented(&decoded.text) {
        (indented.text, indented.keys)
    } else {
        document.note = Some(INVALID.to_owned());
        (decoded.text.clone(), Vec::new())
    };
    let parts = parts::split(&text);
    document.outline = outline_of(&parts, keys);
    document.pages = (1..).zip(&parts).map(|(number, part)| Page::new(number, part)).collect();
    document.total_pages = u32::try_from(parts.len()).unwrap_or(u32::MAX);
    document.metadata.insert("charset".into(), decoded.encoding.into());
    if reading.keep_sources {
        document.sources = Some(Sources { raw: decoded.text, ..Sources::default() });
    }
    Ok(document)
}

/// The top-level keys with the parts they stand in. `keys` are in the order of their place in the text, in bytes.
fn outline_of(parts: &[String], keys: Vec<(String, usize)>) -> Vec<OutlineItem> {
    let mut ends = Vec::with_capacity(parts.len());
    let mut end = 0;
    for part in parts {
        end += part.len();
        ends.push(end);
    }
    let page =
        |at: usize| u32::try_from(ends.partition_point(|end| *end <= at).min(parts.len() - 1) + 1).unwrap_or(u32::MAX);
    let keys = keys.into_iter().take(outline::MAX_ITEMS);
    keys.map(|(key, at)| OutlineItem { title: outline::title(&key), page: page(at), level: 1 }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Content, Reading, conformance};
    use bytes::Bytes;
    use std::sync::Arc;

    async fn read(json: &str) -> Document {
        let source = Source {
            head: Head::new(Some("application/json"), Bytes::copy_from_slice(json.as_bytes())),
            base: None,
            content: Content::Bytes(Bytes::copy_from_slice(json.as_bytes())),
            reading: Arc::new(Reading::default()),
        };
        Json.extract(source).await.unwrap()
    }

    conformance::suite!(
        Json,
        "application/json",
        br#"{"name": "value", "list": [1, 2.50, null], "deep": {"key": true}}"#
    );

    #[test]
    fn json_is_claimed_by_its_media_type_unless_it_is_html() {
        let claim =
            |media: &str, body: &str| Json.claim(&Head::new(Some(media), Bytes::copy_from_slice(body.as_bytes())));
        assert_eq!(claim("application/ld+json; charset=utf-8", "{}"), Claim::Declared);
        assert_eq!(claim("application/json", "<!doctype html>"), Claim::None);
        assert_eq!(claim("text/plain", "{}"), Claim::None);
    }

    #[tokio::test]
    async fn the_outline_names_the_top_level_keys_with_their_parts() {
        let long = format!("{{\"first\": [{}], \"second\": {{\"inner\": 1}}}}", vec!["\"item\""; 1_000].join(","));
        let got = read(&long).await;
        let items: Vec<_> = got.outline.iter().map(|item| (item.title.as_str(), item.page)).collect();
        assert_eq!(items, [("first", 1), ("second", got.total_pages)]);
        assert!(got.total_pages > 2 && got.pages[got.pages.len() - 1].text().contains("\"second\""));
    }

    #[tokio::test]
    async fn what_is_no_json_is_shown_as_it_is() {
        let got = read("{\"a\": }").await;
        assert_eq!((got.pages[0].text(), got.note.as_deref()), ("{\"a\": }", Some(INVALID)));
    }
}
