//! The header of a table: rows above the values, several lines to a cell, and titles over several columns.

use super::{super::rows::Row, grid::Grid, pieces::Piece, ruled::Rules};

/// The most lines of a header.
const MAX_LINES: usize = 10;
/// Lines of a header are not farther apart, in ems.
const MAX_STEP: f32 = 2.6;

/// The first row of the header of `grid`, or of its values; not above `free`.
pub(super) fn first_row(grid: &Grid, rows: &[Row], pieces: &[Vec<Piece>], rules: &Rules, free: usize) -> usize {
    let Some((left, right)) = ends(grid) else { return grid.first };
    let size = rows[grid.first].size;
    let mut first = grid.first;
    let mut best = grid.first;
    while first > free && grid.first - first < MAX_LINES {
        let above = &rows[first - 1];
        let apart = rows[first].v - above.v > MAX_STEP * size.max(above.size);
        // Below the line that begins the table.
        if first < grid.first && rules.divides(left, right, above.v + 1.0, rows[first].v - 0.5 * size, 0.85) {
            best = first;
        }
        if apart || above.size > size * 1.3 || above.text.is_some() {
            break;
        }
        let is_title = pieces[first - 1].len() == 1
            && pieces[first - 1]
                .iter()
                .all(|only| only.u0 < left + (right - left) * 0.3 || spans(grid, only) > grid.columns.len() / 2);
        let is_outside =
            pieces[first - 1].iter().any(|piece| piece.u0 < left - 6.0 * size || piece.u1 > right + 6.0 * size);
        if is_outside {
            break;
        }
        if is_title && best == first {
            break;
        }
        first -= 1;
        if pieces[first].len() >= 2 && best == first + 1 {
            best = first;
        }
    }
    best
}

/// Adds the columns that have a header and no values, when upright lines part them from the others.
pub(super) fn add_columns(grid: &mut Grid, pieces: &[Vec<Piece>], rules: &Rules, rows: &[Row], first: usize) {
    for n in first..grid.first {
        for piece in &pieces[n] {
            let at = grid.columns.partition_point(|column| column[0] < piece.u0);
            let (Some(before), Some(after)) =
                (at.checked_sub(1).and_then(|at| grid.columns.get(at)), grid.columns.get(at))
            else {
                continue;
            };
            let v = rows[n].v - 0.3 * rows[n].size;
            let is_free = piece.u0 > before[1] && piece.u1 < after[0];
            if is_free && rules.parts(before[1], piece.u0, v) && rules.parts(piece.u1, after[0], v) {
                grid.columns.insert(at, [piece.u0, piece.u1]);
            }
        }
    }
}

/// The rows of the header; a title over several columns stands in the first of them.
pub(super) fn cells(
    grid: &Grid,
    rows: &[Row],
    pieces: &[Vec<Piece>],
    rules: &Rules,
    first: usize,
) -> Option<Vec<Vec<String>>> {
    let mut head: Vec<Vec<String>> = Vec::new();
    let mut spanned = false;
    for n in first..grid.first {
        let spans = pieces[n].iter().any(|piece| spans(grid, piece) > 1);
        let ruled = n > first
            && ends(grid).is_some_and(|(left, right)| {
                rules.divides(left, right, rows[n - 1].v, rows[n].v - 0.5 * rows[n].size, 0.3)
            });
        if n == first || ruled || (spanned && !spans) {
            head.push(vec![String::new(); grid.columns.len()]);
        }
        spanned = spans;
        let row = head.last_mut()?;
        for piece in &pieces[n] {
            let cell = row.get_mut(leftmost(grid, piece))?;
            if !cell.is_empty() {
                cell.push(' ');
            }
            cell.push_str(&piece.text(&rows[n]));
        }
    }
    Some(head)
}

fn ends(grid: &Grid) -> Option<(f32, f32)> {
    grid.columns.first().zip(grid.columns.last()).map(|(first, last)| (first[0], last[1]))
}

/// How many columns `piece` stands over.
fn spans(grid: &Grid, piece: &Piece) -> usize {
    grid.columns.iter().filter(|column| piece.overlaps(**column)).count()
}

/// The first column under `piece`, or the nearest one.
fn leftmost(grid: &Grid, piece: &Piece) -> usize {
    let over = grid.columns.iter().position(|column| piece.overlaps(*column));
    over.unwrap_or_else(|| {
        let middle = f32::midpoint(piece.u0, piece.u1);
        let distance = |column: &[f32; 2]| (column[0] - middle).max(middle - column[1]).max(0.0);
        let nearest = grid.columns.iter().enumerate().min_by(|a, b| distance(a.1).total_cmp(&distance(b.1)));
        nearest.map_or(0, |(n, _)| n)
    })
}
