//! LZW as PDF writes it: codes of 9 to 12 bits, most significant bit first.

const CLEAR: usize = 256;
const END: usize = 257;
const FIRST: usize = 258;
const MAX_CODES: usize = 4096;

/// The strings of the codes so far, each as a place in the output: a code stands for something that was written.
struct Table {
    strings: Vec<(usize, usize)>,
    early: bool,
}

/// Decodes up to the first code that makes no sense. `early`: codes grow one code before they have to.
pub(super) fn decode(data: &[u8], early: bool, room: usize) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::new();
    let mut table = Table { strings: Vec::with_capacity(MAX_CODES - FIRST), early };
    let (mut bits, mut held) = (0_u32, 0_u32);
    let mut bytes = data.iter();
    // Where the previous code's string stands in the output.
    let mut previous: Option<(usize, usize)> = None;
    while out.len() < room {
        let width = table.width();
        while held < width {
            let Some(&byte) = bytes.next() else { return out };
            bits = bits << 8 | u32::from(byte);
            held += 8;
        }
        held -= width;
        let code = (bits >> held) as usize & ((1 << width) - 1);
        bits &= (1 << held) - 1;
        if code == END {
            break;
        }
        if code == CLEAR {
            table.strings.clear();
            previous = None;
            continue;
        }
        let start = out.len();
        match (code.checked_sub(FIRST).map(|n| table.strings.get(n).copied()), previous) {
            (None, _) => out.push(code as u8),
            (Some(Some((at, length))), _) => out.extend_from_within(at..at + length),
            // The string that is being made right now: the previous one and its own first byte.
            (Some(None), Some((at, length))) if code - FIRST == table.strings.len() => {
                out.extend_from_within(at..at + length);
                out.push(out[at]);
            }
            _ => break,
        }
        if let Some((at, length)) = previous
            && FIRST + table.strings.len() < MAX_CODES
        {
            // The byte after the previous string in the output is the first of this one.
            table.strings.push((at, length + 1));
        }
        previous = Some((start, out.len() - start));
    }
    out.truncate(room);
    out
}

// === impl Table ===

impl Table {
    /// The bits of the next code.
    fn width(&self) -> u32 {
        match FIRST + self.strings.len() + usize::from(self.early) {
            ..512 => 9,
            512..1024 => 10,
            1024..2048 => 11,
            _ => 12,
        }
    }
}
