//! Text strings and dates as PDF files write them.

use hayro_syntax::object::DateTime;
use std::fmt::Write as _;

/// `PDFDocEncoding` where it differs from Latin-1: 0x18 to 0x1F and 0x80 to 0xA0.
const LOW: [char; 8] = ['\u{2D8}', '\u{2C7}', '\u{2C6}', '\u{2D9}', '\u{2DD}', '\u{2DB}', '\u{2DA}', '\u{2DC}'];
const HIGH: [char; 33] = [
    '•', '†', '‡', '…', '—', '–', 'ƒ', '⁄', '‹', '›', '−', '‰', '„', '“', '”', '‘', '’', '‚', '™', 'ﬁ', 'ﬂ', 'Ł', 'Œ',
    'Š', 'Ÿ', 'Ž', 'ı', 'ł', 'œ', 'š', 'ž', '\u{FFFD}', '€',
];

/// Decodes a text string: UTF-16 or UTF-8 with a byte order mark, else `PDFDocEncoding`.
pub(super) fn decode(bytes: &[u8]) -> String {
    match bytes {
        [0xFE, 0xFF, rest @ ..] => utf16(rest, u16::from_be_bytes),
        [0xFF, 0xFE, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xEF, 0xBB, 0xBF, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        _ => bytes.iter().map(|&byte| pdf_doc(byte)).collect(),
    }
}

/// The same on one line: white space folded, control characters removed. None when nothing is left.
pub(super) fn line(bytes: &[u8]) -> Option<String> {
    fold(&decode(bytes))
}

/// Puts `text` on one line.
pub(super) fn fold(text: &str) -> Option<String> {
    let mut folded = String::with_capacity(text.len());
    for word in text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()) {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.extend(word.chars().filter(|&c| !is_junk(c)));
    }
    let folded = folded.trim();
    (!folded.is_empty()).then(|| folded.to_owned())
}

/// Whether a character has no place in text: it has no width and joins nothing, or is no character at all.
pub(super) fn is_junk(c: char) -> bool {
    matches!(c, '\0'..='\u{8}' | '\u{B}'..='\u{1F}' | '\u{7F}'..='\u{9F}' | '\u{AD}' | '\u{200B}' | '\u{200E}' | '\u{200F}'
        | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}')
        || u32::from(c) & 0xFFFE == 0xFFFE
        || matches!(c, '\u{FDD0}'..='\u{FDEF}')
}

/// RFC 3339, or none when the file's date makes no sense.
pub(super) fn date(date: &DateTime) -> Option<String> {
    let sane = (1..=12).contains(&date.month)
        && (1..=31).contains(&date.day)
        && date.hour < 24
        && date.minute < 60
        && date.second < 61
        && date.year > 0;
    if !sane {
        return None;
    }
    let mut text = format!(
        "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}",
        date.year, date.month, date.day, date.hour, date.minute, date.second
    );
    if date.utc_offset_hour == 0 && date.utc_offset_minute == 0 {
        text.push('Z');
    } else {
        let sign = if date.utc_offset_hour < 0 { '-' } else { '+' };
        let _ = write!(text, "{sign}{:02}:{:02}", date.utc_offset_hour.unsigned_abs(), date.utc_offset_minute);
    }
    Some(text)
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units = bytes.chunks_exact(2).map(|pair| unit([pair[0], pair[1]]));
    let mut text = String::new();
    let mut escaped = false;
    for c in char::decode_utf16(units).map(|c| c.unwrap_or('\u{FFFD}')) {
        // An escape pair encloses a language code, which is no text.
        if c == '\u{1B}' {
            escaped = !escaped;
        } else if !escaped {
            text.push(c);
        }
    }
    text
}

fn pdf_doc(byte: u8) -> char {
    match byte {
        0x18..=0x1F => LOW[usize::from(byte - 0x18)],
        0x80..=0xA0 => HIGH[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_strings_are_decoded_by_their_byte_order_mark() {
        assert_eq!(decode(b"\xFE\xFF\x04\x1F\x00A"), "ПA");
        assert_eq!(decode(b"\xFF\xFE\x1F\x04"), "П");
        assert_eq!(decode(b"\xEF\xBB\xBF\xD0\x9F"), "П");
        assert_eq!(decode(b"a\x8Db\xE9\xA0"), "a“bé€");
        assert_eq!(decode(b"\xFE\xFF\x00\x1B\x00e\x00n\x00\x1B\x00A"), "A");
    }

    #[test]
    fn a_line_has_no_breaks_and_no_junk() {
        assert_eq!(line(b" a\r\n\x00b\tc ").as_deref(), Some("a b c"));
        assert_eq!(line(b"\x00 \x01"), None);
    }

    #[test]
    fn a_date_is_rfc_3339_or_none() {
        let mut when = DateTime {
            year: 2001,
            month: 2,
            day: 3,
            hour: 4,
            minute: 5,
            second: 6,
            utc_offset_hour: -7,
            utc_offset_minute: 30,
        };
        assert_eq!(date(&when).as_deref(), Some("2001-02-03T04:05:06-07:30"));
        (when.utc_offset_hour, when.utc_offset_minute) = (0, 0);
        assert_eq!(date(&when).as_deref(), Some("2001-02-03T04:05:06Z"));
        when.month = 13;
        assert_eq!(date(&when), None);
    }
}
