//! Each sentence of views.md by example, and its properties by generated documents.

mod full;
mod grep;
mod grep_patterns;
mod map;
mod pages;
mod properties;
mod range;
mod slice;

use super::{Options, Rendered, ViewError, render};
use sift_handlers::{ContentHash, Document, Kind, OutlineItem, Page, Unit};

/// A document of these texts, all extracted.
fn document(unit: Unit, texts: &[&str]) -> Document {
    let mut document = Document::new(Kind::new("test"), unit, ContentHash::of(b""), 0);
    document.pages = (1..).zip(texts).map(|(number, text)| Page::new(number, text)).collect();
    document.total_pages = u32::try_from(texts.len()).unwrap();
    document
}

/// A PDF of these pages.
fn pdf(texts: &[&str]) -> Document {
    document(Unit::Page, texts)
}

/// A PDF of `pages` pages of `chars` characters each, markers not counted.
fn long_pdf(pages: usize, chars: usize) -> Document {
    pdf(&vec![&*"x".repeat(chars); pages])
}

/// Headings, each with its level and page.
fn outline(items: &[(&str, u8, u32)]) -> Vec<OutlineItem> {
    items.iter().map(|&(title, level, page)| OutlineItem { title: title.into(), page, level }).collect()
}

/// A request within a cap of 1,000 characters.
fn small() -> Options {
    Options { out_cap: 1_000, ..Options::default() }
}

fn with_pages(pages: &str, out_cap: usize) -> Options {
    Options { pages: Some(pages.into()), out_cap, ..Options::default() }
}

fn with_grep(pattern: &str) -> Options {
    Options { grep: Some(pattern.into()), ..Options::default() }
}

fn view(document: &Document, options: &Options) -> Rendered {
    render(document, options).unwrap()
}

fn refusal(document: &Document, options: &Options) -> ViewError {
    render(document, options).unwrap_err()
}
