//! The Tower layers of sift: one file each, and the types that travel between them.
//!
//! Two families. `auth`, `observe` and `shed` wrap HTTP requests; all others are stages of one fetch, typed
//! `Fetch → Hop → Leg → Answer → Job → Document`. `src/stack.rs` puts them in order. Nothing here knows a client, a
//! database or a surface: they come in as a `Service` and as the [`Store`] trait.

pub mod auth;
pub mod cache;
mod caller;
pub mod clock;
mod decode;
mod error;
pub mod extract;
mod fetch;
pub mod get;
pub mod guard;
mod key;
mod media;
pub mod metrics;
pub mod observe;
pub mod pool;
pub mod read;
pub mod record;
pub mod redirect;
pub mod route;
mod seen;
pub mod shed;
pub mod single_flight;
mod stage;
mod store;
pub mod turns;
mod url;

pub use caller::{Caller, Class};
pub use error::{Error, Refusal};
pub use fetch::{Answer, Body, Fetch, Fetched, Found, Hop, Job, Leg, Loaded, Origin, Reply, Routed, Task, Terms};
pub use key::{Key, Variant};
pub use media::Media;
pub use seen::Seen;
pub use stage::{Around, Http, Refuse, Stage, around};
pub use store::{Entry, Kept, Shrunk, Statistics, Step, Store, StoreError, Validators};
pub use url::PageUrl;
