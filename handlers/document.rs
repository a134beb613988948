//! The one model of all kinds (documents.md §1): a handler makes it, the store keeps it, views show it.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt;

/// The name of a content kind, as it stands in the cache, the answers and the metrics.
///
/// Only string literals become kinds, so a kind can't carry anything from a page.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct Kind(&'static str);

/// What the numbered units of a document are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// A page of a paginated document (PDF).
    Page,
    /// A stretch of about 3,000 characters of any other document.
    Part,
}

/// SHA-256 of the source bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ContentHash([u8; 32]);

/// A document of any kind, extracted.
///
/// `Debug` prints the kind, the size and the hash, never a title or a text.
#[derive(Clone, PartialEq)]
pub struct Document {
    /// Which handler made it.
    pub kind: Kind,
    /// The title that the document gives itself.
    pub title: Option<String>,
    /// The authors, as written.
    pub byline: Option<String>,
    /// BCP 47, declared by the document.
    pub language: Option<String>,
    /// The date of publication as the document writes it.
    pub published: Option<String>,
    /// The name of the site.
    pub site_name: Option<String>,
    /// The address the document gives itself, absolute.
    pub canonical_url: Option<String>,
    /// The summary the document gives of itself.
    pub description: Option<String>,
    /// Everything else that the document says of itself, in its order.
    pub metadata: serde_json::Map<String, serde_json::Value>,
    /// Headings or bookmarks, in document order; at most 10,000.
    pub outline: Vec<OutlineItem>,
    /// The extracted pages or parts, numbered from 1 without gaps.
    pub pages: Vec<Page>,
    /// How many pages the document has; at least `pages.len()`.
    pub total_pages: u32,
    /// What the pages are called.
    pub unit: Unit,
    /// The page labels of the document (`iv`, `A-3`), one a page; empty when they are the plain numbers.
    pub labels: Vec<String>,
    /// Links, absolute and once each, in document order.
    pub links: Vec<Link>,
    /// SHA-256 of the source bytes.
    pub content_hash: ContentHash,
    /// The size of the source, in bytes.
    pub source_bytes: u64,
    /// Whether there is text that a reader would not see.
    pub hidden_text: bool,
    /// Whether this is all there is. A salvage is served with its note, and never kept.
    pub complete: bool,
    /// What a reader has to know of how this came about, for people: a salvage, a fallback.
    pub note: Option<String>,
    /// The source and the cleaned HTML, when [`Reading::keep_sources`](crate::Reading::keep_sources) asked for them.
    pub sources: Option<Sources>,
}

/// A heading or a bookmark.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OutlineItem {
    /// Its text, on one line.
    pub title: String,
    /// The page or part it stands on, from 1.
    pub page: u32,
    /// Its depth, from 1.
    pub level: u8,
}

/// One page or part.
#[derive(Clone, PartialEq, Eq)]
pub struct Page {
    /// From 1.
    pub number: u32,
    /// The text, trimmed at both ends.
    text: String,
    chars: usize,
    /// Why the page could not be read, in a few words of our own.
    pub error: Option<String>,
}

/// A link of a document.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// Absolute.
    pub url: String,
    /// The words of the link, or the empty string.
    pub text: String,
}

/// What a caller gets besides the text when it asks for the page itself.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sources {
    /// The source as text, decoded and otherwise untouched.
    pub raw: String,
    /// The cleaned HTML of what the text shows; HTML only.
    pub html: Option<String>,
    /// Addresses of the images, absolute and once each.
    pub images: Vec<String>,
}

// === impl Kind ===

impl Kind {
    /// Names a kind: short, lower-case.
    pub const fn new(name: &'static str) -> Self {
        Self(name)
    }

    /// The name.
    pub const fn as_str(self) -> &'static str {
        self.0
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl fmt::Debug for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

// === impl Unit ===

impl Unit {
    /// `page` or `part`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Page => "page",
            Self::Part => "part",
        }
    }
}

// === impl ContentHash ===

impl ContentHash {
    /// Hashes `bytes`.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Hashes everything that `reader` gives; answers with the number of bytes, too.
    pub fn of_reader(mut reader: impl std::io::Read) -> std::io::Result<(Self, u64)> {
        let (mut hasher, mut block, mut total) = (Sha256::new(), vec![0; 64 << 10], 0);
        loop {
            match reader.read(&mut block)? {
                0 => return Ok((Self(hasher.finalize().into()), total)),
                n => {
                    hasher.update(&block[..n]);
                    total += n as u64;
                }
            }
        }
    }

    /// The hash that `hex` (64 digits) writes, if it does.
    pub fn from_hex(hex: &str) -> Option<Self> {
        let mut bytes = [0; 32];
        if hex.len() != 64 || !hex.is_ascii() {
            return None;
        }
        for (byte, pair) in bytes.iter_mut().zip(hex.as_bytes().chunks(2)) {
            *byte = u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()?;
        }
        Some(Self(bytes))
    }
}

/// 64 lower-case hexadecimal digits.
impl fmt::Display for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        let mut hex = [0; 64];
        for (pair, byte) in hex.chunks_exact_mut(2).zip(self.0) {
            pair[0] = DIGITS[usize::from(byte >> 4)];
            pair[1] = DIGITS[usize::from(byte & 15)];
        }
        f.write_str(std::str::from_utf8(&hex).unwrap_or_default())
    }
}

impl fmt::Debug for ContentHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

// === impl Document ===

impl Document {
    /// An empty document of a kind; a handler fills in the rest.
    pub fn new(kind: Kind, unit: Unit, content_hash: ContentHash, source_bytes: u64) -> Self {
        Self {
            kind,
            title: None,
            byline: None,
            language: None,
            published: None,
            site_name: None,
            canonical_url: None,
            description: None,
            metadata: serde_json::Map::new(),
            outline: Vec::new(),
            pages: Vec::new(),
            total_pages: 0,
            unit,
            labels: Vec::new(),
            links: Vec::new(),
            content_hash,
            source_bytes,
            hidden_text: false,
            complete: true,
            note: None,
            sources: None,
        }
    }
}

impl fmt::Debug for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Document")
            .field("kind", &self.kind)
            .field("pages", &self.pages.len())
            .field("total_pages", &self.total_pages)
            .field("content_hash", &self.content_hash)
            .finish_non_exhaustive()
    }
}

// === impl OutlineItem ===

impl fmt::Debug for OutlineItem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OutlineItem(p. {}, level {})", self.page, self.level)
    }
}

// === impl Page ===

impl Page {
    /// A page that was read.
    pub fn new(number: u32, text: &str) -> Self {
        let text = text.trim().to_owned();
        Self { number, chars: text.chars().count(), text, error: None }
    }

    /// A page that could not be read, and why.
    pub fn failed(number: u32, reason: impl Into<String>) -> Self {
        Self { number, text: String::new(), chars: 0, error: Some(reason.into()) }
    }

    /// The text, trimmed at both ends; empty when the page failed.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The length of the text, in characters.
    pub fn chars(&self) -> usize {
        self.chars
    }
}

impl fmt::Debug for Page {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Page({}, {} characters)", self.number, self.chars)
    }
}

// === impl Link ===

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Link(..)")
    }
}

// === impl Sources ===

impl fmt::Debug for Sources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Sources({} bytes)", self.raw.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hash_is_written_in_hexadecimal_and_read_back() {
        // FIPS 180-4, the example of a one-block message.
        let hex = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        let hash = ContentHash::of(b"abc");
        assert_eq!(hash.to_string(), hex);
        assert_eq!(ContentHash::from_hex(hex), Some(hash));
        assert_eq!(ContentHash::of_reader(&b"abc"[..]).unwrap(), (hash, 3));
        for wrong in ["", &hex[1..], &hex.replace('b', "g"), &hex.replace("ba", "é")] {
            assert_eq!(ContentHash::from_hex(wrong), None, "{wrong}");
        }
    }
}
