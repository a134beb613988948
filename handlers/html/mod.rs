//! The HTML kind: main content as Markdown.
//!
//! The way of a page: decode ([`charset`]), one parse into one arena ([`dom`]), what the page says of
//! itself ([`about`]), what is seen of it ([`visible`]), which of that is its content ([`content`]: candidates, features,
//! a vote), what stands in for a page without text ([`fallback`]), Markdown ([`emit`]), parts. Nothing after the parser
//! changes the tree: each step adds an array over its nodes.

mod about;
mod chosen;
mod content;
pub(crate) mod dom;
mod emit;
mod fallback;
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzz;
mod read;
mod visible;

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

/// What the training of the content vote reads.
#[cfg(feature = "training")]
pub mod training {
    pub use super::content::training::Rows;
    use super::{about::About, content, dom::Dom};

    /// The blocks of a page with their features.
    pub fn rows(html: &str) -> Rows {
        let dom = Dom::parse(html, false);
        content::training::rows(&dom, content::is_product(&About::read(&dom, None).json_ld))
    }
}

/// The words of a piece of HTML, one after the other; blocks and line breaks are blanks.
pub(crate) fn text_of(html: &str) -> String {
    let dom = dom::Dom::parse(html, false);
    let mut text = String::new();
    for id in dom.body()..dom.end(dom.body()) {
        match dom.name(id) {
            dom::Name::Text => text.push_str(dom.text(id)),
            name if name.is_block() || name == dom::Name::Br => text.push(' '),
            _ => {}
        }
    }
    text
}

#[cfg(test)]
mod tests;
