//! What a caller sees of every error: the whole table, so that a change of words shows as a change.

use super::respond::{Meaning, meaning};
use sift_handlers::ExtractError;
use sift_layers::{Error, Media, Refusal};
use std::fmt::Write;

/// Every error there is, once.
pub(crate) const EVERY_ERROR: [Error; 44] = [
    Error::BadUrl,
    Error::BadScheme,
    Error::BadPages,
    Error::PagesOutOfRange { last: 3 },
    Error::PastTheEnd { chars: 9 },
    Error::BadGrep,
    Error::BadRequest,
    Error::Unauthenticated,
    Error::Refused(Refusal::Userinfo),
    Error::Refused(Refusal::Port),
    Error::Refused(Refusal::Name),
    Error::Refused(Refusal::Address),
    Error::Refused(Refusal::Peer),
    Error::Refused(Refusal::Downgrade),
    Error::NoSuchEndpoint,
    Error::NotCached,
    Error::RequestTooLarge,
    Error::TooLarge { limit: 5 << 20 },
    Error::Unsupported(Media::NONE),
    Error::Unreadable(ExtractError::NoTextLayer),
    Error::Unreadable(ExtractError::Encrypted),
    Error::Unreadable(ExtractError::TimedOut),
    Error::Unreadable(ExtractError::TooLarge),
    Error::Unreadable(ExtractError::TooComplex),
    Error::Unreadable(ExtractError::Unreadable),
    Error::Unreadable(ExtractError::NoCapacity),
    Error::Unreadable(ExtractError::SandboxUnavailable),
    Error::Unreadable(ExtractError::Crashed),
    Error::CallerBusy,
    Error::RateLimited,
    Error::UpstreamDns,
    Error::UpstreamConnect,
    Error::UpstreamTls,
    Error::UpstreamProtocol,
    Error::UpstreamEncoding,
    Error::UpstreamStatus(404),
    Error::BadRedirect,
    Error::TooManyRedirects,
    Error::UpstreamTimedOut,
    Error::WorkersBusy,
    Error::Overloaded,
    Error::ShuttingDown,
    Error::NotBuilt,
    Error::Internal,
];

#[test]
fn the_table_of_errors() {
    let mut table = String::new();
    for error in EVERY_ERROR {
        let Meaning { status, message, hint, retry_after, exit } = meaning(error);
        let after = retry_after.map_or(String::new(), |seconds| format!(" after {seconds} s"));
        writeln!(table, "{error:?}: {status} {}{after}, exit {exit}\n    {message} ({hint})", error.code()).unwrap();
    }
    insta::assert_snapshot!(table);
}

#[test]
fn the_description_of_the_http_surface() {
    let document = super::openapi::document();
    let text = serde_json::to_string(&document).unwrap();
    // Every reference leads somewhere.
    for reference in text.split("\"#/components/schemas/").skip(1) {
        let name = reference.split('"').next().unwrap();
        assert!(document["components"]["schemas"].get(name).is_some(), "{name}");
    }
    insta::assert_json_snapshot!(document);
}
