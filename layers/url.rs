//! The address of a page, unprintable.

use crate::error::Error;
use std::{fmt, sync::Arc};

/// The longest address accepted, in bytes.
const LONGEST: usize = 8 << 10;

/// An address somebody asked for: http or https, parsed once, without its fragment.
///
/// It has no `Display`, and `Debug` is blind, so it reaches telemetry through [`Seen`](crate::Seen) only.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PageUrl(Arc<url::Url>);

impl PageUrl {
    /// Parses what a caller sent. Control characters are refused before parsing, since parsers drop them silently.
    pub fn parse(raw: &str) -> Result<Self, Error> {
        let raw = raw.trim_matches(' ');
        if raw.len() > LONGEST || raw.bytes().any(|byte| byte < 0x20 || byte == 0x7f) {
            return Err(Error::BadUrl);
        }
        url::Url::parse(raw).map_err(|_| Error::BadUrl).and_then(Self::accept)
    }

    /// The address that `reference` (a `Location`) names from here.
    pub fn join(&self, reference: &str) -> Result<Self, Error> {
        if reference.len() > LONGEST || reference.bytes().any(|byte| !(0x20..0x7f).contains(&byte)) {
            return Err(Error::BadRedirect);
        }
        self.0.join(reference).map_err(|_| Error::BadRedirect).and_then(Self::accept)
    }

    /// The address itself: for the client, for the answer to whoever asked for it, and for the store.
    pub fn expose(&self) -> &url::Url {
        &self.0
    }

    /// The address as text; see [`expose`](Self::expose).
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// Whether it is https.
    pub fn is_secure(&self) -> bool {
        self.0.scheme() == "https"
    }

    /// Whether `other` has the same scheme, host and port.
    pub fn is_same_origin(&self, other: &Self) -> bool {
        self.0.origin() == other.0.origin()
    }

    fn accept(mut url: url::Url) -> Result<Self, Error> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(Error::BadScheme);
        }
        url.set_fragment(None);
        Ok(Self(Arc::new(url)))
    }
}

impl fmt::Debug for PageUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PageUrl(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_parsed_once_and_printed_never() {
        let url = PageUrl::parse(" https://Example.com/a?q=1#frag").unwrap();
        assert_eq!(url.as_str(), "https://example.com/a?q=1");
        assert_eq!(format!("{url:?}"), "PageUrl(..)");
        assert_eq!(url.join("../b").unwrap().as_str(), "https://example.com/b");
    }

    #[test]
    fn what_is_no_web_address_is_refused() {
        for raw in ["", "example.com", "http://a\tb.com", "http://a b.com/", "http://[fe80::1%25eth0]/"] {
            assert_eq!(PageUrl::parse(raw).unwrap_err(), Error::BadUrl, "{raw}");
        }
        for raw in ["ftp://example.com/", "file:///etc/passwd", "data:text/html,x"] {
            assert_eq!(PageUrl::parse(raw).unwrap_err(), Error::BadScheme, "{raw}");
        }
        let longest = format!("http://a.com/{}", "x".repeat(LONGEST - 13));
        assert!(PageUrl::parse(&longest).is_ok());
        assert_eq!(PageUrl::parse(&format!("{longest}x")).unwrap_err(), Error::BadUrl);
    }
}
