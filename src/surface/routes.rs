//! Which path leads to which surface.

use super::{RequestId, Surface, openapi, respond, respond::Failure, v1, v2};
use axum::{Extension, Json, Router, http::Uri, response::Response, routing::get};
use sift_layers::Error;

/// Every route of the main listener.
pub fn all(surface: Surface) -> Router {
    Router::new()
        .merge(v1::routes())
        .merge(v2::routes())
        .route("/openapi.json", get(|| async { Json(openapi::document()) }))
        .fallback(nowhere)
        .with_state(surface)
}

/// The name of a route, for metrics, spans and the access line: one of a few, never a path that a caller made up.
pub fn name(uri: &Uri) -> &'static str {
    match uri.path() {
        "/v1/fetch" => "/v1/fetch",
        "/v2/scrape" => "/v2/scrape",
        "/openapi.json" => "/openapi.json",
        path if path.starts_with("/v2/") => "/v2/*",
        path if path.starts_with("/v1/") => "/v1/*",
        _ => "other",
    }
}

async fn nowhere(Extension(id): Extension<RequestId>) -> Response {
    let hint = "POST /v1/fetch, POST /v2/scrape, GET /openapi.json";
    respond::failure(&Failure::said(Error::NoSuchEndpoint, "no such endpoint", hint), &id)
}
