//! Rows: what stands on one baseline, cut into segments at wide gaps. Sub- and superscripts belong to the row they
//! hang on.

use super::{
    accents,
    frames::{Frame, Placed},
    script,
};
use unicode_normalization::char::is_combining_mark;

/// What stands on one baseline.
#[derive(Clone, Debug)]
pub(super) struct Row {
    /// The baseline.
    pub(super) v: f32,
    /// The size of most of its text.
    pub(super) size: f32,
    /// From left to right; none is empty.
    pub(super) segments: Vec<Segment>,
    /// What it reads, when that is known already: a whole table, which then is one row of one segment without glyphs.
    pub(super) text: Option<String>,
}

/// A stretch of a row without a wide gap.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    /// Where its first visible glyph begins.
    pub(super) u0: f32,
    /// Where its last visible glyph ends.
    pub(super) u1: f32,
    /// How much text it holds: visible characters, an ideograph counting as two.
    pub(super) weight: usize,
    /// How many of them are digits.
    pub(super) digits: usize,
    /// From left to right, with the blanks between them.
    pub(super) placed: Vec<Placed>,
}

/// Glyphs that follow each other closely, as they were drawn.
#[derive(Clone, Copy)]
struct Chunk {
    u0: f32,
    u1: f32,
    v: f32,
    size: f32,
    visible: u32,
    /// The glyphs of the frame that belong to it: from, to.
    glyphs: [u32; 2],
    /// The row that it belongs to.
    row: u32,
}

/// What is asked of a row while chunks look for the one that they hang on.
struct Extent {
    /// Its chunks: from, to.
    chunks: [usize; 2],
    /// How many chunks it has now.
    count: usize,
    /// The highest and the lowest baseline.
    v: [f32; 2],
    /// The largest text.
    size: f32,
}

/// A gap of this many ems begins a new segment.
const WIDE: f32 = 0.9;
/// How far baselines of one row differ, in ems of the smaller text.
const LEVEL: f32 = 0.25;
/// How many rows above and below a chunk are looked at for what it hangs on.
const REACH: usize = 6;
/// How many chunks before and after a place in a row are looked at.
const ASIDE: usize = 8;
/// The most characters of a chunk that hangs on larger text.
const MAX_HANGING: u32 = 12;
/// The most characters of a chunk that hangs on text of its size.
const MAX_LIFTED: u32 = 3;
/// How far an index of an index is followed.
const MAX_HOSTS: usize = 4;

/// Makes rows of the glyphs of a frame, from top to bottom.
pub(super) fn rows(frame: Frame) -> Vec<Row> {
    let mut chunks = chunks(&frame.placed);
    chunks.sort_by(|a, b| a.v.total_cmp(&b.v).then(a.u0.total_cmp(&b.u0)));
    number(&mut chunks, |main, _, chunk| (chunk.v - main.v).abs() <= LEVEL * chunk.size.min(main.size));
    by_row(&mut chunks);
    attach(&mut chunks, &frame.placed);
    by_row(&mut chunks);
    cut(frame, &mut chunks)
}

/// Makes rows of glyphs in the order in which they were drawn.
pub(super) fn drawn(frame: Frame) -> Vec<Row> {
    let mut chunks = chunks(&frame.placed);
    number(&mut chunks, |_, last, chunk| {
        (chunk.v - last.v).abs() < 0.3 * last.size && chunk.u0 > last.u1 - 0.5 * last.size
    });
    by_row(&mut chunks);
    cut(frame, &mut chunks)
}

fn chunks(placed: &[Placed]) -> Vec<Chunk> {
    let mut chunks: Vec<Chunk> = Vec::with_capacity(placed.len() / 4);
    for (n, one) in placed.iter().enumerate() {
        let visible = u32::from(!one.blank);
        if let Some(last) = chunks.last_mut() {
            let gap = one.u0 - last.u1;
            let size = one.size.max(last.size);
            if (one.v - last.v).abs() <= 0.06 * size
                && gap > -0.25 * size
                && gap < 0.22 * size
                && one.size >= 0.8 * last.size
                && one.size < 1.25 * last.size
            {
                last.u1 = last.u1.max(one.u1);
                last.visible += visible;
                last.glyphs[1] = n as u32 + 1;
                continue;
            }
        }
        let glyphs = [n as u32, n as u32 + 1];
        chunks.push(Chunk { u0: one.u0, u1: one.u1, v: one.v, size: one.size, visible, glyphs, row: 0 });
    }
    // Text that is raised and lowered again without moving along belongs to the line around it, however high it is.
    for n in 1..chunks.len().saturating_sub(1) {
        let (before, this, after) = (&chunks[n - 1], &chunks[n], &chunks[n + 1]);
        let near = before.size.max(after.size) * 0.03;
        let small = this.size < before.size * 1.02 && this.size < after.size * 1.02;
        let level = small && (before.v - after.v).abs() < near && (before.v - this.v).abs() < before.size * 1.3;
        if level
            && (this.u0 - before.u1).abs() < near
            && (after.u0 - this.u1).abs() < near
            && this.visible < MAX_HANGING
        {
            chunks[n].v = chunks[n - 1].v;
        }
    }
    chunks.retain(|chunk| chunk.visible > 0);
    chunks
}

/// Gives each chunk its row: that of the chunk before it if `fits(main chunk of the row, last of the row, chunk)`.
fn number(chunks: &mut [Chunk], fits: impl Fn(&Chunk, &Chunk, &Chunk) -> bool) {
    let (mut main, mut row) = (0, 0);
    for n in 1..chunks.len() {
        if !fits(&chunks[main], &chunks[n - 1], &chunks[n]) {
            main = n;
            row += 1;
        } else if chunks[n].size * chunks[n].visible as f32 > chunks[main].size * chunks[main].visible as f32 {
            main = n;
        }
        chunks[n].row = row;
    }
}

fn by_row(chunks: &mut [Chunk]) {
    chunks.sort_by(|a, b| a.row.cmp(&b.row).then(a.u0.total_cmp(&b.u0)));
}

/// Moves small chunks to the row of the larger text that they touch.
fn attach(chunks: &mut [Chunk], placed: &[Placed]) {
    let mut extents: Vec<Extent> = Vec::new();
    for (n, chunk) in chunks.iter().enumerate() {
        if extents.len() <= chunk.row as usize {
            extents.push(Extent { chunks: [n, n], count: 0, v: [chunk.v, chunk.v], size: 0.0 });
        }
        if let Some(last) = extents.last_mut() {
            last.chunks[1] = n + 1;
            last.count += 1;
            last.v = [last.v[0].min(chunk.v), last.v[1].max(chunk.v)];
            last.size = last.size.max(chunk.size);
        }
    }
    let mut hosts: Vec<usize> = (0..chunks.len()).collect();
    // What is small or a mark comes first: what is left of a row may stand alone then.
    for alone in [false, true] {
        for n in 0..chunks.len() {
            let chunk = &chunks[n];
            let count = &mut extents[chunk.row as usize].count;
            let asked = if alone { *count == 1 && chunk.visible <= MAX_LIFTED } else { chunk.visible <= MAX_HANGING };
            if asked
                && hosts[n] == n
                && let Some(host) = host(chunks, &extents, n, placed, alone)
            {
                hosts[n] = host;
                extents[chunks[n].row as usize].count -= 1;
            }
        }
    }
    let rows: Vec<u32> = (0..chunks.len())
        .map(|n| {
            let mut last = n;
            for _ in 0..MAX_HOSTS {
                last = hosts[last];
            }
            chunks[last].row
        })
        .collect();
    for (chunk, row) in chunks.iter_mut().zip(rows) {
        chunk.row = row;
    }
}

/// The larger text beside chunk `n` that it hangs on. When it stands `alone`, it may be of the same size.
fn host(chunks: &[Chunk], extents: &[Extent], n: usize, placed: &[Placed], alone: bool) -> Option<usize> {
    let chunk = &chunks[n];
    let at = chunk.row as usize;
    let glyphs = &placed[chunk.glyphs[0] as usize..chunk.glyphs[1] as usize];
    let is_mark = |c: char| c >= '\u{300}' && is_combining_mark(c);
    let are_marks = |glyphs: &[Placed]| glyphs.iter().all(|one| one.blank || one.text.chars().all(is_mark));
    let marks = are_marks(glyphs);
    let mut best: Option<(usize, f32)> = None;
    for extent in &extents[at.saturating_sub(REACH)..(at + REACH + 1).min(extents.len())] {
        let far = (extent.v[0] - chunk.v).max(chunk.v - extent.v[1]) > 1.6 * extent.size;
        if far || !(marks || alone || chunk.size < extent.size * 0.87) {
            continue;
        }
        let [from, to] = extent.chunks;
        let place = from + chunks[from..to].partition_point(|neighbour| neighbour.u0 < chunk.u0);
        let first = place.saturating_sub(ASIDE).max(from);
        for (m, neighbour) in (first..).zip(&chunks[first..(place + ASIDE).min(to)]) {
            let rise = neighbour.v - chunk.v;
            let small = chunk.size < neighbour.size * 0.87;
            let raised = rise > -0.45 * neighbour.size && rise < 0.75 * neighbour.size;
            let lifted = alone && rise > 0.0 && rise < 0.55 * neighbour.size;
            // A sign may be as short as the mark that is drawn over it, as in "≠".
            let is_own = || {
                let [from, to] = neighbour.glyphs.map(|n| n as usize);
                neighbour.row == chunk.row && !are_marks(&placed[from..to])
            };
            let marked = marks && rise.abs() < 1.6 * neighbour.size && (neighbour.visible > chunk.visible || is_own());
            if m == n || !(marked || raised && (small || lifted)) {
                continue;
            }
            let inside = chunk.u0 >= neighbour.u0 && chunk.u1 <= neighbour.u1;
            let distance = (chunk.u0 - neighbour.u1).abs().min((neighbour.u0 - chunk.u1).abs());
            let distance = if inside { 0.0 } else { distance };
            if distance >= 0.35 * neighbour.size {
                continue;
            }
            // A mark stands over letters of two lines as soon as lines are close: the nearer one is its own.
            let distance = if marks { distance + rise.abs() } else { distance };
            if best.is_none_or(|(_, least)| distance < least) {
                best = Some((m, distance));
            }
        }
    }
    best.map(|(host, _)| host)
}

/// Takes the glyphs of `frame` apart into rows and segments. `chunks` stand in order.
fn cut(mut frame: Frame, chunks: &mut [Chunk]) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut glyphs: Vec<Placed> = Vec::new();
    for line in chunks.chunk_by(|a, b| a.row == b.row) {
        let Some(main) = line.iter().rev().max_by_key(|chunk| chunk.visible) else { continue };
        for chunk in line {
            glyphs
                .extend(frame.placed[chunk.glyphs[0] as usize..chunk.glyphs[1] as usize].iter_mut().map(Placed::take));
        }
        if frame.accents && glyphs.iter().any(|one| one.text.first().is_some_and(accents::is_accent)) {
            // Accents are often drawn after the whole line: each goes beside its letter first.
            glyphs.sort_by(|a, b| a.u0.total_cmp(&b.u0));
            accents::merge(&mut glyphs);
        }
        let segments = segments(&mut glyphs, main.size);
        if !segments.is_empty() {
            rows.push(Row { v: main.v, size: main.size, segments, text: None });
        }
    }
    rows
}

/// Cuts the glyphs of a row, of text of `size`, at wide gaps; leaves none.
fn segments(glyphs: &mut Vec<Placed>, size: f32) -> Vec<Segment> {
    let mut segments: Vec<Segment> = Vec::new();
    let mut left = glyphs.len();
    for one in glyphs.drain(..) {
        left -= 1;
        match segments.last_mut() {
            Some(last) if one.blank => last.placed.push(one),
            None if one.blank => {}
            Some(last) if one.u0 - last.u1 < WIDE * size.max(one.size) => last.add(one),
            _ => {
                let placed = Vec::with_capacity(if segments.is_empty() { left + 1 } else { (left + 1).min(64) });
                let mut segment = Segment { u0: one.u0, u1: one.u1, weight: 0, digits: 0, placed };
                segment.add(one);
                segments.push(segment);
            }
        }
    }
    segments
}

// === impl Segment ===

impl Segment {
    fn add(&mut self, one: Placed) {
        for c in one.text.chars() {
            self.digits += usize::from(c.is_ascii_digit());
            self.weight += if c.is_whitespace() { 0 } else { script::weight(c) };
        }
        self.u1 = self.u1.max(one.u1);
        self.placed.push(one);
    }

    /// Puts what stands to the left of it into it, on the `baseline` of its row.
    pub(super) fn put_before(&mut self, mut left: Self, baseline: f32) {
        left.placed.iter_mut().for_each(|one| one.v = baseline);
        self.placed.splice(0..0, left.placed);
        self.u0 = self.u0.min(left.u0);
        self.weight += left.weight;
        self.digits += left.digits;
    }
}
