//! Chinese fonts that are written as if they were Latin ones: each pair of bytes is a character of GBK, as the name is.

use hayro_syntax::object::{Dict, Name};

/// What such names begin with: the song, hei, kai, fangsong, li and you styles, in GBK.
const NAMES: [&[u8]; 6] = [
    b"\xCB\xCE\xCC\xE5",
    b"\xBA\xDA\xCC\xE5",
    b"\xBF\xAC\xCC\xE5",
    b"\xB7\xC2\xCB\xCE",
    b"\xC1\xA5\xCA\xE9",
    b"\xD3\xD7\xD4\xB2",
];
/// What is meant by them.
const MEANT: &[u8] = b"<</Type/Font/Subtype/Type0/BaseFont/SimSun/Encoding/GBK-EUC-H/DescendantFonts[<</Type/Font\
    /Subtype/CIDFontType2/BaseFont/SimSun/CIDSystemInfo<</Registry(Adobe)/Ordering(GB1)/Supplement 2>>\
    /W[1 95 500 814 939 500]>>]>>";
const SYMBOLIC: u32 = 1 << 2;

/// The dictionary that is meant by one of such a font.
pub(super) fn meant(font: &Dict<'_>, descriptor: &Dict<'_>) -> Option<&'static [u8]> {
    let is = |key: &[u8], value: &[u8]| font.get::<Name<'_>>(key).is_some_and(|name| &*name == value);
    let is_disguised = is(b"Subtype", b"TrueType")
        && is(b"Encoding", b"WinAnsiEncoding")
        && descriptor.get::<u32>(b"Flags").unwrap_or(0) & SYMBOLIC != 0
        && !descriptor.contains_key(b"FontFile2")
        && !font.contains_key(b"ToUnicode")
        && font.get::<Name<'_>>(b"BaseFont").is_some_and(|name| NAMES.iter().any(|begins| name.starts_with(begins)));
    is_disguised.then_some(MEANT)
}
