//! What an agent sees of a search.

use super::{Found, Hit, excerpt, sections};
use crate::view::{self, Match, Ranked, Rendered};
use sift_handlers::Document;
use std::fmt::Write as _;

/// Writes what was found, within `out_cap` characters.
pub fn render(document: &Document, query: &str, found: &Found, out_cap: usize) -> Rendered {
    let by = if found.is_semantic { "words and meaning" } else { "words" };
    let count = match found.hits.len() {
        0 => "no hits".to_owned(),
        1 => "1 hit".to_owned(),
        hits => format!("{hits} hits"),
    };
    let mut content = format!("search \"{}\" by {by}: {count}", query.split_whitespace().collect::<Vec<_>>().join(" "));
    let mut chars = content.chars().count();
    let mut matches = Vec::new();
    for hit in &found.hits {
        let hit_match = matched(document, query, hit);
        let block = block(document, &hit_match);
        let length = block.chars().count();
        if chars + length > out_cap {
            break;
        }
        content.push_str(&block);
        chars += length;
        matches.push(hit_match);
    }
    let note = note(document, found, matches.len());
    let truncated = matches.len() < found.hits.len();
    Rendered { content, chars, matches, truncated, note, tokens_estimate: chars / 4, ..Rendered::default() }
}

pub(super) fn matched(document: &Document, query: &str, hit: &Hit) -> Match {
    let (start, end) = excerpt::stretch(document, hit.page, (hit.start, hit.end), query);
    let text = document.pages.get(hit.page as usize - 1).map(sift_handlers::Page::text).unwrap_or_default();
    let before = text.get(..start).unwrap_or_default().bytes().filter(|byte| *byte == b'\n').count();
    let first = view::page_lines(document, hit.page).map_or(1, |(first, _)| first);
    Match {
        page: hit.page,
        line: first + before as u64,
        text: text.get(start..end).unwrap_or_default().to_owned(),
        ranked: Some(Ranked {
            score: (hit.score * 1e6).round() / 1e6,
            source: hit.source.as_str(),
            section: sections::path(document, hit.page).into_iter().map(str::to_owned).collect(),
            low_confidence: hit.low_confidence,
        }),
    }
}

fn block(document: &Document, found: &Match) -> String {
    let mut block = format!("\n\n{} {}", document.unit.as_str(), found.page);
    if let Some(ranked) = &found.ranked {
        if !ranked.section.is_empty() {
            let _ = write!(block, " · {}", ranked.section.join(" › "));
        }
        if ranked.low_confidence {
            block.push_str(" (low confidence)");
        }
    }
    let _ = write!(block, "\n{}", found.text);
    block
}

fn note(document: &Document, found: &Found, shown: usize) -> String {
    let unit = document.unit.as_str();
    match (found.hits.first(), found.hits.len() - shown) {
        (None, _) => "nothing has these words; ask for fewer or other words, or grep a part of one".to_owned(),
        (Some(first), 0) => format!("ask for pages=\"{}\" to read a whole {unit}", first.page),
        (Some(_), left) => format!("{left} hits not shown; ask for a lower top_k or more max_chars"),
    }
}
