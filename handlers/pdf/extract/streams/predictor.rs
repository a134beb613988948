//! Undoes the predictors of PNG and TIFF.

use hayro_syntax::object::Dict;

/// The most bytes of a row: no image is wider.
const MAX_ROW: usize = 1 << 24;

/// The data before its predictor was applied, in place; a last row that is cut keeps what it has.
pub(super) fn undo(mut data: Vec<u8>, parameters: &Dict<'_>) -> Vec<u8> {
    let number = |key: &[u8], default: usize| {
        parameters.get::<i32>(key).and_then(|n| usize::try_from(n).ok()).filter(|&n| n > 0).unwrap_or(default)
    };
    let predictor = number(b"Predictor", 1);
    let (colors, bits) = (number(b"Colors", 1).min(32), number(b"BitsPerComponent", 8).min(16));
    let row = number(b"Columns", 1).saturating_mul(colors * bits).div_ceil(8);
    let pixel = (colors * bits).div_ceil(8);
    if row > MAX_ROW {
        return data;
    }
    match predictor {
        2 if bits == 8 => {
            for row in data.chunks_mut(row) {
                for n in pixel..row.len() {
                    row[n] = row[n].wrapping_add(row[n - pixel]);
                }
            }
        }
        10.. => png(&mut data, row, pixel),
        _ => {}
    }
    data
}

fn png(data: &mut Vec<u8>, row: usize, pixel: usize) {
    let mut written = 0;
    let mut read = 0;
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
