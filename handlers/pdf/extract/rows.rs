//! Rows: what stands on one baseline, cut into segments at wide gaps. Sub- and superscripts belong to the row they
//! hang on.

use super::{accents, frames::Placed, script};
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
struct Chunk {
    u0: f32,
    u1: f32,
    v: f32,
    size: f32,
    visible: usize,
    placed: Vec<Placed>,
}

/// A gap of this many ems begins a new segment.
const WIDE: f32 = 0.9;
/// How far baselines of one row differ, in ems of the smaller text.
const LEVEL: f32 = 0.25;
/// How many rows above and below a chunk are looked at for what it hangs on.
const REACH: usize = 6;

/// Makes rows of the glyphs of a frame, from top to bottom.
pub(super) fn rows(placed: Vec<Placed>) -> Vec<Row> {
    let mut chunks = chunks(placed);
    chunks.sort_by(|a, b| a.v.total_cmp(&b.v).then(a.u0.total_cmp(&b.u0)));
    let mut lines: Vec<Vec<Chunk>> = Vec::new();
    for chunk in chunks {
        let fits = lines.last().is_some_and(|line| {
            let first = &line[0];
            (chunk.v - first.v).abs() <= LEVEL * chunk.size.min(first.size)
        });
        match lines.last_mut() {
            Some(line) if fits => line.push(chunk),
            _ => lines.push(vec![chunk]),
        }
    }
    attach(&mut lines);
    lines.into_iter().filter(|line| !line.is_empty()).filter_map(row).collect()
}

/// Makes rows of glyphs in the order in which they were drawn.
pub(super) fn drawn(placed: Vec<Placed>) -> Vec<Row> {
    let mut lines: Vec<Vec<Chunk>> = Vec::new();
    for chunk in chunks(placed) {
        let follows = lines
            .last()
            .and_then(|line| line.last())
            .is_some_and(|last| (chunk.v - last.v).abs() < 0.3 * last.size && chunk.u0 > last.u1 - 0.5 * last.size);
        match lines.last_mut() {
            Some(line) if follows => line.push(chunk),
            _ => lines.push(vec![chunk]),
        }
    }
    lines.into_iter().filter_map(row).collect()
}

fn chunks(placed: Vec<Placed>) -> Vec<Chunk> {
    let mut chunks: Vec<Chunk> = Vec::new();
    for one in placed {
        let follows = chunks.last().is_some_and(|last| {
            let gap = one.u0 - last.u1;
            let size = one.size.max(last.size);
            (one.v - last.v).abs() <= 0.06 * size
                && gap > -0.25 * size
                && gap < 0.22 * size
                && (0.8..1.25).contains(&(one.size / last.size.max(f32::MIN_POSITIVE)))
        });
        match chunks.last_mut() {
            Some(last) if follows => {
                last.u1 = last.u1.max(one.u1);
                last.visible += usize::from(!one.blank);
                last.placed.push(one);
            }
            _ => chunks.push(Chunk {
                u0: one.u0,
                u1: one.u1,
                v: one.v,
                size: one.size,
                visible: usize::from(!one.blank),
                placed: vec![one],
            }),
        }
    }
    // Text that is raised and lowered again without moving along belongs to the line around it, however high it is.
    for n in 1..chunks.len().saturating_sub(1) {
        let (before, this, after) = (&chunks[n - 1], &chunks[n], &chunks[n + 1]);
        let near = before.size.max(after.size) * 0.03;
        let small = this.size < before.size * 1.02 && this.size < after.size * 1.02;
        let level = small && (before.v - after.v).abs() < near && (before.v - this.v).abs() < before.size * 1.3;
        if level && (this.u0 - before.u1).abs() < near && (after.u0 - this.u1).abs() < near && this.visible < 12 {
            chunks[n].v = chunks[n - 1].v;
        }
    }
    chunks.retain(|chunk| chunk.visible > 0);
    chunks
}

/// Moves small chunks to the row of the larger text that they touch.
fn attach(lines: &mut [Vec<Chunk>]) {
    for at in 0..lines.len() {
        let mut n = 0;
        while n < lines[at].len() {
            match host(lines, at, &lines[at][n]) {
                Some(host) => {
                    let chunk = lines[at].remove(n);
                    lines[host].push(chunk);
                }
                None => n += 1,
            }
        }
    }
}

/// The row of the larger text beside `chunk`, when there is one.
fn host(lines: &[Vec<Chunk>], at: usize, chunk: &Chunk) -> Option<usize> {
    if chunk.visible > 12 {
        return None;
    }
    let marks = chunk.placed.iter().all(|one| one.blank || one.text.chars().all(is_combining_mark));
    let mut best: Option<(usize, f32)> = None;
    for other in at.saturating_sub(REACH)..(at + REACH + 1).min(lines.len()) {
        if other == at {
            continue;
        }
        for neighbour in &lines[other] {
            let rise = neighbour.v - chunk.v;
            let small = chunk.size < neighbour.size * 0.87;
            let raised = rise > -0.45 * neighbour.size && rise < 0.75 * neighbour.size;
            // Of the same size and raised a little: only when nothing else stands on that height.
            let lifted = lines[at].len() == 1 && rise > 0.0 && rise < 0.55 * neighbour.size && chunk.visible <= 3;
            let marked = marks && rise.abs() < 1.6 * neighbour.size && neighbour.visible > chunk.visible;
            if !(marked || raised && (small || lifted)) {
                continue;
            }
            let distance = (chunk.u0 - neighbour.u1).abs().min((neighbour.u0 - chunk.u1).abs());
            let inside = chunk.u0 >= neighbour.u0 && chunk.u1 <= neighbour.u1;
            let distance = if inside { 0.0 } else { distance };
            if distance < 0.35 * neighbour.size && best.is_none_or(|(_, least)| distance < least) {
                best = Some((other, distance));
            }
        }
    }
    best.map(|(other, _)| other)
}

fn row(mut chunks: Vec<Chunk>) -> Option<Row> {
    let main = chunks.iter().max_by_key(|chunk| chunk.visible)?;
    let (v, size) = (main.v, main.size);
    chunks.sort_by(|a, b| a.u0.total_cmp(&b.u0));
    let mut placed: Vec<Placed> = chunks.into_iter().flat_map(|chunk| chunk.placed).collect();
    accents::merge(&mut placed);
    let mut segments: Vec<Segment> = Vec::new();
    for one in placed {
        let weight: usize = one.text.chars().filter(|c| !c.is_whitespace()).map(script::weight).sum();
        let digits = one.text.chars().filter(char::is_ascii_digit).count();
        match segments.last_mut() {
            Some(last) if one.blank => last.placed.push(one),
            None if one.blank => {}
            Some(last) if one.u0 - last.u1 < WIDE * size.max(one.size) => {
                last.u1 = last.u1.max(one.u1);
                last.weight += weight;
                last.digits += digits;
                last.placed.push(one);
            }
            _ => segments.push(Segment { u0: one.u0, u1: one.u1, weight, digits, placed: vec![one] }),
        }
    }
    (!segments.is_empty()).then_some(Row { v, size, segments, text: None })
}
