//! The only door from addresses and documents into telemetry.

use crate::{caller::Class, fetch::Fetched, url::PageUrl};

/// What telemetry may say about one fetch: everything for the fleet, nothing for restricted callers.
///
/// An absent value is an absent field, so one statement serves both classes, and there is no second branch to forget.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// The host.
    pub host: Option<String>,
    /// The port.
    pub port: Option<u16>,
    /// The address, with every query value replaced by `REDACTED`.
    pub url: Option<String>,
    /// The size of the source, in bytes.
    pub bytes: Option<u64>,
    /// Its pages or parts.
    pub pages: Option<u64>,
}

impl Seen {
    /// What may be said about an address in short: its host and port.
    pub fn of(class: Class, url: &PageUrl) -> Self {
        match class {
            Class::Restricted => Self::default(),
            Class::Fleet => {
                let url = url.expose();
                let host = url.host_str().map(str::to_owned);
                Self { host, port: url.port_or_known_default(), ..Self::default() }
            }
        }
    }

    /// What may be said about an address in full.
    pub fn whole(class: Class, url: &PageUrl) -> Self {
        match class {
            Class::Restricted => Self::default(),
            Class::Fleet => Self { url: Some(redacted(url.expose())), ..Self::of(class, url) },
        }
    }

    /// What may be said about an answer.
    pub fn answer(class: Class, fetched: &Fetched) -> Self {
        match class {
            Class::Restricted => Self::default(),
            Class::Fleet => Self {
                bytes: Some(fetched.document.source_bytes),
                pages: Some(u64::from(fetched.document.total_pages)),
                ..Self::of(class, &fetched.url)
            },
        }
    }
}

fn redacted(url: &url::Url) -> String {
    let mut shown = url.clone();
    // Neither fails on http addresses.
    let _ = shown.set_username("");
    let _ = shown.set_password(None);
    if url.query().is_some() {
        let keys: Vec<_> = url.query_pairs().map(|(key, _)| key.into_owned()).collect();
        shown.query_pairs_mut().clear().extend_pairs(keys.iter().map(|key| (key, "REDACTED")));
    }
    shown.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn query_values_are_redacted_and_restricted_callers_are_not_seen() {
        let url = PageUrl::parse("https://u:p@example.com:8443/a?token=s3cret&q=x").unwrap();
        let seen = Seen::whole(Class::Fleet, &url);
        assert_eq!(seen.url.as_deref(), Some("https://example.com:8443/a?token=REDACTED&q=REDACTED"));
        assert_eq!((seen.host.as_deref(), seen.port), (Some("example.com"), Some(8443)));
        assert_eq!(Seen::of(Class::Restricted, &url), Seen::default());
        assert_eq!(Seen::whole(Class::Restricted, &url), Seen::default());
    }
}
