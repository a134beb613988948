//! Columns and the order of reading: a region is cut at a gutter into what stands above it, its left side, its right
//! side and what stands below, and so on for each part. Tables have gutters too; they are told from columns by their
//! text and stay whole, row by row.

use super::rows::{Row, Segment};
use std::collections::HashMap;

/// How often regions are cut, over a whole page.
const MAX_CUTS: usize = 256;
/// How many segments are looked at for gutters, over a whole page.
const MAX_LOOKS: usize = 400_000;
/// How many places for a gutter are tried in a region.
const MAX_PLACES: usize = 40;
/// How many rows each side of a gutter has at least.
const MIN_ROWS: usize = 3;

/// Lists beside each other have at least so many rows: shorter ones may be the rows of a table.
const LIST: usize = 20;

/// A gutter: between rows `first` and `last` (inclusive) nothing crosses `at`.
#[derive(Clone, Copy)]
struct Gutter {
    at: f32,
    first: usize,
    last: usize,
    score: f32,
}

/// What stands on one side of a gutter.
#[derive(Default)]
struct Side {
    rows: usize,
    segments: usize,
    weight: usize,
    digits: usize,
    low: f32,
    high: f32,
    edges: Vec<(f32, f32)>,
}

/// Cuts the rows of a frame into regions, in reading order. `rtl` reads the right column first.
pub(super) fn regions(rows: Vec<Row>, rtl: bool) -> Vec<Vec<Row>> {
    let mut done = Vec::new();
    let mut waiting = vec![rows];
    let (mut cuts, mut looks) = (0, 0);
    while let Some(mut rows) = waiting.pop() {
        looks += rows.iter().map(|row| row.segments.len()).sum::<usize>();
        let gutter = if cuts < MAX_CUTS && looks < MAX_LOOKS { best_gutter(&rows) } else { None };
        let Some(gutter) = gutter else {
            if !rows.is_empty() {
                done.push(rows);
            }
            continue;
        };
        cuts += 1;
        let below = rows.split_off(gutter.last + 1);
        let beside = rows.split_off(gutter.first);
        let (left, right) = divide(beside, gutter.at);
        // The last one pushed is the next one read.
        waiting.push(below);
        let (first, second) = if rtl { (right, left) } else { (left, right) };
        waiting.push(second);
        waiting.push(first);
        waiting.push(rows);
    }
    done
}

fn divide(rows: Vec<Row>, at: f32) -> (Vec<Row>, Vec<Row>) {
    let (mut left, mut right) = (Vec::new(), Vec::new());
    for row in rows {
        let (west, east): (Vec<Segment>, Vec<Segment>) = row.segments.into_iter().partition(|s| is_left(s, at));
        for (segments, side) in [(west, &mut left), (east, &mut right)] {
            if !segments.is_empty() {
                side.push(Row { v: row.v, size: row.size, segments, text: row.text.clone() });
            }
        }
    }
    (left, right)
}

fn is_left(segment: &Segment, at: f32) -> bool {
    f32::midpoint(segment.u0, segment.u1) < at
}

fn crosses(row: &Row, at: f32) -> bool {
    row.segments.iter().any(|segment| segment.u0 < at - 0.5 && segment.u1 > at + 0.5)
}

fn best_gutter(rows: &[Row]) -> Option<Gutter> {
    if rows.len() < MIN_ROWS {
        return None;
    }
    let pitch = pitch(rows);
    let mut best: Option<Gutter> = None;
    for at in places(rows) {
        let mut first = 0;
        for n in 0..=rows.len() {
            if n < rows.len() && !crosses(&rows[n], at) {
                continue;
            }
            if n >= first + MIN_ROWS {
                let (low, high) = trim(rows, first, n - 1, pitch);
                if let Some(score) = score(&rows[low..=high], at)
                    && best.is_none_or(|best| score > best.score)
                {
                    best = Some(Gutter { at, first: low, last: high, score });
                }
            }
            first = n + 1;
        }
    }
    best
}

/// Places where several segments begin or end: a gutter is beside one of them.
fn places(rows: &[Row]) -> Vec<f32> {
    let mut edges: HashMap<i32, usize> = HashMap::new();
    for row in rows {
        for segment in &row.segments {
            for edge in [segment.u0 - 0.25 * row.size, segment.u1 + 0.25 * row.size] {
                *edges.entry((edge * 0.5).round() as i32).or_default() += 1;
            }
        }
    }
    let mut edges: Vec<(i32, usize)> = edges.into_iter().filter(|&(_, times)| times >= MIN_ROWS).collect();
    edges.sort_by_key(|&(edge, times)| (std::cmp::Reverse(times), edge));
    edges.truncate(MAX_PLACES);
    edges.into_iter().map(|(edge, _)| edge as f32 * 2.0).collect()
}

/// The usual distance of two rows.
pub(super) fn pitch(rows: &[Row]) -> f32 {
    let mut steps: Vec<f32> = rows.windows(2).map(|pair| pair[1].v - pair[0].v).filter(|step| *step > 0.1).collect();
    if steps.is_empty() {
        return rows.first().map_or(12.0, |row| row.size * 1.2);
    }
    let middle = steps.len() / 2;
    *steps.select_nth_unstable_by(middle, f32::total_cmp).1
}

/// Leaves headers and footers out of a run of rows: a few rows that stand apart.
fn trim(rows: &[Row], mut first: usize, mut last: usize, pitch: f32) -> (usize, usize) {
    let few = ((last - first) / 4).min(2);
    let apart = |n: usize| rows[n + 1].v - rows[n].v > (pitch * 1.9).max(rows[n].size * 2.2);
    if let Some(n) = (first..first + few).rev().find(|&n| apart(n)) {
        first = n + 1;
    }
    if let Some(n) = (last.saturating_sub(few).max(first)..last).find(|&n| apart(n)) {
        last = n;
    }
    (first, last)
}

/// How well `at` divides two columns; none when it does not.
fn score(rows: &[Row], at: f32) -> Option<f32> {
    let (mut left, mut right) = (Side::new(), Side::new());
    let mut shared = 0usize;
    for row in rows {
        let west = left.add(row.segments.iter().filter(|segment| is_left(segment, at)));
        let east = right.add(row.segments.iter().filter(|segment| !is_left(segment, at)));
        shared += usize::from(west && east);
    }
    let least = left.rows.min(right.rows);
    let gutter = right.low - left.high;
    let mut sizes: Vec<f32> = rows.iter().map(|row| row.size).collect();
    let middle = sizes.len() / 2;
    let size = *sizes.select_nth_unstable_by(middle, f32::total_cmp).1;
    if least < MIN_ROWS || gutter < size * 0.6 {
        return None;
    }
    // Columns whose lines stand on the same heights may be a table.
    let is_grid = shared * 3 > least;
    let both = |fits: fn(&Side) -> bool| fits(&left) && fits(&right);
    let ok = if is_grid {
        both(|side| side.is_prose(14.0) && side.fill() >= 0.4)
            // Running text beside a box of short entries.
            || ((left.is_solid() || right.is_solid()) && both(Side::is_wordy))
            // Lists with cells of their own: the rows of one table would have both sides.
            || (least >= LIST && both(Side::is_list) && left.stands_alone(shared, least) && right.stands_alone(shared, least))
    } else {
        both(|side| side.is_wordy() && side.fill() >= 0.35)
    };
    ok.then(|| left.weight.min(right.weight) as f32 + (gutter / size).min(5.0))
}

// === impl Side ===

impl Side {
    fn new() -> Self {
        Self { low: f32::MAX, high: f32::MIN, ..Self::default() }
    }

    fn add<'s>(&mut self, segments: impl Iterator<Item = &'s Segment>) -> bool {
        let (mut low, mut high) = (f32::MAX, f32::MIN);
        for segment in segments {
            low = low.min(segment.u0);
            high = high.max(segment.u1);
            self.segments += 1;
            self.weight += segment.weight;
            self.digits += segment.digits;
        }
        if low > high {
            return false;
        }
        self.rows += 1;
        self.low = self.low.min(low);
        self.high = self.high.max(high);
        self.edges.push((low, high));
        true
    }

    /// Whether the segments hold running text: cells are short, and several stand in a row.
    fn is_prose(&self, least: f32) -> bool {
        let least = if self.segments * 2 > self.rows * 3 { least * 1.2 } else { least };
        self.weight as f32 >= least * self.segments as f32 && self.is_wordy()
    }

    /// Whether it is text that no table has: long lines that fill their column.
    fn is_solid(&self) -> bool {
        self.is_prose(28.0) && self.fill() >= 0.6
    }

    /// Whether its rows are long enough for lines of text, and most of them have several cells.
    fn is_list(&self) -> bool {
        let is_long = self.weight as f32 >= 18.0 * self.rows as f32;
        is_long && self.segments * 2 >= self.rows * 3 && self.is_wordy() && self.fill() >= 0.3
    }

    /// Whether a good part of its rows has nothing on the other side; `shared` rows have.
    fn stands_alone(&self, shared: usize, least: usize) -> bool {
        (self.rows - shared) * 8 >= least
    }

    /// Whether the rows hold more than numbers and marks.
    fn is_wordy(&self) -> bool {
        self.weight as f32 >= 8.0 * self.rows as f32 && self.digits as f32 <= 0.4 * self.weight as f32
    }

    /// The share of rows that reach the far quarter of the column.
    fn fill(&self) -> f32 {
        let far = self.low + 0.72 * (self.high - self.low);
        self.edges.iter().filter(|(_, high)| *high >= far).count() as f32 / self.rows.max(1) as f32
    }
}
