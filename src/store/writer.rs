//! The one thread that changes the store. What has queued up goes into one transaction.

use super::{
    change::Change,
    database::{Database, store_error},
    hot::Hot,
    rows,
    weight::weight,
};
use rusqlite::{Connection, Params, Transaction, TransactionBehavior, params};
use sift_layers::{Key, Shrunk, StoreError, metrics::Metrics};
use std::{fs::File, io, sync::Arc, thread::JoinHandle};
use tokio::sync::{mpsc, oneshot};

/// The longest queue; and the most changes of one transaction.
pub(super) const QUEUE: usize = 64;

/// An entry takes at most one in so many bytes of the store: a single document must not evict all others.
pub(super) const SHARE: u64 = 4;

/// The most entries that one transaction drops, so that nobody waits long and the log stays small.
pub(super) const STEP: u32 = 256;

/// A change, and who waits for it.
pub(super) struct Order {
    pub(super) change: Change,
    pub(super) reply: oneshot::Sender<Result<Shrunk, StoreError>>,
}

/// The state of the thread.
pub(super) struct Writer {
    pub(super) connection: Connection,
    pub(super) hot: Arc<Hot>,
    pub(super) metrics: Arc<Metrics>,
    /// The most bytes of the file.
    pub(super) max_bytes: u64,
    /// Goes last: until the connection is closed, the directory is ours.
    pub(super) lock: File,
}

/// What a transaction did.
struct Written {
    /// A result for each change.
    shrunk: Vec<Shrunk>,
    /// What had to make room; `None` is a key that can't be named.
    evicted: Vec<Option<Key>>,
}

// === impl Writer ===

impl Writer {
    /// The writer of a database.
    pub(super) fn new(database: Database, hot: Arc<Hot>, metrics: Arc<Metrics>, max_bytes: u64) -> Self {
        let Database { writer: connection, lock, .. } = database;
        Self { connection, hot, metrics, max_bytes, lock }
    }

    /// Starts the thread. It ends when all senders are gone and all orders are done.
    pub(super) fn start(mut self, mut orders: mpsc::Receiver<Order>) -> io::Result<JoinHandle<()>> {
        std::thread::Builder::new().name("sift-store-write".to_owned()).spawn(move || {
            // The limit may have been lowered since the last time.
            self.make_room();
            let mut batch = Vec::with_capacity(QUEUE);
            while orders.blocking_recv_many(&mut batch, QUEUE) > 0 {
                self.serve(std::mem::take(&mut batch));
            }
            self.close();
        })
    }

    /// Does a batch of orders, and answers each.
    pub(super) fn serve(&mut self, batch: Vec<Order>) {
        let changes: Vec<&Change> = batch.iter().map(|order| &order.change).collect();
        let results = match self.write(&changes) {
            Ok(written) => written.shrunk.into_iter().map(Ok).collect(),
            Err(error) if changes.len() == 1 => vec![Err(store_error(&error))],
            // One of them failed, and took the others with it: each alone, then.
            Err(_) => changes.iter().map(|change| self.alone(change)).collect::<Vec<_>>(),
        };
        if changes.iter().any(|change| matches!(change, Change::Shrink(_) | Change::Clear(..))) && self.trim().is_err()
        {
            self.metrics.store_failed("trim");
        }
        self.make_room();
        for (order, result) in batch.into_iter().zip(results) {
            // Whoever asked may have left.
            let _ = order.reply.send(result);
        }
    }

    fn alone(&mut self, change: &Change) -> Result<Shrunk, StoreError> {
        let written = self.write(&[change]).map_err(|error| store_error(&error))?;
        Ok(written.shrunk.into_iter().next().unwrap_or_default())
    }

    /// One transaction. Memory follows in the same order, whether the disk could or not: it is the newer truth.
    fn write(&mut self, changes: &[&Change]) -> rusqlite::Result<Written> {
        let written = self.transact(changes);
        if changes.len() == 1 || written.is_ok() {
            for change in changes {
                self.hot.apply(change);
            }
        }
        let written = written?;
        self.hot.forget(&written.evicted);
        Ok(written)
    }

    fn transact(&mut self, changes: &[&Change]) -> rusqlite::Result<Written> {
        let max_bytes = self.max_bytes;
        let transaction = self.connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let (mut shrunk, mut evicted) = (Vec::with_capacity(changes.len()), Vec::new());
        for change in changes {
            shrunk.push(apply(&transaction, change, max_bytes, &mut evicted)?);
        }
        evict(&transaction, max_bytes, &mut evicted)?;
        transaction.commit()?;
        Ok(Written { shrunk, evicted })
    }

    /// Gives back the space of what was dropped on request, in the file and in its log.
    fn trim(&self) -> rusqlite::Result<()> {
        // A page a step.
        let mut vacuum = self.connection.prepare("PRAGMA incremental_vacuum")?;
        let mut rows = vacuum.query([])?;
        while rows.next()?.is_some() {}
        self.connection.query_one("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(()))
    }

    /// Measures the file, and goes on evicting where one transaction was not enough.
    fn make_room(&mut self) {
        loop {
            let Ok(bytes) = used(&self.connection) else { return };
            self.metrics.store_bytes.set(rows::signed(bytes));
            if bytes <= self.max_bytes {
                return;
            }
            match self.write(&[]) {
                Ok(Written { evicted, .. }) if evicted.is_empty() => return,
                Ok(_) => {}
                Err(_) => return self.metrics.store_failed("evict"),
            }
        }
    }

    fn close(self) {
        if self.connection.execute_batch("PRAGMA optimize").is_err() || self.connection.close().is_err() {
            self.metrics.store_failed("close");
        }
        drop(self.lock);
    }
}

fn apply(
    transaction: &Transaction<'_>,
    change: &Change,
    max_bytes: u64,
    evicted: &mut Vec<Option<Key>>,
) -> rusqlite::Result<Shrunk> {
    match change {
        Change::Keep(key, entry) => {
            let bytes = weight(key, entry);
            if bytes > max_bytes / SHARE {
                // What it replaces is out of date all the same.
                let delete = "DELETE FROM document WHERE caller_class = ?1 AND variant = ?2 AND url_key = ?3";
                transaction.prepare_cached(delete)?.execute(rows::columns(key))?;
                return Ok(Shrunk::default());
            }
            rows::write(transaction, key, entry, bytes)?;
            Ok(Shrunk::default())
        }
        Change::Renew(key, at, fresh) => {
            let (at, fresh) = (rows::signed(at.0), rows::milliseconds(*fresh));
            let [class, variant, url] = rows::columns(key);
            let update = "UPDATE document SET fetched_at = ?4, fresh_ms = ?5 \
                WHERE caller_class = ?1 AND variant = ?2 AND url_key = ?3";
            transaction.prepare_cached(update)?.execute(params![class, variant, url, at, fresh])?;
            Ok(Shrunk::default())
        }
        Change::Discard(key) => discard(transaction, key),
        Change::Shrink(bytes) => evict(transaction, *bytes, evicted),
        Change::Clear(class, None) => delete(
            transaction,
            "DELETE FROM document WHERE id IN (SELECT id FROM document WHERE caller_class = ?1 LIMIT ?2) RETURNING bytes",
            params![class.as_str(), STEP],
        ),
        Change::Clear(class, Some(now)) => delete(
            transaction,
            // An alias is as fresh as what it leads to: it goes with its target, in a later step.
            "DELETE FROM document WHERE id IN (SELECT id FROM document WHERE caller_class = ?1 AND ( \
                NOT (fetched_at <= ?3 AND ?3 - fetched_at < fresh_ms) \
                OR step = 'moved' AND NOT EXISTS (SELECT 1 FROM document AS next \
                    WHERE next.caller_class = document.caller_class AND next.variant = document.variant \
                    AND next.url_key = document.target)) LIMIT ?2) \
             RETURNING bytes",
            params![class.as_str(), STEP, rows::signed(now.0)],
        ),
    }
}

/// Drops a row and all others that lean on the same pages: nobody knows which part of it is damaged.
fn discard(transaction: &Transaction<'_>, key: &Key) -> rusqlite::Result<Shrunk> {
    delete(
        transaction,
        "WITH broken AS (SELECT id, caller_class, pages_hash FROM document \
                         WHERE caller_class = ?1 AND variant = ?2 AND url_key = ?3) \
         DELETE FROM document WHERE id IN (SELECT id FROM broken) OR id IN (SELECT other.id FROM broken \
            JOIN document AS other ON other.caller_class = broken.caller_class AND other.pages_hash = broken.pages_hash) \
         RETURNING bytes",
        rows::columns(key),
    )
}

/// Drops whole entries, oldest first, until the file uses at most `bytes`; a step. Their pages go by trigger.
fn evict(transaction: &Transaction<'_>, bytes: u64, evicted: &mut Vec<Option<Key>>) -> rusqlite::Result<Shrunk> {
    let mut shrunk = Shrunk::default();
    while shrunk.entries < STEP.into() && used(transaction)? > bytes {
        let oldest = transaction
            .prepare_cached(
                "SELECT id, caller_class, variant, url_key, bytes FROM document ORDER BY fetched_at, id LIMIT 1",
            )?
            .query_one([], |row| Ok((row.get::<_, i64>("id")?, rows::key_of(row), row.get::<_, i64>("bytes")?)));
        let (id, key, size) = match oldest {
            Ok(oldest) => oldest,
            Err(rusqlite::Error::QueryReturnedNoRows) => break,
            Err(error) => return Err(error),
        };
        transaction.prepare_cached("DELETE FROM document WHERE id = ?1")?.execute([id])?;
        shrunk.entries += 1;
        shrunk.bytes += size.unsigned_abs();
        evicted.push(key);
    }
    Ok(shrunk)
}

fn delete(transaction: &Transaction<'_>, returning_bytes: &str, params: impl Params) -> rusqlite::Result<Shrunk> {
    let mut shrunk = Shrunk::default();
    let mut statement = transaction.prepare_cached(returning_bytes)?;
    let mut rows = statement.query(params)?;
    while let Some(row) = rows.next()? {
        shrunk.entries += 1;
        shrunk.bytes += row.get::<_, i64>(0)?.unsigned_abs();
    }
    Ok(shrunk)
}

/// The bytes that the file uses, indexes and all; free pages don't count. SQLite keeps count, inside a transaction too.
pub(super) fn used(connection: &Connection) -> rusqlite::Result<u64> {
    let pragma = |name| connection.pragma_query_value(None, name, |row| row.get::<_, u32>(0)).map(u64::from);
    Ok((pragma("page_count")? - pragma("freelist_count")?) * pragma("page_size")?)
}
