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
        let joined = self.0.join(reference).map_err(|_| Error::BadRedirect)?;
        Self::accept(joined).map_err(|error| if error == Error::BadUrl { Error::BadRedirect } else { error })
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
        // Parsing may lengthen it. What is kept must be readable again.
        if url.as_str().len() > LONGEST {
            return Err(Error::BadUrl);
        }
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
        let lengthened = format!("http://a.com/{}", "é".repeat(LONGEST / 2 - 10));
        assert_eq!(PageUrl::parse(&lengthened).unwrap_err(), Error::BadUrl);
    }

    #[test]
    fn bytes_that_parsers_drop_are_refused_wherever_they_stand() {
        for byte in (0..0x20_u8).chain([0x7f]) {
            for raw in ["http://exam?ple.com/", "http://example.com/?", "?http://example.com/", "ht?tp://example.com/"]
            {
                let raw = raw.replace('?', &char::from(byte).to_string());
                assert_eq!(PageUrl::parse(&raw).unwrap_err(), Error::BadUrl, "{byte:#x}");
            }
            let here = PageUrl::parse("http://example.com/").unwrap();
            assert_eq!(here.join(&format!("/a{}b", char::from(byte))).unwrap_err(), Error::BadRedirect, "{byte:#x}");
        }
    }

    #[test]
    fn one_host_has_one_spelling() {
        for (raw, canonical) in [
            ("http://EXAMPLE.com:80", "http://example.com/"),
            ("http://faß.de/", "http://xn--fa-hia.de/"),
            ("http://раураl.com/", "http://xn--l-7sba6dbr.com/"),
            ("http://exa\u{ad}mple.com/", "http://example.com/"),
            ("http:example.com", "http://example.com/"),
            ("http:\\\\example.com\\a", "http://example.com/a"),
            ("http://2130706433/", "http://127.0.0.1/"),
            ("http://[0:0:0:0:0:0:0:1]/", "http://[::1]/"),
        ] {
            assert_eq!(PageUrl::parse(raw).unwrap().as_str(), canonical, "{raw}");
        }
    }

    #[test]
    fn an_origin_is_scheme_host_and_port() {
        let here = PageUrl::parse("https://example.com/a").unwrap();
        for (other, same) in [
            ("https://example.com/b?c", true),
            ("https://example.com:443/", true),
            ("http://example.com/", false),
            ("http://example.com:443/", false),
            ("https://example.com:444/", false),
            ("https://a.example.com/", false),
        ] {
            assert_eq!(here.is_same_origin(&PageUrl::parse(other).unwrap()), same, "{other}");
        }
    }
}
