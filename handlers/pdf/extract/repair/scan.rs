//! Finds the objects of a file by their `N G obj`.

use std::collections::BTreeMap;

/// The most objects that are listed.
pub(super) const MAX_OBJECTS: usize = 1_000_000;
/// Numbers past this one are damage.
const MAX_NUMBER: u32 = 8_388_607;
/// How far before `obj` its numbers may begin.
const HEAD: usize = 24;

/// Where an object stands, and its generation.
pub(super) type Offsets = BTreeMap<u32, (usize, u16)>;

/// Finds the objects. Of several with one number the last one counts, as after an update.
///
/// A number that is out of order where its neighbours leave exactly one number free is damage, and so is a head that
/// can't be read: files count their objects on.
pub(super) fn scan(bytes: &[u8]) -> Offsets {
    let heads = heads(bytes);
    let mut objects = Offsets::new();
    for &(at, number, generation) in heads.iter().take(MAX_OBJECTS) {
        objects.insert(number, (at, generation));
    }
    for three in heads.windows(3) {
        let (before, (at, number, generation), after) = (three[0].1, three[1], three[2].1);
        let expected = before.saturating_add(1);
        if number != expected && after == expected.saturating_add(1) && !objects.contains_key(&expected) {
            objects.insert(expected, (at, generation));
            // Another object may have that number by right.
            match heads.iter().rfind(|head| head.1 == number && head.0 != at) {
                Some(other) => objects.insert(number, (other.0, other.2)),
                None => objects.remove(&number),
            };
        }
    }
    objects
}

/// The heads in the order of the file: where, number, generation.
fn heads(bytes: &[u8]) -> Vec<(usize, u32, u16)> {
    let mut heads = Vec::new();
    for at in memchr::memmem::find_iter(bytes, b"obj") {
        if at > 0 && bytes[at - 1] == b'd' {
            continue;
        }
        let before = &bytes[at.saturating_sub(HEAD)..at];
        let Some((rest, generation)) = number_before(before) else { continue };
        let Some((rest, number)) = number_before(rest) else { continue };
        let (Ok(number), Ok(generation)) = (u32::try_from(number), u16::try_from(generation)) else { continue };
        if number > 0 && number <= MAX_NUMBER && heads.len() < MAX_OBJECTS {
            heads.push((at - before.len() + rest.len(), number, generation));
        }
    }
    heads
}

/// Splits a decimal number off the end, with white space after it.
fn number_before(bytes: &[u8]) -> Option<(&[u8], u64)> {
    let text = bytes.trim_ascii_end();
    let digits = text.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 || digits > 10 {
        return None;
    }
    let (rest, number) = text.split_at(text.len() - digits);
    Some((rest, std::str::from_utf8(number).ok()?.parse().ok()?))
}
