//! Search within a document (documents.md §3): BM25 and meaning, fused by rank.
//!
//! A document is cut into windows that know their page. [`keyword`] ranks them by their words, [`semantic`] them and whole
//! pages by their meaning where the text is English, [`fuse`] joins the ranks. Everything is in memory: an index is made
//! from a document in milliseconds, and goes when nobody has asked for it in a while.

mod chunks;
mod digest;
mod excerpt;
mod fuse;
mod indexes;
mod keyword;
mod render;
mod sections;
mod semantic;
mod terms;
#[cfg(test)]
mod tests;

pub use digest::{PASSAGES, extractive};
pub use indexes::Indexes;
pub use render::render;

use chunks::Chunk;
use sift_handlers::Document;

/// How many hits an answer has when the request doesn't say, and at most.
pub const DEFAULT_TOP_K: usize = 10;
/// The most hits.
pub const MAX_TOP_K: usize = 100;

/// The longest query, in bytes.
pub const MAX_QUERY: usize = 1_000;

/// How many candidates each arm gives.
const POOL: usize = 15;

/// A similarity below this says nothing: unrelated English sentences reach it.
const LOW_SIMILARITY: f32 = 0.35;

/// Why there is no search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SearchError {
    /// The query has no word.
    #[error("empty search")]
    Empty,
    /// It has more than [`MAX_QUERY`] bytes.
    #[error("search too long")]
    TooLong,
    /// The index could not be made or asked.
    #[error("internal error")]
    Index,
}

/// A document that can be searched.
pub struct Index {
    chunks: Vec<Chunk>,
    keyword: keyword::Keyword,
    /// None when the text isn't English.
    semantic: Option<semantic::Vectors>,
    bytes: usize,
}

/// What was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// One for each page, the best first.
    pub hits: Vec<Hit>,
    /// Whether meaning was compared, besides words.
    pub is_semantic: bool,
}

/// A page that answers the query.
#[derive(Clone, Debug, PartialEq)]
pub struct Hit {
    /// The page or part, from 1.
    pub page: u32,
    /// The place of the best window in the page's text, in bytes.
    start: usize,
    end: usize,
    /// The sum of what its ranks are worth.
    pub score: f64,
    /// Which arm found it.
    pub source: Source,
    /// Whether it has few of the words and is not near in meaning, either.
    pub low_confidence: bool,
}

/// What is searched by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arms {
    /// Words alone.
    Keyword,
    /// Meaning alone.
    Semantic,
    /// Words and meaning.
    Both,
}

/// Which arm found a hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// By its words.
    Keyword,
    /// By its meaning.
    Semantic,
    /// By both.
    Both,
}

// === impl Index ===

impl Index {
    /// Reads the whole document.
    pub fn new(document: &Document) -> Result<Self, SearchError> {
        let chunks = chunks::cut(document);
        let text = |chunk: &Chunk| chunk.text(document);
        // A long page has every word somewhere: windows alone rank better by words.
        let windows = chunks.iter().map(|chunk| if chunk.is_page { "" } else { text(chunk) });
        let keyword = keyword::Keyword::new(windows).map_err(|_| SearchError::Index)?;
        let semantic = semantic::Vectors::new(document, chunks.iter().map(text));
        let bytes = chunks.iter().map(|chunk| text(chunk).len()).sum::<usize>() + chunks.len() * 400;
        Ok(Self { chunks, keyword, semantic, bytes })
    }

    /// About how much memory it takes, in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The pages that answer `query` best, at most `top_k`.
    pub fn search(&self, query: &str, top_k: usize) -> Result<Found, SearchError> {
        self.search_by(query, top_k, Arms::Both)
    }

    /// The same with one arm or both: what each is worth is measured so.
    pub fn search_by(&self, query: &str, top_k: usize, arms: Arms) -> Result<Found, SearchError> {
        if query.len() > MAX_QUERY {
            return Err(SearchError::TooLong);
        }
        if terms::words(query).is_empty() {
            return Err(SearchError::Empty);
        }
        let pool = POOL.max(top_k);
        let by_words = if arms == Arms::Semantic {
            Vec::new()
        } else {
            self.keyword.search(query).map_err(|_| SearchError::Index)?
        };
        let by_words = fuse::best_of_pages(&self.chunks, by_words.into_iter(), pool);
        let vectors = self.semantic.as_ref().filter(|_| arms != Arms::Keyword);
        let by_meaning = vectors.and_then(|vectors| vectors.search(query));
        let is_semantic = by_meaning.is_some();
        let by_meaning = fuse::best_of_pages(&self.chunks, by_meaning.into_iter().flatten(), pool);
        let hits = fuse::fused(&self.chunks, &by_words, &by_meaning, LOW_SIMILARITY);
        Ok(Found { hits: hits.into_iter().take(top_k.clamp(1, MAX_TOP_K)).collect(), is_semantic })
    }
}

impl std::fmt::Debug for Index {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Index({} chunks)", self.chunks.len())
    }
}

// === impl Source ===

impl Source {
    /// As answers name it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Keyword => "keyword",
            Self::Semantic => "semantic",
            Self::Both => "both",
        }
    }
}
