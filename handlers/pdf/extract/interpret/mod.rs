//! Reads the operators of a page and keeps what the layout needs: glyphs, lines, and where images are.
//!
//! Nothing is drawn. Images aren't decoded, outlines aren't looked at, colours count only as white or not.

mod color;
mod forms;
mod layers;
mod marks;
mod operators;
mod path;
mod sheet;
mod state;
#[cfg(test)]
mod tests;
mod text;

pub(super) use layers::Layers;

use super::{
    fonts::Fonts,
    glyph::PageGlyphs,
    streams::{self, PageBudget},
};
use hayro_font::kurbo::Affine;
use hayro_syntax::page::{Page, Resources};
use marks::Marks;
use path::Path;
use sheet::Sheet;
use state::States;

/// The most operators that one page executes, with those of its forms.
const MAX_OPERATORS: usize = 10_000_000;

/// Executes the operators of one page.
struct Interpreter<'p, 'a> {
    fonts: &'p mut Fonts<'a>,
    layers: &'p Layers,
    budget: &'p PageBudget<'p>,
    sheet: Sheet,
    states: States,
    marks: Marks,
    path: Path,
    /// How many operators may still be executed.
    operators: usize,
    /// How many forms were drawn.
    forms: usize,
    /// How many forms are being drawn.
    depth: usize,
}

/// Operators, and what their names mean.
struct Content<'c, 'a> {
    data: &'c [u8],
    resources: &'c Resources<'a>,
    /// Whether it is the page's own content.
    is_page: bool,
}

/// Reads a page.
pub(super) fn page<'a>(page: &Page<'a>, fonts: &mut Fonts<'a>, layers: &Layers, budget: &PageBudget<'_>) -> PageGlyphs {
    let (width, height) = page.render_dimensions();
    fonts.trim();
    let mut interpreter = Interpreter {
        fonts,
        layers,
        budget,
        sheet: Sheet::new(width, height),
        states: States::new(shown(page)),
        marks: Marks::default(),
        path: Path::default(),
        operators: MAX_OPERATORS,
        forms: 0,
        depth: 0,
    };
    let data = streams::content(page, budget).unwrap_or_default();
    interpreter.run(&Content { data: &data, resources: page.resources(), is_page: true });
    interpreter.annotations(page);
    interpreter.sheet.finish()
}

/// From a page's own space to the page as it is shown, with y downward.
pub(super) fn shown(page: &Page<'_>) -> Affine {
    Affine::new(page.initial_transform(true).as_coeffs())
}
