//! The store: memory in front of SQLite.
//!
//! Readers ask memory first, then the disk. All changes pass through one thread, which writes to the disk and lets
//! memory follow, so the two never disagree about what came last. The store is a cache: whatever fails is a miss.

mod change;
mod checksum;
mod database;
mod hot;
mod meta;
mod readers;
mod rows;
mod schema;
mod sqlite;
#[cfg(test)]
mod tests;
mod weight;
mod writer;

pub use database::OpenError;

use async_trait::async_trait;
use change::Change;
use database::Database;
use hot::Hot;
use rows::Looked;
use sift_handlers::Kind;
use sift_layers::{Class, Entry, Kept, Key, Shrunk, Statistics, Store, StoreError, clock::Timestamp, metrics::Metrics};
use sqlite::Sqlite;
use std::{fmt, path::PathBuf, sync::Arc, time::Duration};

/// The store of a process.
pub struct Shelf {
    hot: Arc<Hot>,
    disk: Option<Sqlite>,
    metrics: Arc<Metrics>,
}

/// Where a store is, and how large it gets.
#[derive(Clone, Debug)]
pub struct Options {
    /// The directory, made when it isn't there. One process has it at a time.
    pub directory: PathBuf,
    /// The most bytes of entries in memory.
    pub hot_bytes: u64,
    /// The most bytes of the file. Its log comes on top, about 16 MiB at most.
    pub max_bytes: u64,
    /// The kinds that this process has; documents of others are not found.
    pub kinds: Vec<Kind>,
}

/// A store that was opened.
#[derive(Debug)]
pub struct Opened {
    /// The store.
    pub shelf: Shelf,
    /// Where the damaged file went that stood in its place; to be logged.
    pub moved_aside: Option<PathBuf>,
}

// === impl Shelf ===

impl Shelf {
    /// Opens the store of a directory.
    pub fn open(options: &Options, metrics: Arc<Metrics>) -> Result<Opened, OpenError> {
        let Options { directory, hot_bytes, max_bytes, kinds } = options;
        let mut database = Database::open(directory)?;
        let moved_aside = database.moved_aside.take();
        let hot = Arc::new(Hot::new(*hot_bytes));
        let disk = Sqlite::start(database, kinds, *max_bytes, hot.clone(), metrics.clone())?;
        Ok(Opened { shelf: Self { hot, disk: Some(disk), metrics }, moved_aside })
    }

    /// A store without a disk, gone with the process.
    pub fn in_memory(hot_bytes: u64) -> Self {
        Self { hot: Arc::new(Hot::new(hot_bytes)), disk: None, metrics: Arc::default() }
    }

    /// Finishes what was asked, closes the file and lets go of the directory. Blocks for as long as that takes; what
    /// the disk is asked later is answered with [`StoreError::Closed`]. Dropping does the same.
    pub fn close(&self) {
        if let Some(disk) = &self.disk {
            disk.close();
        }
    }

    async fn change(&self, change: Change) -> Result<Shrunk, StoreError> {
        match &self.disk {
            Some(disk) => disk.change(change).await,
            None => Ok(self.hot.apply(&change)),
        }
    }

    /// Drops in steps until nothing more goes, so that fetches get their turns in between.
    async fn change_in_steps(&self, change: impl Fn() -> Change) -> Result<Shrunk, StoreError> {
        let mut all = Shrunk::default();
        loop {
            let step = self.change(change()).await?;
            if step.entries == 0 {
                return Ok(all);
            }
            all.entries += step.entries;
            all.bytes += step.bytes;
        }
    }
}

#[async_trait]
impl Store for Shelf {
    async fn look(&self, key: &Key) -> Result<Option<Kept>, StoreError> {
        if let Some(entry) = self.hot.get(key) {
            return Ok(Some(Kept { entry, hot: true }));
        }
        let Some(disk) = &self.disk else { return Ok(None) };
        let epoch = self.hot.epoch();
        match disk.look(key).await {
            Ok(Looked::Whole(entry)) => {
                let entry = Arc::new(entry);
                self.hot.promote(key, &entry, epoch);
                Ok(Some(Kept { entry, hot: false }))
            }
            Ok(Looked::Nothing | Looked::Foreign) => Ok(None),
            Ok(Looked::Broken) => {
                self.metrics.store_failed("check");
                disk.suggest(Change::Discard(key.clone()));
                Ok(None)
            }
            Err(error) => {
                if error == StoreError::Corrupt {
                    disk.suggest(Change::Discard(key.clone()));
                }
                Err(error)
            }
        }
    }

    async fn keep(&self, key: &Key, entry: Arc<Entry>) -> Result<(), StoreError> {
        self.change(Change::Keep(key.clone(), entry)).await.map(drop)
    }

    async fn renew(&self, key: &Key, at: Timestamp, fresh: Duration) -> Result<(), StoreError> {
        self.change(Change::Renew(key.clone(), at, fresh)).await.map(drop)
    }

    async fn shrink(&self, bytes: u64) -> Result<Shrunk, StoreError> {
        self.change_in_steps(|| Change::Shrink(bytes)).await
    }

    async fn clear(&self, class: Class, expired_only: bool) -> Result<Shrunk, StoreError> {
        let now = expired_only.then(Timestamp::now);
        self.change_in_steps(|| Change::Clear(class, now)).await
    }

    async fn statistics(&self, class: Class) -> Result<Statistics, StoreError> {
        match &self.disk {
            Some(disk) => disk.statistics(class).await,
            None => Ok(self.hot.statistics(class)),
        }
    }
}

impl fmt::Debug for Shelf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Shelf(disk: {})", self.disk.is_some())
    }
}
