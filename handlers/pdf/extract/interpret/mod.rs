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

use super::{fonts::Fonts, glyph::PageGlyphs};
use hayro_font::kurbo::Affine;
use hayro_syntax::{
    object::{Array, Stream},
    page::{Page, Resources},
};
use marks::Marks;
use path::Path;
use sheet::Sheet;
use state::States;
use std::borrow::Cow;

/// The most operators that one page executes, with those of its forms.
const MAX_OPERATORS: usize = 10_000_000;
/// The most bytes of a page's own content; what comes after is left out.
const MAX_CONTENT: usize = 256 << 20;

/// Executes the operators of one page.
struct Interpreter<'p, 'a> {
    fonts: &'p mut Fonts<'a>,
    layers: &'p Layers,
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
pub(super) fn page<'a>(page: &Page<'a>, fonts: &mut Fonts<'a>, layers: &Layers) -> PageGlyphs {
    let (width, height) = page.render_dimensions();
    fonts.trim();
    let mut interpreter = Interpreter {
        fonts,
        layers,
        sheet: Sheet::new(width, height),
        states: States::new(shown(page)),
        marks: Marks::default(),
        path: Path::default(),
        operators: MAX_OPERATORS,
        forms: 0,
        depth: 0,
    };
    interpreter.run(&Content { data: &content(page), resources: page.resources(), is_page: true });
    interpreter.annotations(page);
    interpreter.sheet.finish()
}

/// From a page's own space to the page as it is shown, with y downward.
pub(super) fn shown(page: &Page<'_>) -> Affine {
    Affine::new(page.initial_transform(true).as_coeffs())
}

/// The operators of a page, its streams one after the other.
fn content<'a>(page: &Page<'a>) -> Cow<'a, [u8]> {
    if let Some(stream) = page.raw().get::<Stream<'a>>(b"Contents") {
        return stream.decoded_data().unwrap_or_default();
    }
    let mut all = Vec::new();
    for stream in page.raw().get::<Array<'a>>(b"Contents").unwrap_or_default().iter::<Stream<'a>>() {
        if all.len() > MAX_CONTENT {
            break;
        }
        if let Ok(data) = stream.decoded_data() {
            all.extend_from_slice(&data);
            all.push(b'\n');
        }
    }
    Cow::Owned(all)
}
