//! Content codings, decoded under caps of our own: one coding at most, all of its members, and no bombs.

use crate::{error::Error, fetch::Body};
use async_compression::{
    tokio::bufread::{BrotliDecoder, GzipDecoder, ZlibDecoder, ZstdDecoder},
    zstd::DParameter,
};
use bytes::Bytes;
use futures::{
    StreamExt, TryStreamExt,
    stream::{self, BoxStream},
};
use http::{HeaderMap, header};
use std::{
    io,
    pin::Pin,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};
use tokio::io::AsyncRead;
use tokio_util::io::{ReaderStream, StreamReader};

/// The most bytes on the wire, whatever the kind. A decoder may swallow any number of bytes before it gives one, so
/// this can't be left to whoever reads its output.
const WIRE: u64 = 100 << 20;

/// So much may come out of any number of bytes.
const FREE: u64 = 8 << 20;

/// Past [`FREE`], at most so many bytes come out of one.
const RATIO: u64 = 200;

/// What a decoder gets at a time, in bytes: what it was given but hasn't read yet counts as read, so this is small.
const SLICE: usize = 4 << 10;

/// What it gives at a time, in bytes.
const PIECE: usize = 64 << 10;

/// The largest window of a zstd frame, as a power of two: 8 MiB, as RFC 9659 has it.
const ZSTD_WINDOW: u32 = 23;

/// How a body is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Coding {
    Gzip,
    Brotli,
    Zstd,
    Deflate,
}

type Pieces = BoxStream<'static, Result<Bytes, Error>>;

/// The body behind its coding. Errors of the wire pass as they are.
pub(crate) fn body(headers: &HeaderMap, wire: Pieces) -> Result<Body, Error> {
    let (coding, count) = (Coding::of(headers)?, Arc::new(AtomicU64::new(0)));
    let stream = match coding {
        None => counted(wire, count.clone()),
        Some(coding) => {
            let wire = counted(sliced(wire), count.clone());
            let decoded = stream::once(coding.decode(wire)).try_flatten();
            bounded(decoded.boxed(), count.clone())
        }
    };
    Ok(Body::new(stream, declared(headers), count))
}

/// `Content-Length`, which counts for nothing beside a transfer coding.
fn declared(headers: &HeaderMap) -> Option<u64> {
    let length = headers.get(header::CONTENT_LENGTH)?.to_str().ok()?;
    let is_plain = length.bytes().all(|byte| byte.is_ascii_digit()) && !headers.contains_key(header::TRANSFER_ENCODING);
    length.parse().ok().filter(|_| is_plain)
}

fn sliced(wire: Pieces) -> Pieces {
    let slices = |piece: Bytes| {
        let ends = (0..piece.len()).step_by(SLICE).map(move |at| (at, (at + SLICE).min(piece.len()), piece.clone()));
        stream::iter(ends.map(|(from, to, piece)| Ok(piece.slice(from..to))))
    };
    wire.map_ok(slices).try_flatten().boxed()
}

fn counted(wire: Pieces, count: Arc<AtomicU64>) -> Pieces {
    let count = move |piece: Bytes| {
        let length = piece.len() as u64;
        let total = count.fetch_add(length, Ordering::Relaxed) + length;
        if total > WIRE { Err(Error::TooLarge { limit: WIRE }) } else { Ok(piece) }
    };
    wire.map(move |piece| piece.and_then(&count)).boxed()
}

fn bounded(decoded: Pieces, wire: Arc<AtomicU64>) -> Pieces {
    let mut total = 0;
    let mut bound = move |piece: Bytes| {
        total += piece.len() as u64;
        if is_bomb(total, wire.load(Ordering::Relaxed)) { Err(Error::UpstreamEncoding) } else { Ok(piece) }
    };
    decoded.map(move |piece| piece.and_then(&mut bound)).boxed()
}

fn is_bomb(decoded: u64, wire: u64) -> bool {
    decoded > FREE && decoded > wire.saturating_mul(RATIO)
}

// === impl Coding ===

impl Coding {
    /// The one coding that the headers name, if they name one.
    fn of(headers: &HeaderMap) -> Result<Option<Self>, Error> {
        let mut codings = Vec::new();
        for line in headers.get_all(header::CONTENT_ENCODING) {
            let line = line.to_str().map_err(|_| Error::UpstreamEncoding)?;
            codings.extend(line.split(',').map(|coding| coding.trim().to_ascii_lowercase()));
        }
        codings.retain(|coding| !coding.is_empty());
        match codings.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            [] | ["identity" | "none"] => Ok(None),
            ["gzip" | "x-gzip"] => Ok(Some(Self::Gzip)),
            ["br"] => Ok(Some(Self::Brotli)),
            ["zstd"] => Ok(Some(Self::Zstd)),
            ["deflate"] => Ok(Some(Self::Deflate)),
            _ => Err(Error::UpstreamEncoding),
        }
    }

    async fn decode(self, mut wire: Pieces) -> Result<Pieces, Error> {
        // No bytes are an empty body in any coding: servers name one over errors without a body.
        let Some(first) = wire.try_next().await? else { return Ok(stream::empty().boxed()) };
        if self == Self::Brotli && is_large_window(&first) {
            return Err(Error::UpstreamEncoding);
        }
        let wire = stream::once(async { Ok(first) }).chain(wire).map_err(io::Error::other);
        let decoder = self.decoder(wire.boxed());
        let pieces = ReaderStream::with_capacity(decoder, PIECE);
        Ok(pieces.map_err(|error| error.downcast().unwrap_or(Error::UpstreamEncoding)).boxed())
    }

    fn decoder(self, wire: BoxStream<'static, io::Result<Bytes>>) -> Pin<Box<dyn AsyncRead + Send>> {
        let wire = StreamReader::new(wire);
        match self {
            Self::Gzip => {
                let mut decoder = GzipDecoder::new(wire);
                decoder.multiple_members(true);
                Box::pin(decoder)
            }
            Self::Brotli => Box::pin(BrotliDecoder::new(wire)),
            Self::Zstd => {
                let mut decoder = ZstdDecoder::with_params(wire, &[DParameter::window_log_max(ZSTD_WINDOW)]);
                decoder.multiple_members(true);
                Box::pin(decoder)
            }
            Self::Deflate => Box::pin(ZlibDecoder::new(wire)),
        }
    }
}

/// Whether a brotli stream wants a window of up to 1 GiB: an extension that HTTP doesn't have, but the decoder does.
fn is_large_window(first: &[u8]) -> bool {
    first.first().is_some_and(|byte| byte & 0x7f == 0x11)
}

#[cfg(test)]
mod tests;
