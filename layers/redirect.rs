//! Follows redirects above the cache and the flights: each hop is guarded, looked up and flown by its own address, so
//! the last hop's key is the final address, and two short links to one paper share one download.

use crate::{
    caller::Class,
    clock::Timestamp,
    error::{Error, Refusal},
    fetch::{Fetch, Fetched, Found, Hop, Terms},
    key::{Key, Variant},
    metrics::Metrics,
    stage::{Stage, around},
    store::Step,
};
use http::HeaderMap;
use std::sync::Arc;
use tower::{Layer, ServiceExt};

/// At most `most` redirects.
pub fn follow<S: Stage<Hop, Found>>(
    most: usize,
    metrics: Arc<Metrics>,
) -> impl Layer<S, Service: Stage<Fetch, Fetched>> + Clone {
    around((most, metrics), |(most, metrics): (usize, Arc<Metrics>), inner: S, fetch: Fetch| async move {
        let Fetch { caller, url, mut terms } = fetch;
        let since = Timestamp::now();
        let variant = |terms: &Terms| Variant::of(&terms.reading, &terms.headers);
        let mut key = Key::new(caller.class(), url, variant(&terms));
        let mut downgraded = false;
        for _ in 0..=most {
            let hop = Hop { caller: caller.clone(), key: key.clone(), terms: terms.clone(), since };
            let Found { entry, origin, stale } = inner.clone().oneshot(hop).await?;
            match &entry.step {
                Step::Read(document) => {
                    let document = document.clone();
                    return Ok(Fetched { document, url: key.url().clone(), entry, origin, stale, downgraded });
                }
                Step::Verdict(_, verdict) => return Err(Error::Unreadable(*verdict)),
                Step::Moved(next) => {
                    if key.url().is_secure() && !next.is_secure() {
                        if caller.class() == Class::Restricted || !terms.headers.is_empty() {
                            let refusal = Refusal::Downgrade;
                            metrics.guard_refused.get_or_create(&[("reason", refusal.as_str())]).inc();
                            return Err(Error::Refused(refusal));
                        }
                        downgraded = true;
                    }
                    // What the caller told one origin is not for another.
                    if !terms.headers.is_empty() && !key.url().is_same_origin(next) {
                        terms = Arc::new(Terms { headers: HeaderMap::new(), ..(*terms).clone() });
                    }
                    key = Key::new(caller.class(), next.clone(), variant(&terms));
                }
            }
        }
        Err(Error::TooManyRedirects)
    })
}

#[cfg(test)]
mod tests;
