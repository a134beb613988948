//! The address guard: judges every hop by its address, before a name is looked up or a connection made.
//!
//! The same [`Policy`] judges what names resolve to and who answered, where the connection is made; a check that is
//! not repeated there fails by rebinding.

mod name;
mod policy;
mod table;
#[cfg(test)]
mod tests;

pub use policy::{Egress, Policy};

use crate::{
    error::Error,
    fetch::{Found, Hop},
    metrics::Metrics,
    stage::{Stage, around},
};
use std::sync::Arc;
use tower::{Layer, ServiceExt};

/// Refuses what is not public. Above the cache: an address forbidden today is not served from yesterday.
pub fn address<S: Stage<Hop, Found>>(
    policy: Arc<Policy>,
    metrics: Arc<Metrics>,
) -> impl Layer<S, Service: Stage<Hop, Found>> + Clone {
    around((policy, metrics), |(policy, metrics): (Arc<Policy>, Arc<Metrics>), inner: S, hop: Hop| async move {
        if let Err(refusal) = policy.check(hop.caller.class(), hop.key.url()) {
            metrics.guard_refused.get_or_create(&[("reason", refusal.as_str())]).inc();
            return Err(Error::Refused(refusal));
        }
        inner.oneshot(hop).await
    })
}
