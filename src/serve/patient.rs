//! A connection that is patient, but not forever.
//!
//! Hyper bounds the time of a request's head. It doesn't before it knows which HTTP is spoken, so a client that sends
//! nothing, or only the beginning of what an HTTP/2 client says first, would stay for free. And it never bounds a client
//! that doesn't take its answer.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::{Sleep, sleep},
};

/// What an HTTP/2 client sends first (RFC 9113, 3.4).
const PREFACE: &[u8; 24] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// A stream with a time limit on its first bytes and on bytes that nobody takes.
#[derive(Debug)]
pub(super) struct Patient<I> {
    inner: I,
    /// Until the client has said which HTTP it speaks.
    opening: Option<Pin<Box<Sleep>>>,
    /// How much of [`PREFACE`] has come.
    matched: usize,
    stall: Duration,
    /// While a write is waiting.
    stalled: Option<Pin<Box<Sleep>>>,
}

// === impl Patient ===

impl<I> Patient<I> {
    /// Waits for `opening` at the beginning, and for `stall` whenever the other side takes nothing.
    pub(super) fn new(inner: I, opening: Duration, stall: Duration) -> Self {
        Self { inner, opening: Some(Box::pin(sleep(opening))), matched: 0, stall, stalled: None }
    }

    /// Whether the bytes so far tell HTTP/1 from HTTP/2.
    fn has_opened(&mut self, new: &[u8]) -> bool {
        let expected = &PREFACE[self.matched..];
        let same = new.iter().zip(expected).take_while(|(new, expected)| new == expected).count();
        self.matched += same;
        same < new.len() || self.matched == PREFACE.len()
    }

    fn watch_writing<T>(&mut self, context: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.stalled = None;
            return written;
        }
        let stall = self.stall;
        let stalled = self.stalled.get_or_insert_with(|| Box::pin(sleep(stall)));
        ready!(stalled.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<I: AsyncRead + Unpin> AsyncRead for Patient<I> {
    fn poll_read(self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let before = into.filled().len();
        let read = Pin::new(&mut this.inner).poll_read(context, into);
        if let Some(opening) = &mut this.opening {
            if read.is_pending() {
                ready!(opening.as_mut().poll(context));
                return Poll::Ready(Err(io::ErrorKind::TimedOut.into()));
            }
            if this.has_opened(&into.filled()[before..]) {
                this.opening = None;
            }
        }
        read
    }
}

impl<I: AsyncWrite + Unpin> AsyncWrite for Patient<I> {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.inner).poll_write(context, bytes);
        this.watch_writing(context, written)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.inner).poll_write_vectored(context, bytes);
        this.watch_writing(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.inner.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let flushed = Pin::new(&mut this.inner).poll_flush(context);
        this.watch_writing(context, flushed)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = self.get_mut();
        let shut = Pin::new(&mut this.inner).poll_shutdown(context);
        this.watch_writing(context, shut)
    }
}
