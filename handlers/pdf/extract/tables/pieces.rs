//! Pieces of a row, each of them a cell or a part of one: cut at wide gaps, upright lines and leader dots.

use super::{
    super::{
        frames::Placed,
        rows::{Row, Segment},
        spacing,
    },
    ruled::Rules,
};

/// A stretch of a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Piece {
    /// Where it begins.
    pub(super) u0: f32,
    /// Where it ends.
    pub(super) u1: f32,
    /// Whether it is a number, or what stands in the place of one.
    pub(super) is_value: bool,
    /// Whether it has a digit, or is a dash in the place of a number.
    pub(super) is_number: bool,
    /// How many characters it has.
    pub(super) weight: usize,
    segment: usize,
    glyphs: [usize; 2],
}

/// So many dots in a row are a leader.
const MIN_LEADER: usize = 4;
/// Longer text is no value.
const MAX_VALUE: usize = 22;

/// Cuts `row`. Leader dots belong to no piece.
pub(super) fn pieces(row: &Row, rules: &Rules) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let uprights = rules.uprights(row.v - 0.3 * row.size);
    for (n, segment) in row.segments.iter().enumerate() {
        let placed = &segment.placed;
        let mut from = 0;
        let mut at = 0;
        let mut last: Option<f32> = None;
        while at < placed.len() {
            let one = &placed[at];
            if one.blank {
                at += 1;
                continue;
            }
            let leader = leader(&placed[at..]);
            let ruled = last.is_some_and(|end| uprights.iter().any(|x| *x > end - 0.5 && *x < one.u0 + 0.5));
            if leader > 0 || ruled {
                pieces.extend(piece(n, placed, from, at));
                from = at + leader;
            }
            last = Some(one.u1);
            at += leader.max(1);
        }
        pieces.extend(piece(n, placed, from, placed.len()));
    }
    pieces
}

/// How many glyphs at the beginning of `placed` are leader dots.
fn leader(placed: &[Placed]) -> usize {
    let (mut dots, mut end) = (0, 0);
    for (n, one) in placed.iter().enumerate() {
        if one.blank {
            continue;
        }
        if !one.text.chars().all(|c| matches!(c, '.' | '…' | '·')) {
            break;
        }
        dots += 1;
        end = n + 1;
    }
    if dots < MIN_LEADER {
        return 0;
    }
    // ".5" after a leader keeps its point when it stands close to the number and apart from the dots.
    let next = placed.get(end);
    let before = end.checked_sub(2).and_then(|n| placed.get(n));
    match (before, placed.get(end - 1), next) {
        (Some(before), Some(point), Some(next))
            if next.text.first().is_some_and(|c| c.is_ascii_digit())
                && next.u0 - point.u1 < 0.1 * next.size
                && point.u0 - before.u1 > 0.3 * next.size =>
        {
            end - 1
        }
        _ => end,
    }
}

fn piece(segment: usize, placed: &[Placed], from: usize, to: usize) -> Option<Piece> {
    let visible = || placed[from..to].iter().filter(|one| !one.blank);
    let u0 = visible().map(|one| one.u0).reduce(f32::min)?;
    let u1 = visible().map(|one| one.u1).fold(u0, f32::max);
    let (mut weight, mut letters, mut digits, mut dashes) = (0, 0, 0, 0);
    for c in visible().flat_map(|one| one.text.chars()) {
        weight += 1;
        letters += usize::from(c.is_alphabetic());
        digits += usize::from(c.is_numeric());
        dashes += usize::from(matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}'));
    }
    let is_value = weight <= MAX_VALUE && ((digits > 0 && letters <= digits.min(3)) || (letters <= 1 && weight <= 3));
    let is_number = is_value && (digits > 0 || dashes == weight);
    Some(Piece { u0, u1, is_value, is_number, weight, segment, glyphs: [from, to] })
}

// === impl Piece ===

impl Piece {
    /// What it reads.
    pub(super) fn text(&self, row: &Row) -> String {
        let placed = row.segments[self.segment].placed[self.glyphs[0]..self.glyphs[1]].to_vec();
        let segment = Segment { u0: self.u0, u1: self.u1, weight: self.weight, digits: 0, placed };
        let line = spacing::line(&Row { v: row.v, size: row.size, segments: vec![segment], text: None }, false, true);
        line.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Whether it stands partly over `[from, to]`.
    pub(super) fn overlaps(&self, column: [f32; 2]) -> bool {
        self.u0 < column[1] && self.u1 > column[0]
    }
}
