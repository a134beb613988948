//! Reads a body to its end, within the limits of its kind: small ones to memory, PDFs to a file without a name.

use crate::{
    error::Error,
    fetch::{Body, Job, Loaded},
    stage::{Stage, around},
};
use bytes::{Bytes, BytesMut};
use futures::StreamExt;
use sift_handlers::{Content, Document, Keep, Limits};
use std::{
    fs::File,
    io::{Seek, Write},
    path::PathBuf,
    sync::Arc,
    time::Duration,
};
use tokio::time::Instant;
use tower::{Layer, ServiceExt};

/// The longest silence within a body.
const IDLE: Duration = Duration::from_secs(15);
/// A body has to bring `FLOOR` bytes a second on average, once this has passed.
const GRACE: Duration = Duration::from_secs(10);
/// Bytes a second.
const FLOOR: u64 = 1 << 10;

/// Drains the body before a slot of the pool is taken, so that a slow origin holds up nobody's extraction.
pub fn within_limits<S: Stage<Loaded, Arc<Document>>>(
    spool: Option<PathBuf>,
) -> impl Layer<S, Service: Stage<Job, Arc<Document>>> + Clone {
    around(Arc::new(spool), |spool: Arc<Option<PathBuf>>, inner: S, job: Job| async move {
        let Job { task, body, place } = job;
        let limits = task.limits;
        let read = read(body, &limits, spool.as_ref().clone());
        let content = tokio::time::timeout(limits.read, read).await.map_err(|_| Error::UpstreamTimedOut)??;
        inner.oneshot(Loaded { task, content, place }).await
    })
}

async fn read(mut body: Body, limits: &Limits, spool: Option<PathBuf>) -> Result<Content, Error> {
    let too_large = Error::TooLarge { limit: limits.body };
    // What is declared too large, encoded or not, is refused before any of it is read; a small declaration is not
    // believed.
    if body.declared.is_some_and(|length| length > limits.body) {
        return Err(too_large);
    }
    let mut sink = Sink::new(limits.keep, spool);
    let (began, mut total) = (Instant::now(), 0);
    while let Some(piece) = tokio::time::timeout(IDLE, body.stream.next()).await.map_err(|_| Error::UpstreamTimedOut)? {
        let piece = piece?;
        total += piece.len() as u64;
        if total > limits.body || body.wire_bytes() > limits.body {
            return Err(too_large);
        }
        if began.elapsed() > GRACE && total < FLOOR * began.elapsed().as_secs() {
            return Err(Error::UpstreamTimedOut);
        }
        sink.write(piece).await?;
    }
    sink.finish().await
}

/// Where the pieces go. Files are written off the async threads, in blocks.
enum Sink {
    Memory(BytesMut),
    File { spool: Option<PathBuf>, file: Option<File>, block: BytesMut, written: u64 },
}

/// What is collected before a write.
const BLOCK: usize = 1 << 20;

impl Sink {
    fn new(keep: Keep, spool: Option<PathBuf>) -> Self {
        match keep {
            Keep::Memory => Self::Memory(BytesMut::new()),
            Keep::File => Self::File { spool, file: None, block: BytesMut::new(), written: 0 },
        }
    }

    async fn write(&mut self, piece: Bytes) -> Result<(), Error> {
        match self {
            Self::Memory(all) => all.extend_from_slice(&piece),
            Self::File { block, .. } => {
                block.extend_from_slice(&piece);
                if block.len() >= BLOCK {
                    self.flush().await?;
                }
            }
        }
        Ok(())
    }

    async fn flush(&mut self) -> Result<(), Error> {
        let Self::File { spool, file, block, written } = self else { return Ok(()) };
        let (open, bytes, spool) = (file.take(), block.split().freeze(), spool.clone());
        *written += bytes.len() as u64;
        let write = move || -> std::io::Result<File> {
            let mut file = match (open, spool) {
                (Some(file), _) => file,
                (None, Some(folder)) => tempfile::tempfile_in(folder)?,
                (None, None) => tempfile::tempfile()?,
            };
            file.write_all(&bytes)?;
            Ok(file)
        };
        // A full spool is our trouble, not the caller's.
        let done = tokio::task::spawn_blocking(write).await;
        *file = Some(done.map_err(|_| Error::Internal)?.map_err(|_| Error::Overloaded)?);
        Ok(())
    }

    async fn finish(mut self) -> Result<Content, Error> {
        self.flush().await?;
        match self {
            Self::Memory(all) => Ok(Content::Bytes(all.freeze())),
            Self::File { file: Some(mut file), written, .. } => {
                file.rewind().map_err(|_| Error::Internal)?;
                Ok(Content::File(file, written))
            }
            Self::File { file: None, .. } => Err(Error::Internal),
        }
    }
}

#[cfg(test)]
mod tests;
