//! Deflate, with or without the wrapping of zlib.

use super::inflate;
use flate2::{Decompress, FlushDecompress, Status};

/// How a stream ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ended {
    /// As it should, or where the room ended.
    Whole,
    /// Cut: all that is there was used.
    Short,
    /// At something that makes no sense.
    Broken,
}

/// Inflates at most `room` bytes, and says whether they are damaged: a wrong checksum alone loses nothing.
pub(super) fn decode(data: &[u8], room: usize, tries: &mut usize) -> (Vec<u8>, bool) {
    let has_header = has_header(data);
    let (out, ended, _) = inflate(data, room, has_header);
    if ended == Ended::Whole || (ended == Ended::Short && has_header) {
        return (out, ended == Ended::Short);
    }
    let body = if has_header { &data[2..] } else { data };
    let (mut best, ended, used) = inflate(body, room, false);
    // Damage may look like the end.
    if ended == Ended::Whole && (best.len() >= room || used + inflate::TRAILER >= body.len()) {
        return (best, true);
    }
    // The header itself may be what is damaged.
    for body in [Some(body), data.get(2..).filter(|_| !has_header)].into_iter().flatten() {
        let salvaged = inflate::salvage(body, room, tries);
        if salvaged.len() > best.len() {
            best = salvaged;
        }
    }
    (best, true)
}

/// How many bytes `data` gives, counted up to `most` and not kept.
pub(super) fn measure(data: &[u8], most: usize) -> usize {
    let mut stream = Decompress::new(has_header(data));
    let mut scratch = vec![0; 1 << 15];
    loop {
        let (used, given) = (stream.total_in() as usize, stream.total_out() as usize);
        let status = stream.decompress(&data[used..], &mut scratch, FlushDecompress::None);
        let is_stuck = (used, given) == (stream.total_in() as usize, stream.total_out() as usize);
        if stream.total_out() as usize >= most || is_stuck || !matches!(status, Ok(Status::Ok | Status::BufError)) {
            return (stream.total_out() as usize).min(most);
        }
    }
}

/// Inflates data that names no filter, or one that doesn't exist, but is a whole stream of zlib: its dictionary is
/// damaged.
pub(super) fn sniff(data: &[u8], room: usize) -> Option<Vec<u8>> {
    let (out, ended, _) = has_header(data).then(|| inflate(data, room, true))?;
    (ended == Ended::Whole && out.len() > data.len() / 2).then_some(out)
}

/// Whether `data` begins as zlib's streams do.
fn has_header(data: &[u8]) -> bool {
    matches!(data, [method, flags, ..] if method & 0x8F == 8
        && (u16::from(*method) << 8 | u16::from(*flags)).is_multiple_of(31)
        && flags & 0x20 == 0)
}

/// Also gives how much was used.
fn inflate(data: &[u8], room: usize, has_header: bool) -> (Vec<u8>, Ended, usize) {
    let mut out = Vec::new();
    let mut stream = Decompress::new(has_header);
    loop {
        let used = stream.total_in() as usize;
        let more = (data.len() - used).saturating_mul(4).max(out.len()).clamp(1 << 10, 8 << 20);
        out.reserve_exact(more.min(room - out.len()));
        let before = (used, out.len());
        let status = stream.decompress_vec(&data[used..], &mut out, FlushDecompress::None);
        if out.len() >= room {
            out.truncate(room);
            return (out, Ended::Whole, stream.total_in() as usize);
        }
        match status {
            Ok(Status::StreamEnd) => return (out, Ended::Whole, stream.total_in() as usize),
            Ok(_) if before == (stream.total_in() as usize, out.len()) => return (out, Ended::Short, data.len()),
            Ok(_) => {}
            Err(_) => return (out, Ended::Broken, data.len()),
        }
    }
}
