//! The name of a media type, small enough to travel in an error.

use std::fmt;

/// The longest name kept, in bytes.
const LONGEST: usize = 46;

/// A media type as a response named it, or nothing. `Debug` is blind: it is the origin's word.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Media {
    bytes: [u8; LONGEST],
    len: u8,
}

impl Media {
    /// No name.
    pub const NONE: Self = Self { bytes: [0; LONGEST], len: 0 };

    /// The name without parameters, when it is one: `image/png`.
    pub fn new(name: Option<&str>) -> Self {
        let is_token = |byte: &u8| byte.is_ascii_alphanumeric() || b"!#$&^_.+-/".contains(byte);
        let name = name.unwrap_or_default().as_bytes();
        let Self { mut bytes, mut len } = Self::NONE;
        if name.len() <= LONGEST && name.iter().all(is_token) {
            bytes[..name.len()].copy_from_slice(name);
            // At most `LONGEST`.
            len = u8::try_from(name.len()).unwrap_or_default();
        }
        Self { bytes, len }
    }

    /// The name, or the empty string.
    pub fn as_str(&self) -> &str {
        // Only ASCII gets in.
        std::str::from_utf8(&self.bytes[..usize::from(self.len)]).unwrap_or_default()
    }
}

impl Default for Media {
    fn default() -> Self {
        Self::NONE
    }
}

impl fmt::Debug for Media {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Media(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_media_type_gets_in_and_none_gets_out_by_accident() {
        let longest = format!("image/{}", "x".repeat(LONGEST - 6));
        for (name, kept) in
            [("image/png", "image/png"), ("a/b+c.d-e", "a/b+c.d-e"), (longest.as_str(), longest.as_str())]
        {
            assert_eq!(Media::new(Some(name)).as_str(), kept);
        }
        for name in [format!("{longest}x"), "text/<b>".to_owned(), "a b".to_owned(), "é/é".to_owned()] {
            assert_eq!(Media::new(Some(&name)).as_str(), "");
        }
        assert_eq!(format!("{:?}", Media::new(Some("image/png"))), "Media(..)");
    }
}
