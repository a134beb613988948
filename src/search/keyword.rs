//! BM25 over chunks, in an index of SQLite's FTS5 that lives in memory.

use super::terms;
use parking_lot::Mutex;
use rusqlite::{Connection, params};

/// The most chunks that one query gives.
const MOST: usize = 400;

/// The words of all chunks.
pub(super) struct Keyword {
    connection: Mutex<Connection>,
}

/// A chunk with what it is worth: the greater, the better.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scored {
    pub(super) chunk: usize,
    pub(super) score: f32,
    /// Whether it has all words of the query.
    pub(super) is_full: bool,
}

// === impl Keyword ===

impl Keyword {
    pub(super) fn new<'a>(texts: impl Iterator<Item = &'a str>) -> rusqlite::Result<Self> {
        let mut connection = Connection::open_in_memory()?;
        connection.execute_batch(
            "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA trusted_schema = OFF;
             CREATE VIRTUAL TABLE chunk USING fts5(text, content='', columnsize=1, tokenize='porter unicode61');",
        )?;
        let insert = connection.transaction()?;
        {
            let mut row = insert.prepare("INSERT INTO chunk(rowid, text) VALUES (?1, ?2)")?;
            for (at, text) in (0_i64..).zip(texts) {
                row.execute(params![at, terms::spaced(text)])?;
            }
        }
        insert.commit()?;
        Ok(Self { connection: Mutex::new(connection) })
    }

    /// The chunks with the words of the query: first those with the phrase, then those with all words, then those with
    /// any that says something. Each tier is ordered by BM25, whose weight of a word SQLite keeps above zero.
    pub(super) fn search(&self, query: &str) -> rusqlite::Result<Vec<Scored>> {
        let words = terms::words(query);
        let said: Vec<&String> = words.iter().filter(|word| !terms::is_stop(word)).collect();
        let quoted = |words: &mut dyn Iterator<Item = &String>, between: &str| {
            words.map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(between)
        };
        let phrase = (words.len() > 1).then(|| format!("\"{}\"", words.join(" ")));
        let all = quoted(&mut words.iter(), " AND ");
        let any = quoted(&mut if said.is_empty() { words.iter().collect() } else { said }.into_iter(), " OR ");
        let mut found: Vec<Scored> = Vec::new();
        for (tier, is_full) in [(phrase, true), (Some(all), true), (Some(any), false)] {
            let Some(tier) = tier else { continue };
            for (chunk, score) in self.ranked(&tier)? {
                if !found.iter().any(|known| known.chunk == chunk) && found.len() < MOST {
                    found.push(Scored { chunk, score, is_full });
                }
            }
        }
        Ok(found)
    }

    fn ranked(&self, query: &str) -> rusqlite::Result<Vec<(usize, f32)>> {
        let connection = self.connection.lock();
        let mut rows = connection.prepare_cached(
            "SELECT rowid, bm25(chunk) FROM chunk WHERE chunk MATCH ?1 ORDER BY rank, rowid LIMIT ?2",
        )?;
        let limit = i64::try_from(MOST).unwrap_or(i64::MAX);
        let rows = rows.query_map(params![query, limit], |row| Ok((row.get::<_, i64>(0)?, row.get::<_, f64>(1)?)))?;
        #[expect(clippy::cast_possible_truncation, reason = "a rank needs no more digits")]
        let scored = rows.map(|row| row.map(|(at, rank)| (usize::try_from(at).unwrap_or_default(), -rank as f32)));
        scored.collect()
    }
}
