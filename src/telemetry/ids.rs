//! Trace ids for the lines of a process that sends its spans nowhere.
//!
//! The OpenTelemetry layer gives ids, too, and does a great deal besides, on each of the spans of a request.

use opentelemetry::trace::{SpanContext, SpanId, TraceId};
use opentelemetry_sdk::trace::{IdGenerator, RandomIdGenerator};
use tracing::{Span, Subscriber, span};
use tracing_subscriber::{
    Layer, Registry,
    layer::Context,
    registry::{LookupSpan, SpanRef},
};

/// Names every span: a child by its parent's trace, others by one of their own.
#[derive(Debug)]
pub(super) struct Names;

/// The name of a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ids {
    /// The trace that it belongs to.
    pub(super) trace: TraceId,
    /// The span itself.
    pub(super) span: SpanId,
}

/// Puts `span` into the trace of a caller.
pub(super) fn adopt(span: &Span, caller: &SpanContext) {
    span.with_subscriber(|(id, dispatch)| {
        let Some(span) = dispatch.downcast_ref::<Registry>().and_then(|registry| registry.span(id)) else { return };
        if let Some(ids) = of(&span) {
            span.extensions_mut().replace(Ids { trace: caller.trace_id(), ..ids });
        }
    });
}

/// The name of a span, when it has one.
pub(super) fn of<'a, R: LookupSpan<'a>>(span: &SpanRef<'a, R>) -> Option<Ids> {
    span.extensions().get::<Ids>().copied()
}

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Names {
    fn on_new_span(&self, _: &span::Attributes<'_>, id: &span::Id, context: Context<'_, S>) {
        let Some(span) = context.span(id) else { return };
        let trace = span.parent().as_ref().and_then(of).map(|parent| parent.trace);
        let random = RandomIdGenerator::default();
        let trace = trace.unwrap_or_else(|| random.new_trace_id());
        span.extensions_mut().insert(Ids { trace, span: random.new_span_id() });
    }
}
