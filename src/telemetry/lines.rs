//! One line per event, with the id of the trace that it belongs to.
//!
//! Written here rather than by `tracing_subscriber::fmt`: its JSON can't carry a trace id, and repeats every field of
//! every open span on each line.

use super::ids::{self, Ids};
use opentelemetry::trace::TraceContextExt;
use sift_layers::clock::Timestamp;
use std::{
    fmt::{self, Write},
    sync::{Arc, OnceLock},
    time::SystemTime,
};
use tracing::{
    Dispatch, Event, Subscriber,
    dispatcher::WeakDispatch,
    field::{Field, Visit},
};
use tracing_opentelemetry::get_otel_context;
use tracing_subscriber::{Layer, layer::Context, registry::LookupSpan};

/// Takes finished lines, each with its line end, in one piece.
pub type Sink = Arc<dyn Fn(&[u8]) + Send + Sync>;

/// Writes events into a sink.
pub(super) struct Lines {
    sink: Sink,
    json: bool,
    dispatch: OnceLock<WeakDispatch>,
}

/// A line that is being written, field by field: a request has two of them, so nothing is collected first.
struct Line {
    text: String,
    json: bool,
}

/// As long as most lines are, in bytes.
const USUAL: usize = 512;

// === impl Lines ===

impl Lines {
    pub(super) fn new(sink: Sink, json: bool) -> Self {
        Self { sink, json, dispatch: OnceLock::new() }
    }

    /// The name under which a span is sent to a collector.
    fn exported(&self, span: &tracing::span::Id) -> Option<Ids> {
        let dispatch = self.dispatch.get()?.upgrade()?;
        let context = get_otel_context(span, &dispatch)?;
        let span = context.span();
        let found = span.span_context();
        found.is_valid().then(|| Ids { trace: found.trace_id(), span: found.span_id() })
    }
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Lines {
    fn on_register_dispatch(&self, dispatch: &Dispatch) {
        let _ = self.dispatch.set(dispatch.downgrade());
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let mut line = Line::begin(event.metadata(), self.json);
        event.record(&mut line);
        let span = context.event_span(event);
        if let Some(Ids { trace, span }) = span.and_then(|span| ids::of(&span).or_else(|| self.exported(&span.id()))) {
            line.plain("trace_id", format_args!("{trace}"));
            line.plain("span_id", format_args!("{span}"));
        }
        (self.sink)(line.end().as_bytes());
    }
}

// === impl Line ===

impl Line {
    /// The time, the level and, for machines, the module.
    fn begin(metadata: &tracing::Metadata<'_>, json: bool) -> Self {
        let mut text = String::with_capacity(USUAL);
        let (level, target) = (metadata.level().as_str(), metadata.target());
        let written = if json {
            write!(text, r#"{{"time":"{}","level":"{level}","target":"{target}""#, now())
        } else {
            write!(text, "{} {level:5}", now())
        };
        debug_assert!(written.is_ok(), "a String takes everything");
        Self { text, json }
    }

    /// A text of any kind. Whatever it holds, it can't end the line.
    fn text(&mut self, name: &str, value: &str) {
        let quoted = |char: char| char.is_control() || char == '"';
        let is_message = name == "message";
        self.name(name);
        let bare = !self.json && !value.contains(quoted) && (is_message || !(value.is_empty() || value.contains(' ')));
        if bare {
            self.text.push_str(value);
        } else {
            // Serialising a str can't fail.
            self.text.push_str(&serde_json::to_string(value).unwrap_or_default());
        }
    }

    /// A value that needs no escape.
    fn plain(&mut self, name: &str, value: fmt::Arguments<'_>) {
        self.name(name);
        let quote = if self.json { "\"" } else { "" };
        let written = write!(self.text, "{quote}{value}{quote}");
        debug_assert!(written.is_ok(), "a String takes everything");
    }

    /// A number or a truth value.
    fn bare(&mut self, name: &str, value: impl fmt::Display) {
        self.name(name);
        let written = write!(self.text, "{value}");
        debug_assert!(written.is_ok(), "a String takes everything");
    }

    fn name(&mut self, name: &str) {
        let written = match name {
            // Names are in the program, and hold nothing that JSON escapes.
            _ if self.json => write!(self.text, r#","{name}":"#),
            "message" => write!(self.text, " "),
            _ => write!(self.text, " {name}="),
        };
        debug_assert!(written.is_ok(), "a String takes everything");
    }

    fn end(mut self) -> String {
        self.text.push_str(if self.json { "}\n" } else { "\n" });
        self.text
    }
}

impl Visit for Line {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.text(field.name(), value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.bare(field.name(), value);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.bare(field.name(), value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.bare(field.name(), value);
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        // JSON has no word for what is no number.
        if value.is_finite() { self.bare(field.name(), value) } else { self.text(field.name(), &value.to_string()) }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.text(field.name(), &format!("{value:?}"));
    }
}

/// RFC 3339 in UTC, with milliseconds.
pub(super) fn now() -> String {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let seconds = Timestamp(since.as_secs() * 1000).to_string();
    format!("{}.{:03}Z", seconds.trim_end_matches('Z'), since.subsec_millis())
}

impl fmt::Debug for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Lines(json: {})", self.json)
    }
}
