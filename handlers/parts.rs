//! Cutting a long text into parts (documents.md §1).

/// About how long a part is, in characters: a text of at most this many is one part.
pub const PART_CHARS: usize = 3_000;

/// How long a part may grow rather than be cut within a code block or a table, in characters.
pub const MAX_PART_CHARS: usize = 2 * PART_CHARS;

/// How well a place is suited to end a part. A later variant is better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Cut {
    /// Between two lines.
    Line,
    /// After an empty line.
    Paragraph,
    /// Before a heading.
    Heading,
}

/// A line of the text, with its line end.
struct Line {
    /// Where it starts, in bytes.
    start: usize,
    /// Its length, in characters.
    chars: usize,
    /// How well a part may end before it; `None` within a code block or a table.
    before: Option<Cut>,
}

/// Cuts `text` into parts of about [`PART_CHARS`] characters: at a heading where there is one in the second half of a
/// part, else after a paragraph, else at a line end, and within a line only when the line itself is longer than a part.
/// Code fences and tables stay whole while the part stays within [`MAX_PART_CHARS`]. Joined, the parts are the text.
///
/// There is always at least one part, and none but a sole one is blank.
pub fn split(text: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let lines = lines(text);
    let (mut from, mut first) = (0, 0);
    while first < lines.len() {
        let (next, to) = cut(text, &lines, first, from);
        parts.push(&text[from..to]);
        (first, from) = (next, to);
    }
    joined_blanks(parts, text)
}

/// The line the next part begins in, and where this part, which begins at byte `from` in line `first`, ends.
fn cut(text: &str, lines: &[Line], first: usize, from: usize) -> (usize, usize) {
    let mut chars = 0;
    let mut best: Option<(Cut, usize)> = None;
    for (at, line) in lines.iter().enumerate().skip(first) {
        let length = if at == first { text[from..end_of(text, lines, at)].chars().count() } else { line.chars };
        if at > first
            && let Some(cut) = line.before
        {
            // In the first half of a part any cut is taken only for want of a later one.
            let cut = if chars * 2 < PART_CHARS { Cut::Line } else { cut };
            if best.is_none_or(|(grade, _)| cut >= grade) && (chars <= PART_CHARS || best.is_none()) {
                best = Some((cut, at));
            }
        }
        chars += length;
        if at == first && line.before.is_some() && length > PART_CHARS {
            return forced(text, lines, first, from, at);
        }
        let limit = if best.is_some() { PART_CHARS } else { MAX_PART_CHARS };
        if chars > limit {
            return match best {
                Some((_, line)) => (line, lines[line].start),
                None => forced(text, lines, first, from, at),
            };
        }
    }
    (lines.len(), text.len())
}

/// Where a part ends that has no good place for it: before the line `at` that grew too long, or within it when it is
/// the part's only line.
fn forced(text: &str, lines: &[Line], first: usize, from: usize, at: usize) -> (usize, usize) {
    if at > first {
        return (at, lines[at].start);
    }
    let line = &text[from..end_of(text, lines, at)];
    let limit = line.char_indices().nth(PART_CHARS).map_or(line.len(), |(index, _)| index);
    let end = line[..limit].rfind(char::is_whitespace).filter(|&space| space * 2 > limit);
    (at, from + end.map_or(limit, |space| space + line[space..].chars().next().map_or(0, char::len_utf8)))
}

fn end_of(text: &str, lines: &[Line], at: usize) -> usize {
    lines.get(at + 1).map_or(text.len(), |next| next.start)
}

fn lines(text: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    let (mut start, mut fence, mut after_blank, mut after_row) = (0, None::<&str>, false, false);
    for line in text.split_inclusive('\n') {
        let body = line.trim_end();
        let marker = fence_marker(body);
        let row = body.trim_start().starts_with('|');
        let before = match (fence, row && after_row) {
            (None, false) if is_heading(body) => Some(Cut::Heading),
            (None, false) if after_blank => Some(Cut::Paragraph),
            (None, false) => Some(Cut::Line),
            _ => None,
        };
        lines.push(Line { start, chars: line.chars().count(), before });
        fence = match (fence, marker) {
            (Some(open), Some(close))
                if close.len() >= open.len() && close.starts_with(open) && body.ends_with(close) =>
            {
                None
            }
            (None, marker) => marker,
            (open, _) => open,
        };
        (after_blank, after_row) = (body.is_empty(), row);
        start += line.len();
    }
    lines
}

/// The run of backticks or tildes that a line opens or closes a code block with.
fn fence_marker(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
    let run = line.len() - line.trim_start_matches(mark).len();
    (run >= 3).then(|| &line[..run])
}

fn is_heading(line: &str) -> bool {
    let rest = line.trim_start_matches('#');
    (1..=6).contains(&(line.len() - rest.len())) && rest.starts_with(' ')
}

/// A blank part joins its neighbour: a numbered part without a word helps nobody.
fn joined_blanks(parts: Vec<&str>, text: &str) -> Vec<String> {
    let mut joined: Vec<String> = Vec::with_capacity(parts.len().max(1));
    let mut blank = String::new();
    for part in parts {
        if part.trim().is_empty() {
            match joined.last_mut() {
                Some(last) => last.push_str(part),
                None => blank.push_str(part),
            }
        } else {
            joined.push(std::mem::take(&mut blank) + part);
        }
    }
    if joined.is_empty() {
        joined.push(text.to_owned());
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn sizes(parts: &[String]) -> Vec<usize> {
        parts.iter().map(|part| part.chars().count()).collect()
    }

    #[test]
    fn a_text_of_3000_characters_is_one_part_and_one_of_3001_is_two() {
        let text = |chars: usize| "ab cd\n".repeat(chars / 6) + &"x".repeat(chars % 6);
        assert_eq!(split(&text(2_999)).len(), 1);
        assert_eq!(split(&text(3_000)).len(), 1);
        assert_eq!(split(&text(3_001)).len(), 2);
        assert_eq!(split(""), [""]);
    }

    #[test]
    fn characters_are_counted_not_bytes() {
        assert_eq!(split(&"漢".repeat(3_000)).len(), 1);
    }

    #[test]
    fn a_heading_is_preferred_to_a_paragraph_and_a_paragraph_to_a_line() {
        let para = "word ".repeat(40) + "\n\n";
        let parts = split(&(para.repeat(10) + "## Second\n" + &para.repeat(10)));
        assert!(parts[1].starts_with("## Second"));
        let parts = split(&("line\n".repeat(700) + "\nnew paragraph\n" + &"line\n".repeat(300)));
        assert!(parts[1].starts_with("line") && parts[0].ends_with('\n'));
        let parts = split(&("line\n".repeat(500) + "\nnew paragraph\n" + &"line\n".repeat(300)));
        assert!(parts[1].starts_with("new paragraph"), "{}", &parts[1][..20]);
    }

    #[test]
    fn a_heading_early_in_a_part_does_not_make_it_short() {
        let text = "intro\n\n## One\n".to_owned() + &"text\n\n".repeat(2_000);
        assert!(sizes(&split(&text))[0] > PART_CHARS / 2);
    }

    #[test]
    fn a_code_block_and_a_table_stay_whole_up_to_twice_the_size() {
        for (open, row, close) in [("```\n", "code here\n", "```\n"), ("", "| a | b |\n", "\n")] {
            let block = |rows| format!("{}{open}{}{close}", "intro line\n".repeat(100), row.repeat(rows));
            let parts = split(&(block(350) + "end"));
            assert!(parts[1].starts_with(&format!("{open}{row}")), "{}", parts[1]);
            assert!(sizes(&parts)[1] > PART_CHARS && sizes(&parts)[1] <= MAX_PART_CHARS);
            assert!(sizes(&split(&block(2_000))).into_iter().all(|size| size <= MAX_PART_CHARS));
        }
    }

    #[test]
    fn a_giant_line_is_cut_at_a_word() {
        let parts = split(&"word ".repeat(2_000));
        assert!(parts.iter().all(|part| part.ends_with("word ")));
        assert!(sizes(&parts).into_iter().all(|size| size <= PART_CHARS));
    }

    proptest! {
        #[test]
        fn joined_parts_are_the_text_and_none_is_too_long(
            pieces in proptest::collection::vec(
                prop_oneof![
                    "[a-z漢\u{301} ]{0,400}", Just("\n".to_owned()), Just("\r\n\n".to_owned()),
                    Just("\n```\n".to_owned()), Just("\n# H\n".to_owned()), Just("\n| a | b |".to_owned()),
                    Just("x".repeat(4_000)), Just(" ".repeat(3_500)),
                ],
                0..60,
            )
        ) {
            let text = pieces.concat();
            let parts = split(&text);
            prop_assert_eq!(parts.concat(), text);
            prop_assert!(parts.len() == 1 || parts.iter().all(|part| !part.trim().is_empty()));
            let longest = parts.iter().map(|part| part.trim().chars().count()).max();
            prop_assert!(longest <= Some(MAX_PART_CHARS));
        }
    }
}
