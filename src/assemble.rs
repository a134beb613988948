//! From a configuration to a whole sift: which parts, with which settings.

use crate::{
    config::{self, Config},
    stack::{self, Parts},
    store::{OpenError, Options, Shelf},
    surface::{Rules, Surface},
    upstream,
};
use anyhow::{Context, anyhow};
use prometheus_client::registry::Registry as MetricsRegistry;
use sift_handlers::{
    ContentHandler, Kind, Registry,
    pdf::{self, ChildEnd, Pdf, PdfConfig},
};
use sift_layers::{
    cache::Cache,
    guard::{Egress, Policy},
    metrics::Metrics,
    pool::Pool,
    single_flight::Flights,
    turns::Turns,
};
use std::{sync::Arc, time::Duration};

/// Everything that a process needs to answer.
pub struct Sift {
    /// What the surfaces stand on.
    pub surface: Surface,
    /// What was read before.
    pub store: Arc<Shelf>,
    /// Counts everything.
    pub metrics: Arc<Metrics>,
    /// The same, for `/metrics`.
    pub registry: MetricsRegistry,
}

/// What a process is for, and so what it can do without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Serving: the cache directory is its own, or it doesn't start.
    Serve,
    /// One command: when another process has the cache, memory will do.
    Command,
    /// Looking after the cache itself.
    Cache,
}

/// Things to tell the operator once.
pub type Remarks = Vec<String>;

impl Sift {
    /// Puts the parts together.
    pub fn assemble(config: &Config, purpose: Purpose) -> anyhow::Result<(Self, Remarks)> {
        let kinds = handlers(config, None).kinds();
        let (metrics, registry) = Metrics::new(&kinds, env!("CARGO_PKG_VERSION"));
        let handlers = handlers(config, Some(metrics.clone()));
        let (store, remarks) = store(config, &kinds, purpose, metrics.clone())?;
        let policy = Arc::new(policy(config));
        let parts = Parts {
            upstream: upstream::upstream(policy.clone(), metrics.clone()).context("can't make an HTTP client")?,
            policy,
            cache: Cache::new(store.clone(), metrics.clone()),
            handlers: Arc::new(handlers),
            pool: Pool::new(config.pdf.slots, config.pdf.places, config.pdf.patience, metrics.clone()),
            spool: None,
            metrics: metrics.clone(),
            flights: Flights::default(),
            turns: Turns::default(),
        };
        let rules = Rules {
            out_cap: config.view.out_cap,
            out_ceiling: config.view.ceiling,
            allow_cookies: config.egress.allow_cookies,
        };
        let surface = Surface::new(stack::fetcher(parts), rules);
        Ok((Self { surface, store, metrics, registry }, remarks))
    }

    /// Writes what is still to be written.
    pub async fn close(self) {
        let store = self.store;
        // A store that panicked while closing has nothing left to write.
        let _ = tokio::task::spawn_blocking(move || store.close()).await;
    }
}

impl std::fmt::Debug for Sift {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Sift(..)")
    }
}

/// The kinds, within the operator's limits. `metrics` hears of children that the system-call filter ended.
pub fn handlers(config: &Config, metrics: Option<Arc<Metrics>>) -> Registry {
    let mut handlers = Registry::standard(Pdf::new(pdf(config, metrics)));
    for kind in handlers.kinds() {
        let Some(handler) = handlers.named(kind.as_str()) else { continue };
        let limits = limits(config, handler.as_ref());
        handlers = handlers.limited(kind, limits);
    }
    handlers
}

/// How PDFs are read.
pub fn pdf(config: &Config, metrics: Option<Arc<Metrics>>) -> PdfConfig {
    PdfConfig {
        max_pages: config.pdf.max_pages,
        deadline: config.pdf.deadline,
        child_memory: config.pdf.child_memory,
        sandbox: match config.pdf.sandbox {
            config::Sandbox::Require => pdf::Sandbox::Require,
            config::Sandbox::BestEffort => pdf::Sandbox::BestEffort,
        },
        on_child_end: metrics.map(|metrics| -> pdf::ChildEndHook {
            Arc::new(move |end| {
                if end == ChildEnd::PolicyKill {
                    metrics.child_policy_kills.inc();
                    tracing::error!("a child was ended by the system-call filter: a bug or an attack");
                }
            })
        }),
        ..PdfConfig::default()
    }
}

/// Opens the store that the configuration names.
pub fn store(
    config: &Config,
    kinds: &[Kind],
    purpose: Purpose,
    metrics: Arc<Metrics>,
) -> anyhow::Result<(Arc<Shelf>, Remarks)> {
    let config::Cache { dir, max_bytes, hot_bytes, .. } = &config.cache;
    let memory = || Arc::new(Shelf::in_memory(*hot_bytes));
    let Some(directory) = dir.clone() else { return Ok((memory(), Remarks::new())) };
    let options = Options { directory, hot_bytes: *hot_bytes, max_bytes: *max_bytes, kinds: kinds.to_vec() };
    match Shelf::open(&options, metrics) {
        Ok(opened) => {
            let told = |aside: std::path::PathBuf| format!("the cache was damaged; it is now {}", aside.display());
            Ok((Arc::new(opened.shelf), opened.moved_aside.map(told).into_iter().collect()))
        }
        Err(error) if purpose == Purpose::Command => {
            Ok((memory(), vec![format!("the cache is {error}; going on without")]))
        }
        Err(OpenError::InUse) => {
            Err(anyhow!("the cache in {} is in use by another process", options.directory.display()))
        }
        Err(error) => Err(anyhow!("the cache in {} is {error}", options.directory.display())),
    }
}

fn limits(config: &Config, handler: &dyn ContentHandler) -> sift_handlers::Limits {
    let own = handler.limits();
    let config::Limits { pdf_bytes, others_bytes, pdf_read, others_read } = config.limits;
    let (body, read) = if own.pooled { (pdf_bytes, pdf_read) } else { (others_bytes, others_read) };
    sift_handlers::Limits { body, read, fresh: fresh(config, handler.kind(), own.fresh), ..own }
}

/// How long a kind is fresh: the operator's word, else the kind's own.
fn fresh(config: &Config, kind: Kind, own: Duration) -> Duration {
    match kind.as_str() {
        "pdf" => config.cache.ttl.pdf,
        "html" => config.cache.ttl.html,
        "json" => config.cache.ttl.json,
        "text" => config.cache.ttl.text,
        _ => own,
    }
}

fn policy(config: &Config) -> Policy {
    let egress = |reach: &config::Reach| Egress {
        allow_private: reach.allow_private.clone(),
        allow_ports: reach.allow_ports.clone(),
        allow_names: reach.allow_names.clone(),
        nat64_prefix: reach.nat64_prefix,
    };
    Policy::new(egress(&config.egress.fleet), egress(&config.egress.restricted))
}
