//! Character references: `&amp;`, `&#8211;`, `&#x27;`.

use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// The longest name of a character reference, in bytes.
const MAX_NAME: usize = 31;

/// The longest name that is known without its semicolon, too.
const MAX_BARE: usize = 6;

/// Where a character reference stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Text,
    /// In the value of an attribute: `?a=1&copy=2` holds no reference.
    Attribute,
}

/// What a name stands for.
struct Named {
    /// Known without its semicolon, too.
    bare: bool,
    text: (char, Option<char>),
}

/// The references by name.
static NAMED: LazyLock<FxHashMap<&str, Named>> =
    LazyLock::new(|| include_str!("entities.tsv").lines().filter_map(named).collect());

/// What the numbers 0x80 to 0x9F stand for: windows-1252, as browsers read them.
const WINDOWS_1252: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8D}', 'Ž', '\u{8F}', '\u{90}', '‘', '’',
    '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9D}', 'ž', 'Ÿ',
];

/// A line of the table: the name, a `*` if it needs no semicolon, and its characters as hexadecimal numbers.
fn named(line: &'static str) -> Option<(&'static str, Named)> {
    let (name, characters) = line.split_once('\t')?;
    let mut characters =
        characters.split(' ').filter_map(|number| u32::from_str_radix(number, 16).ok().and_then(char::from_u32));
    let text = (characters.next()?, characters.next());
    Some((name.trim_end_matches('*'), Named { bare: name.ends_with('*'), text }))
}

/// Decodes the reference at the start of `source`, which begins after the `&`, to the end of `out`. Gives the length of
/// the reference in bytes, 0 when there is none and the `&` stands for itself.
pub(super) fn decode(source: &str, place: Place, out: &mut String) -> usize {
    match source.as_bytes().first() {
        Some(b'#') => numeric(source, out),
        Some(first) if first.is_ascii_alphabetic() => by_name(source, place, out),
        _ => 0,
    }
}

fn by_name(source: &str, place: Place, out: &mut String) -> usize {
    let bytes = source.as_bytes();
    let length = bytes.iter().take(MAX_NAME + 1).take_while(|byte| byte.is_ascii_alphanumeric()).count();
    let push = |named: &Named, out: &mut String| {
        out.push(named.text.0);
        out.extend(named.text.1);
    };
    if bytes.get(length) == Some(&b';')
        && let Some(named) = NAMED.get(&source[..length])
    {
        push(named, out);
        return length + 1;
    }
    for length in (2..=length.min(MAX_BARE)).rev() {
        let Some(named) = NAMED.get(&source[..length]).filter(|named| named.bare) else { continue };
        let goes_on = bytes.get(length).is_some_and(|next| *next == b'=' || next.is_ascii_alphanumeric());
        if place == Place::Attribute && goes_on {
            return 0;
        }
        push(named, out);
        return length;
    }
    0
}

fn numeric(source: &str, out: &mut String) -> usize {
    let bytes = source.as_bytes();
    let (radix, start) = if matches!(bytes.get(1), Some(b'x' | b'X')) { (16, 2) } else { (10, 1) };
    let digits = bytes[start..].iter().map_while(|byte| char::from(*byte).to_digit(radix));
    let (number, count) = digits
        .fold((0_u32, 0), |(number, count), digit| (number.saturating_mul(radix).saturating_add(digit), count + 1));
    if count == 0 {
        return 0;
    }
    out.push(match number {
        0 => char::REPLACEMENT_CHARACTER,
        0x80..=0x9F => WINDOWS_1252[number as usize - 0x80],
        _ => char::from_u32(number).unwrap_or(char::REPLACEMENT_CHARACTER),
    });
    let end = start + count;
    if bytes.get(end) == Some(&b';') { end + 1 } else { end }
}
