//! Finds object and cross-reference streams that grow without end, before the library decodes them.
//!
//! The library decodes these whole while it opens a file and whenever it looks an object up. What would grow past its
//! bounds loses the name of its filter, and so stays as small as it is. The streams of an encrypted file can't be
//! measured; there the bounds of the process hold.

use super::streams;
use std::ops::Range;

/// The most bytes that one of these streams gives.
const STREAM: usize = 64 << 20;
/// The most bytes that all of them give.
const DOCUMENT: usize = 512 << 20;
/// A shorter stream is not worth measuring: it gives a thousand times its length at most.
const HARMLESS: usize = 4 << 10;
/// The most streams that are measured.
const MAX_STREAMS: usize = 100_000;
/// How far a dictionary reaches around its type.
const DICTIONARY: usize = 4 << 10;
/// The names of the filters that grow, with their short forms.
const FILTERS: [&[u8]; 4] = [b"/FlateDecode", b"/LZWDecode", b"/Fl", b"/LZW"];

/// Takes the filters from streams of `file` that grow too much.
pub(super) fn defuse(file: &mut [u8]) {
    let mut left = DOCUMENT;
    for kind in [&b"/ObjStm"[..], b"/XRef"] {
        let places: Vec<usize> = memchr::memmem::find_iter(file, kind).take(MAX_STREAMS).collect();
        let mut end = 0;
        for at in places {
            let Some((dictionary, data)) = around(file, at) else { continue };
            // A data without an end is decoded up to the next one that has it, which is looked for once.
            if end < data {
                end = memchr::memmem::find(&file[data..], b"endstream").map_or(file.len(), |length| data + length);
            }
            let data = data..end;
            let length = data.len();
            let filters = filters(&file[dictionary.clone()]);
            let is_bomb = match filters.as_slice() {
                [] => false,
                [_] if length <= HARMLESS => false,
                [(_, is_flate)] => {
                    let grown = streams::measure(&file[data], *is_flate, STREAM.min(left) + 1);
                    let fits = grown <= STREAM.min(left);
                    left = left.saturating_sub(grown);
                    !fits
                }
                // Nobody compresses what is compressed.
                _ => true,
            };
            if is_bomb {
                for (name, _) in filters {
                    file[dictionary.start + name.start + 1..dictionary.start + name.end].fill(b'-');
                }
            }
        }
    }
}

/// The dictionary around `at`, and where the data of its stream begins.
fn around(file: &[u8], at: usize) -> Option<(Range<usize>, usize)> {
    let from = at.saturating_sub(DICTIONARY);
    let start = from + memchr::memmem::rfind(&file[from..at], b"obj")?;
    let window = &file[at..(at + DICTIONARY).min(file.len())];
    let end = at + memchr::memmem::find(window, b"stream")?;
    let data = end + b"stream".len();
    let data = data + file[data..].iter().take(2).take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
    Some((start..end, data))
}

/// Where names of filters that grow stand in a dictionary, and whether each is Flate.
fn filters(dictionary: &[u8]) -> Vec<(Range<usize>, bool)> {
    let mut found: Vec<(Range<usize>, bool)> = Vec::new();
    for name in FILTERS {
        for at in memchr::memmem::find_iter(dictionary, name) {
            let end = at + name.len();
            let is_whole = dictionary.get(end).is_none_or(|byte| !byte.is_ascii_alphanumeric());
            if is_whole {
                found.push((at..end, name.starts_with(b"/Fl")));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{
        super::tests::{file, hex, read, stream},
        *,
    };
    use flate2::{Compression, write::ZlibEncoder};
    use std::io::Write as _;

    fn packed(data: &[u8], filters: &str) -> Vec<u8> {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(data).unwrap();
        let data = encoder.finish().unwrap();
        let head = format!("1 0 obj\n<</Type/ObjStm/N 1/First 4/Filter{filters}/Length {}>>\nstream\n", data.len());
        [head.as_bytes(), &data, b"\nendstream\nendobj\n"].concat()
    }

    #[test]
    fn an_object_stream_that_grows_past_its_bound_loses_its_filter() {
        let mut bomb = packed(&vec![b' '; STREAM + 2], "/FlateDecode");
        defuse(&mut bomb);
        assert!(memchr::memmem::find(&bomb, b"/Filter/-----------").is_some());
        let mut chain = packed(b"5 0 null", "[/FlateDecode/FlateDecode]");
        defuse(&mut chain);
        assert!(memchr::memmem::find(&chain, b"/FlateDecode").is_none());
    }

    #[test]
    fn an_object_stream_of_a_sane_size_stays_as_it_is() {
        let objects: Vec<u8> = (0..200_000_u32).flat_map(|n| n.wrapping_mul(2_654_435_761).to_le_bytes()).collect();
        let whole = packed(&objects, "/FlateDecode");
        let mut after = whole.clone();
        defuse(&mut after);
        assert!(whole == after);
    }

    #[test]
    fn a_page_of_a_bomb_is_cut_and_read() {
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(b"BT /F1 12 Tf 20 300 Td (Start) Tj ET\n").unwrap();
        encoder.write_all(&vec![b' '; 80 << 20]).unwrap();
        let packed = hex(&encoder.finish().unwrap());
        let pdf = file(&[
            "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
            "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned(),
            "<</Type/Page/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>".to_owned(),
            stream("/Filter[/AHx/Fl]", &packed),
            "<</Type/Font/Subtype/Type1/BaseFont/Courier>>".to_owned(),
        ]);
        assert_eq!(read(pdf)[1].text.as_deref(), Some("Start"));
    }
}
