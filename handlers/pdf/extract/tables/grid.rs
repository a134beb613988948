//! Columns that hold for all rows of a table.

use super::{super::rows::Row, MIN_ROWS, pieces::Piece, ruled::Rules};

/// A run of rows with the same columns.
#[derive(Debug)]
pub(super) struct Grid {
    /// The first row of values.
    pub(super) first: usize,
    /// The last row of values.
    pub(super) last: usize,
    /// Where the columns begin and end, from left to right.
    pub(super) columns: Vec<[f32; 2]>,
    data: Vec<usize>,
}

/// Columns closer than this touch, in points.
const NEAR: f32 = 0.5;
/// Cells of a column of values have no more characters than this, on the average.
const MAX_MEAN: usize = 34;

/// A level line that covers this share of the width goes with the whole table.
const WHOLE: f32 = 0.9;

/// Whether `pieces` are a row of values.
pub(super) fn is_data(pieces: &[Piece]) -> bool {
    let values = pieces.iter().filter(|piece| piece.is_value).count();
    pieces.len() >= 3 && values >= 2 && values * 2 >= pieces.len()
}

// === impl Grid ===

impl Grid {
    pub(super) fn new(row: usize, pieces: &[Piece]) -> Self {
        let columns = pieces.iter().map(|piece| [piece.u0, piece.u1]).collect();
        Self { first: row, last: row, columns, data: vec![row] }
    }

    /// Adds a row of values, if that leaves the columns apart.
    pub(super) fn add(&mut self, row: usize, pieces: &[Piece]) -> bool {
        let mut columns = self.columns.clone();
        let mut used = None;
        for piece in pieces {
            let mut over = columns
                .iter()
                .enumerate()
                .filter(|(_, column)| piece.u0 < column[1] + NEAR && piece.u1 > column[0] - NEAR)
                .map(|(n, _)| n);
            let (hit, second) = (over.next(), over.next());
            if second.is_some() || (hit.is_some() && hit == used) {
                return false;
            }
            if let Some(n) = hit {
                columns[n] = [columns[n][0].min(piece.u0), columns[n][1].max(piece.u1)];
                used = Some(n);
            } else {
                let n = columns.partition_point(|column| column[0] < piece.u0);
                columns.insert(n, [piece.u0, piece.u1]);
                used = Some(n);
            }
        }
        if columns.windows(2).any(|pair| pair[1][0] - pair[0][1] < NEAR) {
            return false;
        }
        self.columns = columns;
        self.data.push(row);
        self.last = row;
        true
    }

    /// Joins a column that holds one cell to a neighbour that has none in that row: one of the two is centred.
    pub(super) fn join_strays(&mut self, pieces: &[Vec<Piece>]) {
        let data = &self.data;
        let filled = |column: [f32; 2]| -> Vec<usize> {
            data.iter().copied().filter(|&row| pieces[row].iter().any(|piece| piece.overlaps(column))).collect()
        };
        let mut joined: Vec<[f32; 2]> = Vec::with_capacity(self.columns.len());
        for &column in &self.columns {
            if let Some(last) = joined.last_mut() {
                let (before, this) = (filled(*last), filled(column));
                let is_stray = data.len() > MIN_ROWS && before.len().min(this.len()) == 1;
                if is_stray && before.iter().all(|row| !this.contains(row)) {
                    last[1] = column[1];
                    continue;
                }
            }
            joined.push(column);
        }
        self.columns = joined;
    }

    /// Whether a row without values may stand in the table: a label, or cells that each keep to a column.
    pub(super) fn fits(&self, pieces: &[Piece]) -> bool {
        let is_label = |piece: &Piece| {
            self.columns
                .first()
                .zip(self.columns.get(1))
                .is_some_and(|(first, second)| piece.u0 < first[1].max(second[0]) || piece.overlaps(*second))
        };
        match pieces {
            [only] => is_label(only),
            several => {
                let mut last = None;
                several.iter().all(|piece| {
                    let this = self.column(piece);
                    let apart = this.is_some() && this != last;
                    last = this;
                    apart
                })
            }
        }
    }

    /// Whether the columns are a table beyond doubt.
    pub(super) fn is_certain(&self, pieces: &[Vec<Piece>]) -> bool {
        if self.data.len() < MIN_ROWS || self.columns.len() < 3 {
            return false;
        }
        // An entry of a table of contents has a number, a title and a page: one value besides what it begins with.
        let values = |row: &usize| pieces[*row].iter().skip(1).filter(|piece| piece.is_number).count();
        if self.data.iter().filter(|row| values(row) >= 2).count() * 3 < self.data.len() * 2 {
            return false;
        }
        let (mut value_columns, mut filled) = (0, 0);
        for (n, column) in self.columns.iter().enumerate() {
            let (mut cells, mut values, mut weight) = (0, 0, 0);
            for piece in self.data.iter().flat_map(|&row| &pieces[row]).filter(|piece| piece.overlaps(*column)) {
                cells += 1;
                values += usize::from(piece.is_number);
                weight += piece.weight;
            }
            filled += cells;
            if n > 0 && values * 3 >= cells * 2 && cells >= 2 {
                value_columns += 1;
            }
            if n > 1 && weight > MAX_MEAN * cells {
                return false;
            }
        }
        value_columns >= 2
            && value_columns * 2 >= self.columns.len() - 1
            && filled * 2 >= self.data.len() * self.columns.len()
    }

    /// Whether most rows begin with words.
    pub(super) fn has_labels(&self, pieces: &[Vec<Piece>]) -> bool {
        let is_label = |row: &&usize| pieces[**row].first().is_some_and(|first| !first.is_value);
        self.data.iter().filter(is_label).count() * 2 >= self.data.len()
    }

    /// Whether upright lines stand between the columns, or a level line ends the table or parts its rows.
    pub(super) fn is_ruled(&self, rows: &[Row], rules: &Rules) -> bool {
        let (Some(left), Some(right)) = (self.columns.first(), self.columns.last()) else { return false };
        let (above, below) = (&rows[self.first], &rows[self.last]);
        let size = above.size;
        rules.divides(left[0], right[1], above.v - 2.0 * size, below.v + size, WHOLE)
            || self.data.iter().any(|&row| rules.parts(left[1], right[0], rows[row].v - 0.3 * size))
    }

    /// The only column that `piece` stands in.
    fn column(&self, piece: &Piece) -> Option<usize> {
        let mut over = (0..self.columns.len()).filter(|&n| piece.overlaps(self.columns[n]));
        over.next().filter(|_| over.next().is_none())
    }

    /// The cells of a row of the body; none when two pieces would share one.
    pub(super) fn cells(&self, row: &Row, pieces: &[Piece]) -> Option<Vec<String>> {
        let mut cells = vec![String::new(); self.columns.len()];
        for piece in pieces {
            let column = match pieces {
                [only] => self.columns.iter().position(|column| only.overlaps(*column)).unwrap_or(0),
                _ => self.column(piece)?,
            };
            if !cells[column].is_empty() {
                return None;
            }
            cells[column] = piece.text(row);
        }
        Some(cells)
    }
}
