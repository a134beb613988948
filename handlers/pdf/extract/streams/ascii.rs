//! The filters that write bytes as text, and run lengths.

/// Base 85, up to the first thing that is neither a digit nor white space.
pub(super) fn base_85(data: &[u8], room: usize) -> Vec<u8> {
    let data = data.trim_ascii_start();
    let data = data.strip_prefix(b"<~").unwrap_or(data);
    let mut out = Vec::with_capacity((data.len() / 5 * 4).min(room));
    let mut group = [0_u8; 5];
    let mut filled = 0;
    for &byte in data {
        match byte {
            b'!'..=b'u' => {
                group[filled] = byte - b'!';
                filled += 1;
            }
            b'z' if filled == 0 => {
                group = [0; 5];
                filled = 5;
            }
            0 | b'\t' | b'\n' | 0x0C | b'\r' | b' ' => {}
            _ => break,
        }
        if filled == 5 {
            out.extend_from_slice(&value(group).to_be_bytes());
            filled = 0;
        }
        if out.len() >= room {
            out.truncate(room);
            return out;
        }
    }
    if filled > 1 {
        group[filled..].fill(84);
        out.extend_from_slice(&value(group).to_be_bytes()[..filled - 1]);
    }
    out.truncate(room);
    out
}

/// Five digits of base 85; what is too big wraps, as a damaged group does no harm to its neighbours.
fn value(group: [u8; 5]) -> u32 {
    group.iter().fold(0_u32, |value, &digit| value.wrapping_mul(85).wrapping_add(u32::from(digit)))
}

/// Hexadecimal digits up to `>`; what is no digit is left out.
pub(super) fn hex(data: &[u8], room: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity((data.len() / 2).min(room));
    let mut high = None;
    for &byte in data {
        let digit = match byte {
            b'0'..=b'9' => byte - b'0',
            b'a'..=b'f' => byte - b'a' + 10,
            b'A'..=b'F' => byte - b'A' + 10,
            b'>' => break,
            _ => continue,
        };
        match high.take() {
            Some(high) => out.push(high << 4 | digit),
            None => high = Some(digit),
        }
        if out.len() >= room {
            return out;
        }
    }
    if let Some(high) = high
        && out.len() < room
    {
        out.push(high << 4);
    }
    out
}

/// Runs of literal and of repeated bytes.
pub(super) fn run_length(data: &[u8], room: usize) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = data;
    while let Some((&length, after)) = rest.split_first() {
        rest = match length {
            128 => break,
            0..128 => {
                let (run, after) = after.split_at((usize::from(length) + 1).min(after.len()));
                out.extend_from_slice(run);
                after
            }
            129.. => {
                let Some((&byte, after)) = after.split_first() else { break };
                out.resize(out.len() + 257 - usize::from(length), byte);
                after
            }
        };
        if out.len() >= room {
            break;
        }
    }
    out.truncate(room);
    out
}
