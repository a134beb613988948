//! What an answer may hold: the formats of a request, and the text of a document as Markdown.

use super::fields::{Fields, Issue};
use crate::view::{self, Rendered};
use sift_handlers::{Document, Page, Unit};
use std::borrow::Cow;

/// A format that is served.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    /// `data.markdown`.
    Markdown,
    /// `data.html`: the cleaned HTML of what the Markdown shows.
    Html,
    /// `data.rawHtml`: the source as text.
    RawHtml,
    /// `data.links`.
    Links,
    /// `data.images`.
    Images,
}

/// What a request asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Formats {
    served: Vec<Format>,
    /// Formats of the contract that are not served, for a warning.
    pub(super) left_out: Vec<&'static str>,
}

/// The Markdown of a document.
pub(super) struct Markdown<'a> {
    /// The text.
    pub(super) text: Cow<'a, str>,
    /// Whether it is the map of a document that is longer than one answer.
    pub(super) is_map: bool,
}

/// Every format of the contract: its name, what serves it, and its own keys.
const KNOWN: &[(&str, Option<Format>, &[&str])] = &[
    ("markdown", Some(Format::Markdown), &[]),
    ("html", Some(Format::Html), &[]),
    ("rawHtml", Some(Format::RawHtml), &[]),
    ("links", Some(Format::Links), &[]),
    ("images", Some(Format::Images), &[]),
    ("summary", None, &[]),
    ("question", None, &["question"]),
    ("highlights", None, &["query"]),
    ("attributes", None, &["selectors"]),
    ("query", None, &["prompt", "mode"]),
    ("json", None, &["schema", "prompt", "checkPromptInjection"]),
    ("deterministicJson", None, &["schema", "prompt"]),
    ("changeTracking", None, &["prompt", "schema", "modes", "tag"]),
    ("screenshot", None, &["fullPage", "quality", "viewport"]),
    ("rawBase64", None, &[]),
    ("branding", None, &[]),
    ("product", None, &[]),
    ("menu", None, &[]),
    ("audio", None, &[]),
    ("video", None, &[]),
];

/// What stands between two pages when a request asks for `pageMarkers`.
const PAGE_BREAK: &str = "\n\n---\n\n";

/// The first pages of a document.
pub(super) fn first_pages(document: &Document, most: Option<u32>) -> &[Page] {
    let most = most.and_then(|most| usize::try_from(most).ok()).unwrap_or(usize::MAX);
    &document.pages[..document.pages.len().min(most)]
}

/// Whether a document has pages of its own, so that the page options mean something.
pub(super) fn is_paginated(document: &Document) -> bool {
    document.unit == Unit::Page
}

/// A document without pages of its own: all of it, however long.
pub(super) fn whole_markdown(document: &Document) -> Markdown<'_> {
    let text = match document.pages.as_slice() {
        [part] => page_text(part),
        parts => join(parts, "\n\n", |part| page_text(part)).into(),
    };
    Markdown { text, is_map: false }
}

/// The pages with Firecrawl's own marks between them: the whole text, since that is what the option asks for.
pub(super) fn marked_markdown(document: &Document, most: Option<u32>) -> Markdown<'_> {
    let text = join(first_pages(document, most), PAGE_BREAK, |page| match page.number {
        1 => page_text(page),
        number => format!("<!-- page {number} -->\n\n{}", page_text(page)).into(),
    });
    Markdown { text: text.into(), is_map: false }
}

/// What /v1 answers without `pages` and `grep`: the pages with their markers, or the map if that is longer than
/// `out_cap` characters.
pub(super) fn paginated_markdown(document: &Document, most: Option<u32>, out_cap: usize) -> Markdown<'_> {
    let options = view::Options { out_cap, pages_limit: most, ..view::Options::default() };
    // A view that asks for no range and no pattern has nothing to refuse.
    let Rendered { content, map, .. } = view::render(document, &options).unwrap_or_default();
    Markdown { text: content.into(), is_map: map }
}

/// The text of a page, or why there is none.
pub(super) fn page_text(page: &Page) -> Cow<'_, str> {
    match &page.error {
        None => page.text().into(),
        Some(reason) => format!("[page {} could not be read: {reason}]", page.number).into(),
    }
}

/// Puts a word in the place of every picture that is spelled out in the text.
pub(super) fn without_base64_images(text: Cow<'_, str>) -> Cow<'_, str> {
    const PICTURE: &str = "](data:image/";
    if !text.contains(PICTURE) {
        return text;
    }
    let (mut kept, mut rest) = (String::new(), text.as_ref());
    while let Some(at) = rest.find(PICTURE) {
        let (before, address) = rest.split_at(at + 2);
        let (address, after) =
            address.split_at(address.find(|c: char| c == ')' || c.is_whitespace()).unwrap_or(address.len()));
        kept.push_str(before);
        kept.push_str(if address.contains(";base64,") { "<Base64-Image-Removed>" } else { address });
        rest = after;
    }
    kept.push_str(rest);
    kept.into()
}

fn join<'a>(pages: &'a [Page], between: &str, text: impl Fn(&'a Page) -> Cow<'a, str>) -> String {
    let mut all = String::with_capacity(pages.iter().map(|page| page.text().len() + between.len() + 24).sum());
    for (index, page) in pages.iter().enumerate() {
        if index > 0 {
            all.push_str(between);
        }
        all.push_str(&text(page));
    }
    all
}

// === impl Formats ===

impl Formats {
    /// Takes `formats` out of a request. Formats that are not served are checked for their keys only.
    pub(super) fn take(fields: &mut Fields) -> Result<Self, Issue> {
        let Some(items) = fields.items("formats")? else {
            return Ok(Self { served: vec![Format::Markdown], left_out: Vec::new() });
        };
        let mut formats = Self { served: Vec::new(), left_out: Vec::new() };
        for item in items {
            let (name, mut own) = item.typed_fields()?;
            let Some((name, served, keys)) = KNOWN.iter().find(|(known, ..)| *known == name) else {
                let known: Vec<_> = KNOWN.iter().map(|(known, ..)| *known).collect();
                return Err(own.issue("type", &format!("must be one of {}", known.join(", "))));
            };
            for key in *keys {
                own.take(key);
            }
            // Firecrawl reads this one leniently.
            if *name != "screenshot" {
                own.end()?;
            }
            match served {
                Some(format) => formats.served.push(*format),
                None => formats.left_out.push(name),
            }
        }
        if formats.served.is_empty() && !formats.left_out.is_empty() {
            let message = format!("asks for nothing that sift serves: {}", formats.left_out.join(", "));
            return Err(fields.issue("formats", &message));
        }
        Ok(formats)
    }

    /// Whether a format is asked for.
    pub(super) fn has(&self, format: Format) -> bool {
        self.served.contains(&format)
    }

    /// Whether the text alone won't do.
    pub(super) fn need_sources(&self) -> bool {
        self.served.iter().any(|format| matches!(format, Format::Html | Format::RawHtml | Format::Images))
    }
}
