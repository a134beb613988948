//! Unicode's general categories, as far as a tokenizer asks for them.

use regex_syntax::hir::{Class, HirKind};
use std::sync::OnceLock;

/// Marks that have no width: accents that stand apart.
pub(super) fn is_mark(sign: char) -> bool {
    static MARKS: OnceLock<Vec<(char, char)>> = OnceLock::new();
    is_in(MARKS.get_or_init(|| ranges(r"\p{Mn}")), sign)
}

/// Signs between words.
pub(super) fn is_punctuation(sign: char) -> bool {
    static PUNCTUATION: OnceLock<Vec<(char, char)>> = OnceLock::new();
    is_in(PUNCTUATION.get_or_init(|| ranges(r"[\p{P}!-/:-@\[-`{-~]")), sign)
}

/// Controls, formats, private and unassigned characters.
pub(super) fn is_other(sign: char) -> bool {
    static OTHER: OnceLock<Vec<(char, char)>> = OnceLock::new();
    is_in(OTHER.get_or_init(|| ranges(r"\p{C}")), sign)
}

fn is_in(ranges: &[(char, char)], sign: char) -> bool {
    let after = ranges.partition_point(|(start, _)| *start <= sign);
    after > 0 && sign <= ranges[after - 1].1
}

fn ranges(class: &str) -> Vec<(char, char)> {
    let parsed = regex_syntax::Parser::new().parse(class);
    match parsed.map(regex_syntax::hir::Hir::into_kind) {
        Ok(HirKind::Class(Class::Unicode(class))) => {
            class.ranges().iter().map(|range| (range.start(), range.end())).collect()
        }
        _ => Vec::new(),
    }
}
