//! Why there is no document, in Firecrawl's words: status, code, sentence and hint.
//!
//! Its SDKs show `error` alone, so the hint stands in there, too. They repeat a request on 502 without telling anyone,
//! so nothing is a 502. Where Firecrawl has no code, it is our own, in capitals.

use super::fields::Issue;
use crate::surface::RequestId;
use axum::{
    Json,
    response::{IntoResponse, Response},
};
use http::{HeaderValue, StatusCode, header};
use serde::Serialize;
use sift_handlers::ExtractError;
use sift_layers::Error;
use std::borrow::Cow;

/// Why there is no document.
#[derive(Debug, PartialEq)]
pub(super) struct Failure {
    /// The HTTP status.
    pub(super) status: StatusCode,
    /// For programs.
    pub(super) code: &'static str,
    /// For people, without a full stop.
    pub(super) message: Cow<'static, str>,
    /// The next thing to try.
    pub(super) hint: Cow<'static, str>,
    /// When to ask again, in seconds.
    pub(super) retry_after: Option<u16>,
    /// What is wrong with the request.
    details: Vec<Issue>,
}

/// The body of a failure.
#[derive(Serialize)]
struct Refusal<'a> {
    success: bool,
    code: &'a str,
    error: String,
    hint: &'a str,
    #[serde(skip_serializing_if = "<[Issue]>::is_empty")]
    details: &'a [Issue],
    request_id: &'a str,
}

const BUG: &str = "this is a fault of sift: tell its operator the request id";
const CONTRACT: &str = "send the keys of Firecrawl's v2 scrape, with their types; only url is required";
const PATIENT: &str = "ask again, or give it more time with timeout (milliseconds)";
const SITE: &str = "try again later, or another address for the same document";
const ONLY_SCRAPE: &str = "POST /v2/scrape reads one page or PDF; call it once for each address";
const LATER: &str = "ask again in a moment";

// === impl Failure ===

impl Failure {
    fn new(
        status: StatusCode,
        code: &'static str,
        message: impl Into<Cow<'static, str>>,
        hint: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self { status, code, message: message.into(), hint: hint.into(), retry_after: None, details: Vec::new() }
    }

    /// A body that is no JSON.
    pub(super) fn invalid_json() -> Self {
        let hint = r#"send a JSON object like {"url": "https://example.com/"}"#;
        Self::new(StatusCode::BAD_REQUEST, "BAD_REQUEST_INVALID_JSON", "Bad request, malformed JSON", hint)
    }

    /// A request for a browser's deeds.
    pub(super) fn actions() -> Self {
        let (message, hint) = ("actions need a browser, and sift has none", "leave actions out");
        Self::new(StatusCode::BAD_REQUEST, "SCRAPE_ACTIONS_NOT_SUPPORTED", message, hint)
    }

    /// A lockdown request, and nothing in the cache.
    pub(super) fn lockdown() -> Self {
        Self { code: "SCRAPE_LOCKDOWN_CACHE_MISS", ..Self::from(Error::NotCached) }
    }

    /// An endpoint of Firecrawl's that sift doesn't have, or no endpoint at all.
    pub(super) fn no_such_endpoint(known: Option<&str>) -> Self {
        match known {
            Some(name) => Self::new(StatusCode::NOT_FOUND, "NOT_BUILT", format!("sift has no /v2/{name}"), ONLY_SCRAPE),
            None => Self::new(StatusCode::NOT_FOUND, "NOT_FOUND", "no such endpoint", ONLY_SCRAPE),
        }
    }

    /// Another method than POST.
    pub(super) fn method() -> Self {
        let (message, hint) = ("/v2/scrape takes POST only", "send the request as a JSON body with POST");
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "METHOD_NOT_ALLOWED", message, hint)
    }

    /// The answer.
    pub(super) fn answer(&self, id: &RequestId) -> Response {
        let refusal = Refusal {
            success: false,
            code: self.code,
            error: format!("{}. Hint: {}", self.message, self.hint),
            hint: &self.hint,
            details: &self.details,
            request_id: id.as_str(),
        };
        let mut response = (self.status, Json(refusal)).into_response();
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }

    fn after(self, seconds: u16) -> Self {
        Self { retry_after: Some(seconds), ..self }
    }
}

impl From<Issue> for Failure {
    fn from(issue: Issue) -> Self {
        let failure = Self::new(StatusCode::BAD_REQUEST, "BAD_REQUEST", issue.message.clone(), CONTRACT);
        Self { details: vec![issue], ..failure }
    }
}

impl From<Error> for Failure {
    #[expect(clippy::too_many_lines, reason = "a table: one row for each error")]
    fn from(error: Error) -> Self {
        // What the target did is 422: the request was understood, and can't be served.
        let (bad, target) = (StatusCode::BAD_REQUEST, StatusCode::UNPROCESSABLE_ENTITY);
        let site = |message: &'static str| Self::new(target, "SCRAPE_SITE_ERROR", message, SITE);
        match error {
            Error::BadUrl => {
                Self::new(bad, "BAD_REQUEST", "Invalid URL", "send an address like https://example.com/page")
            }
            Error::BadScheme => {
                Self::new(bad, "BAD_REQUEST", "URL uses unsupported protocol", "send an http or https address")
            }
            Error::BadPages
            | Error::PagesOutOfRange { .. }
            | Error::PastTheEnd { .. }
            | Error::BadGrep
            | Error::BadRequest => Self::new(bad, "BAD_REQUEST", "Bad Request", CONTRACT),
            Error::Unauthenticated => Self::new(
                StatusCode::UNAUTHORIZED,
                "UNAUTHENTICATED",
                "Unauthorized: Invalid token",
                "send Authorization: Bearer with a token that the operator of this server knows",
            ),
            // Python's SDK says "Website Not Supported: Failed to scrape." before it.
            Error::Refused(_) => Self::new(
                StatusCode::FORBIDDEN,
                "UNSUPPORTED_SITE",
                "This address, or one that it redirects to, is refused: sift fetches public web addresses only",
                "ask for a public address on its usual port, without a user name in it, that stays on https if it \
                 begins there",
            ),
            Error::NoSuchEndpoint => {
                Self::new(StatusCode::NOT_FOUND, "NO_SUCH_ENDPOINT", "there is no such endpoint", "POST /v2/scrape")
            }
            Error::NotCached => Self::new(
                StatusCode::NOT_FOUND,
                "SCRAPE_NO_CACHED_DATA",
                "nothing in the cache for this address, or not of the age asked for",
                "leave minAge and lockdown out to fetch it",
            ),
            Error::RequestTooLarge => Self::new(
                StatusCode::PAYLOAD_TOO_LARGE,
                "REQUEST_TOO_LARGE",
                "the request is too large",
                "a scrape request is a small JSON object: send the address, not the document",
            ),
            Error::TooLarge { limit } => Self::new(
                target,
                "TOO_LARGE",
                format!("the document is too large (>{} MB)", limit >> 20),
                "look for a smaller version, or for a part of it under its own address",
            ),
            Error::Unsupported(_) => Self::new(
                target,
                "SCRAPE_UNSUPPORTED_FILE_ERROR",
                "this kind of file has no text that sift can read",
                "ask for a web page, a PDF, JSON or plain text",
            ),
            Error::Unreadable(verdict) => Self::from(verdict),
            Error::CallerBusy => Self::new(
                StatusCode::TOO_MANY_REQUESTS,
                "CALLER_BUSY",
                "one PDF at a time for each caller, and one is being read",
                "ask again when the other has been answered",
            )
            .after(10),
            Error::RateLimited => Self::new(
                StatusCode::TOO_MANY_REQUESTS,
                "RATE_LIMITED",
                "more requests at once than this caller may have",
                LATER,
            )
            .after(1),
            Error::UpstreamDns => Self::new(
                StatusCode::OK,
                "SCRAPE_DNS_RESOLUTION_ERROR",
                "the host name of this address could not be resolved",
                "check the spelling of the host",
            ),
            Error::UpstreamConnect => site("nobody answers at this address"),
            Error::UpstreamTls => Self::new(
                target,
                "SCRAPE_SSL_ERROR",
                "the site's certificate or TLS handshake is bad",
                "certificates are always checked, whatever skipTlsVerification says; try another address",
            ),
            Error::UpstreamProtocol => site("the site's answer is cut off or breaks the rules of HTTP"),
            Error::UpstreamEncoding => site("the site's answer can't be decoded"),
            Error::UpstreamStatus(_) => site("the site answered with an error status"),
            Error::BadRedirect => site("the site redirects to nowhere"),
            Error::TooManyRedirects => site("the site redirects too often"),
            Error::UpstreamTimedOut => {
                Self::new(StatusCode::REQUEST_TIMEOUT, "SCRAPE_TIMEOUT", "the fetch timed out", PATIENT)
            }
            Error::WorkersBusy => {
                unavailable("WORKERS_BUSY", "all PDF workers are busy", "ask again in ten seconds").after(10)
            }
            Error::Overloaded => {
                unavailable("OVERLOADED", "more requests than this server takes at once", LATER).after(1)
            }
            Error::ShuttingDown => unavailable("SHUTTING_DOWN", "this server is shutting down", LATER).after(1),
            Error::NotBuilt => Self::new(
                StatusCode::NOT_FOUND,
                "NOT_BUILT",
                "sift does not have this part of the contract",
                ONLY_SCRAPE,
            ),
            Error::Internal => Self::new(StatusCode::INTERNAL_SERVER_ERROR, "UNKNOWN_ERROR", "internal error", BUG),
        }
    }
}

impl From<ExtractError> for Failure {
    fn from(verdict: ExtractError) -> Self {
        let target = StatusCode::UNPROCESSABLE_ENTITY;
        match verdict {
            ExtractError::NoTextLayer => Self::new(
                target,
                "SCRAPE_PDF_OCR_REQUIRED",
                "this PDF has no text layer: it is probably a scan",
                "look for a version with text; sift does not recognise text in pictures",
            ),
            ExtractError::Encrypted => Self::new(
                target,
                "ENCRYPTED",
                "this PDF takes a password",
                "send it as pdf_password to POST /v1/fetch, or look for an open version",
            ),
            ExtractError::Unreadable | ExtractError::Unsupported => Self::new(
                target,
                "UNREADABLE",
                "this document is damaged, or not what it says it is",
                "look for another copy of it",
            ),
            ExtractError::TimedOut => Self::new(
                StatusCode::REQUEST_TIMEOUT,
                "SCRAPE_TIMEOUT",
                "reading this document took longer than any document may",
                "look for a smaller version; more timeout does not help",
            ),
            ExtractError::TooLarge => Self::new(
                target,
                "TOO_MUCH_TEXT",
                "this document has more text than sift keeps",
                "look for a smaller version, or for a part of it under its own address",
            ),
            ExtractError::TooComplex => Self::new(
                target,
                "TOO_COMPLEX",
                "this document takes more than a reader may use",
                "look for a smaller version, or for a part of it under its own address",
            ),
            ExtractError::NoCapacity | ExtractError::SandboxUnavailable => unavailable(
                "PDF_UNAVAILABLE",
                "PDFs can't be read here at the moment",
                "tell the operator of this server",
            ),
            ExtractError::Crashed => Self::from(Error::Internal),
        }
    }
}

fn unavailable(code: &'static str, message: &'static str, hint: &'static str) -> Failure {
    Failure::new(StatusCode::SERVICE_UNAVAILABLE, code, message, hint)
}
