use std::{fs, path::Path};

/// Everything that takes bytes.
const TARGETS: [fn(&[u8]); 3] = [super::charset, super::json, super::text];

/// Pieces that change how what follows is read.
const PIECES: [&[u8]; 14] = [
    b"{\"a\":",
    b"[[[[[[[[",
    b"]}",
    b"1e999",
    b"\"\\ud800\"",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"<item>",
    b"<![CDATA[",
    b"&#x110000;",
    b"\n\n# ",
    b"\0",
    b"\xe6\xbc",
    b"```\n",
];

/// A small generator: the same mutations on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}

fn seeds() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/testdata/fuzz/text");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let seeds: Vec<_> =
        paths.iter().filter(|path| !path.ends_with("README.md")).map(|path| fs::read(path).unwrap()).collect();
    assert!(seeds.len() >= 5);
    seeds
}

/// How many mutations are tried; `SIFT_FUZZ_ROUNDS` asks for more by hand.
fn rounds() -> usize {
    std::env::var("SIFT_FUZZ_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(2_000)
}

#[test]
fn seeds_cut_anywhere_do_no_harm() {
    for seed in seeds() {
        for target in TARGETS {
            (0..=seed.len()).step_by(7).for_each(|length| target(&seed[..length]));
        }
    }
}

#[test]
fn mutations_of_the_seeds_do_no_harm() {
    let (seeds, mut random) = (seeds(), Random(11));
    for turn in 0..rounds() {
        let seed = &seeds[random.below(seeds.len())];
        let mut bytes = seed.clone();
        for _ in 0..=random.below(5) {
            let at = random.below(bytes.len() + 1);
            match random.below(4) {
                0 if at < bytes.len() => bytes[at] = random.below(256).to_le_bytes()[0],
                1 => bytes.truncate(at),
                2 => drop(bytes.drain(at..(at + random.below(30)).min(bytes.len()))),
                _ => drop(bytes.splice(at..at, PIECES[random.below(PIECES.len())].iter().copied())),
            }
        }
        TARGETS[turn % TARGETS.len()](&bytes);
    }
}

/// One piece, thousands of times.
#[test]
fn bombs_do_no_harm() {
    for piece in PIECES {
        let bomb = piece.repeat(20_000);
        for target in TARGETS {
            target(&bomb);
        }
    }
}
