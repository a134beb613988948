//! The disk: SQLite behind threads of its own, asked by message.

use super::{
    OpenError,
    change::Change,
    database::Database,
    hot::Hot,
    readers::{self, Question},
    rows::Looked,
    writer::{self, Order, Writer},
};
use parking_lot::Mutex;
use sift_handlers::Kind;
use sift_layers::{Class, Key, Shrunk, Statistics, StoreError, metrics::Metrics};
use std::{path::PathBuf, sync::Arc, thread::JoinHandle, time::Duration};
use tokio::sync::{mpsc, oneshot};

/// How long a fetch waits for the disk before it goes on without.
const PATIENCE: Duration = Duration::from_secs(5);

/// The threads, and the ways to them.
pub(super) struct Sqlite(Mutex<Option<Open>>);

struct Open {
    lines: Lines,
    readers: Vec<JoinHandle<()>>,
    writer: JoinHandle<()>,
}

#[derive(Clone)]
struct Lines {
    questions: mpsc::Sender<Question>,
    orders: mpsc::Sender<Order>,
}

// === impl Sqlite ===

impl Sqlite {
    /// Starts the threads on a database.
    pub(super) fn start(
        database: Database,
        kinds: &[Kind],
        max_bytes: u64,
        hot: Arc<Hot>,
        metrics: Arc<Metrics>,
    ) -> Result<Self, OpenError> {
        let (questions, asked) = mpsc::channel(readers::QUEUE);
        let (orders, ordered) = mpsc::channel(writer::QUEUE);
        let path: PathBuf = database.path.clone();
        let readers = readers::start(&path, &kinds.into(), asked)?;
        let writer = Writer::new(database, hot, metrics, max_bytes).start(ordered)?;
        Ok(Self(Mutex::new(Some(Open { lines: Lines { questions, orders }, readers, writer }))))
    }

    /// What stands under a key.
    pub(super) async fn look(&self, key: &Key) -> Result<Looked, StoreError> {
        let lines = self.lines()?;
        ask(&lines.questions, |reply| Question::Look(key.clone(), reply)).await
    }

    /// What there is of a class.
    pub(super) async fn statistics(&self, class: Class) -> Result<Statistics, StoreError> {
        let lines = self.lines()?;
        ask(&lines.questions, |reply| Question::Statistics(class, reply)).await
    }

    /// Does a change; it is done when this answers.
    pub(super) async fn change(&self, change: Change) -> Result<Shrunk, StoreError> {
        let lines = self.lines()?;
        ask(&lines.orders, |reply| Order { change, reply }).await
    }

    /// Asks for a change that nobody waits for, if there is room in the queue.
    pub(super) fn suggest(&self, change: Change) {
        if let Ok(lines) = self.lines() {
            let _ = lines.orders.try_send(Order { change, reply: oneshot::channel().0 });
        }
    }

    /// Finishes what was asked, and closes the file. Blocks.
    pub(super) fn close(&self) {
        let Some(Open { lines, readers, writer }) = self.0.lock().take() else { return };
        drop(lines);
        // The writer's connection closes last: the last one takes the log into the file.
        for thread in readers.into_iter().chain([writer]) {
            // A panic has been reported where it happened; there is nothing more to wait for.
            let _ = thread.join();
        }
    }

    fn lines(&self) -> Result<Lines, StoreError> {
        self.0.lock().as_ref().map(|open| open.lines.clone()).ok_or(StoreError::Closed)
    }
}

impl Drop for Sqlite {
    fn drop(&mut self) {
        self.close();
    }
}

async fn ask<Q, A>(
    line: &mpsc::Sender<Q>,
    question: impl FnOnce(oneshot::Sender<Result<A, StoreError>>) -> Q,
) -> Result<A, StoreError> {
    let (reply, answer) = oneshot::channel();
    let asked = async {
        line.send(question(reply)).await.map_err(|_| StoreError::Closed)?;
        answer.await.unwrap_or(Err(StoreError::Closed))
    };
    tokio::time::timeout(PATIENCE, asked).await.unwrap_or(Err(StoreError::Busy))
}
