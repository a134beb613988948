//! Bytes of one content kind in, one [`Document`] out.
//!
//! A handler knows nothing of the network, the clock or telemetry: it gets a complete [`Source`] that is already within
//! its own [`Limits`], and answers with a document or a typed [`ExtractError`]. A new kind is a folder here, a `mod`
//! line and a line in [`registry`].

pub mod charset;
#[cfg(any(test, feature = "conformance"))]
pub mod conformance;
mod document;
#[cfg(any(test, feature = "fuzzing"))]
pub mod fuzz;
mod handler;
pub mod html;
pub mod json;
mod outline;
pub mod parts;
pub mod pdf;
mod registry;
pub mod sniff;
pub mod text;

pub use document::{ContentHash, Document, Kind, Link, OutlineItem, Page, Sources, Unit};
pub use handler::{
    Claim, Content, ContentHandler, ExtractError, Head, Keep, Limits, Password, Reading, Source, off_thread,
};
pub use registry::Registry;
