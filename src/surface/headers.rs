//! Headers that a caller may send along to its target.

use http::{HeaderMap, HeaderName, HeaderValue, header};

/// Headers that are the client's own: they belong to the connection, the body or the cache.
const OURS: [&str; 19] = [
    "accept-encoding",
    "connection",
    "content-length",
    "expect",
    "host",
    "if-match",
    "if-modified-since",
    "if-none-match",
    "if-range",
    "if-unmodified-since",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "range",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// The longest `languages` list that becomes a header.
const MOST_LANGUAGES: usize = 10;

/// Reads headers by name; a value that is no text is `None`. `Err` says what is wrong with which.
pub(super) fn read<'a>(
    given: impl Iterator<Item = (&'a String, Option<&'a str>)>,
    allow_cookies: bool,
) -> Result<HeaderMap, String> {
    let mut headers = HeaderMap::new();
    for (name, value) in given {
        let Ok(header) = HeaderName::try_from(name.as_str()) else {
            return Err("holds a name that is no header name".to_owned());
        };
        if OURS.contains(&header.as_str()) {
            return Err(format!("must not hold {header}: sift sets it itself"));
        }
        if header == header::COOKIE && !allow_cookies {
            return Err("must not hold cookie: the operator of this server does not allow it".to_owned());
        }
        let value = value.and_then(|value| HeaderValue::from_str(value).ok());
        headers.insert(header.clone(), value.ok_or_else(|| format!("holds a value that {header} can't have"))?);
    }
    Ok(headers)
}

/// The `Accept-Language` that a list of languages asks for. English is what every fetch asks for anyway: it needs no
/// header, and so shares the cache with requests that say nothing.
pub(super) fn accept_language(languages: &[String]) -> Result<Option<HeaderValue>, &'static str> {
    let is_tag = |tag: &String| {
        (1..=35).contains(&tag.len()) && tag.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    if languages.len() > MOST_LANGUAGES || !languages.iter().all(is_tag) {
        return Err("must hold at most 10 language tags like de or pt-BR");
    }
    let is_english = |tag: &String| tag.split('-').next().is_some_and(|first| first.eq_ignore_ascii_case("en"));
    if languages.iter().all(is_english) {
        return Ok(None);
    }
    let weighed = languages.iter().enumerate().map(|(index, tag)| match index {
        0 => tag.clone(),
        _ => format!("{tag};q=0.{}", MOST_LANGUAGES - index),
    });
    let value = weighed.collect::<Vec<_>>().join(", ");
    HeaderValue::from_str(&value).map(Some).map_err(|_| "must hold language tags")
}
