//! What can be done to a store, as data: in memory and on disk the same.

use sift_layers::{Class, Entry, Key, clock::Timestamp};
use std::{sync::Arc, time::Duration};

/// One change. All changes of a process pass through one thread, in one order.
pub(super) enum Change {
    /// Puts an entry in place of what stands under its key.
    Keep(Key, Arc<Entry>),
    /// Sets when an entry was fetched, and for how long it is fresh.
    Renew(Key, Timestamp, Duration),
    /// Drops a row that can't be read back, from the disk.
    Discard(Key),
    /// Drops whole entries, oldest first, until at most so many bytes are left. On disk: a step of it.
    Shrink(u64),
    /// Drops everything of a class, or only what is no longer fresh at a time. On disk: a step of it.
    Clear(Class, Option<Timestamp>),
}
