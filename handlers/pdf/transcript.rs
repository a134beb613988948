//! What a child said. It read a hostile file, so it counts as hostile itself.

use super::wire::{Attachment, Line, Meta, Signal};
use crate::{Link, Page};
use std::collections::BTreeSet;

/// The most pages of a document that anybody believes.
const MAX_PAGES: u32 = 1_000_000;
/// The most bookmarks.
const MAX_OUTLINE: usize = 10_000;
/// The most links.
const MAX_LINKS: usize = 10_000;
/// The most embedded files.
const MAX_ATTACHMENTS: usize = 1_000;
/// The longest title, author, reason …, in characters.
const MAX_FIELD: usize = 2_000;

/// The lines of one child, checked.
#[derive(Debug)]
pub(super) struct Transcript {
    /// Pages past this one may not come.
    max_pages: u32,
    /// The first line.
    pub(super) meta: Option<Meta>,
    /// Numbered from 1 without gaps.
    pub(super) pages: Vec<Page>,
    /// In their order, as written.
    pub(super) links: Vec<Link>,
    /// Embedded files: those of the document, then those of its pages.
    pub(super) attachments: Vec<Attachment>,
    /// The pages that show more than their text tells.
    pub(super) needs_ocr: Vec<u32>,
    /// Whether a page has text that no reader sees.
    pub(super) hidden: bool,
    /// Why, over all pages.
    pub(super) signals: BTreeSet<Signal>,
    /// Whether the sentinel came, and was right.
    pub(super) ended: bool,
}

/// The line is not what can stand there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Broken;

// === impl Transcript ===

impl Transcript {
    /// Nothing was said yet.
    pub(super) fn new(max_pages: u32) -> Self {
        Self {
            max_pages,
            meta: None,
            pages: Vec::new(),
            links: Vec::new(),
            attachments: Vec::new(),
            needs_ocr: Vec::new(),
            hidden: false,
            signals: BTreeSet::new(),
            ended: false,
        }
    }

    /// Reads one line, without adding it.
    pub(super) fn parse(line: &[u8]) -> Result<Line, Broken> {
        serde_json::from_slice(line).map_err(|_| Broken)
    }

    /// Adds a line: meta, pages from 1 without gaps, end.
    pub(super) fn add(&mut self, line: Line) -> Result<(), Broken> {
        let bare = line.text.is_none() && line.error.is_none() && line.links.is_empty();
        match line {
            _ if self.ended => Err(Broken),
            Line { meta: Some(meta), page: None, end: None, .. } if bare && self.meta.is_none() => self.open(meta),
            Line { meta: None, page: None, end: Some(end), .. } if bare && self.meta.is_some() => self.close(end.pages),
            Line { meta: None, page: Some(number), end: None, .. } => self.page(number, line),
            _ => Err(Broken),
        }
    }

    /// How many page lines a whole transcript has.
    fn expected(&self) -> u32 {
        self.meta.as_ref().map_or(0, |meta| meta.pages.min(self.max_pages))
    }

    /// How many page lines came.
    pub(super) fn count(&self) -> u32 {
        u32::try_from(self.pages.len()).unwrap_or(u32::MAX)
    }

    fn open(&mut self, mut meta: Meta) -> Result<(), Broken> {
        if meta.pages > MAX_PAGES {
            return Err(Broken);
        }
        let fields = [
            &mut meta.title,
            &mut meta.author,
            &mut meta.subject,
            &mut meta.created,
            &mut meta.modified,
            &mut meta.language,
        ];
        fields.into_iter().flatten().for_each(bound);
        // A bookmark that leads nowhere costs itself, not the document.
        meta.outline.retain(|item| (1..=meta.pages).contains(&item.page) && item.level > 0);
        meta.outline.truncate(MAX_OUTLINE);
        meta.outline.iter_mut().for_each(|item| bound(&mut item.title));
        self.attach(std::mem::take(&mut meta.attachments));
        if meta.labels.len() != meta.pages as usize {
            meta.labels.clear();
        }
        meta.labels.iter_mut().for_each(bound);
        self.meta = Some(meta);
        Ok(())
    }

    fn page(&mut self, number: u32, line: Line) -> Result<(), Broken> {
        if number != self.count() + 1 || number > self.expected() {
            return Err(Broken);
        }
        self.pages.push(match (line.text, line.error) {
            (Some(text), None) => Page::new(number, &text),
            (None, Some(mut reason)) => {
                bound(&mut reason);
                Page::failed(number, reason)
            }
            _ => return Err(Broken),
        });
        let room = MAX_LINKS - self.links.len();
        self.links.extend(line.links.into_iter().take(room));
        self.attach(line.attachments);
        self.hidden |= line.hidden;
        self.signals.extend(line.signals);
        if line.needs_ocr {
            self.needs_ocr.push(number);
        }
        Ok(())
    }

    fn attach(&mut self, files: Vec<Attachment>) {
        let room = MAX_ATTACHMENTS - self.attachments.len();
        self.attachments.extend(files.into_iter().take(room).map(|mut file| {
            [Some(&mut file.name), file.media_type.as_mut()].into_iter().flatten().for_each(bound);
            file
        }));
    }

    fn close(&mut self, pages: u32) -> Result<(), Broken> {
        self.ended = pages == self.count() && pages == self.expected();
        if self.ended { Ok(()) } else { Err(Broken) }
    }
}

/// Cuts a field to [`MAX_FIELD`] characters, on one line.
fn bound(field: &mut String) {
    if let Some((end, _)) = field.char_indices().nth(MAX_FIELD) {
        field.truncate(end);
    }
    if field.contains(char::is_control) {
        *field = field.replace(char::is_control, " ");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hear(max_pages: u32, lines: &[&str]) -> (Transcript, Result<(), Broken>) {
        let mut transcript = Transcript::new(max_pages);
        let heard = lines.iter().try_for_each(|line| transcript.add(Transcript::parse(line.as_bytes())?));
        (transcript, heard)
    }

    #[test]
    fn a_whole_transcript_is_heard() {
        let (heard, result) = hear(
            2000,
            &[
                r#"{"meta":{"pages":2,"title":"a\nb","labels":["i","ii"]}}"#,
                r#"{"page":1,"text":" one ","links":[{"url":"https://a.example/","text":""}]}"#,
                r#"{"page":2,"error":"damaged","needs_ocr":true,"hidden":true,"signals":["white","tiny","white"]}"#,
                r#"{"end":{"pages":2}}"#,
            ],
        );
        assert_eq!(result, Ok(()));
        assert!(heard.ended && heard.hidden);
        assert_eq!(Vec::from_iter(heard.signals), [Signal::Tiny, Signal::White]);
        assert_eq!(heard.meta.unwrap().title.as_deref(), Some("a b"));
        assert_eq!(heard.pages[0].text(), "one");
        assert_eq!(heard.pages[1].error.as_deref(), Some("damaged"));
        assert_eq!((heard.links.len(), heard.needs_ocr), (1, vec![2]));
    }

    #[test]
    fn what_breaks_the_protocol_is_refused() {
        let meta = r#"{"meta":{"pages":3}}"#;
        let page = r#"{"page":1,"text":"a"}"#;
        let deep = "[".repeat(100_000);
        for lines in [
            &[page][..],
            &[r#"{"end":{"pages":0}}"#],
            &[meta, meta],
            &[meta, "{}"],
            &[meta, ""],
            &[meta, r#"{"page":1,"text":"a","more":1}"#],
            &[meta, r#"{"page":1}"#],
            &[meta, r#"{"page":1,"text":"a","hidden":true,"signals":["loud"]}"#],
            &[meta, r#"{"page":1,"text":"a","error":"b"}"#],
            &[meta, r#"{"page":0,"text":"a"}"#],
            &[meta, r#"{"page":-1,"text":"a"}"#],
            &[meta, r#"{"page":1000000000,"text":"a"}"#],
            &[meta, r#"{"page":2,"text":"a"}"#],
            &[meta, page, page],
            &[meta, page, r#"{"page":2,"text":"\ud800"}"#],
            &[meta, page, r#"{"end":{"pages":1}}"#],
            &[meta, page, r#"{"end":{"pages":3}}"#],
            &[meta, r#"{"page":1,"text":"a","end":{"pages":1}}"#],
            &[r#"{"meta":{"pages":1000001}}"#],
            &[r#"{"meta":{"pages":1,"pages":2}}"#],
            &[r#"{"meta":{"pages":1},"text":"a"}"#],
            &[r#"{"meta":{"pages":1}}"#, page, r#"{"end":{"pages":1}}"#, page],
            &[&deep],
        ] {
            assert_eq!(hear(2000, lines).1, Err(Broken), "{lines:.60?}");
        }
    }

    #[test]
    fn pages_end_where_the_parent_said() {
        let lines = [
            r#"{"meta":{"pages":3}}"#,
            r#"{"page":1,"text":"a"}"#,
            r#"{"page":2,"text":"b"}"#,
            r#"{"end":{"pages":2}}"#,
        ];
        assert_eq!(hear(2, &lines).1, Ok(()), "at the limit");
        assert_eq!(hear(3, &lines).1, Err(Broken), "below it");
        assert_eq!(hear(1, &lines).1, Err(Broken), "above it");
    }

    #[test]
    fn bookmarks_and_labels_that_lead_nowhere_are_dropped_alone() {
        let (heard, result) = hear(
            9,
            &[r#"{"meta":{"pages":2,"labels":["i"],"outline":[{"title":"a","page":0,"level":1},
                {"title":"b","page":3,"level":1},{"title":"c","page":2,"level":0},{"title":"d","page":2,"level":1}]}}"#],
        );
        let meta = heard.meta.unwrap();
        assert_eq!(result, Ok(()));
        assert_eq!((meta.outline.len(), meta.outline[0].title.as_str(), meta.labels.len()), (1, "d", 0));
    }

    #[test]
    fn a_field_is_cut_between_characters() {
        for (length, kept) in [(1_999, 1_999), (2_000, 2_000), (2_001, 2_000)] {
            let mut field = "é".repeat(length);
            bound(&mut field);
            assert_eq!(field.chars().count(), kept);
        }
    }
}
