//! What the first bytes of a body say, whatever its header says.

/// Start tags that only HTML begins with.
const TAGS: [&[u8]; 31] = [
    b"html",
    b"head",
    b"body",
    b"title",
    b"meta",
    b"link",
    b"base",
    b"style",
    b"script",
    b"noscript",
    b"iframe",
    b"div",
    b"p",
    b"h1",
    b"h2",
    b"table",
    b"a",
    b"b",
    b"br",
    b"font",
    b"center",
    b"form",
    b"main",
    b"article",
    b"section",
    b"header",
    b"h3",
    b"ul",
    b"ol",
    b"nav",
    b"span",
];

/// Whether `prefix` begins with HTML, behind what may stand before it: a byte order mark, white space, comments, an
/// XML declaration. A comment that the prefix cuts off counts as HTML.
pub fn looks_like_html(prefix: &[u8]) -> bool {
    let narrow;
    let mut rest = match prefix {
        [0xFE, 0xFF, ..] | [0xFF, 0xFE, ..] => {
            narrow = prefix[2..].iter().copied().filter(|&byte| byte != 0).collect::<Vec<u8>>();
            &narrow[..]
        }
        _ => prefix.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(prefix),
    };
    loop {
        rest = rest.trim_ascii_start();
        if let Some(comment) = rest.strip_prefix(b"<!--") {
            match find(comment, b"-->") {
                Some(end) => rest = &comment[end + 3..],
                None => return true,
            }
        } else if let Some(instruction) = rest.strip_prefix(b"<?") {
            match find(instruction, b"?>") {
                Some(end) => rest = &instruction[end + 2..],
                None => return false,
            }
        } else if let Some(declaration) = rest.strip_prefix(b"<!") {
            let mut words = declaration.split(|byte| byte.is_ascii_whitespace() || *byte == b'>');
            return words.next().is_some_and(|word| word.eq_ignore_ascii_case(b"doctype"))
                && words.find(|word| !word.is_empty()).is_some_and(|name| name.eq_ignore_ascii_case(b"html"));
        } else {
            return rest.strip_prefix(b"<").is_some_and(is_tag);
        }
    }
}

/// Where `needle` first stands in `haystack`.
pub(crate) fn find(haystack: &[u8], needle: &[u8]) -> Option<usize> {
    haystack.windows(needle.len()).position(|window| window == needle)
}

/// Whether one of [`TAGS`] stands here, and ends where a tag name ends.
fn is_tag(rest: &[u8]) -> bool {
    let end = rest.iter().position(|byte| !byte.is_ascii_alphanumeric()).unwrap_or(rest.len());
    let (name, after) = rest.split_at(end);
    TAGS.iter().any(|tag| tag.eq_ignore_ascii_case(name))
        && after.first().is_none_or(|byte| byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn html_is_known_by_its_first_tag() {
        for prefix in [
            "<!DOCTYPE html>",
            "<!doctype\n HTML PUBLIC",
            "<html lang=en>",
            " \r\n\t<HEAD>",
            "<body/>",
            "<script src",
            "<title",
            "\u{FEFF}<html>",
            "<!-- a --><!-- b -->\n<html>",
            "<!-- cut off",
            "<?xml version=\"1.0\"?>\n<!DOCTYPE html>",
            "<p>",
            "<h1 class=x>",
        ] {
            assert!(looks_like_html(prefix.as_bytes()), "{prefix}");
        }
        let wide: Vec<u8> = "\u{FEFF}<html>".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert!(looks_like_html(&wide));
    }

    #[test]
    fn what_only_resembles_html_is_not_html() {
        for prefix in [
            "",
            "<",
            "html",
            "%PDF-1.7\n<html>",
            "<?xml version=\"1.0\"?><rss>",
            "<?xml",
            "<!doctype svg>",
            "<!doctype>",
            "<htmlx>",
            "<pre-release>",
            "<abbr>",
            "{\"a\": \"<html>\"}",
            "text <html>",
            "<rss version=2>",
        ] {
            assert!(!looks_like_html(prefix.as_bytes()), "{prefix}");
        }
    }
}
