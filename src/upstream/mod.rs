//! The HTTP client behind the fetch stack: one for each caller class, without proxies, redirects, cookies, retries of
//! answers or automatic decoding, connecting to vetted addresses only.

mod error;
mod resolve;
#[cfg(test)]
mod tests;

pub use resolve::Lookup;

use futures::{StreamExt, TryStreamExt};
use reqwest::{Client, redirect};
use resolve::Vetted;
use sift_layers::{
    Class, Error, Refusal,
    get::{Request, Response, Upstream},
    guard::Policy,
    metrics::Metrics,
};
use std::{net::SocketAddr, sync::Arc, time::Duration};
use tower::{service_fn, util::BoxCloneSyncService};

/// From the lookup of a name to the end of the handshake.
const CONNECT: Duration = Duration::from_secs(5);

/// The longest silence of a peer, before its head and within its body.
const SILENCE: Duration = Duration::from_secs(15);

/// The most headers in a head of HTTP/1.
const HEADERS: usize = 128;

/// The most bytes of headers in HTTP/2.
const HEADER_BYTES: u32 = 64 << 10;

/// The client of each class. Nothing is shared between them: no connections, no TLS tickets, no streams.
struct Clients {
    fleet: Client,
    restricted: Client,
    policy: Arc<Policy>,
    metrics: Arc<Metrics>,
}

/// Whose certificates are believed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Roots {
    /// Those that the platform believes.
    Platform,
    /// None: every handshake fails.
    None,
}

/// The client of the fetch stack. It looks names up as the system does.
///
/// A platform without root certificates is a warning and not an error: plain http works there, and https is
/// [`Error::UpstreamTls`].
pub fn upstream(policy: Arc<Policy>, metrics: Arc<Metrics>) -> Result<Upstream, reqwest::Error> {
    upstream_with(policy, metrics, &resolve::system())
}

/// The same, with another way to look names up.
pub fn upstream_with(policy: Arc<Policy>, metrics: Arc<Metrics>, lookup: &Lookup) -> Result<Upstream, reqwest::Error> {
    let clients = |roots| {
        let client = |class| client(roots, Vetted::new(class, policy.clone(), lookup.clone()));
        Ok((client(Class::Fleet)?, client(Class::Restricted)?))
    };
    let (fleet, restricted) = clients(Roots::Platform).or_else(|_: reqwest::Error| {
        tracing::warn!("no root certificates on this machine: https addresses can't be fetched");
        clients(Roots::None)
    })?;
    let clients = Arc::new(Clients { fleet, restricted, policy, metrics });
    Ok(BoxCloneSyncService::new(service_fn(move |request| {
        let clients = clients.clone();
        async move { clients.get(request).await.inspect_err(|error| clients.count(*error)) }
    })))
}

#[expect(clippy::disallowed_methods, reason = "this is the guarded client that everybody else has to use")]
fn client(roots: Roots, names: Vetted) -> Result<Client, reqwest::Error> {
    let builder = Client::builder()
        .no_proxy() // a proxy would connect to what it likes
        .redirect(redirect::Policy::none())
        .referer(false)
        .dns_resolver(names)
        .http1_max_headers(HEADERS)
        .http2_max_header_list_size(HEADER_BYTES)
        .http2_keep_alive_interval(Duration::from_secs(20))
        .http2_keep_alive_timeout(Duration::from_secs(10))
        .pool_idle_timeout(Duration::from_secs(30))
        .pool_max_idle_per_host(2)
        .connect_timeout(CONNECT)
        .read_timeout(SILENCE); // the total depends on the kind, and is the `read` layer's
    match roots {
        Roots::Platform => builder.build(),
        Roots::None => builder.tls_certs_only([]).build(),
    }
}

// === impl Clients ===

impl Clients {
    async fn get(&self, request: Request) -> Result<Response, Error> {
        let Request { class, url, headers } = request;
        // An address written out never reaches the resolver. The guard above has judged it; nothing gets here unjudged.
        self.policy.check(class, &url).map_err(Error::Refused)?;
        let client = match class {
            Class::Fleet => &self.fleet,
            Class::Restricted => &self.restricted,
        };
        let sent = client.get(url.expose().clone()).headers(headers).send().await;
        let mut response = sent.map_err(|error| error::code(&error))?;
        self.vouch(class, response.remote_addr())?;
        let (status, headers) = (response.status().as_u16(), std::mem::take(response.headers_mut()));
        let body = response.bytes_stream().map_err(|error| error::code(&error)).boxed();
        Ok(Response { status, headers, body })
    }

    /// Judges who answered: the last wall, should a connection ever be made to an address that nobody judged.
    fn vouch(&self, class: Class, peer: Option<SocketAddr>) -> Result<(), Error> {
        let is_allowed = peer.is_some_and(|peer| self.policy.allows(class, peer.ip()));
        if is_allowed { Ok(()) } else { Err(Error::Refused(Refusal::Peer)) }
    }

    fn count(&self, error: Error) {
        if let Error::Refused(refusal) = error {
            self.metrics.guard_refused.get_or_create(&[("reason", refusal.as_str())]).inc();
        }
    }
}
