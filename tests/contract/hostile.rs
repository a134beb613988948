//! Promise: whatever a site sends, the answer is right or a clear error, within bounds, and nothing half is kept.

use crate::support::{Scripted, Step, World, world};
use flate2::{Compression, write::GzEncoder};
use serde_json::json;
use std::{io::Write as _, time::Duration};

const BAD: (u16, &str) = (502, "bad response");
const LARGE: (u16, &str) = (413, "too large (>5 MB)");

fn text(head: &str, body: &[u8]) -> Vec<Step> {
    raw(&format!("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n{head}\r\n"), body)
}

fn raw(head: &str, body: &[u8]) -> Vec<Step> {
    vec![Step::Send([head.as_bytes(), body].concat())]
}

fn gzip(body: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(body).unwrap();
    encoder.finish().unwrap()
}

async fn world() -> (Scripted, World) {
    let origin = Scripted::start().await;
    let world = World::start(&world::config(&[origin.address.port()], ""));
    (origin, world)
}

/// What is no answer, with the error that says so. None of it is kept: a second caller asks the site again.
fn refused() -> Vec<(&'static str, Vec<Step>, (u16, &'static str))> {
    let zeros = gzip(&vec![0; 64 << 20]);
    let length = |length: usize| format!("Content-Length: {length}\r\n");
    let coded =
        |coding: &str, body: &[u8]| text(&format!("Content-Encoding: {coding}\r\n{}", length(body.len())), body);
    vec![
        ("nothing", vec![], BAD),
        ("noise", raw("\x16\x03\x01 not http\r\n\r\n", b""), BAD),
        ("half-a-status-line", raw("HTTP/1.1 20", b""), BAD),
        ("half-a-head", raw("HTTP/1.1 200 OK\r\nContent-Type: text/pl", b""), BAD),
        ("no-status", raw("HTTP/1.1 OK\r\n\r\n", b""), BAD),
        ("status-of-words", raw("HTTP/1.1 abc OK\r\n\r\n", b""), BAD),
        ("old-protocol", raw("HTTP/0.9 200 OK\r\n\r\n", b"x"), BAD),
        ("shorter-than-declared", text(&length(100), b"short"), BAD),
        ("declared-twice", text("Content-Length: 2\r\nContent-Length: 3\r\n", b"abc"), BAD),
        ("declared-negative", text("Content-Length: -1\r\n", b"abc"), BAD),
        ("declared-in-words", text("Content-Length: three\r\n", b"abc"), BAD),
        ("declared-beyond-numbers", text("Content-Length: 99999999999999999999999\r\n", b"abc"), BAD),
        ("declared-too-large", [text(&length((5 << 20) + 1), &[b'a'; 4_000]), vec![Step::Hang]].concat(), LARGE),
        ("chunk-without-end", text("Transfer-Encoding: chunked\r\n", b"5\r\nabcde\r\n"), BAD),
        ("chunk-shorter-than-it-says", text("Transfer-Encoding: chunked\r\n", b"ff\r\nabc"), BAD),
        ("chunk-of-no-number", text("Transfer-Encoding: chunked\r\n", b"zz\r\nabc\r\n0\r\n\r\n"), BAD),
        (
            "chunk-beyond-numbers",
            text("Transfer-Encoding: chunked\r\n", b"ffffffffffffffffff\r\nabc\r\n0\r\n\r\n"),
            BAD,
        ),
        ("a-line-break-in-a-name", raw("HTTP/1.1 200 OK\r\nA b: c\r\n\r\n", b""), BAD),
        ("gzip-of-nonsense", coded("gzip", b"this is no gzip"), BAD),
        ("gzip-cut", coded("gzip", &gzip(b"some words that are long enough to be cut")[..20]), BAD),
        ("gzip-bomb", coded("gzip", &zeros), LARGE),
        ("gzip-within-gzip", coded("gzip, gzip", &gzip(&zeros)), BAD),
        ("coding-nobody-knows", coded("bogus", b"abc"), BAD),
        ("five-codings", coded("gzip, gzip, gzip, gzip, gzip", b"abc"), BAD),
        ("brotli-of-nonsense", coded("br", b"\xff\xff\xff\xff"), BAD),
        ("zstd-of-nonsense", coded("zstd", b"no zstd"), BAD),
        ("deflate-of-nonsense", coded("deflate", b"\xff\xff\xff"), BAD),
        ("unasked-304", raw("HTTP/1.1 304 Not Modified\r\n\r\n", b""), BAD),
        ("redirect-to-nowhere", raw("HTTP/1.1 302 Found\r\nContent-Length: 0\r\n\r\n", b""), BAD),
        (
            "redirect-to-nonsense",
            raw("HTTP/1.1 302 Found\r\nLocation: http://[\r\nContent-Length: 0\r\n\r\n", b""),
            BAD,
        ),
        (
            "endless-body",
            vec![
                Step::Send(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n".to_vec()),
                Step::Flood(vec![b'a'; 64 << 10], 100_000),
            ],
            LARGE,
        ),
        (
            "endless-head",
            vec![
                Step::Send(b"HTTP/1.1 200 OK\r\n".to_vec()),
                Step::Flood(format!("X-A: {}\r\n", "a".repeat(1_000)).into_bytes(), 1_000_000),
            ],
            BAD,
        ),
        (
            "endless-status-line",
            vec![Step::Send(b"HTTP/1.1 200 ".to_vec()), Step::Flood(vec![b'a'; 64 << 10], 100_000)],
            BAD,
        ),
        (
            "endless-chunk-extension",
            vec![
                Step::Send(
                    b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n1;".to_vec(),
                ),
                Step::Flood(vec![b'a'; 64 << 10], 100_000),
            ],
            BAD,
        ),
        (
            "endless-trailers",
            vec![
                Step::Send(
                    b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n".to_vec(),
                ),
                Step::Flood(format!("X-A: {}\r\n", "a".repeat(1_000)).into_bytes(), 1_000_000),
            ],
            BAD,
        ),
    ]
}

#[tokio::test]
async fn what_is_no_answer_is_an_error_and_is_not_kept() {
    let (origin, world) = world().await;
    let mut wrong = Vec::new();
    for (name, script, expected) in refused() {
        let path = format!("/{name}");
        let url = origin.put(&path, script);
        for ask in 1..=2 {
            let answer = world.get_url(&url).await;
            if (answer.status, answer.error().1) != expected || origin.hits(&path) < ask {
                wrong.push(format!(
                    "{name}: {:?} instead of {expected:?}, {} requests",
                    answer.error(),
                    origin.hits(&path)
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(origin.sent() < 200 << 20, "{} bytes were taken", origin.sent());
    assert!(world.peak_memory_mb().is_none_or(|mb| mb < 400), "{:?} MB", world.peak_memory_mb());
}

#[tokio::test]
async fn an_answer_cut_anywhere_is_never_taken_for_a_whole_one() {
    let (origin, world) = world().await;
    let whole = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 26\r\n\r\nabcdefghijklmnopqrstuvwxyz";
    for length in 0..whole.len() {
        let url = origin.put(&format!("/{length}"), vec![Step::Send(whole[..length].to_vec())]);
        let answer = world.get_url(&url).await;
        assert_eq!((answer.status, answer.error().1), BAD, "cut at {length}: {}", answer.text);
    }
    let url = origin.put("/whole", vec![Step::Send(whole.to_vec())]);
    assert_eq!(world.get_url(&url).await.content(), "abcdefghijklmnopqrstuvwxyz");
}

#[tokio::test]
async fn odd_but_whole_answers_are_read() {
    let (origin, world) = world().await;
    let twice = [gzip(b"one, "), gzip(b"two")].concat();
    for (name, script, content) in [
        ("no-length", raw("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n", b"to the end"), "to the end"),
        ("line-feeds-only", raw("HTTP/1.1 200 OK\nContent-Type: text/plain\n\n", b"plain"), "plain"),
        ("no-reason", raw("HTTP/1.1 200\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n", b"ok"), "ok"),
        ("the-same-length-twice", text("Content-Length: 2\r\nContent-Length: 2\r\n", b"ok"), "ok"),
        ("more-than-declared", text("Content-Length: 2\r\n", b"ok and more"), "ok"),
        (
            "interim-answer",
            raw(
                "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\n",
                b"ok",
            ),
            "ok",
        ),
        ("chunks-with-extensions", text("Transfer-Encoding: chunked\r\n", b"2;a=b\r\nok\r\n0\r\nX: y\r\n\r\n"), "ok"),
        (
            "gzip-in-two-members",
            text(&format!("Content-Encoding: gzip\r\nContent-Length: {}\r\n", twice.len()), &twice),
            "one, two",
        ),
        ("x-gzip-in-capitals", text("Content-Encoding: X-GZIP\r\n", &gzip(b"ok")), "ok"),
        ("coding-that-is-none", text("Content-Encoding: identity\r\n", b"ok"), "ok"),
    ] {
        let answer = world.get_url(&origin.put(&format!("/{name}"), script)).await;
        assert_eq!(answer.status, 200, "{name}: {}", answer.text);
        assert_eq!(answer.content(), content, "{name}");
    }
}

#[tokio::test]
async fn redirects_end_at_their_limit_and_loops_end() {
    let (origin, world) = world().await;
    let to = |target: &str| raw(&format!("HTTP/1.1 302 Found\r\nLocation: {target}\r\nContent-Length: 0\r\n\r\n"), b"");
    origin.put("/0", text("Content-Length: 2\r\n", b"ok"));
    for hop in 1..=30 {
        origin.put(&format!("/{hop}"), to(&format!("/{}", hop - 1)));
    }
    let mut reached = Vec::new();
    for hops in 1..=30 {
        let answer = world.fetch(json!({ "url": format!("http://{}/{hops}", origin.address), "max_age": 0 })).await;
        match answer.status {
            200 => reached.push(hops),
            _ => assert_eq!((answer.status, answer.error().1), (502, "too many redirects"), "{hops} hops"),
        }
    }
    assert_eq!(reached, (1..=reached.len()).collect::<Vec<_>>());
    assert!((5..=20).contains(&reached.len()), "{} redirects are followed", reached.len());
    let own = origin.put("/own", to("/own"));
    assert_eq!(world.get_url(&own).await.error().1, "too many redirects");
}

#[tokio::test]
async fn what_drips_or_never_comes_ends_in_time() {
    let (origin, world) = world().await;
    let drip = vec![vec![Step::Send(b"a".to_vec()), Step::Wait(Duration::from_millis(100))]; 600].concat();
    let script = [vec![Step::Send(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n".to_vec())], drip].concat();
    let url = origin.put("/drip", script);
    let silent = origin.put("/silent", vec![Step::Hang]);
    let hints = b"HTTP/1.1 103 Early Hints\r\nLink: </a>; rel=preload\r\n\r\n".repeat(100);
    let interim = origin.put("/interim", vec![Step::Flood(hints, 1_000_000)]);
    let (dripped, hung, hinted) = tokio::join!(
        world.fetch(json!({ "url": url, "timeout": 2 })),
        world.fetch(json!({ "url": silent, "timeout": 2 })),
        world.fetch(json!({ "url": interim, "timeout": 2 })),
    );
    for answer in [dripped, hung, hinted] {
        assert_eq!((answer.status, answer.error().1), (504, "fetch timed out"), "{}", answer.text);
    }
}
