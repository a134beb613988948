//! The trait behind which every content kind stands, and what it is given.

use crate::document::{Document, Kind};
use async_trait::async_trait;
use bytes::Bytes;
use std::{fmt, fs::File, sync::Arc, time::Duration};
use url::Url;

/// Turns the bytes of one content kind into a [`Document`].
#[async_trait]
pub trait ContentHandler: Send + Sync + 'static {
    /// Names the kind in the cache, the answers and the metrics.
    fn kind(&self) -> Kind;

    /// How surely this response is ours. Sees the media type and the first 1,024 bytes.
    fn claim(&self, head: &Head) -> Claim;

    /// What one response may cost.
    fn limits(&self) -> Limits;

    /// Reads the document. `source` is complete and already within [`limits`](Self::limits).
    async fn extract(&self, source: Source) -> Result<Document, ExtractError>;
}

/// What is known of a response before its body is read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// The media type without parameters, lower-case: `text/html`.
    pub media: Option<String>,
    /// The `charset` parameter, as sent.
    pub charset: Option<String>,
    /// The first bytes of the body: 1,024, or all there are.
    pub prefix: Bytes,
}

/// How surely a handler wants a response. The strongest claim wins; among equals the handler registered first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Claim {
    /// Not ours.
    None,
    /// Ours when nobody knows better.
    Fallback,
    /// The header says so.
    Declared,
    /// The bytes say so.
    Sniffed,
}

/// What one response of a kind may cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most bytes of body, decoded.
    pub body: u64,
    /// The longest time for the body to arrive.
    pub read: Duration,
    /// The longest time for the extraction.
    pub extract: Duration,
    /// Where the body waits.
    pub keep: Keep,
    /// How long an answer is fresh; a conditional GET comes after.
    pub fresh: Duration,
    /// Whether an extraction takes a place and a slot of the pool, one job per caller.
    pub pooled: bool,
    /// Whether `Cache-Control: no-store` is honoured.
    pub honours_no_store: bool,
}

/// Where a body waits for its handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// In memory.
    Memory,
    /// In a file without a name.
    File,
}

/// How a caller wants a document read. Part of the cache key, so two readings never share an entry.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reading {
    /// HTML: the main content (true) or the whole cleaned body.
    pub main_only: bool,
    /// HTML: CSS selectors of what to keep; empty = everything.
    pub include: Vec<String>,
    /// HTML: CSS selectors of what to leave out.
    pub exclude: Vec<String>,
    /// No extraction: the body as text. Text kinds only.
    pub raw: bool,
    /// Fills [`Document::sources`].
    pub keep_sources: bool,
    /// Opens an encrypted PDF.
    pub password: Option<Password>,
}

/// A password. `Debug` is blind.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Password(Arc<str>);

/// A complete body and what is known of it.
#[derive(Debug)]
pub struct Source {
    /// The head of the response.
    pub head: Head,
    /// The address that relative links are resolved by.
    pub base: Option<Url>,
    /// The body.
    pub content: Content,
    /// How the caller wants it read.
    pub reading: Arc<Reading>,
}

/// A body, where [`Limits::keep`] put it.
pub enum Content {
    /// In memory.
    Bytes(Bytes),
    /// In a file, positioned at its start, and its length in bytes.
    File(File, u64),
}

/// Why there is no document. Static: it never carries content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
pub enum ExtractError {
    /// Every page is blank: a scan.
    #[error("no_text_layer")]
    NoTextLayer,
    /// It takes a password, or another one.
    #[error("encrypted")]
    Encrypted,
    /// Damaged beyond reading, or not what it says it is.
    #[error("unreadable")]
    Unreadable,
    /// Longer than [`Limits::extract`].
    #[error("extraction_timed_out")]
    TimedOut,
    /// More text than an extraction may give.
    #[error("too_large")]
    TooLarge,
    /// Something outside ended the extraction, such as a host without memory. It says little about the document.
    #[error("too_complex")]
    TooComplex,
    /// Binary content under the name of a text, or a reading that the kind doesn't have.
    #[error("unsupported")]
    Unsupported,
    /// The host has no process or memory left for the extraction.
    #[error("no_capacity")]
    NoCapacity,
    /// The sandbox can't be set up, and the configuration requires it.
    #[error("sandbox_unavailable")]
    SandboxUnavailable,
    /// A fault of ours.
    #[error("crashed")]
    Crashed,
}

/// Runs CPU work off the async threads. A panic is [`ExtractError::Crashed`].
pub async fn off_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ExtractError> + Send + 'static,
) -> Result<T, ExtractError> {
    tokio::task::spawn_blocking(work).await.unwrap_or(Err(ExtractError::Crashed))
}

// === impl Head ===

impl Head {
    /// Reads a `Content-Type` value.
    pub fn new(content_type: Option<&str>, prefix: Bytes) -> Self {
        let mut parts = content_type.unwrap_or_default().split(';').map(str::trim);
        let media = parts.next().map(str::to_ascii_lowercase).filter(|media| media.contains('/'));
        let charset = parts.find_map(|parameter| {
            let (name, value) = parameter.split_once('=')?;
            name.trim().eq_ignore_ascii_case("charset").then(|| value.trim().trim_matches(['"', '\'']).to_owned())
        });
        Self { media, charset: charset.filter(|label| !label.is_empty()), prefix }
    }

    /// Whether the media type is one of `names`.
    pub fn is_one_of(&self, names: &[&str]) -> bool {
        self.media.as_deref().is_some_and(|media| names.contains(&media))
    }
}

// === impl Reading ===

impl Default for Reading {
    fn default() -> Self {
        Self {
            main_only: true,
            include: Vec::new(),
            exclude: Vec::new(),
            raw: false,
            keep_sources: false,
            password: None,
        }
    }
}

// === impl Password ===

impl Password {
    /// Wraps a password.
    pub fn new(password: &str) -> Self {
        Self(password.into())
    }

    /// The password itself: for the child's preamble, and nothing else.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(..)")
    }
}

// === impl Content ===

impl Content {
    /// Its length, in bytes.
    pub fn len(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::File(_, len) => *len,
        }
    }

    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All of it, in memory.
    pub fn into_bytes(self) -> std::io::Result<Bytes> {
        match self {
            Self::Bytes(bytes) => Ok(bytes),
            Self::File(mut file, len) => {
                let mut bytes = Vec::with_capacity(usize::try_from(len).unwrap_or_default());
                std::io::Read::read_to_end(&mut file, &mut bytes)?;
                Ok(bytes.into())
            }
        }
    }
}

impl fmt::Debug for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Content({} bytes)", self.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_content_type_is_read_as_servers_write_it() {
        let head = |value| Head::new(Some(value), Bytes::new());
        assert_eq!(head("Text/HTML; Charset=\"windows-1251\"").media.as_deref(), Some("text/html"));
        assert_eq!(head("text/html; x=y; charset='utf-8'").charset.as_deref(), Some("utf-8"));
        assert_eq!(head("text/html;charset=").charset, None);
        assert_eq!(head("nonsense").media, None);
        assert_eq!(Head::new(None, Bytes::new()), Head::default());
    }
}
