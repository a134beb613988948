use std::{fs, path::Path};

/// A small generator: the same mutations on every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit.max(1)
    }
}

/// Pieces that change how what follows is read.
const PIECES: [&str; 24] = [
    "<table>",
    "</table>",
    "<b>",
    "</b>",
    "<a href=x>",
    "</a>",
    "<p>",
    "<pre>",
    "<svg>",
    "<math>",
    "<template>",
    "<select>",
    "<li>",
    "<script>",
    "</script>",
    "<!--",
    "-->",
    "<![CDATA[",
    "&#x110000;",
    "&notit",
    "\"",
    "'>",
    "<td rowspan=9999>",
    "\0",
];

fn seeds() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/testdata/fuzz/html");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let seeds = paths.iter().filter(|path| path.extension().is_some_and(|extension| extension == "html"));
    let seeds: Vec<_> = seeds.map(|path| fs::read(path).unwrap()).collect();
    assert!(seeds.len() >= 6);
    seeds
}

/// `seed` with one to six small changes.
fn mutated(seed: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    for _ in 0..=random.below(6) {
        let at = random.below(bytes.len());
        match random.below(5) {
            0 => bytes[at] = random.below(256).to_le_bytes()[0],
            1 => bytes.truncate(at.max(1)),
            2 => drop(bytes.drain(at..(at + random.below(40)).min(bytes.len()))),
            3 => {
                let piece = PIECES[random.below(PIECES.len())];
                bytes.splice(at..at, piece.bytes());
            }
            _ => {
                let from = random.below(seed.len());
                let part = seed[from..(from + random.below(80)).min(seed.len())].to_vec();
                bytes.splice(at..at, part);
            }
        }
        if bytes.is_empty() {
            bytes.push(b'<');
        }
    }
    bytes
}

/// How many mutations are tried; `SIFT_FUZZ_ROUNDS` asks for more by hand.
fn rounds() -> usize {
    std::env::var("SIFT_FUZZ_ROUNDS").ok().and_then(|rounds| rounds.parse().ok()).unwrap_or(2_000)
}

#[test]
fn seeds_and_their_prefixes_do_no_harm() {
    for seed in seeds() {
        (0..=seed.len()).step_by(17).for_each(|length| super::page(&seed[..length]));
        super::page(&seed);
    }
}

#[test]
fn mutations_of_the_seeds_do_no_harm() {
    let seeds = seeds();
    let mut random = Random(7);
    for _ in 0..rounds() {
        let seed = &seeds[random.below(seeds.len())];
        super::page(&mutated(seed, &mut random));
    }
}

/// One piece, thousands of times: nesting, attributes, references, tables, lists.
#[test]
fn bombs_do_no_harm() {
    for piece in [
        "<div>",
        "<b>",
        "<a href=x>",
        "<ul><li>x",
        "<blockquote>x",
        "<table><tr><td>x",
        "<td rowspan=999 colspan=999>x",
        "<p x=1",
        "&amp",
        "&#",
        "<!--",
        "<svg><p>",
        "<select><option>",
        "<math><mi>",
        "<pre>",
        "<code>`",
        "[x](",
        "* ",
        "<sup><a href=#x>1</a></sup>",
        "</p>",
        "<h1>x",
        "<img src=a alt='[' >",
        "<dl><dt>x<dd>y",
        "<font color=red>",
        "<button>",
        "<table>",
        "</table>",
        "<nobr>",
        "<template>",
        "\\(",
    ] {
        super::page(piece.repeat(4_000).as_bytes());
        super::page(format!("<main><p>{}</p>{}</main>", "word, ".repeat(200), piece.repeat(2_000)).as_bytes());
    }
}
