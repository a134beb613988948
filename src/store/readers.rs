//! The threads that read, each with a connection of its own that can't write. They share one queue.

use super::{
    database::{Database, store_error},
    rows::{self, Looked},
};
use parking_lot::Mutex;
use rusqlite::Connection;
use sift_handlers::Kind;
use sift_layers::{Class, Key, Statistics, StoreError};
use std::{path::Path, sync::Arc, thread::JoinHandle};
use tokio::sync::{mpsc, oneshot};

/// The longest queue.
pub(super) const QUEUE: usize = 256;

/// A question, and who waits for the answer.
pub(super) enum Question {
    /// What stands under a key.
    Look(Key, oneshot::Sender<Result<Looked, StoreError>>),
    /// What there is of a class.
    Statistics(Class, oneshot::Sender<Result<Statistics, StoreError>>),
}

type Queue = Arc<Mutex<mpsc::Receiver<Question>>>;

/// Starts the threads. They end when all senders are gone and all questions are answered.
pub(super) fn start(
    path: &Path,
    kinds: &Arc<[Kind]>,
    questions: mpsc::Receiver<Question>,
) -> Result<Vec<JoinHandle<()>>, super::OpenError> {
    let count = std::thread::available_parallelism().map_or(2, |cores| cores.get().clamp(2, 4));
    let queue = Arc::new(Mutex::new(questions));
    let mut threads = Vec::with_capacity(count);
    for _ in 0..count {
        let (connection, kinds, queue) = (Database::reader(path)?, kinds.clone(), queue.clone());
        let thread = std::thread::Builder::new().name("sift-store-read".to_owned());
        threads.push(thread.spawn(move || serve(connection, &kinds, &queue))?);
    }
    Ok(threads)
}

fn serve(mut connection: Connection, kinds: &[Kind], queue: &Queue) {
    loop {
        // One thread waits in the queue, the others for its place.
        let Some(question) = queue.lock().blocking_recv() else { return };
        match question {
            // Whoever asked may have left.
            Question::Look(_, reply) if reply.is_closed() => {}
            Question::Look(key, reply) => {
                let _ = reply.send(look(&mut connection, &key, kinds).map_err(|error| store_error(&error)));
            }
            Question::Statistics(class, reply) => {
                let _ = reply.send(statistics(&mut connection, class, kinds).map_err(|error| store_error(&error)));
            }
        }
    }
}

/// In one transaction: what a document had when its row was read, it has until its last page is read.
pub(super) fn look(connection: &mut Connection, key: &Key, kinds: &[Kind]) -> rusqlite::Result<Looked> {
    let transaction = connection.transaction()?;
    rows::read(&transaction, key, kinds)
}

fn statistics(connection: &mut Connection, class: Class, kinds: &[Kind]) -> rusqlite::Result<Statistics> {
    let transaction = connection.transaction()?;
    let (entries, bytes): (i64, i64) = transaction
        .prepare_cached("SELECT COUNT(*), COALESCE(SUM(bytes), 0) FROM document WHERE caller_class = ?1")?
        .query_one([class.as_str()], |row| Ok((row.get(0)?, row.get(1)?)))?;
    let mut statement = transaction.prepare_cached(
        "SELECT kind, COUNT(*) FROM document WHERE caller_class = ?1 AND step = 'read' GROUP BY kind ORDER BY kind",
    )?;
    let mut rows = statement.query([class.as_str()])?;
    let mut of_kinds = Vec::new();
    while let Some(row) = rows.next()? {
        let (name, count): (String, i64) = (row.get(0)?, row.get(1)?);
        if let Some(kind) = kinds.iter().find(|kind| kind.as_str() == name) {
            of_kinds.push((*kind, count.unsigned_abs()));
        }
    }
    Ok(Statistics { entries: entries.unsigned_abs(), bytes: bytes.unsigned_abs(), kinds: of_kinds })
}
