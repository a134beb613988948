//! Joining ranks: reciprocal rank fusion.

use super::{Hit, Source, chunks::Chunk, keyword::Scored};

/// How much the first ranks count above the others (the usual 60).
const K: f64 = 60.0;

/// The best chunk of each page, in the order of the chunks: `found` comes with the best first.
pub(super) fn best_of_pages(chunks: &[Chunk], found: impl Iterator<Item = Scored>, most: usize) -> Vec<Scored> {
    let mut pages: Vec<Scored> = Vec::new();
    for scored in found {
        let page = chunks[scored.chunk].page;
        if let Some(known) = pages.iter_mut().find(|known| chunks[known.chunk].page == page) {
            // A window shows where on the page the words are.
            if chunks[known.chunk].is_page && !chunks[scored.chunk].is_page {
                known.chunk = scored.chunk;
            }
        } else if pages.len() < most {
            pages.push(scored);
        }
    }
    pages
}

/// The pages of both arms by the sum of what their ranks are worth.
pub(super) fn fused(chunks: &[Chunk], by_words: &[Scored], by_meaning: &[Scored], low: f32) -> Vec<Hit> {
    let mut hits: Vec<Hit> = Vec::new();
    for (arm, source) in [(by_words, Source::Keyword), (by_meaning, Source::Semantic)] {
        for (rank, scored) in (1_u32..).zip(arm) {
            let chunk = chunks[scored.chunk];
            let worth = 1.0 / (K + f64::from(rank));
            let is_low = match source {
                Source::Keyword => !scored.is_full,
                _ => scored.score < low,
            };
            match hits.iter_mut().find(|hit| hit.page == chunk.page) {
                Some(hit) => {
                    hit.score += worth;
                    hit.source = Source::Both;
                    hit.low_confidence &= is_low;
                }
                None => hits.push(Hit {
                    page: chunk.page,
                    start: chunk.start,
                    end: chunk.end,
                    score: worth,
                    source,
                    low_confidence: is_low,
                }),
            }
        }
    }
    hits.sort_by(|one, other| other.score.total_cmp(&one.score).then(one.page.cmp(&other.page)));
    hits
}
