//! Which characters are worth keeping, and which stand for others.

use super::super::{glyph::Text, strings::is_junk};
use hayro_cmap::BfString;

/// Stands for a glyph whose characters nobody knows.
pub(in super::super) const UNKNOWN: char = '\u{FFFD}';

/// Whether a character is in a private use area.
pub(in super::super) fn is_private(c: char) -> bool {
    matches!(c, '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..)
}

/// Takes what a map says, unless it says nothing.
pub(super) fn known(given: &str) -> Option<Text> {
    let mut chars = given.chars();
    if let (Some(only), None) = (chars.next(), chars.next()) {
        let nothing = is_private(only) || only == UNKNOWN || is_ignored(only);
        return (!nothing).then_some(Text::Char(only));
    }
    if given.chars().all(|c| is_private(c) || c == UNKNOWN || is_ignored(c)) {
        return None;
    }
    if given.chars().any(is_ignored) {
        let kept: String = given.chars().filter(|&c| !is_ignored(c)).collect();
        return Some(Text::new(&kept));
    }
    Some(Text::new(given))
}

/// The same of the form in which `hayro` gives it.
pub(super) fn known_bf(given: Option<BfString>) -> Option<Text> {
    match given? {
        BfString::Char(c) => known(c.encode_utf8(&mut [0; 4])),
        BfString::String(text) => known(&text),
    }
}

/// The best of a map that says nothing certain: a symbol, a private character, else nothing to show.
pub(super) fn uncertain(given: &str) -> Text {
    let mut chars = given.chars();
    match (chars.next(), chars.next()) {
        (Some(only), None) if is_ignored(only) => Text::Empty,
        (Some(only), None) => Text::Char(symbol(only).unwrap_or(only)),
        _ if given.chars().all(is_ignored) => Text::Empty,
        _ => Text::new(given),
    }
}

/// Whether a map gives nothing but control characters and what is no character: it doesn't say that there is nothing.
pub(super) fn is_control(given: &str) -> bool {
    given.chars().all(|c| c.is_control() || u32::from(c) & 0xFFFE == 0xFFFE)
}

/// The character that a symbol font hides at U+F000 plus its code.
pub(super) fn symbol(c: char) -> Option<char> {
    Some(match c {
        '\u{F0B7}' => '•',
        '\u{F0A7}' => '▪',
        '\u{F0D8}' => '➢',
        '\u{F0FC}' => '✓',
        '\u{F0A8}' | '\u{F06F}' => '□',
        '\u{F020}'..='\u{F07E}' => char::from_u32(u32::from(c) - 0xF000)?,
        _ => return None,
    })
}

/// How plain a character is: of several for one glyph the lowest is meant.
pub(super) fn rank(c: char) -> (u8, u32) {
    let class = match c {
        '\u{A0}' => 1,
        '\u{2E80}'..='\u{2FDF}' | '\u{F900}'..='\u{FFEF}' => 2,
        c if is_private(c) => 3,
        _ => 0,
    };
    (class, u32::from(c))
}

/// A soft hyphen is a hyphen where a line ends, so that it is kept.
fn is_ignored(c: char) -> bool {
    is_junk(c) && c != '\u{AD}'
}
