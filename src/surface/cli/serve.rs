//! `sift serve`.

use super::{End, load, runtime};
use crate::{
    admin::{self, Admin, Readiness},
    assemble::{self, Purpose, Sift},
    config::{Config, Loaded},
    serve::{self, Rules, Shutdown},
    stack::{self, Gate},
    store::Shelf,
    telemetry::{self, Telemetry},
};
use anyhow::Context;
use async_trait::async_trait;
use sift_handlers::pdf::{self, PdfConfig};
use sift_layers::{Class, Store, auth::Callers};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};
use tokio::net::TcpListener;

/// Connections to the admin address at once.
const ADMIN_CONNECTIONS: usize = 64;

/// How long requests to the admin address may take once the process is told to stop.
const ADMIN_DRAIN: Duration = Duration::from_secs(1);

/// Whether the store answers and a child starts.
struct Ready {
    store: Arc<Shelf>,
    pdf: PdfConfig,
}

pub(super) fn run(path: Option<&Path>) -> Result<u8, End> {
    let Loaded { config, .. } = load(path)?;
    config.may_serve()?;
    let telemetry = Telemetry::start(&config.telemetry, &|name| std::env::var(name).ok())
        .map_err(|error| End::from(anyhow::Error::from(error)))?;
    let served = runtime()?.block_on(serve_all(config, path.map(Path::to_owned)));
    telemetry.shutdown();
    served
}

async fn serve_all(config: Config, path: Option<PathBuf>) -> Result<u8, End> {
    let (sift, remarks) = Sift::assemble(&config, Purpose::Serve)?;
    for remark in remarks {
        tracing::error!("{remark}");
    }
    let pdf = assemble::pdf(&config, None);
    tell_of_the_sandbox(&pdf).await?;
    let bind = async |address| TcpListener::bind(address).await.with_context(|| format!("can't listen on {address}"));
    let (listener, admin) = (bind(config.server.listen).await?, bind(config.admin.listen).await?);
    let callers = Callers::new(config.callers.clone());
    let shutdown = Shutdown::new();
    let gate = Gate {
        callers: callers.clone(),
        max_requests: config.server.max_requests,
        backstop: config.server.backstop,
        metrics: sift.metrics.clone(),
        parent: telemetry::parent,
    };
    let app = stack::edge(gate, sift.surface);
    let pages = admin::routes(Admin {
        registry: Arc::new(sift.registry),
        readiness: Arc::new(Ready { store: sift.store.clone(), pdf }),
        shutdown: shutdown.clone(),
    });
    let (listen, of_admin) = (listener.local_addr()?.to_string(), admin.local_addr()?.to_string());
    tracing::info!(listen, admin = of_admin, "serving");
    let rules = Rules { max_connections: config.server.max_connections, drain: config.server.drain };
    let admin_rules = Rules { max_connections: ADMIN_CONNECTIONS, drain: ADMIN_DRAIN };
    let ended = tokio::select! {
        ended = async {
            // The admin pages answer while the rest drains, and end with it.
            let service = serve::run(listener, app, rules, shutdown.clone());
            let admin = serve::run(admin, pages, admin_rules, Shutdown::new());
            tokio::select! { ended = service => ended, ended = admin => ended }
        } => ended,
        failed = serve::signals(shutdown.clone(), move || reload(path.as_deref(), &callers)) => {
            failed?;
            serve::Ended::Drained
        }
    };
    let store = sift.store;
    // A store that panicked while closing has nothing left to write.
    let _ = tokio::task::spawn_blocking(move || store.close()).await;
    tracing::info!(ended = ?ended, "stopped");
    Ok(u8::from(ended != serve::Ended::Drained))
}

/// Says once what the sandbox of the child is worth here; refuses to start when that is less than what is required.
async fn tell_of_the_sandbox(pdf: &PdfConfig) -> Result<(), End> {
    match pdf::probe(pdf).await {
        Some(report) => {
            tracing::info!(sandbox = ?report, "the child locks itself in");
            Ok(())
        }
        None if pdf.sandbox == pdf::Sandbox::Require => {
            Err(anyhow::anyhow!("the sandbox that pdf.sandbox = \"require\" asks for can't be set up; see sift doctor")
                .into())
        }
        None => {
            tracing::warn!("no child can be confined here: PDFs are answered with 503");
            Ok(())
        }
    }
}

/// Reads the callers again. A configuration that can't be read changes nothing.
fn reload(path: Option<&Path>, callers: &Callers) {
    match load(path) {
        Ok(Loaded { config, .. }) if config.may_serve().is_err() => {
            tracing::error!("callers not reloaded: no caller is left, and the address is open to others");
        }
        Ok(Loaded { config, .. }) => match callers.replace(config.callers) {
            Ok(()) => tracing::info!("callers reloaded"),
            Err(error) => tracing::error!("callers not reloaded: {error}"),
        },
        Err(End::Start(_, error)) => tracing::error!("callers not reloaded: {error:#}"),
        Err(End::Failed(_) | End::Output(_)) => tracing::error!("callers not reloaded"),
    }
}

#[async_trait]
impl Readiness for Ready {
    async fn check(&self) -> Result<(), &'static str> {
        self.store.statistics(Class::Fleet).await.map_err(|_| "store")?;
        pdf::probe(&self.pdf).await.map(drop).ok_or("child")
    }
}
