//! The surfaces: they parse, call the one fetch stack, show a view and encode the answer.

pub mod ask;
pub mod cli;
mod headers;
pub mod mcp;
pub mod openapi;
pub mod respond;
pub mod routes;
#[cfg(test)]
pub(crate) mod tests;
pub mod v1;
pub mod v2;

use crate::{
    search,
    stack::Fetcher,
    view::{self, Options, Rendered},
};
use respond::Failure;
use sift_handlers::Document;
use sift_layers::{Class, Error};
use std::sync::Arc;
use tokio::sync::Semaphore;

pub use sift_layers::observe::RequestId;

/// What every surface has at hand.
#[derive(Clone, Debug)]
pub struct Surface {
    /// The fetch stack.
    pub fetcher: Fetcher,
    /// What the operator decided about answers.
    pub rules: Arc<Rules>,
    /// How many patterns are looked for at once: a long text and a bad pattern take a core for seconds.
    pub searches: Arc<Semaphore>,
    /// What documents are searched by.
    pub indexes: search::Indexes,
}

/// What the operator decided about answers.
#[derive(Clone, Debug)]
pub struct Rules {
    /// The most characters of content in one answer, when the request doesn't say.
    pub out_cap: usize,
    /// The most that a request may ask for.
    pub out_ceiling: usize,
    /// Whether callers may send a `Cookie` header to a target.
    pub allow_cookies: bool,
}

/// What is looked for in a document.
#[derive(Clone)]
pub enum Wanted {
    /// The places that have these words or mean them.
    Hits {
        /// The words.
        query: String,
        /// How many places at most.
        most: usize,
    },
    /// The passages that answer.
    Answer {
        /// The question.
        question: String,
    },
}

// === impl Surface ===

impl Surface {
    /// The surfaces over a fetch stack.
    pub fn new(fetcher: Fetcher, rules: Rules) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        Self {
            fetcher,
            rules: Arc::new(rules),
            searches: Arc::new(Semaphore::new(cores)),
            indexes: search::Indexes::default(),
        }
    }

    /// Renders a view. A pattern is looked for off the async threads, when it is its turn.
    pub async fn show(&self, document: Arc<Document>, options: Options) -> Result<Rendered, Failure> {
        if options.grep.is_none() {
            return Ok(view::render(&document, &options)?);
        }
        let turn = self.searches.clone().acquire_owned().await.map_err(|_| Error::ShuttingDown)?;
        let search = move || {
            let _turn = turn;
            view::render(&document, &options)
        };
        Ok(tokio::task::spawn_blocking(search).await.map_err(|_| Error::Internal)??)
    }
}

// === impl Surface: search ===

impl Surface {
    /// Searches a document, off the async threads, when it is its turn. `class` is that of the caller: nobody learns from the
    /// time it takes what another class has searched.
    pub async fn search(
        &self,
        document: Arc<Document>,
        class: Class,
        wanted: Wanted,
        out_cap: usize,
    ) -> Result<Rendered, Failure> {
        let turn = self.searches.clone().acquire_owned().await.map_err(|_| Error::ShuttingDown)?;
        let indexes = self.indexes.clone();
        let search = move || {
            let _turn = turn;
            let index = indexes.of(class, &document)?;
            let shown = match wanted {
                Wanted::Hits { query, most } => {
                    let found = index.search(&query, most)?;
                    search::render(&document, &query, &found, out_cap)
                }
                Wanted::Answer { question } => {
                    let found = index.search(&question, search::PASSAGES)?;
                    search::extractive(&document, &question, &found, out_cap)
                }
            };
            Ok::<_, search::SearchError>(shown)
        };
        let found = tokio::task::spawn_blocking(search).await.map_err(|_| Error::Internal)?;
        found.map_err(|error| match error {
            search::SearchError::Empty => {
                Failure::said(Error::BadRequest, "invalid search", "give a word of letters or digits")
            }
            search::SearchError::TooLong => {
                Failure::said(Error::BadRequest, "invalid search", "a search has at most 1,000 bytes")
            }
            search::SearchError::Index => Error::Internal.into(),
        })
    }
}

/// `Debug` prints no words.
impl std::fmt::Debug for Wanted {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Wanted(..)")
    }
}

// === impl Rules ===

impl Default for Rules {
    fn default() -> Self {
        Self { out_cap: 40_000, out_ceiling: 400_000, allow_cookies: false }
    }
}
