//! The answer to a scrape: only what was asked for, and a warning for everything that is not as asked.

use super::{
    formats::{Format, Markdown, first_pages, is_paginated, marked_markdown, page_text, paginated_markdown},
    formats::{whole_markdown, without_base64_images},
    metadata::Metadata,
    request::Scrape,
};
use axum::{
    Json,
    response::{IntoResponse, Response},
};
use serde::Serialize;
use sift_layers::Fetched;
use std::borrow::Cow;

/// The body of an answer.
#[derive(Serialize)]
struct Answer<'a> {
    success: bool,
    data: Data<'a>,
}

/// The document as asked for.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Data<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    markdown: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    html: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    raw_html: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    links: Option<Vec<&'a str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    images: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pages: Option<Vec<PageText<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    warning: Option<String>,
    metadata: Metadata<'a>,
}

/// One page of a paginated document.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PageText<'a> {
    page_number: u32,
    markdown: Cow<'a, str>,
}

const MAP: &str = "this document is longer than one answer: markdown holds what it contains and its first pages. \
    For all of it set pages or pageMarkers in the pdf parser; POST /v1/fetch takes page ranges and grep";
const SHUT_OUT: &str = "the site refuses automated readers: use a browser for this page";
const UNPARSED: &str = "sift does not hand out PDF files: markdown holds the text although parsers leaves pdf out";

/// A document.
pub(super) fn document(scrape: &Scrape, fetched: &Fetched, out_cap: usize) -> Response {
    let document = &*fetched.document;
    let paginated = is_paginated(document);
    let mut warnings: Vec<Cow<'_, str>> = scrape.warnings.iter().map(|warning| warning.as_str().into()).collect();
    let asked = |format| scrape.formats.has(format);

    let markdown = asked(Format::Markdown).then(|| markdown(scrape, fetched, out_cap));
    if markdown.as_ref().is_some_and(|markdown| markdown.is_map) {
        warnings.push(MAP.into());
    }
    if paginated && scrape.pdf.unparsed {
        warnings.push(UNPARSED.into());
    }
    let sources = document.sources.as_ref();
    let html = sources.and_then(|sources| sources.html.as_deref()).filter(|_| asked(Format::Html));
    let raw_html = sources.map(|sources| sources.raw.as_str()).filter(|_| asked(Format::RawHtml));
    for (format, name, found) in
        [(Format::Html, "html", html.is_some()), (Format::RawHtml, "rawHtml", raw_html.is_some())]
    {
        if asked(format) && !found {
            warnings.push(format!("{name} left out: a {} document has none", document.kind).into());
        }
    }
    if fetched.stale {
        let at = fetched.entry.fetched_at;
        warnings.push(format!("the site can't be reached: this is a copy of {at}").into());
    }
    if fetched.downgraded {
        warnings.push("a redirect led from https to http: the text may have been changed on its way".into());
    }
    warnings.extend(shut_out(fetched.entry.status).map(Cow::from));
    warnings.extend(document.note.as_deref().map(Cow::from));

    let pages = first_pages(document, scrape.pdf.max_pages).iter();
    let pages = pages.map(|page| PageText { page_number: page.number, markdown: page_text(page) });
    respond(Data {
        markdown: markdown.map(|markdown| markdown.text),
        html,
        raw_html,
        links: asked(Format::Links).then(|| document.links.iter().map(|link| link.url.as_str()).collect()),
        images: asked(Format::Images).then(|| sources.map_or(&[][..], |sources| &sources.images)),
        pages: (paginated && scrape.pdf.pages).then(|| pages.collect()),
        warning: joined(&warnings),
        metadata: Metadata::of(scrape, fetched),
    })
}

/// An error status of the target, without a page that can be read. That is an answer like any other: the fetch worked.
pub(super) fn status(scrape: &Scrape, status: u16) -> Response {
    let asked = |format| scrape.formats.has(format);
    let warnings: Vec<_> = scrape.warnings.iter().map(String::as_str).chain(shut_out(status)).collect();
    respond(Data {
        markdown: asked(Format::Markdown).then_some("".into()),
        html: asked(Format::Html).then_some(""),
        raw_html: asked(Format::RawHtml).then_some(""),
        links: asked(Format::Links).then(Vec::new),
        images: asked(Format::Images).then_some(&[]),
        pages: None,
        warning: joined(&warnings),
        metadata: Metadata::bare(scrape, status),
    })
}

/// What a status says that is no fault of the page.
fn shut_out(status: u16) -> Option<&'static str> {
    matches!(status, 401 | 403 | 429).then_some(SHUT_OUT)
}

fn markdown<'a>(scrape: &Scrape, fetched: &'a Fetched, out_cap: usize) -> Markdown<'a> {
    let (document, pdf) = (&*fetched.document, &scrape.pdf);
    let markdown = match (is_paginated(document), pdf.page_markers) {
        (true, true) => marked_markdown(document, pdf.max_pages),
        (true, false) => paginated_markdown(document, pdf.max_pages, out_cap),
        (false, _) => whole_markdown(document),
    };
    if !scrape.remove_base64_images {
        return markdown;
    }
    Markdown { text: without_base64_images(markdown.text), ..markdown }
}

fn joined(warnings: &[impl AsRef<str>]) -> Option<String> {
    let warnings: Vec<_> = warnings.iter().map(AsRef::as_ref).collect();
    (!warnings.is_empty()).then(|| warnings.join("; "))
}

fn respond(data: Data<'_>) -> Response {
    Json(Answer { success: true, data }).into_response()
}
