//! Undoes the predictors of PNG and TIFF.

use hayro_syntax::object::Dict;

/// The most bytes of a row: no image is wider.
const MAX_ROW: usize = 1 << 24;

/// What was done to data before it was compressed.
pub(super) struct Predictor {
    kind: usize,
    bits: usize,
    /// The bytes of a row.
    row: usize,
    /// The bytes from a sample to the next of its colour.
    pixel: usize,
}

// === impl Predictor ===

impl Predictor {
    /// As the parameters of a filter say.
    pub(super) fn of(parameters: &Dict<'_>) -> Self {
        let number = |key: &[u8], default: usize| {
            parameters.get::<i32>(key).and_then(|n| usize::try_from(n).ok()).unwrap_or(default)
        };
        let (colors, bits) = (number(b"Colors", 1), number(b"BitsPerComponent", 8));
        Self::new(number(b"Predictor", 1), colors, bits, number(b"Columns", 1))
    }

    pub(super) fn new(
        kind: impl Into<usize>,
        colors: impl Into<usize>,
        bits: impl Into<usize>,
        columns: impl Into<usize>,
    ) -> Self {
        let (colors, bits) = (colors.into().clamp(1, 32), bits.into().clamp(1, 16));
        let row = columns.into().max(1).saturating_mul(colors * bits).div_ceil(8);
        Self { kind: kind.into(), bits, row, pixel: (colors * bits).div_ceil(8) }
    }

    /// The data before, in place; a last row that is cut keeps what it has.
    pub(super) fn undo(&self, mut data: Vec<u8>) -> Vec<u8> {
        if self.row > MAX_ROW {
            return data;
        }
        match self.kind {
            2 if self.bits == 8 => {
                for row in data.chunks_mut(self.row) {
                    for n in self.pixel..row.len() {
                        row[n] = row[n].wrapping_add(row[n - self.pixel]);
                    }
                }
            }
            10.. => self.undo_png(&mut data),
            _ => {}
        }
        data
    }

    fn undo_png(&self, data: &mut Vec<u8>) {
        let (row, pixel) = (self.row, self.pixel);
        let (mut written, mut read) = (0, 0);
        while read < data.len() {
            let kind = data[read];
            let length = row.min(data.len() - read - 1);
            data.copy_within(read + 1..read + 1 + length, written);
            for n in 0..length {
                let at = written + n;
                let left = if n >= pixel { data[at - pixel] } else { 0 };
                let up = if written >= row { data[at - row] } else { 0 };
                let both = if n >= pixel && written >= row { data[at - row - pixel] } else { 0 };
                let predicted = match kind {
                    1 => left,
                    2 => up,
                    3 => u16::midpoint(left.into(), up.into()) as u8,
                    4 => paeth(left, up, both),
                    _ => 0,
                };
                data[at] = data[at].wrapping_add(predicted);
            }
            written += length;
            read += 1 + length;
        }
        data.truncate(written);
    }
}

/// Which of the three neighbours is nearest to `left + up - both`.
fn paeth(left: u8, up: u8, both: u8) -> u8 {
    let (a, b, c) = (i16::from(left), i16::from(up), i16::from(both));
    let (by_left, by_up, by_both) = ((b - c).abs(), (a - c).abs(), (a + b - 2 * c).abs());
    if by_left <= by_up && by_left <= by_both {
        left
    } else if by_up <= by_both {
        up
    } else {
        both
    }
}
