//! One line per event, with the id of the trace that it belongs to.
//!
//! Written here rather than by `tracing_subscriber::fmt`: its JSON can't carry a trace id, and repeats every field of
//! every open span on each line.

use opentelemetry::trace::{SpanContext, TraceContextExt};
use serde_json::{Map, Value};
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

/// The fields of an event, in order.
#[derive(Default)]
struct Fields(Map<String, Value>);

// === impl Lines ===

impl Lines {
    pub(super) fn new(sink: Sink, json: bool) -> Self {
        Self { sink, json, dispatch: OnceLock::new() }
    }
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Lines {
    fn on_register_dispatch(&self, dispatch: &Dispatch) {
        let _ = self.dispatch.set(dispatch.downgrade());
    }

    fn on_event(&self, event: &Event<'_>, context: Context<'_, S>) {
        let mut fields = Fields::default();
        event.record(&mut fields);
        let Fields(mut fields) = fields;
        let message = fields.shift_remove("message");
        let dispatch = self.dispatch.get().and_then(WeakDispatch::upgrade);
        let span = context.event_span(event).map(|span| span.id());
        let context = span.zip(dispatch).and_then(|(span, dispatch)| get_otel_context(&span, &dispatch));
        if let Some(trace) = context.map(|context| context.span().span_context().clone()).filter(SpanContext::is_valid)
        {
            fields.insert("trace_id".to_owned(), trace.trace_id().to_string().into());
            fields.insert("span_id".to_owned(), trace.span_id().to_string().into());
        }
        let (level, target) = (event.metadata().level().as_str(), event.metadata().target());
        let line = if self.json { json(level, target, message, fields) } else { text(level, message, &fields) };
        (self.sink)(line.as_bytes());
    }
}

/// One JSON object. Whatever a value holds, it can't end the line.
fn json(level: &str, target: &str, message: Option<Value>, fields: Map<String, Value>) -> String {
    let mut line = Map::new();
    line.insert("time".to_owned(), now().into());
    line.insert("level".to_owned(), level.into());
    line.insert("target".to_owned(), target.into());
    line.extend(message.map(|message| ("message".to_owned(), message)));
    line.extend(fields);
    format!("{}\n", Value::Object(line))
}

/// For people: time, level, message, and the fields as `name=value`.
fn text(level: &str, message: Option<Value>, fields: &Map<String, Value>) -> String {
    let mut line = format!("{} {level:5}", now());
    let bare = |char: char| !char.is_control() && char != '"';
    match message {
        Some(Value::String(message)) if message.chars().all(bare) => line = format!("{line} {message}"),
        Some(message) => line = format!("{line} {message}"),
        None => {}
    }
    for (name, value) in fields {
        let written = match value {
            Value::String(text) if !text.is_empty() && text.chars().all(|char| bare(char) && char != ' ') => {
                write!(line, " {name}={text}")
            }
            other => write!(line, " {name}={other}"),
        };
        debug_assert!(written.is_ok(), "a String takes everything");
    }
    line.push('\n');
    line
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

// === impl Fields ===

impl Fields {
    fn put(&mut self, field: &Field, value: impl Into<Value>) {
        self.0.insert(field.name().to_owned(), value.into());
    }
}

impl Visit for Fields {
    fn record_str(&mut self, field: &Field, value: &str) {
        self.put(field, value);
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.put(field, value);
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.put(field, value);
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.put(field, value);
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.put(field, value);
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.put(field, format!("{value:?}"));
    }
}
