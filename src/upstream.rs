//! stub until the guard branch lands
use futures::StreamExt;
use sift_layers::{Error, get::{Request, Response, Upstream}, guard::Policy, metrics::Metrics};
use std::sync::Arc;
use tower::{service_fn, util::BoxCloneSyncService};

/// stub
#[expect(clippy::disallowed_methods, reason = "stub")]
pub fn upstream(_policy: Arc<Policy>, _metrics: Arc<Metrics>) -> anyhow::Result<Upstream> {
    let client = reqwest::Client::builder().no_proxy().redirect(reqwest::redirect::Policy::none()).build()?;
    Ok(BoxCloneSyncService::new(service_fn(move |request: Request| {
        let client = client.clone();
        async move {
            let r = client.get(request.url.expose().clone()).headers(request.headers).send().await.map_err(|e| if e.is_connect() { if format!("{e:?}").contains("dns") { Error::UpstreamDns } else { Error::UpstreamConnect } } else { Error::UpstreamProtocol })?;
            let (status, headers) = (r.status().as_u16(), r.headers().clone());
            Ok(Response { status, headers, body: r.bytes_stream().map(|p| p.map_err(|_| Error::UpstreamProtocol)).boxed() })
        }
    })))
}
