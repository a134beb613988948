//! Reading one tag of HTML, as the tokenizer of the standard does.

/// The most attributes of an element. Later ones are dropped: comparing their names is quadratic.
const MAX_ATTRIBUTES: usize = 64;

/// The longest attribute that is kept, in bytes: longer ones are inlined images and data.
const MAX_ATTRIBUTE: usize = 8 << 10;

/// The longest name of an element, in bytes.
const MAX_NAME: usize = 40;

/// A tag, and the attributes that are kept of it.
pub(super) struct Tag<'a> {
    /// In lower case; empty when it is no name that an element of a page could have.
    pub(super) name: String,
    pub(super) attributes: Vec<&'a str>,
    /// Written `<name/>`.
    pub(super) closes_itself: bool,
    /// Where it ends, behind its `>`.
    pub(super) end: usize,
}

/// Reads the tag whose name begins at `start`. None when the text ends within it.
pub(super) fn read(text: &str, start: usize) -> Option<Tag<'_>> {
    let bytes = text.as_bytes();
    let mut at = start;
    while !matches!(*bytes.get(at)?, b'/' | b'>') && !bytes[at].is_ascii_whitespace() {
        at += 1;
    }
    let raw = &text[start..at];
    let legal = raw.len() <= MAX_NAME
        && raw.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':' | b'.'));
    let mut tag = Tag {
        name: if legal { raw.to_ascii_lowercase() } else { String::new() },
        attributes: Vec::new(),
        closes_itself: false,
        end: 0,
    };
    loop {
        match *bytes.get(at)? {
            b'>' => {
                tag.end = at + 1;
                return Some(tag);
            }
            byte if byte == b'/' || byte.is_ascii_whitespace() => {
                tag.closes_itself = byte == b'/';
                at += 1;
            }
            _ => {
                let end = attribute_end(bytes, at)?;
                tag.closes_itself = false;
                if tag.attributes.len() < MAX_ATTRIBUTES && end - at <= MAX_ATTRIBUTE {
                    tag.attributes.push(&text[at..end]);
                }
                at = end;
            }
        }
    }
}

/// Where the attribute ends that begins at `at`.
fn attribute_end(bytes: &[u8], mut at: usize) -> Option<usize> {
    // A `=` that begins a name belongs to it.
    at += 1;
    while !matches!(*bytes.get(at)?, b'/' | b'>' | b'=') && !bytes[at].is_ascii_whitespace() {
        at += 1;
    }
    let name_end = at;
    while bytes.get(at)?.is_ascii_whitespace() {
        at += 1;
    }
    if bytes[at] != b'=' {
        return Some(name_end);
    }
    at += 1;
    while bytes.get(at)?.is_ascii_whitespace() {
        at += 1;
    }
    if let quote @ (b'"' | b'\'') = bytes[at] {
        let length = bytes[at + 1..].iter().position(|&byte| byte == quote)?;
        return Some(at + length + 2);
    }
    while *bytes.get(at)? != b'>' && !bytes[at].is_ascii_whitespace() {
        at += 1;
    }
    Some(at)
}

/// Where `</name` begins at or behind `from`, and where its tag ends.
pub(super) fn raw_end(text: &str, from: usize, name: &str) -> Option<(usize, usize)> {
    let mut at = from;
    loop {
        at += text.get(at..)?.find("</")?;
        if is_end(text, at, name) {
            return Some((at, tag_end(text, at)));
        }
        at += 2;
    }
}

/// The end of a script: within `<!-- -->` a `<script>` has its own end tag.
pub(super) fn script_end(text: &str, from: usize) -> Option<(usize, usize)> {
    let (mut at, mut escaped, mut nested) = (from, false, false);
    loop {
        at += text.get(at..)?.find(['<', '-'])?;
        let rest = &text.as_bytes()[at..];
        if rest.starts_with(b"<!--") {
            escaped = true;
            at += 2;
        } else if rest.starts_with(b"-->") {
            (escaped, nested) = (false, false);
        } else if is_end(text, at, "script") {
            if !nested {
                return Some((at, tag_end(text, at)));
            }
            nested = false;
        } else if escaped && rest.get(1..7).is_some_and(|name| name.eq_ignore_ascii_case(b"script")) {
            nested = true;
        }
        at += 1;
    }
}

fn is_end(text: &str, at: usize, name: &str) -> bool {
    let rest = &text.as_bytes()[at..];
    rest.starts_with(b"</")
        && rest.get(2..2 + name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name.as_bytes()))
        && rest.get(2 + name.len()).is_none_or(|&next| next.is_ascii_whitespace() || matches!(next, b'>' | b'/'))
}

fn tag_end(text: &str, at: usize) -> usize {
    text[at..].find('>').map_or(text.len(), |length| at + length + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attributes(text: &str) -> Vec<&str> {
        read(text, 1).unwrap().attributes
    }

    #[test]
    fn attributes_are_read_as_the_standard_says() {
        assert_eq!(attributes("<a href=x y>"), ["href=x", "y"]);
        assert_eq!(attributes("<a b = 'c > d' / e=f/ =g>"), ["b = 'c > d'", "e=f/", "=g"]);
        assert_eq!(read("<DIV\n>x", 1).unwrap().name, "div");
        assert_eq!(read("<a\"b>", 1).unwrap().name, "");
        assert!(read("<a href=\"x>", 1).is_none() && read("<a", 1).is_none());
    }

    #[test]
    fn attributes_are_bounded_in_number_and_length() {
        let many = (0..100).map(|n| format!(" a{n}=1")).collect::<Vec<_>>().concat();
        assert_eq!(attributes(&format!("<p{many}>")).len(), MAX_ATTRIBUTES);
        let long = format!("<img alt=x src='{}'>", "y".repeat(MAX_ATTRIBUTE));
        assert_eq!(attributes(&long), ["alt=x"]);
    }

    #[test]
    fn only_a_tag_that_ends_in_a_slash_closes_itself() {
        assert!(read("<br/>", 1).unwrap().closes_itself && read("<br x />", 1).unwrap().closes_itself);
        assert!(!read("<a href=x/>", 1).unwrap().closes_itself && !read("<a / b>", 1).unwrap().closes_itself);
    }

    #[test]
    fn raw_text_ends_at_its_own_end_tag() {
        let end = |text, name| raw_end(text, 0, name).map(|(start, _)| start);
        assert_eq!(end("a</b></TITLE >x", "title"), Some(5));
        assert_eq!(end("</scripts></script>", "script"), Some(10));
        assert_eq!(end("no end", "style"), None);
    }

    #[test]
    fn a_script_within_a_comment_within_a_script_has_its_own_end() {
        let end = |text| script_end(text, 0).map(|(start, _)| start);
        assert_eq!(end("<!-- <script></script> --></script>"), Some(26));
        assert_eq!(end("<!-- </script>"), Some(5));
        assert_eq!(end("a<!--b<script>c</script>"), None);
    }
}
