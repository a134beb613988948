//! Logs and spans of this process: what is let through, how it is written, and where it goes.
//!
//! What may be *said* about a fetch is decided where it is said (`Seen` in the layers). Here stands the second fence: what
//! other people's crates say is capped in code, whatever the environment asks for, and a panic's message, which quotes
//! documents, is never printed.

mod filter;
mod ids;
mod lines;
mod panic;
mod parent;
mod writer;

pub use lines::Sink;
pub use panic::hook;
pub use parent::parent;

use crate::config::{self, Env, LogFormat};
use opentelemetry::trace::TracerProvider;
use opentelemetry_otlp::{ExporterBuildError, SpanExporter, WithExportConfig};
use opentelemetry_sdk::{
    Resource,
    trace::{Sampler, SdkTracerProvider, TracerProviderBuilder},
};
use std::{io::IsTerminal, time::Duration};
use thiserror::Error;
use tracing::{Subscriber, level_filters::LevelFilter, subscriber::SetGlobalDefaultError};
use tracing_subscriber::{Layer, layer::SubscriberExt};
use writer::Writer;

/// How long the last spans are given to leave.
const LAST_SPANS: Duration = Duration::from_secs(5);

/// The running telemetry. Keep it until the end of `main`.
#[derive(Debug)]
#[must_use = "without `shutdown` the last spans are lost"]
pub struct Telemetry {
    provider: Option<SdkTracerProvider>,
    writer: Writer,
}

/// How lines are chosen and written.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The level of sift's own lines and spans.
    pub level: LevelFilter,
    /// Directives such as `debug` or `sift_layers::cache=trace`. What isn't about sift is ignored.
    pub tuning: Option<String>,
    /// One JSON object a line, or a line for people.
    pub json: bool,
}

/// Why telemetry didn't start.
#[derive(Debug, Error)]
pub enum TelemetryError {
    /// The exporter refuses its settings.
    #[error("spans can't be sent to `telemetry.otlp_endpoint`: {0}")]
    Exporter(#[from] ExporterBuildError),
    /// No thread for the lines.
    #[error("no thread for log lines: {0}")]
    Writer(#[from] std::io::Error),
    /// Something else listens already.
    #[error("telemetry was started before")]
    Started(#[from] SetGlobalDefaultError),
}

// === impl Telemetry ===

impl Telemetry {
    /// Starts logs on stderr, spans to where the configuration says, and the panic hook, for the whole process.
    ///
    /// Call it before the runtime is made: the exporter has a thread of its own, and a client that blocks.
    pub fn start(config: &config::Telemetry, env: Env<'_>) -> Result<Self, TelemetryError> {
        let json = match config.format {
            LogFormat::Json => true,
            LogFormat::Text => false,
            LogFormat::Auto => !std::io::stderr().is_terminal(),
        };
        let tuning = env("SIFT_LOG").or_else(|| env("RUST_LOG"));
        let writer = Writer::start(std::io::stderr())?;
        let sink = writer.sink();
        let provider = match &config.otlp_endpoint {
            None => None,
            Some(endpoint) => Some(provider().with_batch_exporter(exporter(endpoint)?).build()),
        };
        let settings = Settings { level: config.level, tuning, json };
        tracing::subscriber::set_global_default(subscriber(&settings, sink.clone(), provider.as_ref()))?;
        std::panic::set_hook(hook(sink, json));
        Ok(Self { provider, writer })
    }

    /// Sends the last spans. Call it from `main`, when the runtime is gone.
    pub fn shutdown(self) {
        if self.provider.is_some_and(|provider| provider.shutdown_with_timeout(LAST_SPANS).is_err()) {
            tracing::warn!("the last spans could not be sent");
        }
        drop(self.writer);
    }
}

/// What listens to the program: lines into `sink`, spans to `provider` if there is one.
pub fn subscriber(
    settings: &Settings,
    sink: Sink,
    provider: Option<&SdkTracerProvider>,
) -> impl Subscriber + Send + Sync + use<> {
    let filter = filter::targets(settings.level, settings.tuning.as_deref());
    // Source locations, threads and timings of polls are nobody's interest, and the OpenTelemetry context is the tracing
    // context.
    let spans = provider.map(|provider| {
        tracing_opentelemetry::layer()
            .with_tracer(provider.tracer("sift"))
            .with_location(false)
            .with_threads(false)
            .with_target(false)
            .with_tracked_inactivity(false)
            .with_context_activation(false)
    });
    // Without a receiver spans still have ids, which stand on the lines.
    let names = provider.is_none().then_some(ids::Names);
    tracing_subscriber::registry()
        .with(spans.with_filter(filter.clone()))
        .with(names.with_filter(filter.clone()))
        .with(lines::Lines::new(sink, settings.json).with_filter(filter))
}

/// A provider of spans that says who it is and follows its caller's decision on sampling. It has no exporter yet.
pub fn provider() -> TracerProviderBuilder {
    let version = opentelemetry::KeyValue::new("service.version", env!("CARGO_PKG_VERSION"));
    let resource = Resource::builder_empty().with_service_name("sift").with_attribute(version).build();
    SdkTracerProvider::builder().with_resource(resource).with_sampler(Sampler::ParentBased(Box::new(Sampler::AlwaysOn)))
}

fn exporter(endpoint: &str) -> Result<SpanExporter, ExporterBuildError> {
    // The setting names the collector, as its own documentation does; the path is part of the protocol.
    let endpoint = endpoint.trim_end_matches('/');
    let endpoint = if endpoint.ends_with("/v1/traces") { endpoint.to_owned() } else { format!("{endpoint}/v1/traces") };
    SpanExporter::builder().with_http().with_endpoint(endpoint).build()
}

#[cfg(test)]
mod tests;
