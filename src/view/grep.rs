//! Lines that match a pattern, with the lines around them (views.md §4).
//!
//! `p. N` is an address and stands for parts, too.

use super::budget::{Window, prefix};
use super::full::FullText;
use super::range::Selection;
use super::{Match, Rendered, ViewError};
use regex::{Regex, RegexBuilder};
use regex_syntax::ast::{self, Ast, ClassSetItem, Literal, LiteralKind};
use std::convert::Infallible;

/// The longest pattern, in bytes.
const MAX_PATTERN: usize = 200;
/// The most memory a compiled pattern may take, in bytes. The time of a search grows with it: at worst some 3 s a
/// megabyte of text, when a pattern this large has a `\b` in front.
const MAX_COMPILED: usize = 2 << 20;
/// The most memory for the states of a search, in bytes.
const MAX_STATES: usize = 2 << 20;
/// The most matches that are shown.
const MAX_SHOWN: usize = 100;
/// What ends a block.
const RULE: &str = "--";

/// A matching line and its neighbours on the same page, untrimmed.
struct Hit<'a> {
    page: u32,
    line: u64,
    before: Option<&'a str>,
    text: &'a str,
    after: Option<&'a str>,
}

/// Counts lines of the full text, no further than hits need it.
struct LineCount<'a> {
    full: FullText<'a>,
    page: u32,
    /// The line that `page` begins on, from 1.
    line: u64,
}

/// Finds the capital letters of a pattern that stand for themselves.
struct Capitals(bool);

/// Renders the lines of the pages asked for that match.
pub(super) fn render(
    full: &FullText<'_>,
    asked: &Selection,
    pattern: &str,
    out_cap: usize,
) -> Result<Rendered, ViewError> {
    let regex = compile(pattern)?;
    let (hits, total) = search(full, asked, &regex);
    let mut window = Window::new(0, out_cap);
    push(&mut window, &header(pattern, total));

    let mut matches = Vec::new();
    let mut notes = Vec::new();
    for hit in hits.iter().take(MAX_SHOWN) {
        if hit.chars() <= window.left() {
            hit.write(&mut window);
            matches.push(hit.to_match(hit.text.trim()));
        } else if matches.is_empty() {
            let text = hit.excerpt(&regex, window.left() - hit.frame_chars());
            push(&mut window, &format!("\np. {}: {text}\n{RULE}", hit.page));
            matches.push(hit.to_match(text));
            notes.push(format!(
                "match on {} {page} cut to fit; ask for pages=\"{page}\"",
                full.unit(),
                page = hit.page
            ));
        } else {
            break;
        }
    }
    if let Some(next) = hits.get(matches.len()) {
        notes.push(rest(asked, next.page, total - matches.len() as u64, total));
    }
    Ok(Rendered { grep_hits: total, matches, ..Rendered::new(window, notes.join("; ")) })
}

/// Compiles a pattern within the bounds; the reason of a refusal does not repeat the pattern.
fn compile(pattern: &str) -> Result<Regex, ViewError> {
    if pattern.len() > MAX_PATTERN {
        let reason = format!("the pattern has {} bytes, at most {MAX_PATTERN} are allowed", pattern.len());
        return Err(ViewError::InvalidGrep { reason });
    }
    RegexBuilder::new(pattern)
        .case_insensitive(!has_capital(pattern))
        .size_limit(MAX_COMPILED)
        .dfa_size_limit(MAX_STATES)
        .build()
        .map_err(|error| ViewError::InvalidGrep {
            reason: match error {
                regex::Error::CompiledTooBig(limit) => format!("the compiled pattern is larger than {limit} bytes"),
                // The last line says what is wrong, those above show where in the pattern.
                other => other.to_string().lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned(),
            },
        })
}

/// Whether a pattern has a capital letter that stands for itself. One that does not parse has none.
fn has_capital(pattern: &str) -> bool {
    let parsed = ast::parse::Parser::new().parse(pattern);
    parsed.is_ok_and(|ast| ast::visit(&ast, Capitals(false)).unwrap_or(false))
}

/// The first matching lines, one more than are shown, and the number of all.
fn search<'a>(full: &FullText<'a>, asked: &Selection, regex: &Regex) -> (Vec<Hit<'a>>, u64) {
    let (mut hits, mut total) = (Vec::new(), 0);
    let mut counted = LineCount { full: *full, page: 1, line: 1 };
    for number in asked.pages() {
        let mut lines = full.page(number).text().lines().zip(0..).peekable();
        let mut before = None;
        while let Some((text, nth)) = lines.next() {
            if regex.is_match(text) {
                total += 1;
                if hits.len() <= MAX_SHOWN {
                    let line = counted.first_line(number) + nth;
                    hits.push(Hit { page: number, line, before, text, after: lines.peek().map(|(line, _)| *line) });
                }
            }
            before = Some(text);
        }
    }
    (hits, total)
}

fn header(pattern: &str, total: u64) -> String {
    let pattern = pattern.replace('\n', "\\n").replace('\r', "\\r");
    let count = match total {
        0 => "no matches".to_owned(),
        1 => "1 match".to_owned(),
        _ => format!("{total} matches"),
    };
    let first = if total > MAX_SHOWN as u64 { format!(", showing the first {MAX_SHOWN}") } else { String::new() };
    format!("grep \"{pattern}\": {count}{first}")
}

/// The note for matches that are not shown, of which the first stands on `page`.
fn rest(asked: &Selection, page: u32, hidden: u64, total: u64) -> String {
    // The same pages again would give the same answer.
    let narrower = if asked.first() < Some(page) {
        format!("pages=\"{}\" or a narrower pattern", asked.starting_at(page))
    } else {
        "a narrower pattern".to_owned()
    };
    format!("{hidden} of {total} matches not shown; ask for {narrower}")
}

fn push(window: &mut Window, text: &str) {
    window.push(text, text.chars().count());
}

// === impl Hit ===

impl<'a> Hit<'a> {
    /// The length of the block, in characters.
    fn chars(&self) -> usize {
        let lines = [self.before, Some(self.text), self.after].into_iter().flatten();
        lines.map(|line| self.address_chars() + line.trim().chars().count()).sum::<usize>() + 1 + RULE.len()
    }

    /// The length of a block of one line, without that line.
    fn frame_chars(&self) -> usize {
        self.address_chars() + 1 + RULE.len()
    }

    /// The length of a line break and what stands before each line.
    fn address_chars(&self) -> usize {
        "\np. : ".len() + self.page.to_string().len()
    }

    fn write(&self, window: &mut Window) {
        for (mark, line) in [('-', self.before), (':', Some(self.text)), ('-', self.after)] {
            if let Some(line) = line {
                push(window, &format!("\np. {}{mark} {}", self.page, line.trim()));
            }
        }
        push(window, &format!("\n{RULE}"));
    }

    /// At most `room` characters of the line, with the match in view.
    fn excerpt(&self, regex: &Regex, room: usize) -> &'a str {
        let found = regex.find(self.text).map_or(0, |found| found.start());
        let lead = self.text[..found].char_indices().rev().take(room / 4).last().map_or(found, |(start, _)| start);
        prefix(self.text[lead..].trim_start(), room).trim_end()
    }

    fn to_match(&self, text: &str) -> Match {
        Match { page: self.page, line: self.line, text: text.to_owned(), ranked: None }
    }
}

// === impl LineCount ===

impl LineCount<'_> {
    /// The line of the full text that the text of a page begins on. Pages are asked for in their order.
    fn first_line(&mut self, number: u32) -> u64 {
        while self.page < number {
            self.line += self.full.stride_lines(self.page);
            self.page += 1;
        }
        self.line + self.full.lines_above()
    }
}

// === impl Capitals ===

impl Capitals {
    fn see(&mut self, literal: &Literal) {
        self.0 |= literal.kind == LiteralKind::Verbatim && literal.c.is_uppercase();
    }
}

impl ast::Visitor for Capitals {
    type Output = bool;
    type Err = Infallible;

    fn finish(self) -> Result<bool, Infallible> {
        Ok(self.0)
    }

    fn visit_pre(&mut self, ast: &Ast) -> Result<(), Infallible> {
        if let Ast::Literal(literal) = ast {
            self.see(literal);
        }
        Ok(())
    }

    fn visit_class_set_item_pre(&mut self, item: &ClassSetItem) -> Result<(), Infallible> {
        match item {
            ClassSetItem::Literal(literal) => self.see(literal),
            ClassSetItem::Range(range) => {
                self.see(&range.start);
                self.see(&range.end);
            }
            _ => {}
        }
        Ok(())
    }
}
