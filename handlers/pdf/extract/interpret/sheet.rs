//! What was found on a page, and whether it can be seen.

use super::super::glyph::{Face, Glyph, PageGlyphs, Rule, Text};
use crate::pdf::wire::Signal;
use hayro_font::kurbo::{Point, Rect, Vec2};
use std::collections::HashMap;

/// The most glyphs of one page; what comes after is left out.
const MAX_GLYPHS: usize = 400_000;
/// The most images, lines, filled shapes and suspected glyphs of one page that are remembered.
const MAX_SHAPES: usize = 20_000;
/// The most boxes of one page under which text is looked for.
const MAX_COVERS: usize = 64;
/// A glyph smaller than this, in points, is not seen.
const SEEN: f64 = 0.3;
/// A box thinner than this, in points, is a line.
pub(super) const THIN: f64 = 3.0;
/// Pieces of a line that are not further apart than this, in points, are one line.
const DASH: f32 = 4.0;

/// A page that is being filled.
#[derive(Debug)]
pub(super) struct Sheet {
    page: PageGlyphs,
    /// The page as it is shown.
    bounds: Rect,
    fills: Vec<Rect>,
    /// Boxes that hide what was drawn before them, and how many glyphs that was.
    covers: Vec<(Rect, usize)>,
    /// Middles of glyphs that are not painted.
    invisible: Vec<Point>,
    /// Middles of white glyphs, and how many fills and images lay under each.
    white: Vec<(Point, usize, usize)>,
    /// Glyphs of Type 3 fonts.
    type3: Vec<usize>,
}

/// How a glyph is painted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ink {
    Seen,
    White,
    None,
}

// === impl Sheet ===

impl Sheet {
    /// Begins a page of `width` x `height` points.
    pub(super) fn new(width: f32, height: f32) -> Self {
        Self {
            page: PageGlyphs { faces: vec![Face::default()], ..PageGlyphs::default() },
            bounds: Rect::new(0.0, 0.0, f64::from(width), f64::from(height)),
            fills: Vec::new(),
            covers: Vec::new(),
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
        for (signal, is_hidden) in
            [(Signal::Invisible, unseen), (Signal::White, on_white), (Signal::Covered, self.is_covered())]
        {
            if is_hidden {
                self.page.hidden.add(signal);
            }
        }
        self.measure_type3();
        self.page
    }

    /// Whether a letter or a digit stands under a box that was drawn later.
    fn is_covered(&self) -> bool {
        let is_under = |glyph: &Glyph, cover: &Rect| {
            let along = f64::from(glyph.advance) / 2.0;
            let up = f64::from(glyph.size) * 0.25;
            let [dx, dy] = glyph.dir.map(f64::from);
            let middle =
                Point::new(f64::from(glyph.x) + dx * along + dy * up, f64::from(glyph.y) + dy * along - dx * up);
            cover.contains(middle) && !glyph.unseen && glyph.text.first().is_some_and(char::is_alphanumeric)
        };
        self.covers.iter().any(|(cover, count)| self.page.glyphs[..*count].iter().any(|glyph| is_under(glyph, cover)))
    }

    /// Whether there is room for more glyphs.
    pub(super) fn is_full(&self) -> bool {
        self.page.glyphs.len() >= MAX_GLYPHS
    }

    /// The number of a face on this page.
    pub(super) fn face(&mut self, face: Face) -> u16 {
        let at = self.page.faces.iter().position(|known| *known == face).unwrap_or_else(|| {
            self.page.faces.push(face);
            self.page.faces.len() - 1
        });
        u16::try_from(at).unwrap_or(0)
    }

    /// How many glyphs there are.
    pub(super) fn len(&self) -> usize {
        self.page.glyphs.len()
    }

    /// A glyph that was added.
    pub(super) fn glyph(&mut self, at: usize) -> &mut Glyph {
        &mut self.page.glyphs[at]
    }

    /// Adds a glyph.
    pub(super) fn push(&mut self, glyph: Glyph) {
        self.page.glyphs.push(glyph);
    }

    /// Remembers that the next glyph is of a Type 3 font.
    pub(super) fn note_type3(&mut self) {
        self.type3.push(self.page.glyphs.len());
    }

    /// Whether a glyph stands where it can be seen; notes what else would hide it.
    pub(super) fn is_in_sight(&mut self, middle: Point, extent: f64, clip: Option<&Rect>, ink: Ink) -> bool {
        let inside = |rect: &Rect| rect.inflate(1.0, 1.0).contains(middle);
        let signal = if !inside(&self.bounds) {
            Some(Signal::OffPage)
        } else if extent < SEEN {
            Some(Signal::Tiny)
        } else if clip.is_none_or(inside) {
            None
        } else {
            Some(Signal::Clipped)
        };
        if let Some(signal) = signal {
            self.page.hidden.add(signal);
            return false;
        }
        match ink {
            Ink::None if self.invisible.len() < MAX_SHAPES => self.invisible.push(middle),
            Ink::White if self.white.len() < MAX_SHAPES => {
                self.white.push((middle, self.fills.len(), self.page.images.len()));
            }
            _ => {}
        }
        true
    }

    /// Remembers an area that was filled, and not with white.
    pub(super) fn fill(&mut self, rect: Rect) {
        if self.fills.len() < MAX_SHAPES {
            self.fills.push(rect);
        }
    }

    /// Remembers a box that hides what was drawn before it.
    pub(super) fn cover(&mut self, rect: Rect) {
        let count = self.page.glyphs.len();
        if count > 0 && self.covers.len() < MAX_COVERS && rect.width() > THIN && rect.height() > THIN {
            self.covers.push((rect, count));
        }
    }

    /// Remembers where an image is.
    pub(super) fn image(&mut self, rect: Rect) {
        if self.page.images.len() < MAX_SHAPES {
            self.page.images.push(rect);
        }
    }

    /// Keeps a line when it is level or upright.
    pub(super) fn rule(&mut self, from: Point, to: Point) {
        let Vec2 { x, y } = to - from;
        let ends = |from: f64, to: f64, level: bool, at: f64| {
            let point = |along: f64| if level { [along as f32, at as f32] } else { [at as f32, along as f32] };
            Rule { from: point(from.min(to)), to: point(from.max(to)) }
        };
        let rule = if y.abs() < THIN && x.abs() > THIN {
            ends(from.x, to.x, true, from.y)
        } else if x.abs() < THIN && y.abs() > THIN {
            ends(from.y, to.y, false, from.x)
        } else {
            return;
        };
        if let Some(last) = self.page.rules.last_mut()
            && let Some(joined) = joined(last, &rule)
        {
            *last = joined;
        } else if self.page.rules.len() < MAX_SHAPES {
            self.page.rules.push(rule);
        }
    }

    /// Keeps a thin box as a line, and the edges of another one.
    pub(super) fn edges(&mut self, rect: Rect) {
        let [nw, ne] = [Point::new(rect.x0, rect.y0), Point::new(rect.x1, rect.y0)];
        let [sw, se] = [Point::new(rect.x0, rect.y1), Point::new(rect.x1, rect.y1)];
        if rect.height() < THIN {
            self.rule(sw, se);
        } else if rect.width() < THIN {
            self.rule(nw, sw);
        } else {
            for (from, to) in [(nw, ne), (sw, se), (nw, sw), (ne, se)] {
                self.rule(from, to);
            }
        }
    }

    /// Puts the replacement text of an image where the image stands.
    pub(super) fn caption(&mut self, text: Text, rect: Rect, content: i32) {
        if self.is_full() {
            return;
        }
        self.push(Glyph {
            text,
            x: rect.x0 as f32,
            y: rect.y1 as f32,
            dir: [1.0, 0.0],
            mirrored: false,
            advance: rect.width() as f32,
            size: rect.height().clamp(1.0, 12.0) as f32,
            face: 0,
            content,
            unseen: false,
        });
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
}

/// The two as one line, when the second goes on where the first ends.
fn joined(first: &Rule, second: &Rule) -> Option<Rule> {
    let level = |rule: &Rule| rule.from[1].total_cmp(&rule.to[1]).is_eq();
    let axis = usize::from(!level(first));
    if level(second) != level(first) || (first.from[1 - axis] - second.from[1 - axis]).abs() > 0.1 {
        return None;
    }
    let gap = (second.from[axis] - first.to[axis]).max(first.from[axis] - second.to[axis]);
    (-0.5..=DASH).contains(&gap).then(|| {
        let mut rule = *first;
        rule.from[axis] = first.from[axis].min(second.from[axis]);
        rule.to[axis] = first.to[axis].max(second.to[axis]);
        rule
    })
}
