//! Listens to the interpreter and keeps what the layout needs.

use super::{
    glyph::{Face, Glyph, PageGlyphs, Rule, Text},
    strings,
    unicode::Unicode,
};
use hayro_interpret::{
    BlendMode, ClipPath, Device, DrawMode, DrawProps, Image, ImageDrawProps, Paint, SoftMask,
    font::{Glyph as Drawn, GlyphRun, PositionedGlyph},
    hayro_cmap::WritingMode,
    kurbo::{Affine, BezPath, PathSeg, Point, Rect, Shape, Vec2},
};
use hayro_syntax::{
    object::{Dict, String as PdfString},
    page::Resources,
};
use std::collections::HashMap;
use unicode_normalization::char::is_combining_mark;

/// The most glyphs of one page; what comes after is left out.
const MAX_GLYPHS: usize = 400_000;
/// The most images and filled shapes of one page that are remembered.
const MAX_SHAPES: usize = 20_000;
/// A glyph smaller than this, in points, is not seen.
const SEEN: f64 = 0.3;
/// A box thinner than this, in points, is a line.
const THIN: f64 = 3.0;
/// The units of glyph space in an em.
const EM: f64 = 1000.0;

/// Collects the glyphs of one page.
pub(super) struct Collector<'u, 'a> {
    page: PageGlyphs,
    unicode: &'u mut Unicode<'a>,
    resources: Resources<'a>,
    /// The page as it is shown.
    sheet: Rect,
    clips: Vec<Rect>,
    /// Marked content, innermost last: whether it opened `span`.
    marks: Vec<bool>,
    span: Option<Span>,
    /// Whether the last run's glyphs were stretched to the widths of a font that isn't there.
    stretched: bool,
    last_run: Option<(f32, f32, usize)>,
    fills: Vec<Rect>,
    invisible: Vec<Point>,
    white: Vec<(Point, usize, usize)>,
    /// Glyphs of Type 3 fonts.
    type3: Vec<usize>,
}

/// Content that its author gave a replacement text.
struct Span {
    text: Text,
    /// The glyph that carries the text.
    carrier: Option<usize>,
}

/// Where a glyph stands and how large it is.
struct Place {
    at: Point,
    along: Vec2,
    mirrored: bool,
    size: f64,
    /// The horizontal scale against the vertical one.
    ratio: f64,
}

// === impl Collector ===

impl<'u, 'a> Collector<'u, 'a> {
    /// Begins a page of `width` x `height` points.
    pub(super) fn new(unicode: &'u mut Unicode<'a>, resources: Resources<'a>, width: f32, height: f32) -> Self {
        let sheet = Rect::new(0.0, 0.0, f64::from(width), f64::from(height));
        Self {
            page: PageGlyphs { faces: vec![Face::default()], ..PageGlyphs::default() },
            unicode,
            resources,
            sheet,
            clips: Vec::new(),
            marks: Vec::new(),
            span: None,
            stretched: false,
            last_run: None,
            fills: Vec::new(),
            invisible: Vec::new(),
            white: Vec::new(),
            type3: Vec::new(),
        }
    }

    /// Ends the page.
    pub(super) fn finish(mut self) -> PageGlyphs {
        let covered = |rects: &[Rect], point: Point| rects.iter().any(|rect| rect.contains(point));
        let unseen = self.invisible.iter().any(|&point| !covered(&self.page.images, point));
        // What was drawn later doesn't make white text visible.
        let on_white = self.white.iter().any(|&(point, fills, images)| {
            !covered(&self.fills[..fills], point) && !covered(&self.page.images[..images], point)
        });
        self.page.hidden |= unseen || on_white;
        self.measure_type3();
        self.page
    }

    /// Type 3 fonts choose their own units, so that the size says nothing of the em. Advances do.
    fn measure_type3(&mut self) {
        let glyphs = &mut self.page.glyphs;
        let mut fonts: HashMap<u32, Vec<f32>> = HashMap::new();
        for &n in &self.type3 {
            if glyphs[n].advance > 0.0 {
                fonts.entry(glyphs[n].size.to_bits()).or_default().push(glyphs[n].advance);
            }
        }
        let ems: HashMap<u32, f32> = fonts
            .into_iter()
            .filter_map(|(bits, mut advances)| {
                let middle = advances.len() / 2;
                let usual = *advances.select_nth_unstable_by(middle, f32::total_cmp).1;
                let share = usual / f32::from_bits(bits);
                (!(0.25..0.95).contains(&share)).then_some((bits, usual * 1.8))
            })
            .collect();
        for &n in &self.type3 {
            if let Some(em) = ems.get(&glyphs[n].size.to_bits()) {
                glyphs[n].size = *em;
            }
        }
    }

    fn push(&mut self, glyph: Glyph) {
        if let Some(span) = &mut self.span {
            if let Some(carrier) = span.carrier {
                let first = &mut self.page.glyphs[carrier];
                let (dx, dy) = (glyph.x - first.x, glyph.y - first.y);
                let along = dx * first.dir[0] + dy * first.dir[1] + glyph.advance;
                let across = dx * first.dir[1] - dy * first.dir[0];
                if across.abs() < first.size * 0.5 && along > first.advance {
                    first.advance = along;
                }
            } else {
                span.carrier = Some(self.page.glyphs.len());
                self.page.glyphs.push(Glyph { text: span.text.clone(), ..glyph });
            }
            return;
        }
        self.page.glyphs.push(glyph);
    }

    /// Whether a glyph stands where it can be seen; notes what else would hide it.
    fn is_in_sight(&mut self, place: &Place, advance: f64, props: &DrawProps<'a>, mode: &DrawMode) -> bool {
        let middle =
            place.at + place.along * (advance / 2.0) + Vec2::new(place.along.y, -place.along.x) * (place.size * 0.3);
        let inside = |rect: &Rect| rect.inflate(1.0, 1.0).contains(middle);
        if !inside(&self.sheet) || place.size.max(advance) < SEEN || !self.clips.last().is_none_or(inside) {
            self.page.hidden = true;
            return false;
        }
        if matches!(mode, DrawMode::Invisible) {
            if self.invisible.len() < MAX_SHAPES {
                self.invisible.push(middle);
            }
        } else if is_white(&props.paint) && self.white.len() < MAX_SHAPES {
            self.white.push((middle, self.fills.len(), self.page.images.len()));
        }
        true
    }

    fn fill(&mut self, bounds: Rect, transform: Affine, paint: &Paint<'_>, mode: &DrawMode) {
        let filled = matches!(mode, DrawMode::Fill(_) | DrawMode::FillAndStroke(..));
        if filled && self.fills.len() < MAX_SHAPES && !is_white(paint) {
            self.fills.push(transform.transform_rect_bbox(bounds));
        }
    }

    /// Keeps a line when it is level or upright.
    fn rule(&mut self, from: Point, to: Point) {
        if self.page.rules.len() >= MAX_SHAPES {
            return;
        }
        let (dx, dy) = ((to.x - from.x).abs(), (to.y - from.y).abs());
        let ends = |from: f32, to: f32, level: bool, at: f32| {
            let (low, high) = (from.min(to), from.max(to));
            let point = |along| if level { [along, at] } else { [at, along] };
            Rule { from: point(low), to: point(high) }
        };
        if dy < THIN && dx > THIN {
            self.page.rules.push(ends(from.x as f32, to.x as f32, true, from.y as f32));
        } else if dx < THIN && dy > THIN {
            self.page.rules.push(ends(from.y as f32, to.y as f32, false, from.x as f32));
        }
    }

    fn push_clip(&mut self, rect: Rect) {
        let rect = self.clips.last().map_or(rect, |outer| outer.intersect(rect));
        self.clips.push(rect);
    }
}

impl<'a> Device<'a> for Collector<'_, 'a> {
    fn draw_glyph_run(&mut self, run: &GlyphRun<'_, 'a>, props: DrawProps<'a>, mode: &DrawMode) {
        let glyphs = run.glyphs();
        let vertical = run.writing_mode() == WritingMode::Vertical;
        let places: Vec<Place> = glyphs.iter().map(|glyph| place(glyph, props.transform, vertical)).collect();
        let Some(first) = places.first() else { return };
        let this = (first.at.x as f32, first.at.y as f32, glyphs.len());
        // Filled and stroked text comes twice, from one operator.
        if matches!(mode, DrawMode::Stroke(_)) && self.last_run == Some(this) {
            return;
        }
        self.last_run = Some(this);
        let (low, high) =
            places.iter().fold((f64::MAX, 0f64), |(low, high), place| (low.min(place.ratio), high.max(place.ratio)));
        if places.len() > 1 {
            self.stretched = high > low * 1.01;
        }
        for (n, (glyph, place)) in glyphs.iter().zip(&places).enumerate() {
            if self.page.glyphs.len() >= MAX_GLYPHS {
                return;
            }
            let mut advance = if vertical {
                place.size
            } else {
                let width = f64::from(width(glyph)) / EM * place.size;
                if self.stretched { width } else { width * place.ratio }
            };
            if vertical && let Some(next) = places.get(n + 1) {
                let step = (next.at - place.at).dot(place.along);
                if step > place.size * 0.3 {
                    advance = advance.min(step);
                }
            }
            if !place.at.x.is_finite() || !place.at.y.is_finite() || !advance.is_finite() || !place.size.is_finite() {
                continue;
            }
            let text = self.unicode.text(glyph, &self.resources);
            if text == Text::Empty && self.span.is_none() {
                continue;
            }
            let mut at = place.at;
            if text.first().is_some_and(is_combining_mark)
                && let Some((start, width)) = extent(glyph)
                && !vertical
            {
                // The pen doesn't move for a mark: only its outline tells the letter that it belongs to.
                at += place.along * (start / EM * place.size * place.ratio);
                advance = width / EM * place.size * place.ratio;
            }
            let unseen = !text.is_blank() && !self.is_in_sight(place, advance, &props, mode);
            if matches!(&**glyph, Drawn::Type3(_)) && self.span.is_none() {
                self.type3.push(self.page.glyphs.len());
            }
            self.push(Glyph {
                text,
                x: at.x as f32,
                y: at.y as f32,
                dir: [place.along.x as f32, place.along.y as f32],
                mirrored: place.mirrored,
                advance: advance as f32,
                size: place.size as f32,
                face: 0,
                content: -1,
                unseen,
            });
        }
    }

    fn draw_path(&mut self, path: &BezPath, props: DrawProps<'a>, mode: &DrawMode) {
        if matches!(mode, DrawMode::Fill(_) | DrawMode::FillAndStroke(..)) {
            self.fill(path.control_box(), props.transform, &props.paint, mode);
        }
        if !matches!(mode, DrawMode::Fill(_) | DrawMode::Invisible) {
            for segment in path.segments() {
                if let PathSeg::Line(line) = segment {
                    self.rule(props.transform * line.p0, props.transform * line.p1);
                }
            }
        }
    }

    fn draw_rect(&mut self, rect: &Rect, props: DrawProps<'a>, mode: &DrawMode) {
        let bounds = props.transform.transform_rect_bbox(*rect);
        let [nw, ne] = [Point::new(bounds.x0, bounds.y0), Point::new(bounds.x1, bounds.y0)];
        let [sw, se] = [Point::new(bounds.x0, bounds.y1), Point::new(bounds.x1, bounds.y1)];
        if bounds.height() < THIN {
            self.rule(sw, se);
        } else if bounds.width() < THIN {
            self.rule(nw, sw);
        } else {
            for (from, to) in [(nw, ne), (sw, se), (nw, sw), (ne, se)] {
                self.rule(from, to);
            }
        }
        self.fill(*rect, props.transform, &props.paint, mode);
    }

    fn draw_image(&mut self, image: Image<'a, '_>, props: ImageDrawProps<'a>) {
        let bounds = Rect::new(0.0, 0.0, f64::from(image.width()), f64::from(image.height()));
        let rect = props.transform.transform_rect_bbox(bounds);
        if self.page.images.len() < MAX_SHAPES {
            self.page.images.push(rect);
        }
        // A picture of text: its replacement stands where the picture stands.
        if let Some(Span { text, carrier: None }) = &self.span
            && !text.is_blank()
        {
            let text = text.clone();
            self.push(Glyph {
                text,
                x: rect.x0 as f32,
                y: rect.y1 as f32,
                dir: [1.0, 0.0],
                mirrored: false,
                advance: rect.width() as f32,
                size: rect.height().clamp(1.0, 12.0) as f32,
                face: 0,
                content: -1,
                unseen: false,
            });
        }
    }

    fn push_clip_path(&mut self, clip: &ClipPath) {
        self.push_clip(clip.path.bounding_box());
    }

    fn push_clip_rect(&mut self, rect: &Rect) {
        self.push_clip(*rect);
    }

    fn pop_clip(&mut self) {
        self.clips.pop();
    }

    fn push_transparency_group(&mut self, _: f32, _: Option<SoftMask<'a>>, _: BlendMode) {}

    fn pop_transparency_group(&mut self) {}

    fn begin_marked_content(&mut self, _: &[u8], properties: Option<&Dict<'_>>) {
        let actual = properties.and_then(|properties| properties.get::<PdfString<'_>>(b"ActualText"));
        let opens = self.span.is_none() && actual.is_some();
        if let Some(actual) = actual.filter(|_| opens) {
            self.span = Some(Span { text: Text::new(&strings::decode(actual.as_bytes())), carrier: None });
        }
        self.marks.push(opens);
    }

    fn end_marked_content(&mut self) {
        if self.marks.pop() == Some(true) {
            self.span = None;
        }
    }
}

fn width(glyph: &PositionedGlyph<'_>) -> f32 {
    match &**glyph {
        Drawn::Outline(outline) => outline.advance_width(),
        Drawn::Type3(drawn) => drawn.advance_width(),
    }
    .unwrap_or(500.0)
}

/// Where the outline of a glyph begins and how wide it is, in glyph space.
fn extent(glyph: &PositionedGlyph<'_>) -> Option<(f64, f64)> {
    let Drawn::Outline(outline) = &**glyph else { return None };
    let bounds = outline.outline().control_box();
    (bounds.width() > 0.0 && bounds.width() < 2.0 * EM).then(|| (bounds.x0, bounds.width()))
}

fn place(glyph: &PositionedGlyph<'_>, transform: Affine, vertical: bool) -> Place {
    let full = transform * glyph.transform();
    let [a, b, c, d, ..] = full.as_coeffs();
    let horizontal = Vec2::new(a, b);
    let scale = horizontal.hypot();
    let determinant = a * d - b * c;
    let height = if scale > 0.0 { determinant.abs() / scale } else { Vec2::new(c, d).hypot() };
    let size = height * EM;
    let (at, along) = if vertical {
        // The pen stands above the middle of a glyph; a baseline is laid where a horizontal one would be, turned.
        let down = Vec2::new(-c, -d);
        let unit = down / down.hypot().max(f64::MIN_POSITIVE);
        let left = Vec2::new(-unit.y, unit.x);
        ((full * Point::new(EM / 2.0, EM * 0.88)) + left * (size * 0.38), unit)
    } else {
        (full * Point::ZERO, if scale > 0.0 { horizontal / scale } else { Vec2::new(1.0, 0.0) })
    };
    let ratio = if height > 0.0 { scale / height } else { 1.0 };
    Place { at, along, mirrored: determinant > 0.0, size, ratio }
}

fn is_white(paint: &Paint<'_>) -> bool {
    match paint {
        Paint::Color(color) => {
            let [red, green, blue, alpha] = color.to_rgba().to_rgba8();
            (red > 250 && green > 250 && blue > 250) || alpha < 5
        }
        Paint::Pattern(_) => false,
    }
}
