//! The tests that every handler must pass.
//!
//! A handler runs them with [`suite!`], given its media type and a valid sample:
//!
//! ```ignore
//! conformance::suite!(Toml, "application/toml", b"key = 1");
//! ```
//!
//! Each is also a function of its own, for handlers that need more than a constant to be built.

#![allow(clippy::expect_used, clippy::missing_panics_doc, reason = "checks that are made to panic")]

use crate::{Content, ContentHandler, Document, ExtractError, Head, Reading, Source};
use bytes::Bytes;
use std::sync::Arc;

/// Makes one test of every check of this module.
#[macro_export]
macro_rules! conformance_suite {
    ($handler:expr, $media:expr, $sample:expr) => {
        mod conformance_of_the_handler {
            use super::*;

            fn kit() -> $crate::conformance::Kit {
                $crate::conformance::Kit::new($handler, $media, $sample)
            }

            #[tokio::test]
            async fn the_sample_is_read_twice_alike() {
                kit().reads_alike().await;
            }

            #[tokio::test]
            async fn an_empty_body_is_survived() {
                kit().survives_an_empty_body().await;
            }

            #[tokio::test]
            async fn a_body_cut_anywhere_is_survived() {
                kit().survives_every_cut().await;
            }

            #[tokio::test]
            async fn garbage_is_survived() {
                kit().survives_garbage().await;
            }

            #[tokio::test]
            async fn a_wrong_media_type_is_survived() {
                kit().survives_a_wrong_media_type().await;
            }

            #[tokio::test]
            async fn every_reading_is_survived() {
                kit().survives_every_reading().await;
            }

            #[test]
            fn claims_are_stable() {
                kit().claims_alike();
            }
        }
    };
}

pub use crate::conformance_suite as suite;

/// A handler with a media type of its kind and a valid sample.
#[derive(Clone)]
pub struct Kit {
    handler: Arc<dyn ContentHandler>,
    media: &'static str,
    sample: Bytes,
}

// === impl Kit ===

impl Kit {
    /// `sample` must give a document with text.
    pub fn new(handler: impl ContentHandler, media: &'static str, sample: &[u8]) -> Self {
        Self { handler: Arc::new(handler), media, sample: Bytes::copy_from_slice(sample) }
    }

    /// The sample gives text, and the same document each time.
    pub async fn reads_alike(&self) {
        let first = self.read(self.media, &self.sample, Reading::default()).await.expect("the sample is valid");
        let second = self.read(self.media, &self.sample, Reading::default()).await.expect("the sample is valid");
        assert!(first == second, "two readings of the same bytes differ");
        assert!(first.pages.iter().any(|page| page.chars() > 0), "the sample has text");
    }

    /// An empty body is a document or a typed error.
    pub async fn survives_an_empty_body(&self) {
        self.survives(self.media, b"").await;
    }

    /// The sample cut at every percent of its length.
    pub async fn survives_every_cut(&self) {
        for percent in 0..100 {
            self.survives(self.media, &self.sample[..self.sample.len() * percent / 100]).await;
        }
    }

    /// Bytes without meaning, by themselves and in the midst of the sample.
    pub async fn survives_garbage(&self) {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut garbage = |length: usize| -> Vec<u8> {
            let next = |_| {
                // Xorshift: the same bytes in every run.
                state ^= state << 13;
                state ^= state >> 7;
                state ^= state << 17;
                state.to_le_bytes()[3]
            };
            (0..length).map(next).collect()
        };
        for length in [1, 2, 3, 100, 5_000] {
            self.survives(self.media, &garbage(length)).await;
        }
        for length in [1, 16, 200] {
            let mut bytes = self.sample.to_vec();
            let middle = bytes.len() / 2;
            bytes.splice(middle..middle, garbage(length));
            self.survives(self.media, &bytes).await;
        }
    }

    /// The sample under the name of another kind.
    pub async fn survives_a_wrong_media_type(&self) {
        for media in
            ["", "nonsense", "text/plain", "text/html", "application/pdf", "image/png", "application/octet-stream"]
        {
            self.survives(media, &self.sample).await;
            self.survives(&format!("{media}; charset=utf-16"), &self.sample).await;
        }
    }

    /// The sample with every option of a reading.
    pub async fn survives_every_reading(&self) {
        let selectors = || vec!["p".to_owned(), "][".to_owned()];
        for reading in [
            Reading { main_only: false, ..Reading::default() },
            Reading { include: selectors(), ..Reading::default() },
            Reading { exclude: selectors(), ..Reading::default() },
            Reading { raw: true, ..Reading::default() },
            Reading { keep_sources: true, ..Reading::default() },
        ] {
            if let Ok(document) = self.read(self.media, &self.sample, reading).await {
                assert_sound(&document);
            }
        }
    }

    /// The same head is claimed alike each time, and whatever it holds.
    pub fn claims_alike(&self) {
        for prefix in [
            self.sample.clone(),
            Bytes::new(),
            Bytes::from_static(b"\0\xFF<"),
            self.sample.slice(..self.sample.len() / 2),
        ] {
            for media in [Some(self.media), None, Some(""), Some("application/octet-stream")] {
                let head = Head::new(media, prefix.slice(..prefix.len().min(1024)));
                assert_eq!(self.handler.claim(&head), self.handler.claim(&head));
            }
        }
    }

    async fn survives(&self, media: &str, body: &[u8]) {
        match self.read(media, body, Reading::default()).await {
            Ok(document) => assert_sound(&document),
            Err(error) => assert_ne!(error, ExtractError::Crashed, "on {} bytes as {media:?}", body.len()),
        }
    }

    async fn read(&self, media: &str, body: &[u8], reading: Reading) -> Result<Document, ExtractError> {
        let body = Bytes::copy_from_slice(body);
        let source = Source {
            head: Head::new(Some(media), body.slice(..body.len().min(1024))),
            base: "https://example.test/dir/page".parse().ok(),
            content: Content::Bytes(body),
            reading: Arc::new(reading),
        };
        self.handler.extract(source).await
    }
}

impl std::fmt::Debug for Kit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Kit").field("kind", &self.handler.kind()).finish_non_exhaustive()
    }
}

/// What holds of every document: pages numbered from 1 without gaps, an outline within them, absolute links, a
/// `Debug` without text.
pub fn assert_sound(document: &Document) {
    let count = u32::try_from(document.pages.len()).expect("a count of pages");
    assert!(document.total_pages >= count, "total_pages counts every page");
    let numbers: Vec<u32> = document.pages.iter().map(|page| page.number).collect();
    assert_eq!(numbers, (1..=count).collect::<Vec<_>>(), "pages are numbered without gaps");
    for item in &document.outline {
        assert!((1..=document.total_pages).contains(&item.page) && item.level > 0, "an outline entry stands on a page");
        assert!(!item.title.contains('\n'), "an outline title is one line");
    }
    assert!(document.outline.len() <= 10_000, "the outline is bounded");
    let mut urls: Vec<&str> = document.links.iter().map(|link| link.url.as_str()).collect();
    assert!(urls.iter().all(|url| url::Url::parse(url).is_ok()), "links are absolute");
    urls.sort_unstable();
    assert!(urls.windows(2).all(|pair| pair[0] != pair[1]), "links are listed once");
    assert!(document.pages.iter().all(|page| page.text().trim() == page.text()), "pages are trimmed");
    let debug = format!("{document:?} {:?}", document.pages);
    for page in &document.pages {
        let words = page.text().split_whitespace().find(|word| word.len() > 12);
        assert!(words.is_none_or(|word| !debug.contains(word)), "Debug prints no text");
    }
}
