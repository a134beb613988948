//! The HTML kind.

mod guard;
mod marks;

use crate::{Claim, ContentHandler, Document, ExtractError, Head, Keep, Kind, Limits, Source};
use async_trait::async_trait;
use std::time::Duration;

/// The HTML handler.
#[derive(Clone, Copy, Debug, Default)]
pub struct Html;

#[async_trait]
impl ContentHandler for Html {
    fn kind(&self) -> Kind {
        Kind::new("html")
    }

    fn claim(&self, _head: &Head) -> Claim {
        Claim::None
    }

    fn limits(&self) -> Limits {
        Limits {
            body: 5 << 20,
            read: Duration::from_secs(30),
            extract: Duration::from_secs(10),
            keep: Keep::Memory,
            fresh: Duration::from_mins(10),
            pooled: false,
            honours_no_store: true,
        }
    }

    async fn extract(&self, _source: Source) -> Result<Document, ExtractError> {
        Err(ExtractError::Unsupported)
    }
}
