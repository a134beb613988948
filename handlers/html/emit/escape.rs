//! Escapes for text that Markdown would read as markup, and only for that.

/// How far the end of a link's label is looked for, in bytes.
const MAX_LABEL: usize = 200;

/// The same for the name of an entity.
const MAX_ENTITY: usize = 10;

/// Whether Markdown would take the character for markup between these neighbours. What follows the end of the text is
/// unknown, and taken for a letter.
pub(super) fn is_markup(before: Option<char>, character: u8, after: &str) -> bool {
    let next = after.chars().next();
    let word = |neighbour: Option<char>| neighbour.is_some_and(char::is_alphanumeric);
    let blank_before = before.is_none_or(char::is_whitespace);
    let blank_next = next.is_some_and(char::is_whitespace);
    match character {
        b'*' => !(blank_before && blank_next) || before == Some('*'),
        b'`' => true,
        // Within a word an underscore is a letter.
        b'_' => !((word(before) && word(next)) || (blank_before && blank_next)),
        b'~' => before == Some('~') || next == Some('~'),
        b'\\' => next.is_some_and(|next| next.is_ascii_punctuation()),
        b'[' => {
            let end = memchr::memchr(b']', near(after, MAX_LABEL));
            end.is_some_and(|end| matches!(after.as_bytes().get(end + 1), Some(b'(' | b'[' | b':')))
        }
        b'<' => next.is_some_and(|next| next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?')),
        b'&' => {
            let entity = near(after, MAX_ENTITY);
            let end = entity.iter().position(|byte| *byte == b';').unwrap_or_default();
            end >= 2 && entity[..end].iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'#')
        }
        _ => false,
    }
}

/// The first bytes of a text, and no more: what looks ahead must not read all that follows.
fn near(text: &str, bytes: usize) -> &[u8] {
    &text.as_bytes()[..text.len().min(bytes)]
}

/// Escapes what would make a line of the paragraph a heading, an item, a quote, a rule or a fence.
pub(super) fn line_starts(paragraph: String) -> String {
    let mut escapes = Vec::new();
    let mut at = 0;
    for (number, line) in paragraph.split_inclusive('\n').enumerate() {
        if let Some(offset) = line_start(line.trim_end(), number > 0) {
            escapes.push(at + offset);
        }
        at += line.len();
    }
    if escapes.is_empty() {
        return paragraph;
    }
    let mut out = String::with_capacity(paragraph.len() + escapes.len());
    let mut from = 0;
    for at in escapes {
        out.push_str(&paragraph[from..at]);
        out.push('\\');
        from = at;
    }
    out.push_str(&paragraph[from..]);
    out
}

/// Where in the line an escape is needed. `continued`: the line follows another one of its paragraph.
fn line_start(line: &str, continued: bool) -> Option<usize> {
    let first = *line.as_bytes().first()?;
    let ends = |rest: &str| rest.is_empty() || rest.starts_with(char::is_whitespace);
    let only = |of: &str| line.chars().all(|character| of.contains(character));
    match first {
        b'#' => {
            let hashes = line.len() - line.trim_start_matches('#').len();
            (hashes <= 6 && ends(&line[hashes..])).then_some(0)
        }
        b'0'..=b'9' => {
            let digits = line.len() - line.trim_start_matches(|character: char| character.is_ascii_digit()).len();
            (digits <= 9 && line[digits..].strip_prefix(['.', ')']).is_some_and(ends)).then_some(digits)
        }
        b'-' | b'+' | b'*' if ends(&line[1..]) => Some(0),
        b'-' if only("- ") && (continued || line.starts_with("---")) => Some(0),
        b'=' if continued && only("=") => Some(0),
        b'>' => Some(0),
        b':' if continued && ends(&line[1..]) => Some(0),
        _ => None,
    }
}

/// A heading must not end with `#`: Markdown would drop it.
pub(super) fn heading_end(heading: &mut String) {
    let text = heading.trim_end_matches('#');
    if text.len() < heading.len() && (text.is_empty() || text.ends_with(' ')) {
        let at = text.len();
        heading.insert(at, '\\');
    }
}

/// An address as the destination of a link.
pub(super) fn destination(address: &str, out: &mut String) {
    for character in address.chars() {
        out.push_str(match character {
            '(' => "%28",
            ')' => "%29",
            '<' => "%3C",
            '>' => "%3E",
            ' ' => "%20",
            '|' => "%7C",
            '\\' => "%5C",
            character => {
                out.push(character);
                continue;
            }
        });
    }
}

/// The words of a label, a title or an alternative text: one line.
pub(super) fn one_line(text: &str, escaped: &[char]) -> String {
    let mut out = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        for character in word.chars() {
            if escaped.contains(&character) {
                out.push('\\');
            }
            out.push(character);
        }
    }
    out
}

/// Whether the brackets of a label pair up. Those that are escaped, or stand in code, don't count.
pub(super) fn is_balanced(label: &str) -> bool {
    let mut depth = 0_i32;
    let mut escaped = false;
    for byte in label.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'[' => depth += 1,
            b']' => depth -= 1,
            _ => {}
        }
        if depth < 0 {
            return false;
        }
    }
    depth == 0
}

/// The label with all brackets escaped.
pub(super) fn brackets(label: &str) -> String {
    let mut out = String::with_capacity(label.len() + 4);
    let mut escaped = false;
    for character in label.chars() {
        if matches!(character, '[' | ']') && !escaped {
            out.push('\\');
        }
        escaped = character == '\\' && !escaped;
        out.push(character);
    }
    out
}
