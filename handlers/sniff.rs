//! What the first bytes of a body say it is.

/// Openings that only HTML has. Compared without case, and followed by white space, `>` or `/`.
const OPENINGS: [&str; 30] = [
    "!doctype html",
    "html",
    "head",
    "body",
    "script",
    "title",
    "meta",
    "link",
    "style",
    "base",
    "iframe",
    "div",
    "table",
    "p",
    "br",
    "a",
    "b",
    "font",
    "center",
    "h1",
    "h2",
    "h3",
    "ul",
    "ol",
    "main",
    "article",
    "section",
    "nav",
    "header",
    "span",
];

/// Whether the bytes begin as an HTML document or fragment does.
///
/// A byte order mark, white space, comments and an XML declaration may come before; `<rss`, `<feed` or any other
/// element after an XML declaration is not HTML.
pub fn looks_like_html(prefix: &[u8]) -> bool {
    let narrow = narrowed(prefix);
    let mut rest = narrow.as_slice();
    rest = rest.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(rest);
    loop {
        rest = rest.trim_ascii_start();
        let end: &[u8] = match rest {
            [b'<', b'!', b'-', b'-', ..] => b"-->",
            [b'<', b'?', ..] => b">",
            _ => return is_opening(rest),
        };
        match rest.windows(end.len()).position(|window| window == end) {
            Some(at) => rest = &rest[at + end.len()..],
            None => return false,
        }
    }
}

/// The bytes of UTF-16 text with its NULs left out, so that its ASCII can be compared; others as they are.
fn narrowed(prefix: &[u8]) -> Vec<u8> {
    let wide = match prefix {
        [0xFF, 0xFE, rest @ ..] | [0xFE, 0xFF, rest @ ..] => Some(rest),
        [b'<', 0, ..] | [0, b'<', ..] => Some(prefix),
        _ => None,
    };
    wide.map_or_else(|| prefix.to_vec(), |wide| wide.iter().copied().filter(|&byte| byte != 0).collect())
}

fn is_opening(rest: &[u8]) -> bool {
    let Some(rest) = rest.strip_prefix(b"<") else { return false };
    OPENINGS.iter().any(|name| {
        rest.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name.as_bytes()))
            && rest.get(name.len()).is_none_or(|&next| next.is_ascii_whitespace() || matches!(next, b'>' | b'/'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn html_is_known_by_its_opening() {
        for html in [
            "<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 4.01//EN\">",
            "<html>",
            "\u{feff}  \n<HTML lang=en>",
            "<!-- saved <html> from --><body>",
            "<?xml version=\"1.0\"?><!DOCTYPE html><html xmlns=\"x\">",
            "<p>x",
            "<div\n>",
            "<br/>",
        ] {
            assert!(looks_like_html(html.as_bytes()), "{html}");
        }
    }

    #[test]
    fn other_text_is_not_html() {
        for other in [
            "",
            "plain",
            "a < b",
            "<?xml version=\"1.0\"?><rss>",
            "<?xml version=\"1.0\"?><feed/>",
            "<svg>",
            "<pre-release>",
            "<!-- never closed <html>",
            "{\"html\": \"<html>\"}",
            "%PDF-1.7 <html>",
        ] {
            assert!(!looks_like_html(other.as_bytes()), "{other}");
        }
    }

    #[test]
    fn utf_16_is_looked_through() {
        for endian in [u16::to_le_bytes, u16::to_be_bytes] {
            let bytes: Vec<u8> = "<html>".encode_utf16().flat_map(endian).collect();
            assert!(looks_like_html(&bytes));
        }
        assert!(looks_like_html(b"\xFF\xFE<\0h\0t\0m\0l\0>\0"));
    }
}
