//! Everything that can go wrong with a request, small enough to be shared by all riders of a flight.

use crate::media::Media;
use sift_handlers::ExtractError;

/// Why there is no answer.
///
/// `Display` is the static code, so that an error in a log can never leak an address or a text; the sentence for
/// people is made where errors become answers, and there only.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Error {
    /// Not an http or https address.
    BadUrl,
    /// An address of another scheme.
    BadScheme,
    /// The page range can't be read.
    BadPages,
    /// The page range lies outside of the document.
    PagesOutOfRange {
        /// The last extracted page.
        last: u32,
    },
    /// The offset lies past the end of the text.
    PastTheEnd {
        /// The length of the text, in characters.
        chars: u64,
    },
    /// The pattern can't be used.
    BadGrep,
    /// A body that is no request; the surface has the words.
    BadRequest,
    /// No token, or an unknown one.
    Unauthenticated,
    /// The guard: this address is not for callers.
    Refused(Refusal),
    /// A path that leads nowhere.
    NoSuchEndpoint,
    /// A cache-only request, and nothing in the cache.
    NotCached,
    /// The request's own body is too large.
    RequestTooLarge,
    /// The document is larger than its kind may be.
    TooLarge {
        /// The limit, in bytes.
        limit: u64,
    },
    /// No handler wants it.
    Unsupported(Media),
    /// The document can't be read.
    Unreadable(ExtractError),
    /// One PDF job per caller, and this would be the second.
    CallerBusy,
    /// More requests at once than this caller may have.
    RateLimited,
    /// The name has no address.
    UpstreamDns,
    /// Nobody answers at the address.
    UpstreamConnect,
    /// The certificate or the handshake is bad.
    UpstreamTls,
    /// Not HTTP, cut off, or against its rules.
    UpstreamProtocol,
    /// A coding that we didn't ask for, or a body that doesn't decode, or a bomb.
    UpstreamEncoding,
    /// The origin answered with an error status.
    UpstreamStatus(u16),
    /// A redirect without a usable `Location`.
    BadRedirect,
    /// More than ten redirects.
    TooManyRedirects,
    /// The origin, or the whole fetch, took longer than allowed.
    UpstreamTimedOut,
    /// All slots and places of the pool are taken, or the wait was too long.
    WorkersBusy,
    /// More requests than this process takes at once.
    Overloaded,
    /// The process is on its way out.
    ShuttingDown,
    /// A part of the contract that this version doesn't have.
    NotBuilt,
    /// A fault of ours.
    Internal,
}

/// The guard's reason. For the operator's metrics; callers hear one fixed sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Refusal {
    /// Credentials inside the address.
    Userinfo,
    /// A port that is not on the list.
    Port,
    /// A host name that no public host has.
    Name,
    /// An address that is not public.
    Address,
    /// The peer that answered has an address that is not public.
    Peer,
    /// A redirect from https to http that this request must not follow.
    Downgrade,
}

impl Error {
    /// The static code: `error.type` in telemetry, `code` in answers.
    pub const fn code(self) -> &'static str {
        match self {
            Self::BadUrl => "bad_url",
            Self::BadScheme => "bad_scheme",
            Self::BadPages => "bad_pages",
            Self::PagesOutOfRange { .. } => "pages_out_of_range",
            Self::PastTheEnd { .. } => "past_the_end",
            Self::BadGrep => "bad_grep",
            Self::BadRequest => "bad_request",
            Self::Unauthenticated => "unauthenticated",
            Self::Refused(_) => "refused",
            Self::NoSuchEndpoint => "no_such_endpoint",
            Self::NotCached => "not_cached",
            Self::RequestTooLarge => "request_too_large",
            Self::TooLarge { .. } => "too_large",
            Self::Unsupported(_) => "unsupported_content_type",
            Self::Unreadable(ExtractError::NoTextLayer) => "no_text_layer",
            Self::Unreadable(ExtractError::Encrypted) => "encrypted",
            Self::Unreadable(ExtractError::TimedOut) => "extraction_timed_out",
            Self::Unreadable(ExtractError::TooLarge) => "too_much_text",
            Self::Unreadable(ExtractError::TooComplex) => "too_complex",
            Self::Unreadable(ExtractError::Unreadable | ExtractError::Unsupported) => "unreadable",
            Self::Unreadable(ExtractError::NoCapacity | ExtractError::SandboxUnavailable) => "pdf_unavailable",
            Self::CallerBusy => "caller_busy",
            Self::RateLimited => "rate_limited",
            Self::UpstreamDns => "upstream_dns",
            Self::UpstreamConnect => "upstream_connect",
            Self::UpstreamTls => "upstream_tls",
            Self::UpstreamProtocol => "upstream_protocol",
            Self::UpstreamEncoding => "upstream_encoding",
            Self::UpstreamStatus(_) => "upstream_status",
            Self::BadRedirect => "bad_redirect",
            Self::TooManyRedirects => "too_many_redirects",
            Self::UpstreamTimedOut => "upstream_timed_out",
            Self::WorkersBusy => "workers_busy",
            Self::Overloaded => "overloaded",
            Self::ShuttingDown => "shutting_down",
            Self::NotBuilt => "not_built",
            Self::Internal | Self::Unreadable(ExtractError::Crashed) => "internal",
        }
    }

    /// What a handler's verdict on a body of a media type means for a request.
    pub const fn of_extract(error: ExtractError, media: Media) -> Self {
        match error {
            ExtractError::Unsupported => Self::Unsupported(media),
            ExtractError::Crashed => Self::Internal,
            verdict => Self::Unreadable(verdict),
        }
    }
}

impl Refusal {
    /// The label of `sift_guard_refused_total`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Userinfo => "userinfo",
            Self::Port => "port",
            Self::Name => "name",
            Self::Address => "address",
            Self::Peer => "peer",
            Self::Downgrade => "downgrade",
        }
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.code())
    }
}

impl std::error::Error for Error {}
