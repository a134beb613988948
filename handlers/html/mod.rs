//! The HTML kind: main content as Markdown.
//!
//! The way of a page: decode, [`guard`], one parse, metadata, [`clean`], normalised code, formulas, links and text,
//! [`content`], Markdown, parts. Everything after the guard works on a tree of bounded depth and size.

mod boilerplate;
mod clean;
mod code;
mod content;
mod escape;
mod fallback;
mod guard;
mod links;
mod markdown;
mod marks;
mod math;
mod meta;
mod page;
mod read;
mod serialize;

use crate::{
    Claim, ContentHandler, ContentHash, Document, ExtractError, Head, Keep, Kind, Limits, Source, charset, off_thread,
    sniff,
};
use async_trait::async_trait;
use std::time::Duration;
use tokio::time::Instant;

/// The HTML handler.
#[derive(Clone, Copy, Debug, Default)]
pub struct Html;

/// Media types of HTML.
const MEDIA: [&str; 2] = ["text/html", "application/xhtml+xml"];

/// Media types that servers send with pages, too.
const MISLABELLED: [&str; 7] = [
    "application/octet-stream",
    "binary/octet-stream",
    "application/pdf",
    "application/x-pdf",
    "application/unknown",
    "application/json",
    "text/markdown",
];

/// The longest time for one extraction.
const EXTRACT: Duration = Duration::from_secs(10);

#[async_trait]
impl ContentHandler for Html {
    fn kind(&self) -> Kind {
        Kind::new("html")
    }

    fn claim(&self, head: &Head) -> Claim {
        if head.prefix.starts_with(b"%PDF-") {
            Claim::None
        } else if head.is_one_of(&MEDIA) {
            Claim::Declared
        } else if (head.media.is_none()
            || head.is_one_of(&MISLABELLED)
            || head.media.as_deref() == Some("unknown/unknown"))
            && sniff::looks_like_html(&head.prefix)
        {
            Claim::Sniffed
        } else {
            Claim::None
        }
    }

    fn limits(&self) -> Limits {
        Limits {
            body: 5 << 20,
            read: Duration::from_secs(30),
            extract: EXTRACT,
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
    let deadline = Instant::now() + EXTRACT;
    let Source { head, base, content, reading } = source;
    let bytes = content.into_bytes().map_err(|_| ExtractError::Crashed)?;
    if charset::is_binary(&bytes) {
        return Err(ExtractError::Unsupported);
    }
    let decoded = charset::decode(&bytes, head.charset.as_deref());
    let hash = ContentHash::of(&bytes);
    let document = Document::new(Kind::new("html"), crate::Unit::Part, hash, bytes.len() as u64);
    let xml = head.media.as_deref() == Some("application/xhtml+xml");
    read::document(document, decoded, base, xml, &reading, deadline)
}

/// The words of a piece of HTML, one after the other; blocks and line breaks are blanks.
pub(crate) fn text_of(html: &str) -> String {
    let page = page::Page::new(guard::guarded(html, false), None);
    let Some(body) = page.body() else { return String::new() };
    let mut text = String::new();
    page::walk(&body, |node| {
        if node.is_text() {
            text.push_str(&node.text());
        } else if matches!(
            page::name_of(node).as_str(),
            "p" | "div" | "br" | "li" | "tr" | "td" | "h1" | "h2" | "h3" | "h4"
        ) {
            text.push(' ');
        }
        true
    });
    text
}

#[cfg(test)]
mod tests;
