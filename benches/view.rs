//! What a view costs: the map of a long document, and page ranges that lie anywhere in it.

use sift::view::{Options, render};
use sift_handlers::{ContentHash, Document, Kind, OutlineItem, Page, Unit};

const PAGES: u32 = 10_000;

fn main() {
    divan::main();
}

/// 10,000 pages of 3,000 characters, with an outline of one item for every ten pages.
fn document() -> Document {
    let mut document = Document::new(Kind::new("pdf"), Unit::Page, ContentHash::of(b""), 0);
    let text = "In der Kürze liegt die Würze, sagt man so oft.\n".repeat(64);
    let text: String = text.chars().take(3_000).collect();
    document.pages = (1..=PAGES).map(|number| Page::new(number, &text)).collect();
    document.total_pages = PAGES;
    document.outline = (1..=PAGES)
        .step_by(10)
        .map(|page| OutlineItem { title: format!("Section {page}"), page, level: 1 + u8::from(page % 100 != 1) })
        .collect();
    document
}

#[divan::bench]
fn map(bencher: divan::Bencher<'_, '_>) {
    let (document, options) = (document(), Options::default());
    bencher.bench(|| render(&document, &options));
}

#[divan::bench(args = [1, 5_000, 9_990])]
fn pages(bencher: divan::Bencher<'_, '_>, first: u32) {
    let document = document();
    let options = Options { pages: Some(format!("{first}-{}", first + 9)), ..Options::default() };
    bencher.bench(|| render(&document, &options));
}

#[divan::bench]
fn offset_near_the_end(bencher: divan::Bencher<'_, '_>) {
    let document = document();
    let options = Options { offset: Some(29_900_000), ..Options::default() };
    bencher.bench(|| render(&document, &options));
}

#[divan::bench(args = ["würze", "(?:zwiebel|knoblauch)suppe", r"\bsagt\s+\w+\b.*oft\.$"])]
fn grep(bencher: divan::Bencher<'_, '_>, pattern: &str) {
    let document = document();
    let options = Options { grep: Some(pattern.to_owned()), ..Options::default() };
    bencher.bench(|| render(&document, &options));
}
