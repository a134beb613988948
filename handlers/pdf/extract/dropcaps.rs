//! Drop caps: a letter several lines tall, beside the first lines of a paragraph, begins the first of them.

use super::{
    frames::Placed,
    rows::{Row, Segment},
};

/// A drop cap is larger than its text by this factor.
const LARGER: f32 = 1.8;
/// How many rows a drop cap is tall, at most.
const MAX_ROWS: usize = 6;
/// How far it stands from its text, in ems of the text.
const MAX_GAP: f32 = 1.5;

/// Joins drop caps to the word that they begin. `rows` run down the page.
pub(super) fn join(mut rows: Vec<Row>) -> Vec<Row> {
    for n in 0..rows.len() {
        let Some(at) = rows[n].segments.iter().position(begins_large) else { continue };
        let Some((row, place)) = first_row(&rows, n, at) else { continue };
        let Some(cap) = take_first(&mut rows[n].segments[at]) else { continue };
        let is_empty = rows[n].segments[at].weight == 0;
        if is_empty {
            rows[n].segments.remove(at);
        }
        // Removed from the same row, what stood behind it moved up.
        let place = if is_empty && row == n && place > at { place - 1 } else { place };
        let (size, v) = (rows[row].size, rows[row].v);
        let host = &mut rows[row].segments[place];
        let cap = Placed { size, u1: host.u0, ..cap };
        let (u0, u1) = (cap.u0, cap.u1);
        host.put_before(Segment { u0, u1, weight: 1, digits: 0, placed: vec![cap] }, v);
        if let Some(main) = rows[n].segments.iter().flat_map(|segment| &segment.placed).find(|one| !one.blank) {
            rows[n].size = rows[n].size.min(main.size);
        }
    }
    rows.retain(|row| !row.segments.is_empty());
    rows
}

/// Whether a segment is a large capital, or begins with one before smaller text.
fn begins_large(segment: &Segment) -> bool {
    let mut visible = segment.placed.iter().filter(|one| !one.blank);
    let Some(first) = visible.next() else { return false };
    first.text.first().is_some_and(|c| c.is_alphabetic() && !c.is_lowercase())
        && visible.next().is_none_or(|next| first.size >= LARGER * next.size)
}

/// Takes the first visible glyph out of a segment.
fn take_first(segment: &mut Segment) -> Option<Placed> {
    let at = segment.placed.iter().position(|one| !one.blank)?;
    let first = segment.placed.remove(at);
    segment.weight = segment.weight.saturating_sub(1);
    if let Some(next) = segment.placed.iter().find(|one| !one.blank) {
        segment.u0 = next.u0;
    } else {
        segment.weight = 0;
    }
    Some(first)
}

/// The row, and the segment of it, that the capital of segment `at` of row `n` begins: the highest one beside it.
fn first_row(rows: &[Row], n: usize, at: usize) -> Option<(usize, usize)> {
    let cap = rows[n].segments[at].placed.iter().find(|one| !one.blank)?;
    let top = cap.v - cap.size * 0.8;
    let mut first = None;
    let mut beside = 0;
    for row in (n.saturating_sub(MAX_ROWS)..=n).rev() {
        if rows[row].v < top {
            break;
        }
        let found = (0..rows[row].segments.len()).find(|&place| {
            let own = usize::from((row, place) == (n, at));
            let mut visible = rows[row].segments[place].placed.iter().filter(|one| !one.blank).skip(own);
            visible.next().is_some_and(|one| {
                let gap = one.u0 - cap.u1;
                let is_text = visible.next().is_some() && cap.size >= LARGER * one.size;
                is_text && gap > -0.3 * one.size && gap < MAX_GAP * one.size
            })
        });
        if let Some(place) = found {
            beside += 1;
            first = Some((row, place));
        }
    }
    // One line beside a large letter is no paragraph.
    first.filter(|_| beside >= 2)
}
