//! The operators of content streams.

use super::{
    Content, Interpreter,
    color::{Paint, Space},
    text::Show,
};
use hayro_font::kurbo::{Affine, Point};
use hayro_syntax::{
    content::{TypedIter, ops::TypedInstruction as Op},
    object::{Array, Dict, Number, Object},
};

/// The most fonts of one content stream whose names are remembered.
const MAX_NAMES: usize = 256;

/// The fonts that a content stream named so far, the last one first.
type Names = Vec<(Vec<u8>, Option<super::super::fonts::FontId>)>;

impl<'a> Interpreter<'_, 'a> {
    /// Executes `content`. What it leaves open is closed when it ends.
    pub(super) fn run(&mut self, content: &Content<'_, 'a>) {
        let (states, marks) = (self.states.depth(), self.marks.depth());
        let mut names = Names::new();
        let mut operators = TypedIter::new(content.data);
        self.states.save();
        while let Some(operator) = operators.next() {
            if self.operators == 0 || self.sheet.is_full() {
                break;
            }
            self.operators -= 1;
            match operator {
                Op::SaveState(_) => self.states.save(),
                Op::RestoreState(_) => self.states.restore(states + 1),
                Op::Transform(m) => self.states.now.transform *= affine([m.0, m.1, m.2, m.3, m.4, m.5]),
                Op::SetGraphicsState(name) => {
                    if let Some(entries) = content.resources.get_ext_g_state(name.0) {
                        self.extended(&entries);
                    }
                }
                Op::XObject(name) => self.object(name.0, content.resources),
                Op::InlineImage(_) => self.image(),
                Op::BeginMarkedContent(_) => self.marks.begin(),
                Op::BeginMarkedContentWithProperties(mark) => {
                    self.marks.begin_with(mark.1, &content.resources.properties, self.layers, content.is_page);
                }
                Op::EndMarkedContent(_) => self.marks.end(marks),
                Op::TextFont(font) => {
                    self.set_font(font.0, &content.resources.fonts, &mut names);
                    self.states.now.text.size = font.1.as_f64();
                }
                other => self.paint(&other, &content.resources.color_spaces),
            }
        }
        // A path can't continue beyond the content that it starts in.
        self.path.clear();
        while self.states.depth() > states {
            self.states.restore(states);
        }
        while self.marks.depth() > marks {
            self.marks.end(marks);
        }
    }

    fn set_font(&mut self, name: &[u8], fonts: &Dict<'a>, names: &mut Names) {
        let known = names.iter().find(|(known, _)| known == name).map(|(_, font)| *font);
        let font = known.unwrap_or_else(|| {
            let font = self.fonts.named(fonts, name);
            if names.len() < MAX_NAMES {
                names.push((name.to_vec(), font));
            }
            font
        });
        let text = &mut self.states.now.text;
        text.fallback = font.is_none();
        text.font = font.or_else(|| self.fonts.fallback());
    }

    /// The entries of `gs` that bear on text.
    fn extended(&mut self, entries: &Dict<'a>) {
        let state = &mut self.states.now;
        if let Some(alpha) = entries.get::<f32>(b"ca") {
            state.fill.set_alpha(alpha);
        }
        if let Some(alpha) = entries.get::<f32>(b"CA") {
            state.stroke.set_alpha(alpha);
        }
        if let Some(mode) = entries.get::<Object<'a>>(b"BM") {
            state.blends = !matches!(&mode, Object::Name(name) if matches!(&**name, b"Normal" | b"Compatible"));
        }
        if let Some(mask) = entries.get::<Object<'a>>(b"SMask") {
            state.blends |= !matches!(mask, Object::Name(_));
        }
        if let Some(font) = entries.get::<Array<'a>>(b"Font") {
            let mut items = font.iter::<Object<'a>>();
            let dict = items.next().and_then(Object::into_dict);
            let size = items.next().and_then(Object::into_number);
            if let (Some(dict), Some(size)) = (dict, size) {
                let font = self.fonts.given(&dict);
                state.text.size = size.as_f64();
                state.text.fallback = font.is_none();
                state.text.font = font.or_else(|| self.fonts.fallback());
            }
        }
    }

    /// Paths and colours.
    fn paint(&mut self, operator: &Op<'_, '_>, spaces: &Dict<'a>) {
        let state = &mut self.states.now;
        match operator {
            Op::MoveTo(to) => self.path.move_to(point(to.0, to.1)),
            Op::LineTo(to) => self.path.line_to(point(to.0, to.1)),
            Op::CubicTo(c) => self.path.curve_to(&[point(c.0, c.1), point(c.2, c.3), point(c.4, c.5)]),
            Op::CubicStartTo(c) => self.path.curve_to(&[point(c.0, c.1), point(c.2, c.3)]),
            Op::CubicEndTo(c) => self.path.curve_to(&[point(c.0, c.1), point(c.2, c.3)]),
            Op::RectPath(r) => self.path.rect(r.0.as_f64(), r.1.as_f64(), r.2.as_f64(), r.3.as_f64()),
            Op::ClosePath(_) => self.path.close(),
            Op::ClipNonZero(_) | Op::ClipEvenOdd(_) => self.path.clips = true,
            Op::EndPath(_) => self.path.end(state),
            Op::FillPathNonZero(_) | Op::FillPathNonZeroCompatibility(_) | Op::FillPathEvenOdd(_) => {
                self.end_path(true, false);
            }
            Op::StrokePath(_) => self.end_path(false, true),
            Op::CloseAndStrokePath(_) => {
                self.path.close();
                self.end_path(false, true);
            }
            Op::FillAndStrokeNonZero(_)
            | Op::FillAndStrokeEvenOdd(_)
            | Op::CloseFillAndStrokeNonZero(_)
            | Op::CloseFillAndStrokeEvenOdd(_) => self.end_path(true, true),
            Op::NonStrokeColorDeviceGray(c) => state.fill.set_in(Space::Light, [c.0]),
            Op::NonStrokeColorDeviceRgb(c) => state.fill.set_in(Space::Light, [c.0, c.1, c.2]),
            Op::NonStrokeColorCmyk(c) => state.fill.set_in(Space::Ink, [c.0, c.1, c.2, c.3]),
            Op::StrokeColorDeviceGray(c) => state.stroke.set_in(Space::Light, [c.0]),
            Op::StrokeColorDeviceRgb(c) => state.stroke.set_in(Space::Light, [c.0, c.1, c.2]),
            Op::StrokeColorCmyk(c) => state.stroke.set_in(Space::Ink, [c.0, c.1, c.2, c.3]),
            Op::ColorSpaceNonStroke(name) => state.fill.set_space(Space::named(name.0, spaces)),
            Op::ColorSpaceStroke(name) => state.stroke.set_space(Space::named(name.0, spaces)),
            Op::NonStrokeColor(c) => state.fill.set(c.0.iter().copied()),
            Op::StrokeColor(c) => state.stroke.set(c.0.iter().copied()),
            Op::NonStrokeColorNamed(c) => named_color(&mut state.fill, &c.0, c.1.is_some()),
            Op::StrokeColorNamed(c) => named_color(&mut state.stroke, &c.0, c.1.is_some()),
            other => self.text(other),
        }
    }

    fn end_path(&mut self, fills: bool, strokes: bool) {
        let state = &mut self.states.now;
        if self.marks.is_shown() {
            self.path.paint(state, fills, strokes, &mut self.sheet);
        }
        self.path.end(state);
    }

    fn text(&mut self, operator: &Op<'_, '_>) {
        let text = &mut self.states.now.text;
        match operator {
            Op::BeginText(_) => (text.matrix, text.line) = (Affine::IDENTITY, Affine::IDENTITY),
            Op::SetTextMatrix(m) => {
                text.line = affine([m.0, m.1, m.2, m.3, m.4, m.5]);
                text.matrix = text.line;
            }
            Op::CharacterSpacing(space) => text.char_space = space.0.as_f64(),
            Op::WordSpacing(space) => text.word_space = space.0.as_f64(),
            Op::HorizontalScaling(percent) => text.scale = percent.0.as_f64() / 100.0,
            Op::TextLeading(leading) => text.leading = leading.0.as_f64(),
            Op::TextRise(rise) => text.rise = rise.0.as_f64(),
            Op::TextRenderingMode(mode) => text.mode = u8::try_from(mode.0.as_i64()).unwrap_or(0),
            Op::NextLine(step) => text.next_line(step.0.as_f64(), step.1.as_f64()),
            Op::NextLineAndSetLeading(step) => {
                text.leading = -step.1.as_f64();
                text.next_line(step.0.as_f64(), step.1.as_f64());
            }
            Op::NextLineUsingLeading(_) => text.next_line(0.0, -text.leading),
            Op::ShowText(string) => self.show().string(string.0.as_bytes()),
            Op::NextLineAndShowText(string) => {
                text.next_line(0.0, -text.leading);
                self.show().string(string.0.as_bytes());
            }
            Op::ShowTextWithParameters(given) => {
                (text.word_space, text.char_space) = (given.0.as_f64(), given.1.as_f64());
                text.next_line(0.0, -text.leading);
                self.show().string(given.2.as_bytes());
            }
            Op::ShowTexts(items) => {
                let mut show = self.show();
                for item in items.0.iter::<Object<'_>>() {
                    match item {
                        Object::Number(amount) => show.adjust(amount.as_f64()),
                        Object::String(string) => show.string(string.as_bytes()),
                        _ => {}
                    }
                }
            }
            _ => {}
        }
    }

    fn show(&mut self) -> Show<'_, 'a> {
        let text = &mut self.states.now.text;
        if text.font.is_none() {
            // Without a font Helvetica is meant, as other readers take it.
            (text.font, text.fallback) = (self.fonts.fallback(), true);
        }
        Show { fonts: self.fonts, sheet: &mut self.sheet, marks: &mut self.marks, state: &mut self.states.now }
    }
}

/// A colour of `scn`, which may be a pattern's.
fn named_color(paint: &mut Paint, components: &[Number], is_pattern: bool) {
    if is_pattern {
        paint.set_in(Space::Other, []);
    } else {
        paint.set(components.iter().copied());
    }
}

fn point(x: Number, y: Number) -> Point {
    Point::new(x.as_f64(), y.as_f64())
}

fn affine(numbers: [Number; 6]) -> Affine {
    Affine::new(numbers.map(|number| number.as_f64()))
}
