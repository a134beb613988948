//! The headings of a Markdown text.

use crate::OutlineItem;

/// The most entries of an outline.
pub(crate) const MAX_ITEMS: usize = 10_000;

/// The longest title of an entry, in characters.
pub(crate) const MAX_TITLE_CHARS: usize = 200;

/// The ATX headings of the parts, outside code blocks, with the number of the part each stands in.
pub(crate) fn of_markdown(parts: &[String]) -> Vec<OutlineItem> {
    let mut items = Vec::new();
    let mut fence: Option<&str> = None;
    for (page, part) in (1..).zip(parts) {
        for line in part.lines() {
            let body = line.trim_start();
            if let Some(open) = fence {
                if body.trim_end().trim_start_matches(&open[..1]).is_empty() && body.starts_with(open) {
                    fence = None;
                }
                continue;
            }
            if let Some(mark) = ["```", "~~~"].into_iter().find(|mark| body.starts_with(mark)) {
                let run = body.len() - body.trim_start_matches(&mark[..1]).len();
                fence = Some(&body[..run]);
            } else if let Some((level, title)) = heading(line)
                && items.len() < MAX_ITEMS
            {
                items.push(OutlineItem { title, page, level });
            }
        }
    }
    items
}

/// A title on one line, cut to [`MAX_TITLE_CHARS`].
pub(crate) fn title(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.char_indices().nth(MAX_TITLE_CHARS).map_or(line.clone(), |(end, _)| line[..end].to_owned())
}

fn heading(line: &str) -> Option<(u8, String)> {
    let text = line.trim_start_matches('#');
    let level = u8::try_from(line.len() - text.len()).ok().filter(|level| (1..=6).contains(level))?;
    let text = text.strip_prefix([' ', '\t'])?.trim().trim_end_matches('#').trim_end();
    let title = title(&plain(text));
    (!title.is_empty()).then_some((level, title))
}

/// The words of inline Markdown: emphasis, code marks, escapes and link targets go.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['\\', '*', '`', '[', ']', '!', '~']) {
        let (before, mark) = (&rest[..at], &rest[at..]);
        out.push_str(before);
        rest = &mark[1..];
        match mark.as_bytes() {
            [b'\\', next, ..] if next.is_ascii_punctuation() => {
                out.push(char::from(*next));
                rest = &rest[1..];
            }
            [b'!', b'[', ..] => {}
            [b']', b'(', ..] => {
                if let Some(end) = target_end(rest) {
                    rest = &rest[end..];
                }
            }
            [b'~', b'~', ..] => rest = &rest[1..],
            [b'\\' | b'!' | b'~', ..] => out.push_str(&mark[..1]),
            _ => {}
        }
    }
    out + rest
}

/// Where the target of a link ends that begins with `(`, behind its `)`.
fn target_end(target: &str) -> Option<usize> {
    let mut depth = 0_u32;
    for (at, byte) in target.bytes().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' if depth == 1 => return Some(at + 1),
            b')' => depth -= 1,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(parts: &[&str]) -> Vec<(String, u32, u8)> {
        let parts: Vec<String> = parts.iter().map(|part| (*part).to_owned()).collect();
        of_markdown(&parts).into_iter().map(|item| (item.title, item.page, item.level)).collect()
    }

    #[test]
    fn headings_carry_their_part_and_level() {
        let got = outline(&["# One\ntext\n## Two ##\n", "### Three\n####### seven\n#none\n#\n"]);
        assert_eq!(got, [("One".to_owned(), 1, 1), ("Two".to_owned(), 1, 2), ("Three".to_owned(), 2, 3)]);
    }

    #[test]
    fn code_is_no_heading_even_across_parts() {
        assert_eq!(outline(&["````sh\n# a\n```\n# b\n", "# c\n````\n# Real\n"]), [("Real".to_owned(), 2, 1)]);
        assert_eq!(outline(&["~~~\n# a\n~~~ x\n# b"]), []);
    }

    #[test]
    fn titles_are_plain_words_on_one_line_and_bounded() {
        let got = outline(&["## **Use** `foo()` \\# [the link](https://e.x/a_(b)) & ![alt](x.png) a~b ~~c~~ c!"]);
        assert_eq!(got[0].0, "Use foo() # the link & alt a~b c c!");
        assert_eq!(outline(&[&format!("# {}", "é".repeat(300))])[0].0.chars().count(), MAX_TITLE_CHARS);
    }
}
