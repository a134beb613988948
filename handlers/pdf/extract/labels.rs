//! Page labels: `iv`, `A-3`.

use super::{strings, tree};
use hayro_syntax::{
    object::{Array, Dict, Name, Object, String as PdfString},
    xref::XRef,
};
use std::collections::{BTreeMap, HashSet};

/// The most nodes of the tree that are read.
const MAX_NODES: usize = 10_000;
/// The longest label, in letters: of a run of thousands of pages `aaaa…` is no label.
const MAX_LETTERS: u32 = 40;

/// How a range of pages is numbered.
struct Style {
    prefix: String,
    kind: u8,
    start: u32,
}

/// One label a page; empty when they are the plain numbers, or when there are none.
pub(super) fn labels<'a>(xref: &'a XRef, catalog: &Dict<'a>, pages: u32) -> Vec<String> {
    let ranges = ranges(xref, catalog, pages);
    if ranges.is_empty() {
        return Vec::new();
    }
    let mut labels = Vec::with_capacity(pages as usize);
    let mut current: Option<(u32, &Style)> = None;
    for page in 0..pages {
        if let Some(style) = ranges.get(&page) {
            current = Some((page, style));
        }
        labels.push(match current {
            Some((first, style)) => style.label(page - first),
            None => (page + 1).to_string(),
        });
    }
    let plain = labels.iter().zip(1u32..).all(|(label, number)| *label == number.to_string());
    if plain { Vec::new() } else { labels }
}

fn ranges<'a>(xref: &'a XRef, catalog: &Dict<'a>, pages: u32) -> BTreeMap<u32, Style> {
    let mut ranges = BTreeMap::new();
    let mut waiting: Vec<Dict<'a>> = tree::child(xref, catalog, b"PageLabels").into_iter().collect();
    let mut seen = HashSet::new();
    while let Some(node) = waiting.pop() {
        if seen.len() >= MAX_NODES || !seen.insert(node.data().as_ptr()) {
            continue;
        }
        if let Some(pairs) = node.get::<Array<'a>>(b"Nums") {
            let mut items = pairs.iter::<Object<'a>>();
            while let (Some(first), Some(style)) = (items.next(), items.next()) {
                let first = first.into_number().and_then(|first| u32::try_from(first.as_i64()).ok());
                if let (Some(first), Some(style)) = (first.filter(|first| *first < pages), style.into_dict()) {
                    ranges.insert(first, Style::read(&style));
                }
            }
        }
        let room = MAX_NODES.saturating_sub(waiting.len());
        waiting.extend(tree::children(xref, &node, b"Kids", room));
    }
    ranges
}

// === impl Style ===

impl Style {
    fn read(dict: &Dict<'_>) -> Self {
        Self {
            prefix: dict
                .get::<PdfString<'_>>(b"P")
                .map(|prefix| {
                    strings::decode(prefix.as_bytes()).chars().filter(|c| !c.is_control()).take(100).collect()
                })
                .unwrap_or_default(),
            kind: dict.get::<Name<'_>>(b"S").and_then(|kind| kind.first().copied()).unwrap_or_default(),
            start: dict.get::<u32>(b"St").unwrap_or(1).clamp(1, 1_000_000_000),
        }
    }

    fn label(&self, offset: u32) -> String {
        let number = self.start.saturating_add(offset);
        let numeral = match self.kind {
            b'D' => number.to_string(),
            b'r' => roman(number).to_lowercase(),
            b'R' => roman(number),
            b'a' => letters(number, b'a'),
            b'A' => letters(number, b'A'),
            _ => String::new(),
        };
        format!("{}{numeral}", self.prefix)
    }
}

fn roman(mut number: u32) -> String {
    const SIGNS: [(u32, &str); 13] = [
        (1000, "M"),
        (900, "CM"),
        (500, "D"),
        (400, "CD"),
        (100, "C"),
        (90, "XC"),
        (50, "L"),
        (40, "XL"),
        (10, "X"),
        (9, "IX"),
        (5, "V"),
        (4, "IV"),
        (1, "I"),
    ];
    if number >= 20_000 {
        return number.to_string();
    }
    let mut text = String::new();
    for (value, sign) in SIGNS {
        while number >= value {
            text.push_str(sign);
            number -= value;
        }
    }
    text
}

/// `a` to `z`, then `aa` to `zz`, and so on.
fn letters(number: u32, first: u8) -> String {
    let (turn, letter) = ((number - 1) / 26, (number - 1) % 26);
    if turn >= MAX_LETTERS {
        return number.to_string();
    }
    let letter = char::from(first + u8::try_from(letter).unwrap_or_default());
    std::iter::repeat_n(letter, turn as usize + 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numerals_are_those_of_the_format() {
        assert_eq!(roman(1994), "MCMXCIV");
        assert_eq!(letters(1, b'A'), "A");
        assert_eq!(letters(26, b'a'), "z");
        assert_eq!(letters(27, b'a'), "aa");
        assert_eq!(letters(2_000_000, b'a'), "2000000");
    }
}
