//! The table of vectors, and the mean of several.

use std::collections::BTreeMap;

/// The length of a vector.
pub(super) const DIMENSIONS: usize = 256;

/// A vector.
pub(super) type Vector = [f32; DIMENSIONS];

/// The rows of the table, a byte a dimension, and the factor of each.
static TABLE: &[u8] = include_bytes!("../static-en/table.i8");
static SCALE: &[u8] = include_bytes!("../static-en/scale.f32");

/// The normalised sum of the tokens' rows, each with the root of how often it occurs; none when nothing is left.
pub(super) fn mean(tokens: &[u16]) -> Option<Vector> {
    // In the order of the tokens, so that the same text has the same vector to the last bit.
    let mut counts: BTreeMap<u16, u16> = BTreeMap::new();
    for token in tokens {
        let count = counts.entry(*token).or_default();
        *count = count.saturating_add(1);
    }
    let mut sum = [0.0; DIMENSIONS];
    for (token, count) in counts {
        let at = usize::from(token);
        let (Some(row), Some(scale)) = (TABLE.chunks_exact(DIMENSIONS).nth(at), SCALE.as_chunks::<4>().0.get(at))
        else {
            continue;
        };
        let factor = f32::from_le_bytes(*scale) * f32::from(count).sqrt();
        for (value, byte) in sum.iter_mut().zip(row) {
            *value += factor * f32::from(byte.cast_signed());
        }
    }
    let length = sum.iter().map(|value| value * value).sum::<f32>().sqrt();
    (length > 0.0).then(|| sum.map(|value| value / length))
}
