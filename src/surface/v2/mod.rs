//! `/v2`: Firecrawl's contract, so that its SDKs and the agents built on them work with nothing changed but the address
//! of the server.

mod answer;
mod errors;
mod fields;
mod formats;
mod metadata;
mod request;
#[cfg(test)]
mod tests;

use crate::surface::{RequestId, Surface};
use axum::{
    Extension, Router,
    body::Bytes,
    extract::{State, rejection::BytesRejection},
    response::{IntoResponse, Response},
    routing::{any, post},
};
use errors::Failure;
use http::{HeaderValue, StatusCode, Uri, header};
use request::Scrape;
use sift_layers::{Caller, Error, Fetch, Fetched, Origin, clock::Timestamp};
use tower::ServiceExt;

/// Endpoints of Firecrawl's that SDKs call and sift doesn't have, by the beginning of their path.
const NOT_BUILT: [&str; 8] = ["batch/scrape", "crawl", "map", "search", "parse", "extract", "agent", "interact"];

/// Everything under `/v2`. Wants a [`Caller`] and a [`RequestId`] among the extensions.
pub fn routes() -> Router<Surface> {
    Router::new()
        .route("/v2/scrape", post(scrape).fallback(method))
        .route("/v2", any(elsewhere))
        .route("/v2/", any(elsewhere))
        .route("/v2/{*path}", any(not_built))
}

/// The answer to a request that never got here, in the shape that callers of `/v2` read.
pub fn refuse(error: Error, id: &RequestId) -> Response {
    Failure::from(error).answer(id)
}

async fn scrape(
    State(surface): State<Surface>,
    Extension(caller): Extension<Caller>,
    Extension(id): Extension<RequestId>,
    body: Result<Bytes, BytesRejection>,
) -> Response {
    serve(surface, caller, body).await.unwrap_or_else(|failure| failure.answer(&id))
}

async fn serve(surface: Surface, caller: Caller, body: Result<Bytes, BytesRejection>) -> Result<Response, Failure> {
    let Surface { fetcher, rules, .. } = surface;
    let body = body.map_err(|rejected| match rejected.into_response().status() {
        StatusCode::PAYLOAD_TOO_LARGE => Error::RequestTooLarge,
        _ => Error::BadRequest,
    })?;
    let scrape = Scrape::parse(&body, &rules)?;
    let fetch = Fetch { caller, url: scrape.url.clone(), terms: scrape.terms.clone() };
    match fetcher.oneshot(fetch).await {
        Ok(fetched) if is_too_young(&scrape, &fetched) => Err(Error::NotCached.into()),
        Ok(fetched) => Ok(answer::document(&scrape, &fetched, rules.out_cap)),
        Err(Error::UpstreamStatus(status)) => Ok(answer::status(&scrape, status)),
        Err(Error::NotCached) if scrape.lockdown => Err(Failure::lockdown()),
        Err(error) => Err(error.into()),
    }
}

/// Whether `minAge` asks for an older copy than there is.
fn is_too_young(scrape: &Scrape, fetched: &Fetched) -> bool {
    let age = fetched.entry.fetched_at.age(Timestamp::now()).unwrap_or_default();
    fetched.origin != Origin::Network && scrape.min_age.is_some_and(|least| age < least)
}

async fn method(Extension(id): Extension<RequestId>) -> Response {
    let mut response = Failure::method().answer(&id);
    response.headers_mut().insert(header::ALLOW, HeaderValue::from_static("POST"));
    response
}

async fn not_built(uri: Uri, Extension(id): Extension<RequestId>) -> Response {
    let path = uri.path().trim_start_matches("/v2/");
    let under = |name: &&str| path.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    Failure::no_such_endpoint(NOT_BUILT.into_iter().find(under)).answer(&id)
}

async fn elsewhere(Extension(id): Extension<RequestId>) -> Response {
    Failure::no_such_endpoint(None).answer(&id)
}
