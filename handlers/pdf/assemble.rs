//! From what a child said to a document.

use super::{KIND, child::Heard, transcript::Transcript, wire::Meta};
use crate::{ContentHash, Document, Link, Page, Unit};
use serde_json::{Map, Value, json};
use std::collections::HashSet;
use url::Url;

/// Schemes that a reader can follow.
const SCHEMES: [&str; 4] = ["http", "https", "mailto", "ftp"];

/// Makes the document; `base` resolves relative links.
pub(super) fn assemble(heard: Heard, base: Option<&Url>, content_hash: ContentHash, source_bytes: u64) -> Document {
    let Heard { mut transcript, whole } = heard;
    let note = note(&transcript.pages, transcript.meta.as_ref().map_or(0, |meta| meta.pages), whole);
    let meta = transcript.meta.take().unwrap_or_default();
    Document {
        metadata: metadata(&meta, &transcript),
        title: meta.title,
        byline: meta.author,
        language: meta.language,
        published: meta.created,
        outline: meta.outline,
        labels: meta.labels,
        total_pages: meta.pages,
        pages: transcript.pages,
        links: links(transcript.links, base),
        hidden_text: transcript.hidden,
        complete: whole,
        note,
        ..Document::new(KIND, Unit::Page, content_hash, source_bytes)
    }
}

/// What the fields of a document have no room for.
fn metadata(meta: &Meta, transcript: &Transcript) -> Map<String, Value> {
    let texts = [("subject", &meta.subject), ("created", &meta.created), ("modified", &meta.modified)];
    let texts = texts.into_iter().filter_map(|(name, text)| Some((name, Value::from(text.as_deref()?))));
    let flags = [("encrypted", meta.encrypted), ("repaired", meta.repaired)];
    let flags = flags.into_iter().filter(|(_, set)| *set).map(|(name, set)| (name, Value::from(set)));
    let signals: Vec<&str> = transcript.signals.iter().map(|signal| signal.as_str()).collect();
    let hidden = (!signals.is_empty()).then(|| ("hidden_signals", Value::from(signals)));
    let needs_ocr = &*transcript.needs_ocr;
    let scans = (!needs_ocr.is_empty()).then(|| ("needs_ocr", Value::from(needs_ocr)));
    let files = &transcript.attachments;
    let files = (!files.is_empty()).then(|| ("attachments", json!(files)));
    texts.chain(flags).chain(files).chain(hidden).chain(scans).map(|(name, value)| (name.to_owned(), value)).collect()
}

/// What is missing, for people.
fn note(pages: &[Page], total: u32, whole: bool) -> Option<String> {
    let failed = pages.iter().filter(|page| page.error.is_some()).count();
    let mut parts = Vec::new();
    if pages.len() < total as usize {
        let range = if pages.len() == 1 { "page 1".to_owned() } else { format!("pages 1-{}", pages.len()) };
        parts.push(format!("only {range} of {total} {}", if whole { "were read" } else { "could be read" }));
    }
    if failed > 0 {
        parts.push(format!("{failed} of {} pages could not be read", pages.len()));
    }
    (!parts.is_empty()).then(|| parts.join("; "))
}

/// Absolute links, once each.
fn links(links: Vec<Link>, base: Option<&Url>) -> Vec<Link> {
    let mut seen = HashSet::new();
    let absolute = |link: Link| {
        let url = Url::options().base_url(base).parse(&link.url).ok()?;
        SCHEMES.contains(&url.scheme()).then(|| Link { url: url.into(), text: link.text })
    };
    links.into_iter().filter_map(absolute).filter(|link| seen.insert(link.url.clone())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::OutlineItem;

    fn document(max_pages: u32, lines: &[&str], whole: bool) -> Document {
        let mut transcript = Transcript::new(max_pages);
        for line in lines {
            transcript.add(Transcript::parse(line.as_bytes()).unwrap()).unwrap();
        }
        let base = Url::parse("https://a.example/dir/file.pdf").unwrap();
        assemble(Heard { transcript, whole }, Some(&base), ContentHash::of(b"x"), 1)
    }

    #[test]
    fn a_child_fills_every_field_of_the_document() {
        let document = document(
            9,
            &[
                r#"{"meta":{"pages":2,"title":"T","author":"A","subject":"S","created":"2001-02-03","modified":"2002",
                "language":"ru","labels":["i","ii"],"outline":[{"title":"O","page":2,"level":1}],"encrypted":true,
                "attachments":[{"name":"a.csv","size":7,"media_type":"text/csv"}]}}"#,
                r#"{"page":1,"text":"one","hidden":true,"signals":["off_page"],"links":[{"url":"../x","text":"x"},{"url":"HTTPS://B.example","text":""},
                {"url":"javascript:alert(1)","text":""},{"url":"file:///etc/passwd","text":""}]}"#,
                r#"{"page":2,"text":"","needs_ocr":true,"attachments":[{"name":"b"}],"links":[{"url":"https://a.example/x","text":"again"}]}"#,
                r#"{"end":{"pages":2}}"#,
            ],
            true,
        );
        assert_eq!((document.title.as_deref(), document.byline.as_deref()), (Some("T"), Some("A")));
        assert_eq!((document.language.as_deref(), document.published.as_deref()), (Some("ru"), Some("2001-02-03")));
        assert_eq!(
            serde_json::to_string(&document.metadata).unwrap(),
            r#"{"subject":"S","created":"2001-02-03","modified":"2002","encrypted":true,"attachments":[{"name":"a.csv","size":7,"media_type":"text/csv"},{"name":"b"}],"hidden_signals":["off_page"],"needs_ocr":[2]}"#
        );
        assert_eq!(document.outline, [OutlineItem { title: "O".into(), page: 2, level: 1 }]);
        assert_eq!((document.labels.len(), document.total_pages, document.pages.len()), (2, 2, 2));
        let links: Vec<_> = document.links.iter().map(|link| (link.url.as_str(), link.text.as_str())).collect();
        assert_eq!(links, [("https://a.example/x", "x"), ("https://b.example/", "")]);
        assert!(document.hidden_text && document.complete && document.note.is_none());
    }

    #[test]
    fn a_note_says_what_is_missing() {
        let twelve = r#"{"meta":{"pages":12}}"#;
        let (one, two) = (r#"{"page":1,"text":"a"}"#, r#"{"page":2,"error":"damaged"}"#);
        let end = r#"{"end":{"pages":2}}"#;
        let salvage = document(2000, &[twelve, one], false);
        assert_eq!((salvage.note.as_deref(), salvage.complete), (Some("only page 1 of 12 could be read"), false));
        let capped = document(2, &[twelve, one, two, end], true);
        let note = "only pages 1-2 of 12 were read; 1 of 2 pages could not be read";
        assert_eq!((capped.note.as_deref(), capped.complete), (Some(note), true));
    }
}
