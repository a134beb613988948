//! The address guard.

use crate::{
    caller::Class,
    error::{Error, Refusal},
    fetch::{Found, Hop},
    metrics::Metrics,
    stage::{Stage, around},
    url::PageUrl,
};
use std::{net::IpAddr, sync::Arc};
use tower::{Layer, ServiceExt};

/// What may be fetched.
#[derive(Clone, Debug, Default)]
pub struct Policy {}

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

impl Policy {
    /// Judges an address before anything is looked up or connected.
    pub fn check(&self, _class: Class, _url: &PageUrl) -> Result<(), Refusal> {
        Ok(())
    }

    /// Judges what a name resolved to, or who answered.
    pub fn allows(&self, _class: Class, _ip: IpAddr) -> bool {
        true
    }
}
