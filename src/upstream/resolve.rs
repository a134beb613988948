//! Names are looked up once, every answer is judged, and only judged addresses are connected to.

use futures::future::FutureExt;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use sift_layers::{Class, Refusal, guard::Policy};
use std::{
    fmt, io,
    net::{IpAddr, SocketAddr, ToSocketAddrs},
    sync::Arc,
    time::Duration,
};
use tokio::sync::Semaphore;

/// Looks a name up, blocking. A dot at its end makes it absolute: nothing may complete it.
pub type Lookup = Arc<dyn Fn(&str) -> io::Result<Vec<IpAddr>> + Send + Sync>;

/// How long a lookup may take, with the wait for its turn.
const PATIENCE: Duration = Duration::from_secs(5);

/// Lookups at once, for each class. One that nobody waits for any more still occupies its thread.
const AT_ONCE: usize = 64;

/// The most answers used.
const ANSWERS: usize = 16;

/// The resolver of one class.
pub(super) struct Vetted {
    class: Class,
    policy: Arc<Policy>,
    lookup: Lookup,
    turns: Arc<Semaphore>,
}

/// Why a name leads nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// It has no address, or nobody could say.
    Unknown,
    /// Nobody said in time.
    TimedOut,
    /// It has an address that is not for callers.
    Refused(Refusal),
}

/// As the system does it.
pub(super) fn system() -> Lookup {
    // The port is the address's own, and reqwest takes one from here only when this is not 0.
    Arc::new(|name| Ok((name, 0).to_socket_addrs()?.map(|address| address.ip()).collect()))
}

// === impl Vetted ===

impl Vetted {
    pub(super) fn new(class: Class, policy: Arc<Policy>, lookup: Lookup) -> Self {
        Self { class, policy, lookup, turns: Arc::new(Semaphore::new(AT_ONCE)) }
    }

    /// Absolute, so that no search list turns a public name into an internal one. Names that the operator lists are
    /// looked up as they stand.
    fn absolute(&self, host: &str) -> String {
        let bare = host.strip_suffix('.').unwrap_or(host);
        if self.policy.lists(self.class, bare) { bare.to_owned() } else { format!("{bare}.") }
    }
}

impl Resolve for Vetted {
    fn resolve(&self, name: Name) -> Resolving {
        let (class, policy, lookup, turns) = (self.class, self.policy.clone(), self.lookup.clone(), self.turns.clone());
        let name = self.absolute(name.as_str());
        async move {
            let found = tokio::time::timeout(PATIENCE, look(name, lookup, turns)).await;
            let found = found.map_err(|_| Failure::TimedOut)??;
            // Public hosts do not mix: one address that is not public among others is an attack.
            if !found.iter().all(|ip| policy.allows(class, *ip)) {
                return Err(Failure::Refused(Refusal::Address).into());
            }
            let addresses = found.into_iter().take(ANSWERS).map(|ip| SocketAddr::new(ip, 0));
            Ok(Box::new(addresses) as Addrs)
        }
        .boxed()
    }
}

async fn look(name: String, lookup: Lookup, turns: Arc<Semaphore>) -> Result<Vec<IpAddr>, Failure> {
    let turn = turns.acquire_owned().await.map_err(|_| Failure::Unknown)?;
    let work = tokio::task::spawn_blocking(move || {
        let _turn = turn;
        lookup(&name)
    });
    match work.await {
        Ok(Ok(found)) if !found.is_empty() => Ok(found),
        _ => Err(Failure::Unknown),
    }
}

// === impl Failure ===

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name leads nowhere")
    }
}

impl std::error::Error for Failure {}
