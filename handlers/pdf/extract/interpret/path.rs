//! Paths: only boxes and straight lines are of interest.

use super::{
    sheet::{Sheet, THIN},
    state::State,
};
use hayro_font::kurbo::{Affine, Point, Rect};

/// The most points of one path that are remembered.
const MAX_POINTS: usize = 20_000;
/// How far the sides of a box may be off, in user space.
const EXACT: f64 = 1e-3;

/// The path that is being built, in user space.
#[derive(Debug, Default)]
pub(super) struct Path {
    points: Vec<Point>,
    parts: Vec<Part>,
    /// Whether the path will clip when it ends.
    pub(super) clips: bool,
}

/// A piece of a path that is drawn in one go.
#[derive(Clone, Copy, Debug)]
struct Part {
    /// Its first point.
    first: usize,
    closed: bool,
    /// Whether some of it is curved; the points of control are among its points then.
    curved: bool,
}

// === impl Path ===

impl Path {
    /// `m`.
    pub(super) fn move_to(&mut self, to: Point) {
        if self.points.len() < MAX_POINTS {
            self.parts.push(Part { first: self.points.len(), closed: false, curved: false });
            self.points.push(to);
        }
    }

    /// `l`.
    pub(super) fn line_to(&mut self, to: Point) {
        match self.parts.last() {
            Some(part) if part.closed => {
                // The pen is back where the closed piece began.
                let start = self.points[part.first];
                self.move_to(start);
            }
            Some(_) => {}
            None => return,
        }
        self.add(to);
    }

    /// `c`, `v` and `y`.
    pub(super) fn curve_to(&mut self, points: &[Point]) {
        let Some(part) = self.parts.last_mut() else { return };
        part.curved = true;
        for &point in points {
            self.add(point);
        }
    }

    /// `re`.
    pub(super) fn rect(&mut self, x: f64, y: f64, width: f64, height: f64) {
        if self.points.len() + 4 > MAX_POINTS {
            return;
        }
        self.move_to(Point::new(x, y));
        for (x, y) in [(x + width, y), (x + width, y + height), (x, y + height)] {
            self.add(Point::new(x, y));
        }
        self.close();
    }

    /// `h`.
    pub(super) fn close(&mut self) {
        if let Some(part) = self.parts.last_mut() {
            part.closed = true;
        }
    }

    /// Forgets the path.
    pub(super) fn clear(&mut self) {
        self.points.clear();
        self.parts.clear();
        self.clips = false;
    }

    /// Paints the path.
    pub(super) fn paint(&self, state: &State, fills: bool, strokes: bool, sheet: &mut Sheet) {
        if fills && state.fill.is_opaque() && !state.blends {
            self.cover(state, sheet);
        }
        let strokes = strokes && !state.stroke.is_white();
        let fills = fills && !state.fill.is_white();
        if !fills && !strokes {
            return;
        }
        for (n, part) in self.parts.iter().enumerate() {
            let end = self.parts.get(n + 1).map_or(self.points.len(), |next| next.first);
            let points = &self.points[part.first..end];
            let bounds = bounds(points, state.transform);
            let is_box = !part.curved && is_box(points);
            if fills && points.len() > 1 {
                sheet.fill(bounds);
            }
            let is_thin = bounds.width() < THIN || bounds.height() < THIN;
            if is_box || (fills && is_thin && !part.curved) {
                sheet.edges(bounds);
            } else if strokes && !part.curved {
                let back = part.closed.then(|| [points[points.len() - 1], points[0]]);
                for [from, to] in points.windows(2).map(|pair| [pair[0], pair[1]]).chain(back) {
                    sheet.rule(state.transform * from, state.transform * to);
                }
            }
        }
    }

    /// Tells the page which boxes hide what was drawn before.
    fn cover(&self, state: &State, sheet: &mut Sheet) {
        for (n, part) in self.parts.iter().enumerate() {
            let end = self.parts.get(n + 1).map_or(self.points.len(), |next| next.first);
            let points = &self.points[part.first..end];
            if !part.curved && is_box(points) {
                let bounds = bounds(points, state.transform);
                sheet.cover(state.clip.map_or(bounds, |clip| bounds.intersect(clip)));
            }
        }
    }

    /// Ends the path: it clips if it is to, and is forgotten.
    pub(super) fn end(&mut self, state: &mut State) {
        if self.clips && !self.points.is_empty() {
            state.clip_to(bounds(&self.points, state.transform));
        }
        self.clear();
    }

    fn add(&mut self, point: Point) {
        if self.points.len() < MAX_POINTS {
            self.points.push(point);
        }
    }
}

/// The box around points, on the page.
fn bounds(points: &[Point], transform: Affine) -> Rect {
    let mut around = Rect::new(f64::MAX, f64::MAX, f64::MIN, f64::MIN);
    for &point in points {
        let Point { x, y } = transform * point;
        around = Rect::new(around.x0.min(x), around.y0.min(y), around.x1.max(x), around.y1.max(y));
    }
    around
}

/// Whether points are the corners of an upright box.
fn is_box(points: &[Point]) -> bool {
    let points = match points {
        [first, rest @ .., last] if rest.len() == 3 && (*first - *last).hypot() < EXACT => &points[..4],
        _ => points,
    };
    let same = |a: f64, b: f64| (a - b).abs() < EXACT;
    let &[a, b, c, d] = points else { return false };
    (same(a.x, b.x) && same(b.y, c.y) && same(c.x, d.x) && same(d.y, a.y))
        || (same(a.y, b.y) && same(b.x, c.x) && same(c.y, d.y) && same(d.x, a.x))
}
