//! A document without its pages, as JSON.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use sift_handlers::{ContentHash, Document, Kind, Link, OutlineItem, Page, Sources, Unit};

/// All of a document but what has a column or a table of its own.
#[derive(Serialize, Deserialize)]
pub(super) struct Meta {
    title: Option<String>,
    byline: Option<String>,
    language: Option<String>,
    published: Option<String>,
    site_name: Option<String>,
    canonical_url: Option<String>,
    description: Option<String>,
    metadata: Map<String, Value>,
    outline: Vec<OutlineItem>,
    total_pages: u32,
    unit: Unit,
    labels: Vec<String>,
    links: Vec<Link>,
    source_bytes: u64,
    hidden_text: bool,
    complete: bool,
    note: Option<String>,
    sources: Option<Sources>,
}

// === impl Meta ===

impl Meta {
    /// Of a document.
    pub(super) fn of(document: &Document) -> Self {
        // By name, so that a field added to the document can't be forgotten here.
        let Document {
            kind: _,
            title,
            byline,
            language,
            published,
            site_name,
            canonical_url,
            description,
            metadata,
            outline,
            pages: _,
            total_pages,
            unit,
            labels,
            links,
            content_hash: _,
            source_bytes,
            hidden_text,
            complete,
            note,
            sources,
        } = document;
        Self {
            title: title.clone(),
            byline: byline.clone(),
            language: language.clone(),
            published: published.clone(),
            site_name: site_name.clone(),
            canonical_url: canonical_url.clone(),
            description: description.clone(),
            metadata: metadata.clone(),
            outline: outline.clone(),
            total_pages: *total_pages,
            unit: *unit,
            labels: labels.clone(),
            links: links.clone(),
            source_bytes: *source_bytes,
            hidden_text: *hidden_text,
            complete: *complete,
            note: note.clone(),
            sources: sources.clone(),
        }
    }

    /// The document again.
    pub(super) fn into_document(self, kind: Kind, content_hash: ContentHash, pages: Vec<Page>) -> Document {
        let Self { title, byline, language, published, site_name, canonical_url, description, metadata, .. } = self;
        let Self {
            outline, total_pages, unit, labels, links, source_bytes, hidden_text, complete, note, sources, ..
        } = self;
        Document {
            kind,
            title,
            byline,
            language,
            published,
            site_name,
            canonical_url,
            description,
            metadata,
            outline,
            pages,
            total_pages,
            unit,
            labels,
            links,
            content_hash,
            source_bytes,
            hidden_text,
            complete,
            note,
            sources,
        }
    }
}
