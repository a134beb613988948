//! Asking a server instead of doing the work here.

use super::End;
use crate::surface::{ask::Ask, respond::Failure};
use anyhow::Context;
use serde_json::Value;
use sift_layers::{Error, Media};

/// A sift server, from `SIFT_URL` and `SIFT_TOKEN`.
pub(super) struct Server {
    url: String,
    token: Option<String>,
}

impl Server {
    pub(super) fn from_environment() -> Option<Self> {
        let url = std::env::var("SIFT_URL").ok().filter(|url| !url.is_empty())?;
        Some(Self { url, token: std::env::var("SIFT_TOKEN").ok() })
    }

    /// The answer of `POST /v1/fetch`.
    #[expect(clippy::disallowed_methods, reason = "towards the operator's own server, not towards the web")]
    pub(super) async fn fetch(&self, ask: &Ask) -> Result<Value, End> {
        let client = reqwest::Client::builder().no_proxy().build().context("can't make an HTTP client")?;
        let body = serde_json::to_vec(&fields(ask)).context("can't write the request")?;
        let address = format!("{}/v1/fetch", self.url.trim_end_matches('/'));
        let mut request = client.post(address).header("content-type", "application/json").body(body);
        if let Some(token) = &self.token {
            request = request.bearer_auth(token);
        }
        let unreachable =
            || Failure::said(Error::UpstreamConnect, "can't reach the server in SIFT_URL", "is it running?");
        let response = request.send().await.map_err(|_| unreachable())?;
        let ok = response.status().is_success();
        let body = response.bytes().await.map_err(|_| unreachable())?;
        let answer: Value = serde_json::from_slice(&body)
            .map_err(|_| Failure::said(Error::UpstreamProtocol, "SIFT_URL is no sift server", "check SIFT_URL"))?;
        if ok { Ok(answer) } else { Err(failure(&answer).into()) }
    }
}

/// The fields that were given, and no others.
fn fields(ask: &Ask) -> Value {
    let mut fields = serde_json::to_value(ask).unwrap_or_default();
    if let Some(fields) = fields.as_object_mut() {
        fields.retain(|_, value| !value.is_null());
    }
    fields
}

/// The server's error, as if it had happened here: its words, and an exit status of the same family.
fn failure(answer: &Value) -> Failure {
    let text = |name: &str| answer[name].as_str().unwrap_or_default().to_owned();
    let error = match text("code").as_str() {
        "caller_busy" | "rate_limited" | "workers_busy" | "overloaded" | "shutting_down" | "pdf_unavailable" => {
            Error::WorkersBusy
        }
        "no_text_layer"
        | "encrypted"
        | "unreadable"
        | "extraction_timed_out"
        | "too_large"
        | "too_much_text"
        | "unsupported_content_type" => Error::Unsupported(Media::default()),
        "bad_url" | "bad_scheme" | "bad_pages" | "pages_out_of_range" | "past_the_end" | "bad_grep" | "bad_request"
        | "not_built" => Error::BadRequest,
        _ => Error::UpstreamConnect,
    };
    Failure::said(error, text("error"), text("hint"))
}
