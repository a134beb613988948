//! Showing text: from the codes of a string to glyphs where they stand.

use super::{
    super::{
        fonts::{FontId, Fonts},
        glyph::{Glyph, Text},
    },
    marks::Marks,
    sheet::{Ink, Sheet},
    state::State,
};
use hayro_font::kurbo::{Affine, Point, Vec2};

/// How high over its foot a vertical glyph's pen stands, in ems.
const HEAD: f64 = 0.88;
/// How far a baseline laid beside a vertical line is from the middle of the line, in ems.
const ASIDE: f64 = 0.38;

/// Where the strings of a page are shown.
pub(super) struct Show<'s, 'a> {
    pub(super) fonts: &'s mut Fonts<'a>,
    pub(super) sheet: &'s mut Sheet,
    pub(super) marks: &'s mut Marks,
    pub(super) state: &'s mut State,
}

/// What the glyphs of one string have in common.
struct Run {
    /// From text space to the page.
    transform: Affine,
    /// From ems to the page.
    em: Affine,
    along: Vec2,
    mirrored: bool,
    size: f64,
    /// The horizontal scale against the vertical one.
    ratio: f64,
    vertical: bool,
}

// === impl Show ===

impl Show<'_, '_> {
    /// Shows a string with the font of the state.
    pub(super) fn string(&mut self, bytes: &[u8]) {
        let text = self.state.text;
        let Some(font) = text.font else { return };
        let vertical = self.fonts.is_vertical(font);
        let run = Run::new(self.state, vertical);
        // What a font that isn't there would have shown is known only where it is plain text.
        let shown = self.marks.is_shown() && (!text.fallback || bytes.is_ascii()) && run.is_sound();
        let style = Style {
            face: if shown { self.sheet.face(self.fonts.face(font)) } else { 0 },
            type3: self.fonts.is_type3(font),
            ink: self.ink(),
        };
        let mut last = None;
        let mut rest = bytes;
        while !rest.is_empty() {
            let (code, len) = self.fonts.code(font, rest);
            let word_space = if len == 1 && code == 32 { text.word_space } else { 0.0 };
            let advance = if shown && !self.sheet.is_full() {
                self.glyph(font, (code, len), &run, &style, &mut last)
            } else {
                self.fonts.slot(font, code, len).advance
            };
            let step = advance * text.size + text.char_space + word_space;
            if vertical {
                self.state.text.advance(0.0, step);
            } else {
                self.state.text.advance(step * text.scale, 0.0);
            }
            rest = &rest[len.min(rest.len())..];
        }
    }

    /// Moves the pen by a number of `TJ`, in thousandths of an em.
    pub(super) fn adjust(&mut self, amount: f64) {
        let text = &mut self.state.text;
        let step = -amount / 1000.0 * text.size;
        match text.font {
            Some(font) if !self.fonts.is_vertical(font) => text.advance(step * text.scale, 0.0),
            _ => text.advance(0.0, step),
        }
    }

    /// Puts one glyph on the page and gives back how far the pen moves.
    fn glyph(
        &mut self,
        font: FontId,
        (code, len): (u32, usize),
        run: &Run,
        style: &Style,
        last: &mut Option<(usize, Point)>,
    ) -> f64 {
        let slot = self.fonts.slot(font, code, len);
        if matches!(slot.text, Text::Empty) && !self.marks.is_replaced() {
            return slot.advance;
        }
        let pen = run.transform * {
            let [.., x, y] = self.state.text.matrix.as_coeffs();
            Point::new(x, y)
        };
        let mut at = run.place(pen, slot.origin);
        let mut extent = if run.vertical { run.size } else { slot.width * run.size * run.ratio };
        if let Some([start, width]) = slot.mark {
            // The pen doesn't move for a mark: only its outline tells the letter that it belongs to.
            at += run.along * (start * run.size * run.ratio);
            extent = width * run.size * run.ratio;
        }
        if !at.x.is_finite() || !at.y.is_finite() || !extent.is_finite() {
            return slot.advance;
        }
        if run.vertical {
            shorten(self.sheet, run, at, last.filter(|_| !self.marks.is_replaced()));
        }
        let middle = at + run.along * (extent / 2.0) + Vec2::new(run.along.y, -run.along.x) * (run.size * 0.3);
        let clip = self.state.clip.as_ref();
        let unseen = !slot.blank && !self.sheet.is_in_sight(middle, run.size.max(extent), clip, style.ink);
        if style.type3 && !self.marks.is_replaced() {
            self.sheet.note_type3();
        }
        let advance = slot.advance;
        *last = Some((self.sheet.len(), at));
        let glyph = Glyph {
            text: slot.text.clone(),
            x: at.x as f32,
            y: at.y as f32,
            dir: [run.along.x as f32, run.along.y as f32],
            mirrored: run.mirrored,
            advance: extent as f32,
            size: run.size as f32,
            face: style.face,
            content: self.marks.content(),
            unseen,
        };
        self.marks.place(glyph, self.sheet);
        advance
    }

    fn ink(&self) -> Ink {
        let paint = match self.state.text.mode {
            3 | 7 => return Ink::None,
            1 | 5 => self.state.stroke,
            _ => self.state.fill,
        };
        if paint.is_white() { Ink::White } else { Ink::Seen }
    }
}

/// How the glyphs of a string look.
struct Style {
    face: u16,
    type3: bool,
    ink: Ink,
}

// === impl Run ===

impl Run {
    fn new(state: &State, vertical: bool) -> Self {
        let text = &state.text;
        let [a, b, c, d, ..] = (state.transform * text.matrix).as_coeffs();
        let across = text.size * text.scale;
        let em = Affine::new([a * across, b * across, c * text.size, d * text.size, 0.0, 0.0]);
        let [a, b, c, d, ..] = em.as_coeffs();
        let horizontal = Vec2::new(a, b);
        let scale = horizontal.hypot();
        let determinant = a * d - b * c;
        let size = if scale > 0.0 { determinant.abs() / scale } else { Vec2::new(c, d).hypot() };
        let down = Vec2::new(-c, -d);
        let along = if vertical {
            down / down.hypot().max(f64::MIN_POSITIVE)
        } else if scale > 0.0 {
            horizontal / scale
        } else {
            Vec2::new(1.0, 0.0)
        };
        // Text space moved up by the rise.
        let [m_a, m_b, m_c, m_d, ..] = text.matrix.as_coeffs();
        let rise = Affine::new([m_a, m_b, m_c, m_d, 0.0, 0.0]) * Point::new(0.0, text.rise);
        Self {
            transform: state.transform * Affine::translate(rise.to_vec2()),
            em,
            along,
            mirrored: determinant > 0.0,
            size,
            ratio: if size > 0.0 { scale / size } else { 1.0 },
            vertical,
        }
    }

    fn is_sound(&self) -> bool {
        self.size.is_finite() && self.ratio.is_finite() && self.along.x.is_finite() && self.along.y.is_finite()
    }

    /// Where the baseline of a glyph begins whose pen stands at `pen`. A vertical line has a baseline where a horizontal
    /// one would be, turned.
    fn place(&self, pen: Point, [x, y]: [f64; 2]) -> Point {
        if !self.vertical {
            return pen;
        }
        let left = Vec2::new(-self.along.y, self.along.x);
        pen + (self.em * Point::new(0.5 + x, HEAD + y)).to_vec2() + left * (self.size * ASIDE)
    }
}

/// The glyph before this one in a vertical line takes no more room than there is.
fn shorten(sheet: &mut Sheet, run: &Run, at: Point, last: Option<(usize, Point)>) {
    let Some((before, stood)) = last else { return };
    let step = (at - stood).dot(run.along);
    if step > run.size * 0.3 {
        let glyph = sheet.glyph(before);
        glyph.advance = glyph.advance.min(step as f32);
    }
}
