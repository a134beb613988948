//! The trace that an agent's request belongs to (W3C Trace Context).

use super::ids;
use http::HeaderMap;
use opentelemetry::{
    Context,
    propagation::{Extractor, TextMapPropagator},
    trace::TraceContextExt,
};
use opentelemetry_sdk::propagation::TraceContextPropagator;
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt;

const TRACEPARENT: &str = "traceparent";

/// Sees `traceparent` alone: `tracestate` would only be handed on, and nothing is; baggage is data.
struct Traceparent<'a>(&'a HeaderMap);

/// Makes `span` a child of the caller's, when the request names one. It must not have been entered yet.
pub fn parent(span: &Span, headers: &HeaderMap) {
    if !headers.contains_key(TRACEPARENT) {
        return;
    }
    let context = TraceContextPropagator::new().extract_with_context(&Context::new(), &Traceparent(headers));
    let caller = context.span().span_context().clone();
    if caller.is_valid() {
        ids::adopt(span, &caller);
        // It fails when nobody listens, and then nobody misses it.
        let _ = span.set_parent(context);
    }
}

impl Extractor for Traceparent<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        if key == TRACEPARENT { self.0.get(TRACEPARENT)?.to_str().ok() } else { None }
    }

    fn keys(&self) -> Vec<&str> {
        vec![TRACEPARENT]
    }
}
