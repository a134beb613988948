//! Tables whose grid is certain: rows of values in columns that no row crosses become one row that reads as a
//! GitHub-flavoured Markdown table. Everything else stays as it is.

mod grid;
mod header;
mod markdown;
mod pieces;
mod ruled;
#[cfg(test)]
mod tests;
mod typed;

use super::{
    glyph::Rule,
    rows::{Row, Segment},
};
use grid::Grid;
use pieces::Piece;
use ruled::Rules;

/// A table has at least so many rows of values.
const MIN_ROWS: usize = 3;
/// A page with more rows is not asked for tables.
const MAX_ROWS: usize = 3000;
/// The most rows without values that stand between two rows of values.
const MAX_BETWEEN: usize = 3;
/// Rows of one table are not farther apart, in ems.
const MAX_STEP: f32 = 4.5;

/// Replaces the rows of each certain table by one row that holds its text. `rules` are those of the frame.
pub(super) fn replace(rows: Vec<Row>, rules: &[Rule]) -> Vec<Row> {
    let candidates = rows.iter().filter(|row| row.segments.len() >= 3).count();
    if candidates < MIN_ROWS || rows.len() > MAX_ROWS {
        return rows;
    }
    let rules = Rules::new(rules);
    let pieces: Vec<Vec<Piece>> = rows.iter().map(|row| pieces::pieces(row, &rules)).collect();
    let mut free = 0;
    let mut found: Vec<(usize, usize, Row)> = Vec::new();
    while let Some(mut grid) = next_grid(&rows, &pieces, free) {
        let next = grid.last + 1;
        grid.join_strays(&pieces);
        if grid.is_certain(&pieces) {
            let first = header::first_row(&grid, &rows, &pieces, &rules, free);
            header::add_columns(&mut grid, &pieces, &rules, &rows, first);
            if is_told(&grid, &rows, &pieces, &rules, first)
                && let Some(row) = table_row(&grid, &rows, &pieces, &rules, first)
            {
                found.push((first, grid.last, row));
            }
        }
        free = next;
    }
    put(rows, found)
}

/// The next run of rows, from `from` on, whose values stand in the same columns.
fn next_grid(rows: &[Row], pieces: &[Vec<Piece>], from: usize) -> Option<Grid> {
    let is_data = |n: usize| grid::is_data(&pieces[n]);
    let first = (from..rows.len()).find(|&n| is_data(n))?;
    let mut grid = Grid::new(first, &pieces[first]);
    let mut n = first + 1;
    while n < rows.len() && n - grid.last <= MAX_BETWEEN + 1 {
        if rows[n].v - rows[n - 1].v > MAX_STEP * rows[n].size.max(rows[n - 1].size) {
            break;
        }
        if is_data(n) && (!(grid.last + 1..n).all(|between| grid.fits(&pieces[between])) || !grid.add(n, &pieces[n])) {
            break;
        }
        n += 1;
    }
    Some(grid)
}

/// Whether lines part the values of `grid`, or words say what they are: bare numbers are a matrix, and what stands on
/// the raster of a typewriter is a listing.
fn is_told(grid: &Grid, rows: &[Row], pieces: &[Vec<Piece>], rules: &Rules, first: usize) -> bool {
    grid.is_ruled(rows, rules)
        || ((first < grid.first || grid.has_labels(pieces)) && !typed::is_listing(rows[grid.first..=grid.last].iter()))
}

fn table_row(grid: &Grid, rows: &[Row], pieces: &[Vec<Piece>], rules: &Rules, first: usize) -> Option<Row> {
    let head = header::cells(grid, rows, pieces, rules, first)?;
    let mut body = Vec::with_capacity(grid.last + 1 - grid.first);
    for n in grid.first..=grid.last {
        body.push(grid.cells(&rows[n], &pieces[n])?);
    }
    let whole = || rows[first..=grid.last].iter().flat_map(|row| &row.segments);
    let segment = Segment {
        u0: whole().map(|one| one.u0).fold(f32::MAX, f32::min),
        u1: whole().map(|one| one.u1).fold(f32::MIN, f32::max),
        weight: whole().map(|one| one.weight).sum(),
        digits: whole().map(|one| one.digits).sum(),
        placed: Vec::new(),
    };
    let text = Some(markdown::table(&head, &body, grid.columns.len()));
    Some(Row { v: rows[first].v, size: rows[grid.first].size, segments: vec![segment], text })
}

/// Puts the tables `(first row, last row, table)` in the place of their rows.
fn put(rows: Vec<Row>, found: Vec<(usize, usize, Row)>) -> Vec<Row> {
    let mut found = found.into_iter().peekable();
    let mut done = Vec::with_capacity(rows.len());
    for (n, row) in rows.into_iter().enumerate() {
        match found.peek() {
            Some((first, last, _)) if *first <= n => {
                if n == *last {
                    done.extend(found.next().map(|(_, _, table)| table));
                }
            }
            _ => done.push(row),
        }
    }
    done
}
