//! Drop caps: a letter several lines tall, beside the first lines of a paragraph, begins the first of them.

use super::{frames::Placed, rows::Row};

/// A drop cap is larger than its text by this factor.
const LARGER: f32 = 1.8;
/// How many rows a drop cap is tall, at most.
const MAX_ROWS: usize = 6;
/// How far it stands from its text, in ems of the text.
const MAX_GAP: f32 = 1.5;

/// Joins drop caps to the word that they begin. `rows` run down the page.
pub(super) fn join(mut rows: Vec<Row>) -> Vec<Row> {
    for n in 0..rows.len() {
        let Some(at) = rows[n].segments.iter().position(|segment| segment.weight == 1 && segment.digits == 0) else {
            continue;
        };
        let Some(cap) = rows[n].segments[at].placed.iter().find(|one| is_capital(one)) else { continue };
        let Some((row, place)) = first_row(&rows, n, cap) else { continue };
        let mut cap = rows[n].segments.remove(at);
        let (size, v) = (rows[row].size, rows[row].v);
        // Removed from the same row, what stood behind it moved up.
        let place = if row == n && place > at { place - 1 } else { place };
        let begins = rows[row].segments[place].u0;
        cap.placed.retain(|one| !one.blank);
        for one in &mut cap.placed {
            (one.size, one.u1) = (size, begins);
        }
        rows[row].segments[place].put_before(cap, v);
        if let Some(main) = rows[n].segments.iter().flat_map(|segment| &segment.placed).find(|one| !one.blank) {
            rows[n].size = rows[n].size.min(main.size);
        }
    }
    rows.retain(|row| !row.segments.is_empty());
    rows
}

fn is_capital(one: &Placed) -> bool {
    one.text.first().is_some_and(|c| c.is_alphabetic() && !c.is_lowercase())
}

/// The row, and the segment of it, that a capital in row `n` begins: the highest one beside it.
fn first_row(rows: &[Row], n: usize, cap: &Placed) -> Option<(usize, usize)> {
    let top = cap.v - cap.size * 0.8;
    let mut first = None;
    let mut beside = 0;
    for row in (n.saturating_sub(MAX_ROWS)..=n).rev() {
        if rows[row].v < top {
            break;
        }
        let found = rows[row].segments.iter().position(|segment| {
            let size = segment.placed.iter().find(|one| !one.blank).map_or(f32::MAX, |one| one.size);
            let gap = segment.u0 - cap.u1;
            segment.weight > 1 && cap.size >= LARGER * size && gap > -0.3 * size && gap < MAX_GAP * size
        });
        if let Some(place) = found {
            beside += 1;
            first = Some((row, place));
        }
    }
    // One line beside a large letter is no paragraph.
    first.filter(|_| beside >= 2)
}
