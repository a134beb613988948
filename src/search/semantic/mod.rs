//! Meaning: the mean of the vectors of a text's pieces of words, compared by their angle.
//!
//! The table knows English only: other scripts fall apart into letters and come out near each other by chance, so that
//! they are searched by their words alone.

mod categories;
mod table;
mod wordpiece;

use super::keyword::Scored;
use sift_handlers::Document;
use table::{DIMENSIONS, Vector};

/// The share of its letters that a text must have from the Latin alphabet of English.
const MIN_LATIN: f32 = 0.5;

/// The vectors of all chunks, a byte a dimension.
pub(super) struct Vectors {
    rows: Vec<[i8; DIMENSIONS]>,
}

// === impl Vectors ===

impl Vectors {
    /// None when the document isn't in English.
    pub(super) fn new<'a>(document: &Document, texts: impl Iterator<Item = &'a str>) -> Option<Self> {
        let is_other = document
            .language
            .as_deref()
            .is_some_and(|language| !language.to_ascii_lowercase().starts_with("en") && language.len() >= 2);
        if is_other {
            return None;
        }
        #[expect(clippy::cast_possible_truncation, reason = "a vector of length 1 has no value above 1")]
        let byte = |value: f32| (value * 127.0).round() as i8;
        let rows: Vec<[i8; DIMENSIONS]> =
            texts.map(|text| embed(text).map_or([0; DIMENSIONS], |vector| vector.map(byte))).collect();
        rows.iter().any(|row| row.iter().any(|value| *value != 0)).then_some(Self { rows })
    }

    /// All chunks by how near they are; none when the query has no meaning here.
    pub(super) fn search(&self, query: &str) -> Option<Vec<Scored>> {
        let query = embed(query)?;
        let near = |row: &[i8; DIMENSIONS]| {
            let dot: f32 = row.iter().zip(&query).map(|(one, other)| f32::from(*one) * other).sum();
            let length = row.iter().map(|value| f32::from(*value).powi(2)).sum::<f32>().sqrt();
            if length > 0.0 { dot / length } else { 0.0 }
        };
        let mut scored: Vec<Scored> = self
            .rows
            .iter()
            .enumerate()
            .map(|(chunk, row)| Scored { chunk, score: near(row), is_full: false })
            .collect();
        scored.sort_by(|one, other| other.score.total_cmp(&one.score).then(one.chunk.cmp(&other.chunk)));
        scored.retain(|scored| scored.score > 0.0);
        Some(scored)
    }
}

/// The vector of a text, of length 1; none without English.
pub(super) fn embed(text: &str) -> Option<Vector> {
    if !is_latin(text) {
        return None;
    }
    table::mean(&wordpiece::tokens(text))
}

#[expect(clippy::cast_precision_loss, reason = "a share")]
fn is_latin(text: &str) -> bool {
    let (mut all, mut latin) = (0_usize, 0_usize);
    for sign in text.chars().filter(|sign| sign.is_alphabetic()) {
        all += 1;
        latin += usize::from(sign.is_ascii_alphabetic());
    }
    all > 0 && latin as f32 >= MIN_LATIN * all as f32
}

#[cfg(test)]
mod tests;
