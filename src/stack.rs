//! The picture: every request's way, top to bottom.

use sift_layers::{Error, Fetch, Fetched};
use tower::util::BoxCloneSyncService;

/// The fetch stack, erased once: surfaces compile against one small type.
pub type Fetcher = BoxCloneSyncService<Fetch, Fetched, Error>;
