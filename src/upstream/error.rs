//! What the client's errors mean. The errors themselves end here: they print addresses.

use super::resolve::Failure;
use sift_layers::Error;
use std::{error::Error as StdError, io};

/// The code of an error.
pub(super) fn code(error: &reqwest::Error) -> Error {
    match find::<Failure>(error) {
        Some(Failure::Refused(refusal)) => Error::Refused(*refusal),
        Some(Failure::TimedOut) => Error::UpstreamTimedOut,
        Some(Failure::Unknown) => Error::UpstreamDns,
        None if error.is_timeout() => Error::UpstreamTimedOut,
        None if error.is_builder() => Error::BadUrl,
        None if error.is_connect() => connect(error),
        None => Error::UpstreamProtocol,
    }
}

/// What the system refuses is a failure to connect. Everything else before there is a connection is the handshake.
fn connect(error: &reqwest::Error) -> Error {
    let is_secure = error.url().is_some_and(|url| url.scheme() == "https");
    let is_system = find::<io::Error>(error).is_some_and(|error| error.raw_os_error().is_some());
    if is_secure && !is_system { Error::UpstreamTls } else { Error::UpstreamConnect }
}

fn find<E: StdError + 'static>(error: &reqwest::Error) -> Option<&E> {
    let mut next = error.source();
    while let Some(error) = next {
        if let Some(found) = error.downcast_ref() {
            return Some(found);
        }
        next = error.source();
    }
    None
}
