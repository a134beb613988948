//! From bytes to text: BOM, header, declaration, UTF-8, UTF-16 by its NULs, detection (documents.md §1).
//!
//! Labels are those of the WHATWG encoding standard. Invalid bytes become U+FFFD: there is always a text.

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};

/// A body as text, and how that came about.
#[derive(Clone, PartialEq, Eq)]
pub struct Decoded {
    /// The text, without a byte order mark.
    pub text: String,
    /// The name of the encoding: `UTF-8`, `Shift_JIS`.
    pub encoding: &'static str,
    /// Who named it.
    pub known_by: KnownBy,
}

/// How an encoding is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KnownBy {
    /// A byte order mark.
    Bom,
    /// The `charset` parameter of `Content-Type`.
    Header,
    /// A `<meta>` or an XML declaration within the first 1,024 bytes.
    Declaration,
    /// The bytes are valid UTF-8.
    Utf8,
    /// Every second byte is NUL.
    Nuls,
    /// A guess from the frequency of letters.
    Detection,
}

/// How far a declaration is looked for, in bytes.
const PRESCAN: usize = 1024;

/// Fewer characters are no pattern.
const MIN_PAIRS: usize = 4;

/// Beginnings of files that no text has.
const MAGIC: [&[u8]; 22] = [
    b"%PDF-",
    b"\x89PNG\r\n\x1a\n",
    b"GIF87a",
    b"GIF89a",
    b"\xFF\xD8\xFF",
    b"PK\x03\x04",
    b"PK\x05\x06",
    b"\x1F\x8B\x08",
    b"\x7FELF",
    b"BZh",
    b"\xFD7zXZ\0",
    b"7z\xBC\xAF\x27\x1C",
    b"Rar!\x1A\x07",
    b"\x28\xB5\x2F\xFD",
    b"OggS",
    b"ID3",
    b"wOFF",
    b"wOF2",
    b"\0asm",
    b"\xCA\xFE\xBA\xBE",
    b"SQLite format 3\0",
    b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1",
];

/// Reads `bytes` as text. `label` is the `charset` parameter of the header, as sent.
pub fn decode(bytes: &[u8], label: Option<&str>) -> Decoded {
    let (encoding, known_by) = encoding_of(bytes, label);
    // Removes the mark of this encoding, and doesn't let another one overrule it.
    let (text, _) = encoding.decode_with_bom_removal(bytes);
    Decoded { text: text.into_owned(), encoding: encoding.name(), known_by }
}

/// Whether the bytes are those of a file that is not text: an image, an archive, a program, a PDF.
pub fn is_binary(bytes: &[u8]) -> bool {
    MAGIC.iter().any(|magic| bytes.starts_with(magic))
        || bytes.get(4..8) == Some(b"ftyp")
        || (bytes.starts_with(b"RIFF") && matches!(bytes.get(8..12), Some(b"WEBP" | b"WAVE" | b"AVI ")))
}

fn encoding_of(bytes: &[u8], label: Option<&str>) -> (&'static Encoding, KnownBy) {
    if let Some((encoding, _)) = Encoding::for_bom(bytes) {
        return (encoding, KnownBy::Bom);
    }
    let utf8 = utf8_evidence(bytes);
    if let Some(encoding) = label.and_then(|label| Encoding::for_label(label.trim().as_bytes()))
        && !(is_utf16(encoding) && utf8 != Utf8Evidence::None && !bytes.contains(&0))
    {
        return (encoding, KnownBy::Header);
    }
    // What reads as UTF-8 and isn't plain ASCII is UTF-8, whatever a template once declared.
    if let Some(declared) = declared(&bytes[..bytes.len().min(PRESCAN)])
        && (utf8 != Utf8Evidence::Sure || declared == UTF_8)
    {
        return (declared, KnownBy::Declaration);
    }
    if let Some(encoding) = utf16_by_nuls(bytes) {
        return (encoding, KnownBy::Nuls);
    }
    if utf8 != Utf8Evidence::None {
        return (UTF_8, KnownBy::Utf8);
    }
    let mut detector = chardetng::EncodingDetector::new(chardetng::Iso2022JpDetection::Deny);
    detector.feed(bytes, true);
    (detector.guess(None, chardetng::Utf8Detection::Allow), KnownBy::Detection)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Utf8Evidence {
    None,
    /// Valid, but ASCII only.
    Ascii,
    /// Valid, with characters of several bytes.
    Sure,
}

/// A last character that is cut off counts as valid: bodies are cut at limits.
fn utf8_evidence(bytes: &[u8]) -> Utf8Evidence {
    let valid = match std::str::from_utf8(bytes) {
        Ok(_) => bytes,
        Err(error) if error.error_len().is_none() && error.valid_up_to() > 0 => &bytes[..error.valid_up_to()],
        Err(_) => return Utf8Evidence::None,
    };
    if valid.is_ascii() { Utf8Evidence::Ascii } else { Utf8Evidence::Sure }
}

fn is_utf16(encoding: &'static Encoding) -> bool {
    encoding == UTF_16LE || encoding == UTF_16BE
}

/// The encoding that a `<meta>` or an XML declaration names. A declaration that could be read as ASCII can't be
/// UTF-16, so that label means UTF-8 (WHATWG).
fn declared(head: &[u8]) -> Option<&'static Encoding> {
    let head: Vec<u8> = head.to_ascii_lowercase();
    let xml = head.starts_with(b"<?xml").then(|| {
        let end = find(&head, b"?>").unwrap_or(head.len());
        value_after(&head[..end], b"encoding")
    });
    let label = xml.flatten().or_else(|| {
        let mut rest = head.as_slice();
        while let Some(at) = find(rest, b"<meta") {
            rest = &rest[at + 5..];
            let end = rest.iter().position(|&byte| byte == b'>').unwrap_or(rest.len());
            if let Some(label) = value_after(&rest[..end], b"charset") {
                return Some(label);
            }
        }
        None
    })?;
    match Encoding::for_label(label)? {
        encoding if is_utf16(encoding) => Some(UTF_8),
        encoding if encoding.name() == "x-user-defined" => Some(WINDOWS_1252),
        encoding => Some(encoding),
    }
}

fn find(bytes: &[u8], needle: &[u8]) -> Option<usize> {
    bytes.windows(needle.len()).position(|window| window == needle)
}

/// The value in `name = "value"`, with any quotes or none.
fn value_after<'a>(bytes: &'a [u8], name: &[u8]) -> Option<&'a [u8]> {
    let rest = bytes[find(bytes, name)? + name.len()..].trim_ascii_start();
    let rest = rest.strip_prefix(b"=")?.trim_ascii_start();
    let rest = rest.strip_prefix(b"\"").or_else(|| rest.strip_prefix(b"'")).unwrap_or(rest);
    let end =
        rest.iter().position(|&byte| matches!(byte, b'"' | b'\'' | b';' | b'/' | b'?') || byte.is_ascii_whitespace());
    Some(&rest[..end.unwrap_or(rest.len())])
}

/// UTF-16 without a mark: most bytes of one parity are NUL in the first stretch, and few of the other.
fn utf16_by_nuls(bytes: &[u8]) -> Option<&'static Encoding> {
    let head = &bytes[..bytes.len().min(PRESCAN) & !1];
    let nuls = |parity: usize| head.iter().skip(parity).step_by(2).filter(|&&byte| byte == 0).count();
    let (even, odd, pairs) = (nuls(0), nuls(1), head.len() / 2);
    // A quarter is enough: in Cyrillic or Greek only tags, spaces and digits have a NUL.
    let many = |count: usize, other: usize| pairs >= MIN_PAIRS && count * 4 >= pairs && other * 20 <= pairs;
    match (many(even, odd), many(odd, even)) {
        (true, false) => Some(UTF_16BE),
        (false, true) => Some(UTF_16LE),
        _ => None,
    }
}

// === impl Decoded ===

impl std::fmt::Debug for Decoded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Decoded({} bytes, {}, {:?})", self.text.len(), self.encoding, self.known_by)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(text: &str, label: &str) -> Vec<u8> {
        Encoding::for_label(label.as_bytes()).unwrap().encode(text).0.into_owned()
    }

    fn utf16(text: &str, endian: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(endian).collect()
    }

    #[track_caller]
    fn assert_decodes(bytes: &[u8], label: Option<&str>, encoding: &str, known_by: KnownBy, part: &str) {
        let got = decode(bytes, label);
        assert_eq!((got.encoding, got.known_by), (encoding, known_by));
        assert!(got.text.contains(part), "{:?}", got.text);
    }

    const RUSSIAN: &str = "Привет, мир, это проверка кодировки страницы.";

    #[test]
    fn a_byte_order_mark_wins_over_everything() {
        let text = format!("\u{feff}<meta charset=koi8-r>{RUSSIAN}");
        assert_decodes(text.as_bytes(), Some("shift_jis"), "UTF-8", KnownBy::Bom, RUSSIAN);
        assert_decodes(&utf16(&text, u16::to_le_bytes), None, "UTF-16LE", KnownBy::Bom, RUSSIAN);
        assert_decodes(&utf16(&text, u16::to_be_bytes), None, "UTF-16BE", KnownBy::Bom, RUSSIAN);
        assert!(!decode(text.as_bytes(), None).text.starts_with('\u{feff}'));
    }

    #[test]
    fn the_header_wins_over_the_declaration() {
        let bytes = encoded(&format!("<meta charset=koi8-r>{RUSSIAN}"), "windows-1251");
        assert_decodes(&bytes, Some("windows-1251"), "windows-1251", KnownBy::Header, RUSSIAN);
    }

    #[test]
    fn an_unknown_label_is_passed_over() {
        let bytes = encoded(&format!("<meta charset=windows-1251>{RUSSIAN}"), "windows-1251");
        assert_decodes(&bytes, Some("unheard-of"), "windows-1251", KnownBy::Declaration, RUSSIAN);
        assert_decodes("<meta charset=visual>ä".as_bytes(), None, "UTF-8", KnownBy::Utf8, "ä");
    }

    #[test]
    fn declarations_are_read_as_pages_write_them() {
        for declaration in [
            "<META CharSet = 'windows-1251'>",
            "<meta name=x><meta http-equiv=Content-Type content=\"text/html; charset=windows-1251\">",
            "<?xml version='1.0' encoding='Windows-1251'?>",
            "<meta charset=windows-1251/>",
        ] {
            let bytes = encoded(&format!("{declaration}{RUSSIAN}"), "windows-1251");
            assert_decodes(&bytes, None, "windows-1251", KnownBy::Declaration, RUSSIAN);
        }
    }

    #[test]
    fn a_declaration_counts_within_1024_bytes_only() {
        let page = |blanks| encoded(&format!("{}<meta charset=koi8-r>яяяяяя", " ".repeat(blanks)), "koi8-r");
        assert_eq!(decode(&page(1024 - 21), None).known_by, KnownBy::Declaration);
        assert_eq!(decode(&page(1024), None).known_by, KnownBy::Detection);
    }

    #[test]
    fn utf8_under_a_wrong_declaration_stays_utf8() {
        let page = format!("<meta charset=windows-1252>{RUSSIAN}");
        assert_decodes(page.as_bytes(), None, "UTF-8", KnownBy::Utf8, RUSSIAN);
        let mut cut = page.into_bytes();
        cut.extend_from_slice(&"ж".as_bytes()[..1]);
        assert_decodes(&cut, None, "UTF-8", KnownBy::Utf8, RUSSIAN);
    }

    #[test]
    fn a_header_that_says_utf16_of_ascii_lies() {
        assert_decodes(b"plain text", Some("utf-16"), "UTF-8", KnownBy::Utf8, "plain text");
        assert_decodes(b"<meta charset=utf-16>plain", None, "UTF-8", KnownBy::Declaration, "plain");
    }

    #[test]
    fn utf16_is_known_by_its_nuls() {
        let page = format!("<html><p>{RUSSIAN}</p></html>");
        assert_decodes(&utf16(&page, u16::to_le_bytes), None, "UTF-16LE", KnownBy::Nuls, RUSSIAN);
        assert_decodes(&utf16(&page, u16::to_be_bytes), None, "UTF-16BE", KnownBy::Nuls, RUSSIAN);
    }

    #[test]
    fn the_rest_is_detected() {
        for (label, text) in [
            ("windows-1251", RUSSIAN),
            ("shift_jis", "これは文字コードの確認です。日本語の文章を続けます。"),
            ("gbk", "这是一个编码测试页面，内容是简体中文，用来检查编码。"),
            ("windows-1252", "Der Hafenausschuss prüfte die größeren Bagger für die Öffnung der „Stelle“."),
        ] {
            let got = decode(&encoded(text, label), None);
            assert_eq!((got.text.as_str(), got.known_by), (text, KnownBy::Detection));
        }
    }

    #[test]
    fn invalid_bytes_become_replacement_characters() {
        let got = decode(b"ab\xFF\xFEcd", Some("utf-8"));
        assert_eq!(got.text, "ab\u{fffd}\u{fffd}cd");
        assert_eq!(decode(b"", None).text, "");
    }

    #[test]
    fn files_that_are_no_text_are_known_by_their_beginning() {
        for binary in [b"%PDF-1.7".as_slice(), b"PK\x03\x04rest", b"\x89PNG\r\n\x1a\n", b"\0\0\0\x18ftypmp42"] {
            assert!(is_binary(binary));
        }
        for text in [b"PK is short for".as_slice(), b"RIFF is a format", b"", b"<html>"] {
            assert!(!is_binary(text));
        }
    }
}
