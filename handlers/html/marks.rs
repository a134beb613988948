//! Characters of the private use area that carry finished Markdown through the conversion.
//!
//! The converter sees a text without anything to escape; afterwards [`restored`] puts in what stands behind the
//! marks. The guard keeps these characters out of what comes from a page.

use std::fmt::Write as _;

/// Stands for a backslash.
pub(super) const ESCAPE: char = '\u{F8FC}';
/// Begins the number of a snippet.
pub(super) const OPEN: char = '\u{F8FD}';
/// Ends it.
pub(super) const CLOSE: char = '\u{F8FE}';

/// Pieces of finished Markdown, by number.
#[derive(Default)]
pub(super) struct Snippets(Vec<String>);

// === impl Snippets ===

impl Snippets {
    /// Keeps a piece; the answer stands for it in the tree.
    pub(super) fn keep(&mut self, markdown: String) -> String {
        self.0.push(markdown);
        let mut mark = String::new();
        let _ = write!(mark, "{OPEN}{}{CLOSE}", self.0.len() - 1);
        mark
    }

    /// Puts the pieces in. Lines of a piece after its first get the indentation and the quote marks of its place.
    pub(super) fn restored(&self, markdown: &str) -> String {
        let mut out = String::with_capacity(markdown.len());
        for line in markdown.split_inclusive('\n') {
            if !line.contains([ESCAPE, OPEN]) {
                out.push_str(line);
                continue;
            }
            let prefix = continuation(line);
            let mut rest = line;
            while let Some(at) = rest.find([ESCAPE, OPEN]) {
                out.push_str(&rest[..at]);
                if rest[at..].starts_with(ESCAPE) {
                    out.push('\\');
                    rest = &rest[at + ESCAPE.len_utf8()..];
                    continue;
                }
                rest = &rest[at + OPEN.len_utf8()..];
                let Some(end) = rest.find(CLOSE) else { continue };
                if let Some(piece) = rest[..end].parse().ok().and_then(|number: usize| self.0.get(number)) {
                    out.push_str(&piece.replace('\n', &prefix));
                }
                rest = &rest[end + CLOSE.len_utf8()..];
            }
            out.push_str(rest);
        }
        out
    }
}

/// The text without any marks, for places that aren't converted.
pub(super) fn without(text: &str) -> String {
    if !text.contains([ESCAPE, OPEN]) {
        return text.to_owned();
    }
    let mut within = false;
    let keeps = |character: &char| {
        within = (within || *character == OPEN) && *character != CLOSE;
        !within && *character != CLOSE && *character != ESCAPE
    };
    text.chars().filter(keeps).collect()
}

/// A line end and what a further line of the same block begins with: quote marks stay, bullets become spaces.
fn continuation(line: &str) -> String {
    let mut prefix = String::from("\n");
    let mut rest = line;
    loop {
        let spaces = rest.len() - rest.trim_start_matches(' ').len();
        prefix.push_str(&rest[..spaces]);
        rest = &rest[spaces..];
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        if let Some(quoted) = rest.strip_prefix('>') {
            prefix.push('>');
            rest = quoted;
        } else if rest.starts_with("- ") || (digits > 0 && rest[digits..].starts_with(". ")) {
            let width = digits.max(1) + usize::from(digits > 0);
            prefix.extend(std::iter::repeat_n(' ', width));
            rest = &rest[width..];
        } else {
            return prefix;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snippets_come_back_where_they_were_put() {
        let mut snippets = Snippets::default();
        let (code, math) = (snippets.keep("```\na\n\nb\n```".to_owned()), snippets.keep("$x_1$".to_owned()));
        let text = format!("{ESCAPE}# no {math}\n\n> 12. {code}\n");
        assert_eq!(snippets.restored(&text), "\\# no $x_1$\n\n> 12. ```\n>     a\n>     \n>     b\n>     ```\n");
        assert_eq!(snippets.restored("plain\n- x"), "plain\n- x");
    }

    #[test]
    fn a_broken_mark_is_dropped() {
        let text = format!("a{OPEN}7{CLOSE}b{OPEN}x");
        assert_eq!(Snippets::default().restored(&text), "abx");
    }
}
