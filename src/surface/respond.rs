//! Errors become answers here, and nowhere else: one exhaustive match gives the status, the sentence, the hint, the
//! wait and the exit status of the command line.

use super::RequestId;
use crate::view::ViewError;
use axum::{
    Json,
    http::{Extensions, HeaderValue, StatusCode, Uri, header},
    response::{IntoResponse, Response},
};
use schemars::JsonSchema;
use serde::Serialize;
use sift_handlers::ExtractError;
use sift_layers::Error;
use std::{any::Any, borrow::Cow};

/// Why a request has no answer: the error, and what a surface knows about it in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The error.
    pub error: Error,
    /// In place of the error's own sentence: which field, which value.
    pub message: Option<String>,
    /// In place of the error's own hint.
    pub hint: Option<String>,
}

/// What an error means to whoever asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meaning {
    /// The HTTP status.
    pub status: u16,
    /// For people, and stable.
    pub message: Cow<'static, str>,
    /// The next thing to try; empty when there is none.
    pub hint: &'static str,
    /// Seconds, when waiting helps.
    pub retry_after: Option<u32>,
    /// Exit status of the command line.
    pub exit: u8,
}

/// The one shape of every error under `/v1`.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ErrorBody {
    /// For people, and stable.
    pub error: String,
    /// The next thing to try.
    pub hint: String,
    /// For programs, in snake case.
    pub code: String,
    /// The status of the origin, when it answered with an error.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upstream_status: Option<u16>,
    /// Names this request in the logs.
    pub request_id: String,
}

const USAGE: u8 = 2;
const UNREADABLE: u8 = 3;
const FAILED: u8 = 4;
const BUSY: u8 = 5;

/// What `error` means.
pub fn meaning(error: Error) -> Meaning {
    let say = |status, message: &'static str, hint, exit| Meaning {
        status,
        message: Cow::Borrowed(message),
        hint,
        retry_after: None,
        exit,
    };
    let wait = |seconds, meaning: Meaning| Meaning { retry_after: Some(seconds), ..meaning };
    match error {
        Error::BadUrl => say(400, "invalid url", "give an absolute http or https address", USAGE),
        Error::BadScheme => say(403, "url scheme not allowed", "only http and https", USAGE),
        Error::BadPages => say(400, "invalid pages", "write pages as \"3\", \"3-7\" or \"3-\"", USAGE),
        Error::PagesOutOfRange { last } => Meaning {
            message: format!("pages out of range (1-{last})").into(),
            ..say(400, "", "ask for pages within the range", USAGE)
        },
        Error::PastTheEnd { chars } => Meaning {
            message: format!("past the end ({chars} characters)").into(),
            ..say(416, "", "ask for a smaller offset", USAGE)
        },
        Error::BadGrep => say(400, "invalid grep", "a pattern of at most 200 bytes, without look-around", USAGE),
        Error::BadRequest => say(400, "invalid request", "see /openapi.json for the fields", USAGE),
        Error::Unauthenticated => {
            say(401, "missing or unknown token", "send Authorization: Bearer with a token of this server", FAILED)
        }
        Error::Refused(_) => say(403, "address not allowed", "only public addresses can be fetched", FAILED),
        Error::NoSuchEndpoint => say(404, "no such endpoint", "see /openapi.json", USAGE),
        Error::NotCached => say(404, "no such document", "ask again without the cache-only option", FAILED),
        Error::RequestTooLarge => say(413, "request too large", "a request is at most 64 KiB", USAGE),
        Error::TooLarge { limit } => Meaning {
            message: format!("too large (>{} MB)", limit >> 20).into(),
            ..say(413, "", "no part of it can be read", UNREADABLE)
        },
        Error::Unsupported(media) => {
            let name = media.as_str();
            let message = if name.is_empty() { String::new() } else { format!(": {name}") };
            Meaning {
                message: format!("unsupported content type{message}").into(),
                ..say(415, "", "browser", UNREADABLE)
            }
        }
        Error::Unreadable(verdict) => match verdict {
            ExtractError::NoTextLayer => say(422, "no text layer (scanned PDF?)", "ocr", UNREADABLE),
            ExtractError::Encrypted => say(422, "encrypted", "pdf_password", UNREADABLE),
            ExtractError::Unreadable | ExtractError::Unsupported => {
                say(422, "unreadable PDF", "the file is damaged, or not what it says it is", UNREADABLE)
            }
            ExtractError::TimedOut => say(422, "pdf extraction timed out", "try a smaller document", UNREADABLE),
            ExtractError::TooLarge => say(422, "too much text", "try a smaller document", UNREADABLE),
            ExtractError::TooComplex => say(422, "too complex", "try a smaller document", UNREADABLE),
            ExtractError::NoCapacity | ExtractError::SandboxUnavailable => {
                wait(10, say(503, "pdf extraction unavailable", "try again; the operator sees why", BUSY))
            }
            ExtractError::Crashed => say(500, "internal error", "report the request id", FAILED),
        },
        Error::CallerBusy => wait(5, say(429, "busy: one pdf at a time", "wait for your other PDF", BUSY)),
        Error::RateLimited => wait(5, say(429, "rate limited", "send fewer requests at once", BUSY)),
        Error::UpstreamDns => say(502, "could not resolve host", "check the spelling of the host", FAILED),
        Error::UpstreamConnect => say(502, "could not connect", "the site may be down; try again later", FAILED),
        Error::UpstreamTls => {
            say(502, "tls failed: bad certificate or handshake", "look for the document at another address", FAILED)
        }
        Error::UpstreamProtocol => say(502, "bad response", "the site sent no proper answer; try again", FAILED),
        Error::UpstreamEncoding => say(502, "bad response", "the body is coded in a way that can't be read", FAILED),
        Error::UpstreamStatus(status) => Meaning {
            message: format!("upstream answered {status}").into(),
            ..say(502, "", if matches!(status, 401 | 403 | 429) { "browser" } else { "check the address" }, FAILED)
        },
        Error::BadRedirect => say(502, "bad response", "the site redirects to nowhere", FAILED),
        Error::TooManyRedirects => say(502, "too many redirects", "check the address", FAILED),
        Error::UpstreamTimedOut => say(504, "fetch timed out", "try again, or give a longer timeout", FAILED),
        Error::WorkersBusy => wait(10, say(503, "pdf workers busy", "try again", BUSY)),
        Error::Overloaded => wait(1, say(503, "overloaded", "try again", BUSY)),
        Error::ShuttingDown => wait(1, say(503, "shutting down", "try again", BUSY)),
        Error::NotBuilt => say(501, "not built in this version", "use pages, grep or offset", USAGE),
        Error::Internal => say(500, "internal error", "report the request id: this is a bug", FAILED),
    }
}

/// The `/v1` answer to a failure.
pub fn failure(failure: &Failure, id: &RequestId) -> Response {
    let meaning = meaning(failure.error);
    let body = ErrorBody {
        error: failure.message.clone().unwrap_or_else(|| meaning.message.into_owned()),
        hint: failure.hint.clone().unwrap_or_else(|| meaning.hint.to_owned()),
        code: failure.error.code().to_owned(),
        upstream_status: match failure.error {
            Error::UpstreamStatus(status) => Some(status),
            _ => None,
        },
        request_id: id.as_str().to_owned(),
    };
    let status = StatusCode::from_u16(meaning.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = (status, Json(body)).into_response();
    // The access line takes its outcome from here.
    response.extensions_mut().insert(failure.error);
    if let Some(seconds) = meaning.retry_after {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    }
    if failure.error == Error::Unauthenticated {
        response.headers_mut().insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
    }
    response
}

/// The answer of the edge to a request that never reached its surface, in that surface's shape.
pub fn refused(uri: &Uri, extensions: &Extensions, error: Error) -> Response {
    let id = extensions.get().cloned().unwrap_or_else(RequestId::unknown);
    if uri.path().starts_with("/v2/") { super::v2::refuse(error, &id) } else { failure(&error.into(), &id) }
}

/// A request that panicked. The panic's text holds content, so it is dropped; the hook has logged the place.
pub fn crashed(_panic: Box<dyn Any + Send>) -> Response {
    failure(&Error::Internal.into(), &RequestId::unknown())
}

// === impl Failure ===

impl Failure {
    /// A failure with a sentence of the surface's.
    pub fn said(error: Error, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { error, message: Some(message.into()), hint: Some(hint.into()) }
    }

    /// The sentence.
    pub fn message(&self) -> Cow<'_, str> {
        self.message.as_deref().map_or_else(|| meaning(self.error).message, Cow::Borrowed)
    }

    /// The next thing to try.
    pub fn hint(&self) -> &str {
        self.hint.as_deref().unwrap_or(meaning(self.error).hint)
    }
}

impl From<ViewError> for Failure {
    fn from(error: ViewError) -> Self {
        let code = match &error {
            ViewError::InvalidPages | ViewError::UnknownLabel { .. } | ViewError::OffsetAcrossPages => Error::BadPages,
            ViewError::PagesOutOfRange { last } => Error::PagesOutOfRange { last: *last },
            ViewError::InvalidGrep { .. } => Error::BadGrep,
            ViewError::PastTheEnd { chars } => Error::PastTheEnd { chars: *chars as u64 },
        };
        Self::said(code, error.to_string(), error.hint())
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self { error, message: None, hint: None }
    }
}
