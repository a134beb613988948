use super::*;
use async_compression::{
    Level,
    tokio::bufread::{BrotliEncoder, GzipEncoder, ZlibEncoder, ZstdEncoder},
    zstd::CParameter,
};
use http::HeaderValue;
use tokio::io::{AsyncReadExt, BufReader};

const CODINGS: [&str; 4] = ["gzip", "br", "zstd", "deflate"];

fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for (name, value) in pairs {
        headers.append(*name, HeaderValue::from_static(value));
    }
    headers
}

fn wire(pieces: Vec<Result<Bytes, Error>>) -> Pieces {
    stream::iter(pieces).boxed()
}

fn whole(bytes: impl Into<Bytes>) -> Pieces {
    wire(vec![Ok(bytes.into())])
}

fn encoded(coding: &'static str, pieces: Vec<Result<Bytes, Error>>) -> Body {
    body(&headers(&[("content-encoding", coding)]), wire(pieces)).unwrap()
}

/// How much came out, and how it ended.
async fn drain(mut body: Body) -> (Vec<u8>, Result<(), Error>, u64) {
    let mut out = Vec::new();
    while let Some(piece) = body.stream.next().await {
        match piece {
            Ok(piece) => out.extend_from_slice(&piece),
            Err(error) => return (out, Err(error), body.wire_bytes()),
        }
    }
    (out, Ok(()), body.wire_bytes())
}

async fn encode(coding: &str, plain: impl AsyncRead + Unpin) -> Vec<u8> {
    let (plain, mut out) = (BufReader::new(plain), Vec::new());
    match coding {
        "gzip" => GzipEncoder::new(plain).read_to_end(&mut out).await,
        "br" => BrotliEncoder::with_quality(plain, Level::Precise(4)).read_to_end(&mut out).await,
        "zstd" => ZstdEncoder::new(plain).read_to_end(&mut out).await,
        _ => ZlibEncoder::new(plain).read_to_end(&mut out).await,
    }
    .unwrap();
    out
}

#[tokio::test]
async fn each_coding_is_decoded_and_its_wire_is_counted() {
    let text = "a text that is worth encoding, ".repeat(10_000);
    for coding in CODINGS {
        let bytes = encode(coding, text.as_bytes()).await;
        let length = bytes.len() as u64;
        // Byte by byte, and all at once.
        for pieces in [vec![Ok(bytes.clone().into())], bytes.iter().map(|byte| Ok(vec![*byte].into())).collect()] {
            let body = encoded(coding, pieces);
            assert_eq!(drain(body).await, (text.clone().into_bytes(), Ok(()), length), "{coding}");
        }
    }
    let body = body(&HeaderMap::new(), whole(text.clone())).unwrap();
    assert_eq!(drain(body).await, (text.clone().into_bytes(), Ok(()), text.len() as u64));
}

#[tokio::test]
async fn one_coding_is_decoded_and_two_or_unknown_ones_are_refused() {
    let gzip = encode("gzip", &b"text"[..]).await;
    for name in ["gzip", "GZIP", "x-gzip", "X-GZip", " gzip ", "gzip,", ", gzip"] {
        assert_eq!(drain(encoded(name, vec![Ok(gzip.clone().into())])).await.0, b"text", "{name}");
    }
    for name in ["", "identity", "Identity", "none", ","] {
        let body = encoded(name, vec![Ok("text".into())]);
        assert_eq!(drain(body).await.0, b"text", "{name}");
    }
    for name in ["gzip, gzip", "gzip, br", "gzip,identity", "compress", "sdch", "dcb", "utf-8", "gzip;q=1", "gz ip"] {
        let refused = body(&headers(&[("content-encoding", name)]), whole(""));
        assert_eq!(refused.unwrap_err(), Error::UpstreamEncoding, "{name}");
    }
    let twice = headers(&[("content-encoding", "gzip"), ("content-encoding", "br")]);
    assert_eq!(body(&twice, whole("")).unwrap_err(), Error::UpstreamEncoding);
    let mut odd = HeaderMap::new();
    odd.insert(header::CONTENT_ENCODING, HeaderValue::from_bytes(b"gzip\xff").unwrap());
    assert_eq!(body(&odd, whole("")).unwrap_err(), Error::UpstreamEncoding);
}

#[test]
fn a_declared_length_is_believed_only_when_it_is_one() {
    let declared = |pairs: &[_]| body(&headers(pairs), whole("")).unwrap().declared;
    assert_eq!(declared(&[("content-length", "42")]), Some(42));
    assert_eq!(declared(&[("content-length", "42"), ("content-encoding", "gzip")]), Some(42));
    assert_eq!(declared(&[("content-length", "18446744073709551615")]), Some(u64::MAX));
    for odd in ["18446744073709551616", "-1", "+1", "1, 1", "0x10", "", "4 2"] {
        assert_eq!(declared(&[("content-length", odd)]), None, "{odd}");
    }
    assert_eq!(declared(&[("content-length", "42"), ("transfer-encoding", "chunked")]), None);
}

#[tokio::test]
async fn all_members_are_decoded() {
    for coding in ["gzip", "zstd"] {
        let members = [encode(coding, &b"one, "[..]).await, encode(coding, &b"two"[..]).await];
        for pieces in [vec![Ok(members.concat().into())], members.map(|member| Ok(member.into())).to_vec()] {
            let (text, end, _) = drain(encoded(coding, pieces)).await;
            assert_eq!((text.as_slice(), end), (&b"one, two"[..], Ok(())), "{coding}");
        }
    }
}

#[tokio::test]
async fn a_body_that_is_cut_anywhere_or_is_something_else_is_an_error() {
    // Incompressible, so that the cut falls into data of every kind.
    let plain: Vec<u8> = (0_u32..200).map(|at| at.wrapping_mul(2_654_435_761).to_le_bytes()[2]).collect();
    for coding in CODINGS {
        let bytes = encode(coding, plain.as_slice()).await;
        for cut in 1..bytes.len() {
            let (_, end, _) = drain(encoded(coding, vec![Ok(bytes[..cut].to_vec().into())])).await;
            assert_eq!(end, Err(Error::UpstreamEncoding), "{coding} cut at {cut}");
        }
        let (_, end, _) = drain(encoded(coding, vec![Ok("<html>not encoded at all</html>".into())])).await;
        assert_eq!(end, Err(Error::UpstreamEncoding), "{coding}");
        let (text, end, _) = drain(encoded(coding, vec![])).await;
        assert_eq!((text.len(), end), (0, Ok(())), "{coding}: no bytes are an empty body");
    }
}

#[tokio::test]
async fn errors_of_the_wire_pass_as_they_are() {
    let plain = vec![b'x'; 1 << 20];
    for coding in CODINGS.into_iter().chain(["identity"]) {
        let mut bytes = encode(coding, plain.as_slice()).await;
        bytes.truncate(bytes.len() / 2);
        for error in [Error::UpstreamProtocol, Error::UpstreamTimedOut] {
            for pieces in [vec![Err(error)], vec![Ok(bytes.clone().into()), Err(error)]] {
                assert_eq!(drain(encoded(coding, pieces)).await.1, Err(error), "{coding}");
            }
        }
    }
}

#[tokio::test]
async fn a_bomb_ends_at_eight_mebibytes() {
    for coding in CODINGS {
        let bomb = encode(coding, tokio::io::repeat(0).take(2 * FREE)).await;
        let (out, end, wire) = drain(encoded(coding, vec![Ok(bomb.into())])).await;
        assert_eq!(end, Err(Error::UpstreamEncoding), "{coding}");
        assert!(out.len() as u64 <= FREE, "{coding}: {} bytes came out", out.len());
        assert!(wire < FREE / RATIO + SLICE as u64, "{coding}: {wire} bytes went in");
    }
}

#[tokio::test]
async fn much_from_little_is_fine_while_it_is_small() {
    for coding in CODINGS {
        for length in [1 << 20, FREE] {
            let bytes = encode(coding, tokio::io::repeat(0).take(length)).await;
            let (out, end, _) = drain(encoded(coding, vec![Ok(bytes.into())])).await;
            assert_eq!((out.len() as u64, end), (length, Ok(())), "{coding}");
        }
    }
}

#[test]
fn a_bomb_is_more_than_200_to_1_past_eight_mebibytes() {
    assert!(!is_bomb(FREE, 1));
    assert!(is_bomb(FREE + 1, 1));
    assert!(!is_bomb(RATIO * 50_000, 50_000));
    assert!(is_bomb(RATIO * 50_000 + 1, 50_000));
    assert!(!is_bomb(u64::MAX, u64::MAX));
}

#[tokio::test]
async fn windows_that_http_does_not_have_are_refused() {
    let plain = || tokio::io::repeat(b'x').take(1000);
    for (window, fits) in [(23, true), (24, false)] {
        let mut bytes = Vec::new();
        let params = [CParameter::window_log(window)];
        let mut encoder = ZstdEncoder::with_quality_and_params(BufReader::new(plain()), Level::Default, &params);
        encoder.read_to_end(&mut bytes).await.unwrap();
        // The second frame counts, too.
        for bytes in [bytes.clone(), [encode("zstd", plain()).await, bytes].concat()] {
            let (_, end, _) = drain(encoded("zstd", vec![Ok(bytes.into())])).await;
            assert_eq!(end.is_ok(), fits, "2^{window}");
        }
    }
    // Brotli's extension: a window of 2^30 bytes, one uncompressed block of 1 byte, an empty last block.
    let (_, end, _) = drain(encoded("br", vec![Ok(Bytes::from_static(&[0x11, 0x1e, 0, 0, 0x02, b'x', 0x03]))])).await;
    assert_eq!(end, Err(Error::UpstreamEncoding));
}

#[tokio::test]
async fn a_wire_without_end_is_cut_although_nothing_comes_out() {
    // Frames to skip: a decoder swallows them and has nothing to say.
    let frame = [&[0x50, 0x2a, 0x4d, 0x18, 0, 0, 0x10, 0][..], &vec![0; 1 << 20]].concat();
    let frame = Bytes::from(frame);
    let long = stream::iter((0..200).map(move |_| Ok(frame.clone()))).boxed();
    let body = body(&headers(&[("content-encoding", "zstd")]), long).unwrap();
    let (out, end, wire) = drain(body).await;
    assert_eq!((out.len(), end), (0, Err(Error::TooLarge { limit: WIRE })));
    assert!((WIRE..WIRE + 2 * SLICE as u64).contains(&wire));
}

#[tokio::test]
async fn the_wire_may_be_as_long_as_its_limit_and_no_longer() {
    let mebibyte = Bytes::from(vec![0; 1 << 20]);
    for (extra, end) in [(0, Ok(())), (1, Err(Error::TooLarge { limit: WIRE }))] {
        let pieces = (0..100).map(|_| mebibyte.clone()).chain([mebibyte.slice(..extra)]).map(Ok).collect();
        let mut body = body(&HeaderMap::new(), wire(pieces)).unwrap();
        let mut last = Ok(());
        while let Some(piece) = body.stream.next().await {
            last = last.and(piece.map(drop));
        }
        assert_eq!(last, end);
    }
}
