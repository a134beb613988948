//! The PDF kind: a sandboxed child reads the file, page by page.
//!
//! The parent's half is [`Pdf`]; [`child_main`] is the child's, which the program runs under a subcommand of its own.

mod assemble;
mod child;
mod config;
pub mod confine;
pub mod extract;
pub mod inside;
mod spawn;
mod transcript;
mod verdict;
pub mod wire;

pub use child::probe;
pub use config::{ChildEnd, ChildEndHook, PdfConfig, Program, Sandbox};
pub use inside::child_main;

use crate::{
    Claim, Content, ContentHandler, ContentHash, Document, ExtractError, Head, Keep, Kind, Limits, Source, off_thread,
    sniff::{find, looks_like_html},
};
use assemble::assemble;
use async_trait::async_trait;
use bytes::Bytes;
use rustix::fs::{MemfdFlags, memfd_create};
use std::{
    fs::File,
    io::{self, Read},
    os::unix::fs::FileExt,
    sync::Arc,
    time::Duration,
};

const KIND: Kind = Kind::new("pdf");
/// Where `%PDF-` has to stand, in bytes from the start.
const SNIFFED: usize = 1024;

/// The PDF handler. Clones share the configuration.
#[derive(Clone, Debug, Default)]
pub struct Pdf {
    config: Arc<PdfConfig>,
}

/// Reads a file from its start and leaves its position alone, which the child shares.
struct FromStart {
    file: File,
    at: u64,
}

// === impl Pdf ===

impl Pdf {
    /// Reads PDFs as `config` says.
    pub fn new(config: PdfConfig) -> Self {
        Self { config: Arc::new(config) }
    }
}

#[async_trait]
impl ContentHandler for Pdf {
    fn kind(&self) -> Kind {
        KIND
    }

    fn claim(&self, head: &Head) -> Claim {
        let prefix = &head.prefix[..head.prefix.len().min(SNIFFED)];
        // A login page under the name of a PDF, or a page that quotes one.
        if looks_like_html(prefix) {
            Claim::None
        } else if begins_as_pdf(prefix) || (!is_text(head) && find(prefix, b"%PDF-").is_some()) {
            Claim::Sniffed
        } else if head.is_one_of(&["application/pdf", "application/x-pdf"]) {
            Claim::Declared
        } else {
            Claim::None
        }
    }

    fn limits(&self) -> Limits {
        Limits {
            body: inside::MAX_BYTES,
            read: Duration::from_mins(2),
            extract: self.config.deadline,
            keep: Keep::File,
            fresh: Duration::from_hours(24),
            pooled: true,
            honours_no_store: false,
        }
    }

    async fn extract(&self, source: Source) -> Result<Document, ExtractError> {
        if source.reading.raw {
            return Err(ExtractError::Unsupported);
        }
        let pdf = match source.content {
            Content::File(file, _) => file,
            Content::Bytes(bytes) => {
                off_thread(move || in_file(&bytes).map_err(|error| spawn::failure(&error))).await?
            }
        };
        let copy = pdf.try_clone().map_err(|error| spawn::failure(&error))?;
        let hash = tokio::spawn(off_thread(move || {
            ContentHash::of_reader(FromStart { file: copy, at: 0 }).map_err(|_| ExtractError::Crashed)
        }));
        let heard = child::read(&self.config, pdf, source.reading.password.as_ref()).await?;
        let (content_hash, bytes) = hash.await.unwrap_or(Err(ExtractError::Crashed))?;
        Ok(assemble(heard, source.base.as_ref(), content_hash, bytes))
    }
}

/// Whether the header names a text. One about PDFs may quote `%PDF-`, so there it must begin the body.
fn is_text(head: &Head) -> bool {
    head.media
        .as_deref()
        .is_some_and(|media| media.starts_with("text/") || media.ends_with("json") || media.ends_with("xml"))
}

fn begins_as_pdf(prefix: &[u8]) -> bool {
    prefix.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(prefix).trim_ascii_start().starts_with(b"%PDF-")
}

/// Puts `bytes` into a file without a name, in memory.
fn in_file(bytes: &Bytes) -> io::Result<File> {
    let file = File::from(memfd_create("pdf", MemfdFlags::CLOEXEC)?);
    file.write_all_at(bytes, 0)?;
    Ok(file)
}

// === impl FromStart ===

impl Read for FromStart {
    fn read(&mut self, block: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read_at(block, self.at)?;
        self.at += read as u64;
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(media: Option<&str>, prefix: impl Into<Vec<u8>>) -> Claim {
        Pdf::default().claim(&Head::new(media, prefix.into().into()))
    }

    #[test]
    fn a_pdf_is_known_by_its_header_or_its_bytes() {
        for media in ["application/pdf", "Application/X-PDF; name=a.pdf"] {
            assert_eq!(claim(Some(media), "junk"), Claim::Declared);
            assert_eq!(claim(Some(media), "\n%PDF-1.7"), Claim::Sniffed);
        }
        for media in [None, Some("application/octet-stream"), Some("text/plain"), Some("text/html")] {
            assert_eq!(claim(media, "\u{FEFF} \r\n%PDF-1.7"), Claim::Sniffed, "{media:?}");
            assert_eq!(claim(media, "%PDF"), Claim::None, "{media:?}");
        }
    }

    #[test]
    fn junk_may_stand_before_a_pdf_within_the_first_kibibyte() {
        let body = |junk: usize| [&vec![b'x'; junk][..], b"%PDF-1.4"].concat();
        for (junk, expected) in [(1018, Claim::Sniffed), (1019, Claim::Sniffed), (1020, Claim::None)] {
            assert_eq!(claim(Some("application/octet-stream"), body(junk)), expected, "{junk}");
        }
    }

    #[test]
    fn html_is_never_a_pdf_whatever_its_header_says() {
        for media in [None, Some("application/pdf"), Some("application/x-pdf"), Some("text/html")] {
            assert_eq!(claim(media, "<!DOCTYPE html><title>Sign in</title>"), Claim::None, "{media:?}");
            assert_eq!(claim(media, " <html><p>Files begin with %PDF-1.7"), Claim::None, "{media:?}");
        }
    }

    #[test]
    fn a_text_about_pdfs_is_a_text() {
        for media in ["text/html", "application/xhtml+xml", "text/plain", "application/json"] {
            assert_eq!(claim(Some(media), "Files begin with %PDF-1.7"), Claim::None, "{media}");
        }
    }

    #[tokio::test]
    async fn there_is_no_raw_reading_of_a_pdf() {
        let reading = Arc::new(crate::Reading { raw: true, ..crate::Reading::default() });
        let content = Content::Bytes(Bytes::from_static(b"%PDF-1.7"));
        let source = Source { head: Head::default(), base: None, content, reading };
        assert_eq!(Pdf::default().extract(source).await.unwrap_err(), ExtractError::Unsupported);
    }
}
