//! The text kind: everything that is text and neither HTML nor JSON, as it is; feeds as a list of their entries.

mod feed;

use crate::{
    Claim, ContentHandler, ContentHash, Document, ExtractError, Head, Keep, Kind, Limits, Page, Source, Sources, Unit,
    charset, off_thread, outline, parts, sniff,
};
use async_trait::async_trait;
use std::time::Duration;

/// The text handler.
#[derive(Clone, Copy, Debug, Default)]
pub struct Text;

/// Media types that are text and say of which kind, besides `…+xml`, `…+yaml` and `text/x-…`.
const DECLARED: [&str; 33] = [
    "text/markdown",
    "text/x-markdown",
    "text/csv",
    "text/tab-separated-values",
    "text/xml",
    "text/yaml",
    "text/css",
    "text/javascript",
    "text/calendar",
    "text/vcard",
    "application/xml",
    "application/xml-dtd",
    "application/rss+xml",
    "application/atom+xml",
    "application/yaml",
    "application/x-yaml",
    "application/javascript",
    "application/x-javascript",
    "application/ecmascript",
    "application/typescript",
    "application/toml",
    "application/sql",
    "application/graphql",
    "application/x-sh",
    "application/x-shellscript",
    "application/x-httpd-php",
    "application/x-python",
    "application/x-perl",
    "application/x-ruby",
    "application/x-tex",
    "application/x-latex",
    "application/x-subrip",
    "application/x-bibtex",
];

/// Media types that say nothing.
const SILENT: [&str; 4] = ["application/octet-stream", "binary/octet-stream", "application/unknown", "unknown/unknown"];

/// Media types whose text is Markdown.
const MARKDOWN: [&str; 2] = ["text/markdown", "text/x-markdown"];

/// Media types that a feed comes under.
const XML: [&str; 6] = [
    "application/rss+xml",
    "application/atom+xml",
    "application/rdf+xml",
    "application/xml",
    "text/xml",
    "application/x-rss+xml",
];

#[async_trait]
impl ContentHandler for Text {
    fn kind(&self) -> Kind {
        Kind::new("text")
    }

    fn claim(&self, head: &Head) -> Claim {
        let Some(media) = head.media.as_deref().filter(|media| !SILENT.contains(media)) else {
            return if is_clearly_text(&head.prefix) { Claim::Sniffed } else { Claim::None };
        };
        let is_image = media.starts_with("image/");
        if charset::is_binary(&head.prefix) || media == "text/html" || media == "application/xhtml+xml" || is_image {
            Claim::None
        } else if DECLARED.contains(&media)
            || media.ends_with("+xml")
            || media.ends_with("+yaml")
            || media.starts_with("text/x-")
        {
            Claim::Declared
        } else if media.starts_with("text/") {
            Claim::Fallback
        } else {
            Claim::None
        }
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

/// Whether bytes without a media type are text for sure: valid UTF-8 without control characters, or UTF-16 with a mark.
fn is_clearly_text(prefix: &[u8]) -> bool {
    if charset::is_binary(prefix) || sniff::looks_like_html(prefix) {
        return false;
    }
    let decoded = charset::decode(prefix, None);
    // The last character may be cut off.
    let text = decoded.text.trim_end_matches(char::REPLACEMENT_CHARACTER);
    matches!(decoded.known_by, charset::KnownBy::Bom | charset::KnownBy::Utf8 | charset::KnownBy::Declaration)
        && !text.trim().is_empty()
        && !text.chars().any(|character| {
            (character.is_control() && !matches!(character, '\t' | '\n' | '\r' | '\x0C'))
                || character == char::REPLACEMENT_CHARACTER
        })
}

fn extract(source: Source) -> Result<Document, ExtractError> {
    let Source { head, base, content, reading } = source;
    let bytes = content.into_bytes().map_err(|_| ExtractError::Crashed)?;
    let decoded = charset::decode(&bytes, head.charset.as_deref());
    if charset::is_binary(&bytes) || decoded.text.contains('\0') {
        return Err(ExtractError::Unsupported);
    }
    let mut document = Document::new(Kind::new("text"), Unit::Part, ContentHash::of(&bytes), bytes.len() as u64);
    document.metadata.insert("charset".into(), decoded.encoding.into());
    let feed = (!reading.raw && (head.media.is_none() || head.is_one_of(&XML) || head.is_one_of(&SILENT)))
        .then(|| feed::read(&decoded.text, base.as_ref()))
        .flatten();
    let is_markdown = head.is_one_of(&MARKDOWN) || feed.is_some();
    let text = match feed {
        Some(feed) => {
            document.title = feed.title;
            document.description = feed.description;
            document.language = feed.language;
            document.published = feed.updated;
            document.links = feed.links;
            feed.markdown
        }
        None => decoded.text.clone(),
    };
    let parts = parts::split(&text);
    if is_markdown {
        document.outline = outline::of_markdown(&parts);
        let first = document.outline.first().filter(|item| item.level == 1);
        document.title = document.title.or_else(|| first.map(|item| item.title.clone()));
    }
    document.pages = (1..).zip(&parts).map(|(number, part)| Page::new(number, part)).collect();
    document.total_pages = u32::try_from(parts.len()).unwrap_or(u32::MAX);
    if reading.keep_sources {
        document.sources = Some(Sources { raw: decoded.text, ..Sources::default() });
    }
    Ok(document)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Content, Reading, conformance};
    use bytes::Bytes;
    use std::sync::Arc;

    async fn read(media: &str, body: &[u8]) -> Result<Document, ExtractError> {
        let body = Bytes::copy_from_slice(body);
        let content = Content::Bytes(body.clone());
        let head = Head::new(Some(media), body);
        Text.extract(Source { head, base: None, content, reading: Arc::new(Reading::default()) }).await
    }

    fn claim(media: Option<&str>, body: &[u8]) -> Claim {
        Text.claim(&Head::new(media, Bytes::copy_from_slice(body)))
    }

    conformance::suite!(
        Text,
        "text/markdown",
        "# Title\n\nSome *text* of a page, zu prüfen.\n\n## Next\n\nMore.\n".as_bytes()
    );

    #[test]
    fn text_is_claimed_by_its_media_type() {
        assert_eq!(claim(Some("text/plain"), b"<html>"), Claim::Fallback);
        assert_eq!(claim(Some("text/markdown"), b"# x"), Claim::Declared);
        assert_eq!(claim(Some("application/soap+xml"), b"<x/>"), Claim::Declared);
        for media in ["text/html", "application/xhtml+xml", "image/svg+xml", "application/zip", "application/json"] {
            assert_eq!(claim(Some(media), b"x"), Claim::None, "{media}");
        }
        assert_eq!(claim(Some("text/plain"), b"PK\x03\x04"), Claim::None);
    }

    #[test]
    fn bytes_of_unknown_kind_are_claimed_when_they_are_text() {
        let cut = &"ä".as_bytes()[..1];
        for media in [None, Some("application/octet-stream")] {
            assert_eq!(claim(media, b"key = 1\n"), Claim::Sniffed);
            assert_eq!(claim(media, &[b"text, cut within ", cut].concat()), Claim::Sniffed);
            for body in [b"".as_slice(), b" \n", b"a\0b", b"a\x1Bb", b"\xFFabc", b"<html>", b"%PDF-1.4"] {
                assert_eq!(claim(media, body), Claim::None, "{body:?}");
            }
        }
    }

    #[tokio::test]
    async fn text_is_shown_as_it_is() {
        let got = read("text/plain", b"PLAINMARK line one\nline  two | pipe *x*\n").await.unwrap();
        assert_eq!(got.pages[0].text(), "PLAINMARK line one\nline  two | pipe *x*");
        let got = read("text/csv", b"# a,b\n1,2").await.unwrap();
        assert_eq!((got.pages[0].text(), got.outline.len()), ("# a,b\n1,2", 0));
    }

    #[tokio::test]
    async fn headings_of_markdown_are_its_outline() {
        let got = read("text/markdown", b"# One\n\ntext\n\n## Two").await.unwrap();
        assert_eq!((got.outline.len(), got.outline[1].level, got.title.as_deref()), (2, 2, Some("One")));
    }

    #[tokio::test]
    async fn binary_content_is_refused_under_any_name() {
        for body in [b"a\0b".as_slice(), b"\x89PNG\r\n\x1a\n", b"%PDF-1.4"] {
            assert_eq!(read("text/plain", body).await.unwrap_err(), ExtractError::Unsupported);
        }
    }

    #[tokio::test]
    async fn a_feed_is_a_list_and_other_xml_is_itself() {
        let rss = b"<rss><channel><title>T</title><item><title>A</title></item></channel></rss>";
        let got = read("application/xml", rss).await.unwrap();
        assert_eq!((got.title.as_deref(), got.pages[0].text()), (Some("T"), "# T\n\n- A"));
        assert_eq!(read("text/xml", b"<a>b</a>").await.unwrap().pages[0].text(), "<a>b</a>");
    }
}
