//! The only key for caches and flights.

use crate::{caller::Class, url::PageUrl};
use sha2::{Digest, Sha256};
use sift_handlers::Reading;
use std::{
    fmt::{self, Write},
    sync::Arc,
};

/// Names one reading of one address in one partition. There is no way to make one without a class.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Key {
    class: Class,
    url: PageUrl,
    variant: Variant,
}

/// What besides the address makes an answer another answer: the reading, and headers of the caller's own.
///
/// A digest, so that a password or a header never stands in a key.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Variant(Arc<str>);

// === impl Key ===

impl Key {
    /// The key of an address for a class.
    pub fn new(class: Class, url: PageUrl, variant: Variant) -> Self {
        Self { class, url, variant }
    }

    /// The partition.
    pub fn class(&self) -> Class {
        self.class
    }

    /// The address.
    pub fn url(&self) -> &PageUrl {
        &self.url
    }

    /// The reading.
    pub fn variant(&self) -> &Variant {
        &self.variant
    }

    /// The same reading in the same partition, of another address: where a redirect leads.
    #[must_use]
    pub fn at(&self, url: PageUrl) -> Self {
        Self { url, ..self.clone() }
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Key({})", self.class.as_str())
    }
}

// === impl Variant ===

impl Variant {
    /// The variant of a reading under the caller's headers. The default reading without headers is the empty one.
    pub fn of(reading: &Reading, headers: &http::HeaderMap) -> Self {
        if *reading == Reading::default() && headers.is_empty() {
            return Self::default();
        }
        let mut lines: Vec<String> =
            headers.iter().map(|(name, value)| format!("{name}: {:?}", value.as_bytes())).collect();
        lines.sort();
        let Reading { main_only, include, exclude, raw, keep_sources, password } = reading;
        let password = password.as_ref().map(sift_handlers::Password::expose);
        let text = format!("{main_only} {include:?} {exclude:?} {raw} {keep_sources} {password:?} {lines:?}");
        let digest = Sha256::digest(text.as_bytes());
        let mut name = String::with_capacity(32);
        for byte in digest.iter().take(16) {
            let _ = write!(name, "{byte:02x}");
        }
        Self(name.into())
    }

    /// 32 hexadecimal digits, or nothing for the default.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Reads back what [`as_str`](Self::as_str) gave.
    pub fn from_stored(text: &str) -> Self {
        Self(text.into())
    }
}

impl fmt::Debug for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sift_handlers::Password;

    #[test]
    fn another_reading_is_another_key_and_tells_nothing() {
        let none = http::HeaderMap::new();
        assert_eq!(Variant::of(&Reading::default(), &none).as_str(), "");
        let secret = Reading { password: Some(Password::new("hunter2")), ..Reading::default() };
        let other = Reading { password: Some(Password::new("hunter3")), ..Reading::default() };
        assert_ne!(Variant::of(&secret, &none), Variant::of(&other, &none));
        assert!(!format!("{:?}", Variant::of(&secret, &none)).contains("hunter"));
        let headers: http::HeaderMap =
            [(http::header::ACCEPT, http::HeaderValue::from_static("x"))].into_iter().collect();
        assert_ne!(Variant::of(&Reading::default(), &headers), Variant::default());
    }

    #[test]
    fn classes_never_share_a_key() {
        let url = PageUrl::parse("http://example.com/").unwrap();
        let [fleet, restricted] = Class::ALL.map(|class| Key::new(class, url.clone(), Variant::default()));
        assert_ne!(fleet, restricted);
    }
}
