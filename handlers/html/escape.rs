//! Escapes for text that Markdown would read as markup, and only for that.

use super::{
    code,
    marks::{ESCAPE, Snippets},
    math,
    page::{Page, name_of, walk},
};
use dom_query::NodeRef;

/// Elements that begin a line.
const BLOCKS: [&str; 22] = [
    "p",
    "div",
    "li",
    "dd",
    "dt",
    "blockquote",
    "section",
    "article",
    "main",
    "figcaption",
    "summary",
    "details",
    "td",
    "th",
    "body",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
];

/// How far the end of a link's label is looked for, in bytes.
const MAX_LABEL: usize = 200;

/// The same for the name of an entity.
const MAX_ENTITY: usize = 10;

/// Puts escapes into all text, inline code and formulas behind marks.
pub(super) fn escape(page: &Page, snippets: &mut Snippets) {
    let Some(body) = page.body() else { return };
    for node in page.tree.select("code, kbd, samp, tt").nodes() {
        inline_code(node, snippets);
    }
    let mut texts = Vec::new();
    walk(&body, |node| {
        if node.is_text() {
            texts.push(*node);
        }
        true
    });
    for node in texts {
        let text = folded(&node.text());
        let may_begin = text.trim_start().starts_with(|first: char| "#-+>=~".contains(first) || first.is_ascii_digit());
        let escaped = escaped(&text, may_begin && begins_line(&node), snippets);
        if escaped.as_str() != &*node.text() {
            node.set_text(escaped);
        }
    }
}

/// Every run of blanks and line ends as one blank: outside of code that is what is shown. No-break spaces stay.
fn folded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            ' ' | '\t' | '\n' | '\r' | '\x0C' if out.ends_with(' ') => {}
            ' ' | '\t' | '\n' | '\r' | '\x0C' => out.push(' '),
            _ => out.push(character),
        }
    }
    out
}

fn inline_code(node: &NodeRef<'_>, snippets: &mut Snippets) {
    // Marks in it are those of a code element within.
    let text = node.text();
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.is_empty() || text.contains(super::marks::OPEN) {
        return super::links::unwrap(node);
    }
    let cell = node.ancestors_it(Some(6)).any(|up| matches!(name_of(&up).as_str(), "td" | "th"));
    let code = code::span(&text);
    let mark = snippets.keep(if cell { code.replace('|', "\\|") } else { code });
    let text = node.tree.new_text(mark);
    node.replace_with(&text.id);
}

/// Whether nothing stands before the text in its block.
fn begins_line(node: &NodeRef<'_>) -> bool {
    let mut node = *node;
    loop {
        let mut before = node.prev_sibling();
        while let Some(sibling) = before {
            if matches!(name_of(&sibling).as_str(), "br" | "hr") || BLOCKS.contains(&name_of(&sibling).as_str()) {
                return true;
            }
            if !sibling.text().trim().is_empty() || sibling.has_name("img") {
                return false;
            }
            before = sibling.prev_sibling();
        }
        let Some(parent) = node.parent() else { return true };
        if BLOCKS.contains(&name_of(&parent).as_str()) {
            return true;
        }
        node = parent;
    }
}

fn escaped(text: &str, begins_line: bool, snippets: &mut Snippets) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let start = text.len() - text.trim_start().len();
    out.push_str(&text[..start]);
    let mut rest = &text[start..];
    if begins_line {
        rest = line_start(rest, &mut out);
    }
    let mut before = out.chars().next_back();
    while let Some(character) = rest.chars().next() {
        if let Some((formula, after)) = math::delimited(rest) {
            out.push_str(&snippets.keep(formula));
            (rest, before) = (after, Some('$'));
            continue;
        }
        let after = &rest[character.len_utf8()..];
        if is_markup(before, character, after) {
            out.push(ESCAPE);
        }
        out.push(character);
        (rest, before) = (after, Some(character));
    }
    out
}

/// Escapes what would make the line a heading, an item, a quote or a rule.
fn line_start<'a>(text: &'a str, out: &mut String) -> &'a str {
    let ends = |rest: &str| rest.is_empty() || rest.starts_with(char::is_whitespace);
    let hashes = text.len() - text.trim_start_matches('#').len();
    let digits = text.len() - text.trim_start_matches(|character: char| character.is_ascii_digit()).len();
    if (1..=6).contains(&hashes) && ends(&text[hashes..]) {
        out.push(ESCAPE);
    } else if (1..=9).contains(&digits) && text[digits..].strip_prefix(['.', ')']).is_some_and(ends) {
        out.push_str(&text[..digits]);
        out.push(ESCAPE);
        return &text[digits..];
    } else if text.strip_prefix(['-', '+']).is_some_and(ends)
        || text.starts_with('>')
        || ["---", "===", "~~~"].iter().any(|rule| text.starts_with(rule))
    {
        out.push(ESCAPE);
        out.extend(text.chars().next());
        return &text[1..];
    }
    text
}

/// Whether Markdown would take the character for markup between these neighbours.
fn is_markup(before: Option<char>, character: char, after: &str) -> bool {
    let next = after.chars().next();
    let word = |neighbour: Option<char>| neighbour.is_some_and(char::is_alphanumeric);
    let blank = |neighbour: Option<char>| neighbour.is_none_or(char::is_whitespace);
    match character {
        '*' => !(blank(before) && blank(next)) || before == Some('*'),
        '`' => true,
        // Within a word an underscore is a letter.
        '_' => !((word(before) && word(next)) || (blank(before) && blank(next))),
        '~' => before == Some('~') || next == Some('~'),
        '\\' => next.is_some_and(|next| next.is_ascii_punctuation()),
        '[' => {
            let end = near(after, MAX_LABEL).iter().position(|byte| *byte == b']');
            end.is_some_and(|end| matches!(after.as_bytes().get(end + 1), Some(b'(' | b'[' | b':')))
        }
        '<' => next.is_some_and(|next| next.is_ascii_alphabetic() || matches!(next, '/' | '!' | '?')),
        '&' => {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn got(text: &str) -> String {
        let mut snippets = Snippets::default();
        let escaped = escaped(text, true, &mut snippets);
        snippets.restored(&escaped)
    }

    #[test]
    fn text_that_would_be_markup_is_escaped() {
        for (text, markdown) in [
            ("1. not list", "1\\. not list"),
            ("# not head", "\\# not head"),
            ("- dash", "\\- dash"),
            ("> quote", "\\> quote"),
            ("two ** stars", "two \\*\\* stars"),
            ("**456**", "\\*\\*456\\*\\*"),
            ("_u_ [x](y) `t`", "\\_u\\_ \\[x](y) \\`t\\`"),
            ("<div> &amp; ~~x~~ a\\*b", "\\<div> \\&amp; \\~\\~x\\~\\~ a\\\\\\*b"),
        ] {
            assert_eq!(got(text), markdown);
        }
    }

    #[test]
    fn ordinary_text_stays_as_it_is() {
        for text in [
            "snake_case_name",
            "a * b",
            "2 < 3 & 4",
            "C# #1",
            "1.5 m",
            "3) x".trim_start_matches("3) "),
            "-5 °C",
            "x [1] y",
            "~5",
        ] {
            assert_eq!(got(text), text);
        }
    }

    #[test]
    fn formulas_in_the_text_are_not_escaped() {
        assert_eq!(got("In \\(a_1 + b_1\\) and $$x_i * y_i$$"), "In $a_1 + b_1$ and $$x_i * y_i$$");
    }
}
