//! From decoded HTML to a document.

use super::{
    clean, code,
    content::{self, PageType},
    escape,
    fallback::{Spare, THIN},
    guard, links, markdown,
    marks::Snippets,
    math,
    meta::Meta,
    page::{Page, mass_of},
    serialize::{self, Form},
};
use crate::{Document, ExtractError, Page as Part, Reading, Sources, charset::Decoded, outline, parts};
use dom_query::Matcher;
use serde_json::json;
use std::collections::HashSet;
use tokio::time::Instant;
use url::Url;

/// What is said of a page without text.
const NO_TEXT: &str = "no text: the page may need a browser";

/// Reads the page into `document`, which has its kind, hash and size already.
pub(super) fn document(
    mut document: Document,
    decoded: Decoded,
    address: Option<Url>,
    xml: bool,
    reading: &Reading,
    deadline: Instant,
) -> Result<Document, ExtractError> {
    let in_time = || if Instant::now() < deadline { Ok(()) } else { Err(ExtractError::TimedOut) };
    let page = Page::new(guard::guarded(&decoded.text, xml), address.clone());
    in_time()?;
    let meta = Meta::read(&page);
    let og_type = meta.opengraph.get("type").and_then(serde_json::Value::as_str).unwrap_or_default().to_owned();
    let page_type = PageType::of(&page, &og_type, &meta.json_ld);
    let spare = Spare::of(&page, &meta.json_ld);
    meta.fill(&page, &mut document);
    in_time()?;

    let mut read = ReadPage::of(page, reading, page_type);
    in_time()?;
    if read.mass < THIN
        && reading.main_only
        && reading.include.is_empty()
        && let Some((html, method)) = spare.best(read.mass)
    {
        let whole = Reading { main_only: false, ..reading.clone() };
        let spare = ReadPage::of(Page::new(guard::guarded(&html, false), address), &whole, page_type);
        if spare.mass > read.mass {
            read = ReadPage { method, hidden: read.hidden, ..spare };
        }
    }
    in_time()?;
    let text = if reading.raw { decoded.text.clone() } else { read.markdown().ok_or(ExtractError::Crashed)? };
    let parts = parts::split(&text);
    if !reading.raw {
        document.outline = outline::of_markdown(&parts);
    }
    document.pages = (1..).zip(&parts).map(|(number, part)| Part::new(number, part)).collect();
    document.total_pages = u32::try_from(parts.len()).unwrap_or(u32::MAX);
    if text.trim().is_empty() {
        document.note = Some(NO_TEXT.to_owned());
    }
    if let Some(body) = read.page.body() {
        document.links = links::collect(&body);
    }
    document.metadata.insert("extraction".into(), json!({"method": read.method, "kept": read.kept}));
    document.metadata.insert("charset".into(), decoded.encoding.into());
    if read.hidden > 0 {
        document.metadata.insert("hidden_elements".into(), read.hidden.into());
    }
    if reading.keep_sources {
        document.sources = Some(read.sources(decoded.text));
    }
    Ok(document)
}

/// A page with only its content left.
struct ReadPage {
    page: Page,
    snippets: Snippets,
    method: &'static str,
    kept: f64,
    /// The number of hidden elements.
    hidden: usize,
    /// The mass of the text.
    mass: usize,
    /// The cleaned HTML, before text became marks.
    html: String,
    images: Vec<String>,
}

// === impl ReadPage ===

impl ReadPage {
    fn of(page: Page, reading: &Reading, page_type: PageType) -> Self {
        let mut snippets = Snippets::default();
        math::keep(&page, &mut snippets);
        let hidden = clean::clean(&page);
        select(&page, reading);
        links::resolve(&page);
        let (method, kept) = if reading.main_only && reading.include.is_empty() {
            let (method, kept) = content::choose(&page, page_type);
            (method.as_str(), (f64::from(kept) * 100.0).round() / 100.0)
        } else {
            ("body", 1.0)
        };
        let body = page.body();
        let mass = body.map_or(0, |body| mass_of(&body, &HashSet::new()));
        let images = body.map(|body| links::images(&body)).unwrap_or_default();
        let html = if reading.keep_sources { body.map(|body| serialize::inner(&body, Form::Whole)) } else { None };
        Self { snippets, method, kept, hidden, mass, html: html.unwrap_or_default(), images, page }
    }

    fn markdown(&mut self) -> Option<String> {
        code::keep(&self.page, &mut self.snippets);
        escape::escape(&self.page, &mut self.snippets);
        markdown::of_page(&self.page, &self.snippets)
    }

    fn sources(self, raw: String) -> Sources {
        Sources { raw, html: Some(self.snippets.restored(&self.html)), images: self.images }
    }
}

/// Keeps what the caller selects, and leaves out what it deselects. A selector that can't be read selects nothing.
fn select(page: &Page, reading: &Reading) {
    let matchers = |selectors: &[String]| -> Vec<Matcher> {
        selectors.iter().filter_map(|selector| Matcher::new(&own_names(selector)).ok()).collect()
    };
    for matcher in matchers(&reading.exclude) {
        page.tree.select_matcher(&matcher).remove();
    }
    let wanted = matchers(&reading.include);
    let Some(body) = page.body().filter(|_| !reading.include.is_empty()) else { return };
    let mut outermost = Vec::new();
    super::page::walk(&body, |node| {
        let is_wanted = node.is_element() && wanted.iter().any(|matcher| node.is_match(matcher));
        if is_wanted {
            outermost.push(*node);
        }
        !is_wanted
    });
    let holder = page.tree.tree.new_element("div");
    for node in outermost {
        holder.append_child(&node.id);
    }
    body.remove_children();
    body.append_child(&holder.id);
}

/// Selectors that name an element which goes under another name in the tree.
fn own_names(selector: &str) -> String {
    match selector.trim() {
        name @ ("form" | "svg" | "math" | "select" | "object") => format!("x-{name}"),
        other => other.to_owned(),
    }
}
