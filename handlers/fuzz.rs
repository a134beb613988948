//! What hostile bytes are thrown at besides PDFs and pages: charsets, JSON, feeds and other text.

use crate::{Content, ContentHandler, Head, Reading, Source, charset, json::Json, parts, text::Text};
use bytes::Bytes;
use std::sync::Arc;

/// The media types under which text is read.
const MEDIA: [&str; 6] =
    ["text/plain", "text/markdown", "text/csv", "application/xml", "application/rss+xml", "application/atom+xml"];

/// Decodes `bytes` under labels that are true, false and unknown, and cuts the text into parts.
///
/// # Panics
///
/// When the parts joined aren't the text.
pub fn charset(bytes: &[u8]) {
    for label in [None, Some("utf-8"), Some("utf-16le"), Some("shift_jis"), Some("utf-7"), Some("nonsense")] {
        let decoded = charset::decode(bytes, label);
        assert_eq!(parts::split(&decoded.text).concat(), decoded.text, "{label:?}");
    }
}

/// Reads `bytes` as JSON and as a row of JSON values.
pub fn json(bytes: &[u8]) {
    read(&Json, "application/json", bytes);
    read(&Json, "application/x-ndjson", bytes);
}

/// Reads `bytes` as every kind of text.
pub fn text(bytes: &[u8]) {
    for media in MEDIA {
        read(&Text, media, bytes);
    }
}

fn read(handler: &impl ContentHandler, media: &str, bytes: &[u8]) {
    let body = Bytes::copy_from_slice(bytes);
    let source = Source {
        head: Head::new(Some(media), body.clone()),
        base: url::Url::parse("https://e.test/a").ok(),
        content: Content::Bytes(body),
        reading: Arc::new(Reading::default()),
    };
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_time().build() else { return };
    if let Ok(document) = runtime.block_on(handler.extract(source)) {
        let written: usize = document.pages.iter().map(|page| page.text().len()).sum();
        assert!(written <= 64 * bytes.len() + (64 << 10), "{media}: {written} bytes of {}", bytes.len());
    }
}

#[cfg(test)]
mod tests;
