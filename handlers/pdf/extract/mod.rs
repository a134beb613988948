//! From the bytes of a PDF to its lines. Runs inside the child: no I/O but the lines.
//!
//! A page goes from glyphs ([`interpret`], [`fonts`]) over frames of one direction ([`frames`]), rows ([`rows`],
//! [`dropcaps`], [`lists`]), tables ([`tables`]), columns ([`columns`]) and lines ([`spacing`], [`bidi`]) to its text
//! ([`paragraphs`], [`headings`]).
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "lengths and counts of a page are far from the edges of the types that hold them"
)]

mod accents;
mod annotations;
mod attachments;
mod bidi;
mod bombs;
mod columns;
mod damage;
mod destinations;
mod doubles;
mod dropcaps;
mod fonts;
mod forms;
mod frames;
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzz;
mod glyph;
mod headings;
mod hidden;
mod hyphens;
mod interpret;
mod labels;
mod lists;
mod meta;
mod open;
mod outline;
mod paragraphs;
mod repair;
mod rows;
mod script;
mod spacing;
mod streams;
mod strings;
mod structure;
mod tables;
#[cfg(test)]
mod tests;
mod tree;
mod vocabulary;

use super::wire::{End, Line};
use fonts::Fonts;
use hayro_syntax::{page::Page, xref::XRef};
use headings::Headings;
use hidden::Hidden;
use interpret::Layers;
use std::{
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    rc::Rc,
};
use streams::Budget;
use structure::Structure;
use vocabulary::Vocabulary;

/// What to read of a document.
#[derive(Clone, Debug)]
pub struct Options {
    /// Pages past this one are counted and not read.
    pub max_pages: u32,
    /// Opens an encrypted document.
    pub password: Option<String>,
}

/// Why there are no lines: the exit status of the child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refused {
    /// It takes a password, or another one: status 3.
    Encrypted,
    /// Not a PDF, or no page tree: status 4.
    Unreadable,
    /// Nobody listens any more.
    Closed,
}

/// A page, laid out.
struct Laid {
    lines: Vec<paragraphs::Line>,
    notes: annotations::Read,
    hidden: Hidden,
    needs_ocr: bool,
}

/// What pages share.
struct Reader<'a> {
    fonts: Fonts<'a>,
    layers: Layers,
    structure: Structure,
    budget: Rc<Budget>,
}

/// The share of unknown characters, in percent, from which a page is better read from its picture.
const UNKNOWN_SHARE: usize = 30;
/// What a page line says of a page that could not be read.
const PAGE_FAILED: &str = "the page could not be read";

/// Reads `pdf` and gives each line to `emit` as soon as it is known: meta, pages in order, end.
pub fn run(pdf: Vec<u8>, options: &Options, emit: &mut dyn FnMut(Line) -> io::Result<()>) -> Result<(), Refused> {
    let budget = Budget::new(pdf.len());
    let opened = catch_unwind(|| open::open(pdf, options.password.as_deref())).unwrap_or(Err(Refused::Unreadable))?;
    let pages = opened.pdf.pages();
    let wanted = pages.len().min(options.max_pages as usize);
    let budget = Rc::new(budget);
    let allowance = budget.page();
    let mut reader = Reader::new(opened.pdf.xref(), Rc::clone(&budget));
    // The title may stand on the first page, and the title goes ahead of it.
    let mut first = pages.first().filter(|_| wanted > 0).map(|page| guarded(&mut reader, page));
    let lines = first.as_ref().and_then(|laid| laid.as_ref().ok()).map(|laid| laid.lines.as_slice());
    let meta = catch_unwind(AssertUnwindSafe(|| meta::meta(&opened, lines.unwrap_or_default(), &allowance)));
    let meta = meta.unwrap_or_else(|_| super::wire::Meta {
        pages: u32::try_from(pages.len()).unwrap_or(u32::MAX),
        encrypted: opened.encrypted,
        repaired: opened.repaired,
        ..Default::default()
    });
    let mut headings = Headings::new(&meta);
    let mut send = |line: Line| emit(line).map_err(|_| Refused::Closed);
    send(Line { meta: Some(meta), ..Line::default() })?;
    let mut vocabulary = Vocabulary::default();
    let mut number = 0;
    for page in &pages[..wanted] {
        number += 1;
        let this = first.take().unwrap_or_else(|| guarded(&mut reader, page));
        send(match this {
            Ok(mut laid) => Line {
                page: Some(number),
                text: {
                    headings.mark(number, &mut laid.lines);
                    Some(paragraphs::text(&laid.lines, &mut vocabulary))
                },
                links: laid.notes.links,
                attachments: laid.notes.attachments,
                hidden: !laid.hidden.is_empty(),
                signals: laid.hidden.signals(),
                needs_ocr: laid.needs_ocr,
                ..Line::default()
            },
            Err(()) => Line { page: Some(number), error: Some(PAGE_FAILED.to_owned()), ..Line::default() },
        })?;
    }
    send(Line { end: Some(End { pages: number }), ..Line::default() })
}

/// Lays a page out; a panic spoils that page and nothing else.
fn guarded<'a>(reader: &mut Reader<'a>, page: &Page<'a>) -> Result<Laid, ()> {
    catch_unwind(AssertUnwindSafe(|| reader.page(page))).map_err(|_| {
        // What a panic left half done is not used again.
        reader.fonts = Fonts::new(Rc::clone(&reader.budget));
    })
}

// === impl Reader ===

impl<'a> Reader<'a> {
    fn new(xref: &XRef, budget: Rc<Budget>) -> Self {
        Self {
            fonts: Fonts::new(Rc::clone(&budget)),
            layers: Layers::read(xref),
            structure: Structure::read(xref),
            budget,
        }
    }

    fn page(&mut self, page: &Page<'a>) -> Laid {
        let mut drawn = interpret::page(page, &mut self.fonts, &self.layers, &self.budget.page());
        let order = self.structure.page(page);
        if let Some(order) = order {
            self.structure.replace(order, &mut drawn.glyphs);
        }
        let notes = annotations::read(page, &mut drawn.glyphs, &self.budget.page());
        let visible = drawn.glyphs.iter().filter(|glyph| !glyph.text.is_blank());
        let (mut all, mut unknown) = (0, 0);
        for glyph in visible {
            all += 1;
            let is_unknown = |c| c == fonts::UNKNOWN || fonts::is_private(c);
            unknown += usize::from(glyph.text.first().is_some_and(is_unknown));
        }
        Laid {
            needs_ocr: (all == 0 && !drawn.images.is_empty()) || unknown * 100 > all * UNKNOWN_SHARE,
            lines: paragraphs::lines(drawn.glyphs, &drawn.faces, order, &drawn.rules),
            notes,
            hidden: drawn.hidden,
        }
    }
}
