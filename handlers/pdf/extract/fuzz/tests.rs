use std::{fs, path::Path};

/// A small generator: the same mutations on every run.
struct Random(u64);

/// Everything that takes bytes.
const TARGETS: [fn(&[u8]); 7] =
    [super::document, super::flate, super::lzw, super::text, super::predictor, super::instructions, super::mend];

fn seeds() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/testdata/fuzz/pdf");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let seeds = paths.iter().filter(|path| path.extension().is_some_and(|extension| extension == "pdf"));
    let seeds: Vec<_> = seeds.map(|path| fs::read(path).unwrap()).collect();
    assert!(seeds.len() > 10);
    seeds
}

/// `seed` with one to four small changes.
fn mutated(seed: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..=random.below(4) {
        let at = random.below(bytes.len());
        match random.below(6) {
            0 => bytes[at] = random.below(256) as u8,
            1 => bytes[at] ^= 1 << random.below(8),
            2 => bytes.truncate(at.max(1)),
            3 => drop(bytes.drain(at..(at + random.below(40)).min(bytes.len()))),
            4 => {
                let part = seed[..random.below(seed.len())].to_vec();
                bytes.splice(at..at, part.into_iter().rev().take(60));
            }
            // Numbers lead elsewhere: to other objects, past the end, to sizes that nothing has.
            _ => {
                let number = [&b"0"[..], b"-1", b"99999", b"2147483647", b"4294967296"][random.below(5)];
                if let Some(from) = bytes[at..].iter().position(u8::is_ascii_digit).map(|step| at + step) {
                    bytes.splice(from..=from, number.iter().copied());
                }
            }
        }
        if bytes.is_empty() {
            bytes.push(0);
        }
    }
    bytes
}

#[test]
fn seeds_and_their_prefixes_do_no_harm() {
    for seed in seeds() {
        for target in TARGETS {
            target(&seed);
        }
        for length in (0..seed.len()).step_by(23) {
            super::document(&seed[..length]);
        }
    }
}

#[test]
fn mutations_of_seeds_do_no_harm() {
    let mut random = Random(0x5EED);
    let seeds = seeds();
    for n in 0..2_000 {
        let bytes = mutated(&seeds[n % seeds.len()], &mut random);
        super::document(&bytes);
        // The decoders from a place of their own, mostly within a stream.
        let from = random.below(bytes.len());
        for target in &TARGETS[1..] {
            target(&bytes[from..]);
        }
    }
}

// === impl Random ===

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }
}
