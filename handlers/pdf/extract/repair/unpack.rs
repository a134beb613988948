//! Writes the objects of object streams out, also of streams that decode in part.

use super::{
    super::streams::{self, Budget},
    id,
    scan::{MAX_OBJECTS, Offsets},
    write,
};
use hayro_syntax::{Pdf, object::Stream};

/// The most bytes that object streams may add.
const MAX_UNPACKED: usize = 256 << 20;

/// What object streams hold: where the stream stands, the number of the object, and its text.
pub(super) type Packed = Vec<(usize, u32, Vec<u8>)>;

/// Reads the objects in object streams.
pub(super) fn read(pdf: &Pdf, objects: &Offsets, length: usize) -> Packed {
    let mut packed = Packed::new();
    let mut added = 0;
    let budget = Budget::new(length);
    for (&number, &(at, generation)) in objects {
        let Some(stream) = pdf.xref().get::<Stream<'_>>(id(number, generation)) else { continue };
        let dict = stream.dict();
        // Known by what it has to have: its type may be damaged.
        let (Some(count), Some(first)) = (dict.get::<u32>(b"N"), dict.get::<u32>(b"First")) else { continue };
        let (count, first) = (count as usize, first as usize);
        let Some(inner) = streams::decoded(&stream, &budget.page()) else { continue };
        let Some(head) = inner.get(..first.min(inner.len())) else { continue };
        let numbers: Vec<u32> = head
            .split(u8::is_ascii_whitespace)
            .filter(|word| !word.is_empty())
            .map_while(|word| std::str::from_utf8(word).ok()?.parse().ok())
            .take(count.saturating_mul(2))
            .collect();
        let pairs: Vec<(u32, usize)> =
            numbers.chunks_exact(2).map(|pair| (pair[0], first.saturating_add(pair[1] as usize))).collect();
        for (n, &(number, start)) in pairs.iter().enumerate() {
            let end = pairs.get(n + 1).map_or(inner.len(), |next| next.1).min(inner.len());
            let Some(body) = inner.get(start..end) else { continue };
            added += body.len();
            if added > MAX_UNPACKED || packed.len() >= MAX_OBJECTS {
                return packed;
            }
            if number > 0 && !body.trim_ascii().is_empty() {
                packed.push((at, number, body.to_vec()));
            }
        }
    }
    packed.sort_by_key(|(at, ..)| *at);
    packed
}

/// Writes them, unless a later object of that number exists.
pub(super) fn write(packed: Packed, file: &mut Vec<u8>, objects: &mut Offsets) {
    let length = file.len();
    for (at, number, body) in packed {
        let is_later = objects.get(&number).is_some_and(|known| known.0 > at && known.0 < length);
        if !is_later {
            write::object(file, objects, number, 0, &body);
        }
    }
}
