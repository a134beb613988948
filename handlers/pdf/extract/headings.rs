//! Headings of a page, where the evidence is clear: the outline names the line, it is larger than the text of the
//! document, or it is bold and carries the number of a section.

use super::paragraphs::Line;
use crate::pdf::wire::Meta;
use std::collections::{HashMap, HashSet};

/// What a line is to the headings of its page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Mark {
    /// Not part of a heading.
    #[default]
    None,
    /// The first line of a heading of this level, from 1 to 6.
    Begins(u8),
    /// A further line of the heading above it.
    Continues,
}

/// What the document so far says of its headings.
#[derive(Debug, Default)]
pub(super) struct Headings {
    /// By page: what the keys of a title lead to.
    outline: HashMap<u32, HashMap<String, Entry>>,
    /// How much text there is of each size, in tenths of a point.
    sizes: HashMap<i32, usize>,
    /// The looks of headings.
    looks: Vec<Look>,
    /// By how much the level of a numbered heading exceeds the depth of its number.
    offset: u8,
    /// The keys of headings that the outline doesn't name.
    seen: HashSet<String>,
}

/// An item of the outline.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// Its place in the outline.
    item: usize,
    level: u8,
}

/// How headings of one level look.
#[derive(Clone, Copy, Debug)]
struct Look {
    size: f32,
    /// The level, when the outline gave it.
    level: Option<u8>,
}

/// Lines that may be a heading together: from, to, level.
type Found = (usize, usize, u8);

/// The place of the document's title before all items of the outline.
const TITLE: usize = 0;
/// The most lines of a heading.
const MAX_LINES: usize = 3;
/// The most characters of a heading that the outline doesn't name.
const MAX_CHARS: usize = 120;
/// A heading is larger than the text by this factor.
const LARGER: f32 = 1.15;
/// Sizes that differ by less than this factor are one.
const SAME: f32 = 1.03;
/// The deepest level.
const MAX_LEVEL: u8 = 6;
/// The most sizes of text that are counted.
const MAX_SIZES: usize = 1000;
/// The most looks that are told apart.
const MAX_LOOKS: usize = 32;
/// The most headings that are remembered.
const MAX_SEEN: usize = 10_000;

fn is_like(a: &Line, b: &Line) -> bool {
    b.is_plain && a.bold == b.bold && a.size.max(b.size) <= a.size.min(b.size) * SAME
}

/// The letters and digits of a text.
fn key(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The depth of the number that a title begins with (`2.1` has 2), and the title without it.
fn numbered(title: &str) -> Option<(u8, &str)> {
    let (number, rest) = title.split_once(char::is_whitespace)?;
    let bare = number.strip_suffix(['.', ')']).unwrap_or(number);
    let is_digits = |part: &str| (1..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    let mut parts = bare.split('.');
    let first = parts.next()?;
    let depth = bare.split('.').count();
    let is_marked = depth > 1 || bare.len() < number.len();
    let is_letter = first.len() == 1 && first.as_bytes()[0].is_ascii_uppercase();
    let is_roman = first.len() <= 6 && first.bytes().all(|byte| b"IVX".contains(&byte));
    let fits = is_digits(first) || (is_marked && (is_letter || is_roman));
    let rest = rest.trim_start();
    let is_title = rest.chars().next().is_some_and(|c| c.is_alphabetic() && !c.is_lowercase());
    (fits && parts.all(is_digits) && is_title).then(|| (u8::try_from(depth).unwrap_or(u8::MAX), rest))
}

/// Whether a text reads like a heading, whatever it looks like.
fn is_title(text: &str) -> bool {
    let (mut all, mut letters, mut spaces) = (0, 0, 0);
    for c in text.chars() {
        all += 1;
        letters += usize::from(c.is_alphabetic());
        spaces += usize::from(c == ' ');
    }
    let is_numbered = numbered(text).is_some();
    let cells = numbered(text).map_or(text, |(_, rest)| rest).contains("  ");
    let first = text.chars().find(|c| c.is_alphanumeric());
    all <= MAX_CHARS
        && letters >= 3
        && letters * 10 >= (all - spaces) * 6
        && !cells
        && first.is_some_and(|c| !c.is_lowercase())
        && !text.ends_with([',', ';'])
        && (is_numbered || !text.ends_with('.'))
        && !text.contains("...")
        && !text.contains(". .")
}

/// Whether other lines of the page look less than this one.
fn stands_out(line: &Line, lines: &[Line]) -> bool {
    let is_less = |other: &Line| other.size * LARGER <= line.size || (line.bold && !other.bold);
    lines.iter().any(|other| other.is_plain && is_less(other))
}

// === impl Headings ===

impl Headings {
    /// Knows what `meta` says: the outline, and the title, which stands on the first page.
    pub(super) fn new(meta: &Meta) -> Self {
        let mut headings = Self::default();
        let title = meta.title.iter().map(|title| (TITLE, 1, title.as_str(), 1));
        let items = (TITLE + 1..).zip(&meta.outline);
        let items = items.map(|(n, item)| (n, item.page, item.title.as_str(), item.level.clamp(1, MAX_LEVEL)));
        for (item, page, title, level) in items.chain(title) {
            let page = headings.outline.entry(page).or_default();
            let bare = numbered(title).map(|(_, rest)| rest);
            for key in [Some(title), bare].into_iter().flatten().map(key).filter(|key| !key.is_empty()) {
                page.entry(key).or_insert(Entry { item, level });
            }
        }
        headings
    }

    /// Marks the headings among the lines of page `number`.
    pub(super) fn mark(&mut self, number: u32, lines: &mut [Line]) {
        for line in lines.iter().filter(|line| line.is_plain) {
            let tenths = (line.size * 10.0).round() as i32;
            if self.sizes.len() < MAX_SIZES || self.sizes.contains_key(&tenths) {
                *self.sizes.entry(tenths).or_default() += line.text.len();
            }
        }
        let body = self.body();
        let named = self.named(number, lines);
        for &(from, to, level) in &named {
            self.learn(&lines[from], Some(level));
            set(lines, from, to, level);
        }
        let Some(body) = body else { return };
        let found = self.shown(lines, body);
        let marked: usize = named.iter().map(|(from, to, _)| to - from).sum();
        let more: usize = found.iter().map(|(from, to)| to - from).sum();
        // Where everything is large nothing is a heading: posters and slides.
        if (marked + more) * 3 > lines.len() {
            return;
        }
        for &(from, _) in &found {
            if lines[from].size >= body * LARGER {
                self.learn(&lines[from], None);
            }
        }
        for (from, to) in found {
            let level = self.level(&lines[from], body);
            set(lines, from, to, level);
        }
    }

    /// The size of most of the text so far, when there is one.
    fn body(&self) -> Option<f32> {
        let (&most, _) = self.sizes.iter().max_by_key(|&(&size, &chars)| (chars, size))?;
        let all: usize = self.sizes.values().sum();
        let near = |size: i32| f64::from(size - most).abs() <= f64::from(most) * 0.07;
        let body: usize = self.sizes.iter().filter(|&(&size, _)| near(size)).map(|(_, chars)| chars).sum();
        // A text layer under a scan has sizes of all kinds, and they mean nothing.
        (body * 5 >= all * 2).then_some(most as f32 / 10.0)
    }

    /// The headings that the outline names.
    fn named(&mut self, number: u32, lines: &[Line]) -> Vec<Found> {
        let Some(entries) = self.outline.remove(&number) else { return Vec::new() };
        let mut best: HashMap<usize, Found> = HashMap::new();
        for from in 0..lines.len() {
            if !lines[from].is_plain || !(lines[from].starts || from == 0 || !is_like(&lines[from - 1], &lines[from])) {
                continue;
            }
            let mut text = String::new();
            for to in from + 1..=(from + MAX_LINES).min(lines.len()) {
                let last = &lines[to - 1];
                if to > from + 1 && (last.starts || !is_like(&lines[from], last)) {
                    break;
                }
                text.push_str(&last.text);
                text.push(' ');
                if text.len() > 4 * MAX_CHARS {
                    break;
                }
                let bare = numbered(&text).map(|(_, rest)| rest);
                let entry = [Some(&*text), bare].into_iter().flatten().find_map(|text| entries.get(&key(text)));
                let Some(&Entry { item, level }) = entry else { continue };
                // The title may be no more than a guess: it has to look like one.
                if item == TITLE && !(stands_out(&lines[from], lines) && is_title(text.trim_end())) {
                    continue;
                }
                // The title of a chapter may head its page too: the heading is the larger one.
                let look = |from: usize| (lines[from].size, lines[from].bold);
                if best.get(&item).is_none_or(|&(other, ..)| look(from) > look(other)) {
                    best.insert(item, (from, to, level));
                }
            }
        }
        let mut named: Vec<Found> = best.into_values().collect();
        named.sort_unstable();
        named.dedup_by(|next, before| next.0 < before.1);
        named
    }

    /// The headings that show themselves by their look, in text of size `body`.
    fn shown(&mut self, lines: &[Line], body: f32) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        let mut from = 0;
        while from < lines.len() {
            let line = &lines[from];
            let mut to = from + 1;
            while to < lines.len() && !lines[to].starts && is_like(line, &lines[to]) {
                to += 1;
            }
            let is_free = line.is_plain && lines[from..to].iter().all(|line| line.mark == Mark::None);
            let large = line.size >= body * LARGER;
            let alone = line.starts && lines.get(to).is_none_or(|next| next.starts);
            let bold = line.bold && line.size >= body * 0.95 && alone && to == from + 1 && !line.text.ends_with('.');
            if is_free && to - from <= MAX_LINES && (large || (bold && numbered(&line.text).is_some())) {
                let text = lines[from..to].iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join(" ");
                // What stands at an edge of page after page is no heading there.
                let at_edge = from == 0 || to == lines.len();
                let bare = key(numbered(&text).map_or(&*text, |(_, rest)| rest));
                if is_title(&text) && !(at_edge && self.seen.contains(&bare)) {
                    if self.seen.len() < MAX_SEEN {
                        self.seen.insert(bare);
                    }
                    found.push((from, to));
                }
            }
            from = to;
        }
        found
    }

    /// Remembers how a heading looks.
    fn learn(&mut self, line: &Line, level: Option<u8>) {
        if let Some(known) = self.looks.iter_mut().find(|look| is_same(look.size, line.size)) {
            known.level = level.or(known.level);
        } else if self.looks.len() < MAX_LOOKS {
            self.looks.push(Look { size: line.size, level });
        }
        if let (Some(level), Some((depth, _))) = (level, numbered(&line.text)) {
            self.offset = level.saturating_sub(depth);
        }
    }

    /// The level of a heading by its look.
    fn level(&mut self, line: &Line, body: f32) -> u8 {
        let depth = numbered(&line.text).map(|(depth, _)| depth);
        if let (Some(depth), true) = (depth, line.size < body * LARGER) {
            return depth.saturating_add(self.offset).min(MAX_LEVEL);
        }
        let given = self.looks.iter().find(|look| is_same(look.size, line.size)).and_then(|look| look.level);
        let level = given.unwrap_or_else(|| {
            let larger = self.looks.iter().filter(|look| look.size > line.size * SAME).count();
            u8::try_from(larger + 1).unwrap_or(MAX_LEVEL).min(MAX_LEVEL)
        });
        if let Some(depth) = depth {
            self.offset = level.saturating_sub(depth);
        }
        level
    }
}

fn is_same(a: f32, b: f32) -> bool {
    a.max(b) <= a.min(b) * SAME
}

fn set(lines: &mut [Line], from: usize, to: usize, level: u8) {
    lines[from].mark = Mark::Begins(level);
    lines[from].starts = true;
    for line in &mut lines[from + 1..to] {
        line.mark = Mark::Continues;
    }
    if let Some(next) = lines.get_mut(to) {
        next.starts = true;
    }
}
