//! The PDF kind: a sandboxed child reads the file, page by page.

pub mod extract;
pub mod wire;

use crate::{Claim, ContentHandler, Document, ExtractError, Head, Keep, Kind, Limits, Source};
use async_trait::async_trait;
use std::time::Duration;

/// The PDF handler.
#[derive(Clone, Debug, Default)]
pub struct Pdf;

#[async_trait]
impl ContentHandler for Pdf {
    fn kind(&self) -> Kind {
        Kind::new("pdf")
    }

    fn claim(&self, _head: &Head) -> Claim {
        Claim::None
    }

    fn limits(&self) -> Limits {
        Limits {
            body: 100 << 20,
            read: Duration::from_mins(2),
            extract: Duration::from_mins(1),
            keep: Keep::File,
            fresh: Duration::from_hours(24),
            pooled: true,
            honours_no_store: false,
        }
    }

    async fn extract(&self, _source: Source) -> Result<Document, ExtractError> {
        Err(ExtractError::Unsupported)
    }
}
