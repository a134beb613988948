//! Inflates what a strict decoder gives up on.
//!
//! A damaged byte spoils a few symbols, after which the codes fall back into step; a strict decoder stops at the first
//! symbol that makes no sense. Here such a symbol gives blanks, and when a block's own codes are lost the next block
//! is looked for. What a later block copies from the lost part is blank, too.

/// What stands for bytes that nothing is known of: a blank parts words and operands.
const UNKNOWN: u8 = b' ';
/// The bytes that may follow the last block: a checksum, white space, and what else stands there.
pub(super) const TRAILER: usize = 64;
/// The symbols that must make sense after a block that was searched for.
const PROOF: usize = 200;
/// How far the head of a block reaches, how much after it shows whether it is right, and how many tries of a place
/// each byte costs that is put in.
const HEAD_BYTES: usize = 110;
const PROOF_BYTES: usize = 1_000;
const CORRECTION: usize = 16;
/// The symbols without sense in one block after which it is given up.
const MAX_ERRORS: usize = 64;
const MAX_BITS: usize = 15;
const LENGTH_ORDER: [usize; 19] = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

/// Reads bits, least significant first.
#[derive(Clone)]
struct Bits<'a> {
    data: &'a [u8],
    /// In bits.
    at: usize,
}

/// A canonical Huffman code: how many symbols each length has, and the symbols in order.
struct Code {
    counts: [u16; MAX_BITS + 1],
    symbols: Vec<u16>,
}

/// What a block begins with.
enum Head {
    Stored(usize),
    Coded { literals: Code, distances: Code },
}

/// What comes next in a block.
enum Next {
    Symbol(usize),
    /// Bits that no symbol has.
    Unknown,
}

/// How a block went.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Went {
    Well,
    /// Nothing is left to read, or no room.
    Out,
    /// Its codes are not the right ones.
    Astray,
}

struct Inflater<'a> {
    bits: Bits<'a>,
    out: Vec<u8>,
    room: usize,
    /// Where the output begins again after a block that was lost: what stands before is not what later blocks mean.
    known: Option<usize>,
    /// Where a block ends at the latest, in bits.
    until: usize,
}

/// Inflates as much of `data` as possible. `tries`: how many places may be searched for a block.
pub(super) fn salvage(data: &[u8], room: usize, tries: &mut usize) -> Vec<u8> {
    let end = data.len() * 8;
    let mut inflater = Inflater { bits: Bits { data, at: 0 }, out: Vec::new(), room, known: None, until: end };
    let mut before: Option<Head> = None;
    let mut is_end_false = false;
    loop {
        let start = inflater.bits.at;
        // The codes that every stream has fit any damage, so they are believed at the very beginning only.
        let is_open = start == 0 || inflater.bits.clone().take(3).is_some_and(|head| head >> 1 != 1);
        let found = if is_open && !is_end_false { inflater.bits.head() } else { None };
        let (last, head) = match found.or_else(|| if start == 0 { inflater.corrected(tries) } else { None }) {
            Some(found) => found,
            None => match inflater.bridge(start, before.take(), tries) {
                Some(found) => found,
                None => return inflater.out,
            },
        };
        let went = inflater.block(&head, MAX_ERRORS, usize::MAX);
        if went == Went::Out || (went == Went::Well && last && inflater.bits.at + TRAILER * 8 >= end) {
            return inflater.out;
        }
        is_end_false = went == Went::Well && last;
        before = (went == Went::Well).then_some(head);
    }
}

// === impl Bits ===

impl Bits<'_> {
    fn take(&mut self, count: usize) -> Option<usize> {
        let end = self.at + count;
        if end > self.data.len() * 8 {
            return None;
        }
        let mut value = 0;
        let first = self.at / 8;
        for (n, &byte) in self.data[first..end.div_ceil(8)].iter().enumerate() {
            value |= usize::from(byte) << (8 * n);
        }
        value = (value >> (self.at % 8)) & ((1 << count) - 1);
        self.at = end;
        Some(value)
    }

    /// The next symbol; none at the end of the data.
    fn symbol(&mut self, code: &Code) -> Option<Next> {
        let (mut value, mut first, mut index) = (0_usize, 0_usize, 0_usize);
        for length in 1..=MAX_BITS {
            value |= self.take(1)?;
            let count = usize::from(code.counts[length]);
            if value < first + count {
                let symbol = code.symbols.get(index + value - first);
                return Some(symbol.map_or(Next::Unknown, |&symbol| Next::Symbol(symbol.into())));
            }
            index += count;
            first = (first + count) << 1;
            value <<= 1;
        }
        Some(Next::Unknown)
    }

    /// The head of a block, and whether it is the last one. None when it makes no sense.
    fn head(&mut self) -> Option<(bool, Head)> {
        let last = self.take(1)? == 1;
        match self.take(2)? {
            0 => {
                self.at = self.at.next_multiple_of(8);
                let (length, check) = (self.take(16)?, self.take(16)?);
                (length == !check & 0xFFFF).then_some((last, Head::Stored(length)))
            }
            1 => {
                let mut lengths = [8; 288];
                lengths[144..256].fill(9);
                lengths[256..280].fill(7);
                Some((last, Head::Coded { literals: Code::new(&lengths)?, distances: Code::new(&[5; 32])? }))
            }
            2 => Some((last, self.codes()?)),
            _ => None,
        }
    }

    fn codes(&mut self) -> Option<Head> {
        let (literals, distances, lengths) = (self.take(5)? + 257, self.take(5)? + 1, self.take(4)? + 4);
        if literals > 286 || distances > 30 {
            return None;
        }
        let mut own = [0; 19];
        for &place in &LENGTH_ORDER[..lengths] {
            own[place] = self.take(3)? as u8;
        }
        let own = Code::new(&own).filter(Code::is_complete)?;
        let mut all = [0_u8; 286 + 30];
        let mut n = 0;
        while n < literals + distances {
            let Next::Symbol(symbol) = self.symbol(&own)? else { return None };
            let (length, times) = match symbol {
                0..16 => (symbol as u8, 1),
                16 => (*all.get(n.checked_sub(1)?)?, 3 + self.take(2)?),
                17 => (0, 3 + self.take(3)?),
                _ => (0, 11 + self.take(7)?),
            };
            if n + times > literals + distances {
                return None;
            }
            all[n..n + times].fill(length);
            n += times;
        }
        let (literal, distance) = all[..literals + distances].split_at(literals);
        if literal[256] == 0 {
            return None;
        }
        let literals = Code::new(literal).filter(Code::is_complete)?;
        // A block that copies nothing or always from one place has an incomplete code.
        let distances = Code::new(distance).filter(|code| code.is_complete() || code.symbols.len() < 2)?;
        Some(Head::Coded { literals, distances })
    }
}

// === impl Code ===

impl Code {
    /// None when there are more symbols of a length than it can tell apart.
    fn new(lengths: &[u8]) -> Option<Self> {
        let mut counts = [0_u16; MAX_BITS + 1];
        for &length in lengths {
            counts[usize::from(length)] += 1;
        }
        counts[0] = 0;
        let mut places = [0_usize; MAX_BITS + 2];
        let mut free = 1_i32;
        for length in 1..=MAX_BITS {
            free = (free << 1) - i32::from(counts[length]);
            if free < 0 {
                return None;
            }
            places[length + 1] = places[length] + usize::from(counts[length]);
        }
        let mut symbols = vec![0; places[MAX_BITS + 1]];
        for (symbol, &length) in (0_u16..).zip(lengths).filter(|(_, length)| **length > 0) {
            let place = &mut places[usize::from(length)];
            symbols[*place] = symbol;
            *place += 1;
        }
        Some(Self { counts, symbols })
    }

    /// Whether every row of bits means something, as an encoder makes it.
    fn is_complete(&self) -> bool {
        let free = self.counts[1..].iter().fold(1_i32, |free, &count| (free << 1) - i32::from(count));
        free == 0
    }
}

// === impl Inflater ===

impl Inflater<'_> {
    /// The head of the first block with one of its bytes put right. A code has to be complete, so few bytes fit; of these
    /// the one counts whose block goes on for longest with text.
    fn corrected(&mut self, tries: &mut usize) -> Option<(bool, Head)> {
        // In a short stream nothing shows what is right.
        if self.bits.data.len() < 2 * HEAD_BYTES {
            return None;
        }
        let mut data = self.bits.data[..self.bits.data.len().min(PROOF_BYTES)].to_vec();
        let mut best: Option<(usize, usize, bool, Head)> = None;
        for at in 0..data.len().min(HEAD_BYTES) {
            let right = data[at];
            for byte in (0..=255).filter(|&byte| byte != right) {
                *tries = tries.checked_sub(CORRECTION)?;
                data[at] = byte;
                let mut bits = Bits { data: &data, at: 0 };
                let Some((last, head @ Head::Coded { .. })) = bits.head().filter(|_| data[0] >> 1 & 3 == 2) else {
                    continue;
                };
                let resumed = bits.at;
                let until = data.len() * 8;
                let mut trial = Inflater { bits, out: Vec::new(), room: self.room, known: None, until };
                if trial.block(&head, 0, PROOF) == Went::Astray || trial.out.is_empty() {
                    continue;
                }
                let is_text = |byte: &&u8| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~');
                let text = trial.out.iter().filter(is_text).count();
                if text * 10 > trial.out.len() * 9 && best.as_ref().is_none_or(|best| best.0 < text) {
                    best = Some((text, resumed, last, head));
                }
            }
            data[at] = right;
        }
        let (_, resumed, last, head) = best?;
        self.bits.at = resumed;
        Some((last, head))
    }

    /// Goes on where a block ended and none follows: the end was damage, so its codes hold up to the next block.
    fn bridge(&mut self, start: usize, before: Option<Head>, tries: &mut usize) -> Option<(bool, Head)> {
        let found = self.search(start + 1, tries);
        let resumed = self.bits.at;
        if let Some(codes) = before {
            self.bits.at = start;
            self.until = found.as_ref().map_or(self.bits.data.len() * 8, |found| found.0);
            while self.bits.at < self.until && self.block(&codes, MAX_ERRORS, usize::MAX) == Went::Well {}
            self.until = self.bits.data.len() * 8;
        }
        let (_, last, head) = found?;
        self.bits.at = resumed;
        self.known = Some(self.out.len());
        Some((last, head))
    }

    /// Reads one block. With `errors` symbols without sense, or none at all, it has gone astray.
    fn block(&mut self, head: &Head, errors: usize, symbols: usize) -> Went {
        let (literals, distances) = match head {
            Head::Stored(length) => {
                let start = self.bits.at / 8;
                let end = (start + length).min(self.bits.data.len());
                let run = &self.bits.data[start..end];
                self.out.extend_from_slice(&run[..run.len().min(self.room - self.out.len())]);
                self.bits.at = end * 8;
                return if end - start < *length || self.out.len() >= self.room { Went::Out } else { Went::Well };
            }
            Head::Coded { literals, distances } => (literals, distances),
        };
        let mut wrong = 0;
        for _ in 0..symbols {
            if self.out.len() >= self.room || self.bits.at >= self.until {
                return Went::Out;
            }
            let Some(next) = self.bits.symbol(literals) else { return Went::Out };
            match next {
                Next::Symbol(literal @ 0..256) => self.out.push(literal as u8),
                Next::Symbol(256) => return Went::Well,
                Next::Symbol(symbol @ 257..286) => match self.copy(symbol - 257, distances) {
                    None => return Went::Out,
                    Some(true) => {}
                    Some(false) => wrong += 1,
                },
                _ => wrong += 1,
            }
            if wrong > errors {
                return Went::Astray;
            }
        }
        Went::Well
    }

    /// Copies from the output: none at the end of the data, false when there is nothing to copy.
    fn copy(&mut self, length: usize, distances: &Code) -> Option<bool> {
        let length = match length {
            0..8 => length + 3,
            28 => 258,
            _ => {
                let extra = length / 4 - 1;
                3 + ((4 + length % 4) << extra) + self.bits.take(extra)?
            }
        };
        let Next::Symbol(symbol @ 0..30) = self.bits.symbol(distances)? else { return Some(false) };
        let distance = if symbol < 4 {
            symbol + 1
        } else {
            let extra = symbol / 2 - 1;
            1 + ((2 + symbol % 2) << extra) + self.bits.take(extra)?
        };
        let length = length.min(self.room - self.out.len());
        let end = self.out.len();
        if distance > end {
            self.out.resize(end + length, UNKNOWN);
            return Some(self.known.is_some());
        }
        for n in 0..length {
            let at = end + n - distance;
            self.out.push(if self.known.is_some_and(|known| at < known) { UNKNOWN } else { self.out[at] });
        }
        Some(true)
    }

    /// The next place from `from` where a block with codes of its own begins and makes sense for a while.
    fn search(&mut self, from: usize, tries: &mut usize) -> Option<(usize, bool, Head)> {
        let end = self.bits.data.len() * 8;
        let length = self.out.len();
        for at in from..end {
            *tries = tries.checked_sub(1)?;
            self.bits.at = at + 1;
            if self.bits.clone().take(2) != Some(2) {
                continue;
            }
            self.bits.at = at;
            let Some((last, head)) = self.bits.head() else { continue };
            let (start, known) = (self.bits.at, self.known);
            self.known = Some(length);
            let went = self.block(&head, 0, PROOF);
            let proven = went != Went::Astray && self.out.len() > length;
            self.out.truncate(length);
            self.bits.at = start;
            self.known = known;
            if proven {
                return Some((at, last, head));
            }
        }
        None
    }
}
