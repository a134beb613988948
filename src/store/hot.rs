//! The entries at hand: a bounded cache in memory, before the disk or instead of it.

use super::{change::Change, weight::weight};
use moka::{policy::EvictionPolicy, sync::Cache};
use parking_lot::RwLock;
use sift_handlers::Kind;
use sift_layers::{Class, Entry, Key, Shrunk, Statistics, Step, clock::Timestamp};
use std::{collections::BTreeMap, sync::Arc, time::Duration};

/// An entry that nobody asked for in this time makes room.
const IDLE: Duration = Duration::from_mins(15);

/// Entries in memory, least recently used out first. Freshness is not decided here.
pub(super) struct Hot {
    entries: Cache<Key, Arc<Entry>>,
    /// Counts the changes. An entry read from disk enters only if nothing changed since its reading began, so that a
    /// slow reader can't bring back what was cleared, evicted or replaced meanwhile.
    epoch: RwLock<u64>,
}

impl Hot {
    /// Holds at most `bytes`.
    pub(super) fn new(bytes: u64) -> Self {
        let entries = Cache::builder()
            .max_capacity(bytes)
            .weigher(|key, entry: &Arc<Entry>| u32::try_from(weight(key, entry)).unwrap_or(u32::MAX))
            .time_to_idle(IDLE)
            // The default policy may refuse the document just read, of which the next pages will be asked for.
            .eviction_policy(EvictionPolicy::lru())
            .build();
        Self { entries, epoch: RwLock::new(0) }
    }

    pub(super) fn get(&self, key: &Key) -> Option<Arc<Entry>> {
        self.entries.get(key)
    }

    /// To be asked before a reading from disk begins.
    pub(super) fn epoch(&self) -> u64 {
        *self.epoch.read()
    }

    /// Takes in what was read from disk, unless something changed since `epoch`.
    pub(super) fn promote(&self, key: &Key, entry: &Arc<Entry>, epoch: u64) {
        let now = self.epoch.read();
        if *now == epoch {
            self.entries.insert(key.clone(), entry.clone());
        }
    }

    /// Does `change`.
    pub(super) fn apply(&self, change: &Change) -> Shrunk {
        let mut epoch = self.epoch.write();
        *epoch += 1;
        match change {
            Change::Keep(key, entry) => self.entries.insert(key.clone(), entry.clone()),
            Change::Renew(key, at, fresh) => self.renew(key, *at, *fresh),
            Change::Discard(_) => {}
            Change::Shrink(bytes) => return self.shrink(*bytes),
            Change::Clear(class, None) => return self.drop_if(|key, _| key.class() == *class),
            Change::Clear(class, Some(now)) => return self.drop_expired(*class, *now),
        }
        Shrunk::default()
    }

    /// Drops what the disk evicted; everything, when there is a key that can't be named.
    pub(super) fn forget(&self, evicted: &[Option<Key>]) {
        if evicted.is_empty() {
            return;
        }
        let mut epoch = self.epoch.write();
        *epoch += 1;
        for key in evicted {
            match key {
                Some(key) => self.entries.invalidate(key),
                None => drop(self.drop_if(|_, _| true)),
            }
        }
    }

    /// What there is of a class.
    pub(super) fn statistics(&self, class: Class) -> Statistics {
        let (mut statistics, mut kinds) = (Statistics::default(), BTreeMap::<Kind, u64>::new());
        for (key, entry) in self.entries.iter().filter(|(key, _)| key.class() == class) {
            statistics.entries += 1;
            statistics.bytes += weight(&key, &entry);
            if let Step::Read(document) = &entry.step {
                *kinds.entry(document.kind).or_default() += 1;
            }
        }
        statistics.kinds = kinds.into_iter().collect();
        statistics
    }

    fn renew(&self, key: &Key, at: Timestamp, fresh: Duration) {
        if let Some(entry) = self.entries.get(key) {
            self.entries.insert(key.clone(), Arc::new(Entry { fetched_at: at, fresh, ..(*entry).clone() }));
        }
    }

    fn shrink(&self, bytes: u64) -> Shrunk {
        let mut ages: Vec<_> = self
            .entries
            .iter()
            .map(|(key, entry)| (entry.fetched_at, weight(&key, &entry), Arc::unwrap_or_clone(key)))
            .collect();
        ages.sort_unstable();
        let mut total: u64 = ages.iter().map(|(_, weight, _)| weight).sum();
        let mut shrunk = Shrunk::default();
        for (_, weight, key) in ages {
            if total <= bytes {
                break;
            }
            self.entries.invalidate(&key);
            total -= weight;
            shrunk.entries += 1;
            shrunk.bytes += weight;
        }
        shrunk
    }

    /// An alias is as fresh as what it leads to: it goes with its target.
    fn drop_expired(&self, class: Class, now: Timestamp) -> Shrunk {
        let mut dropped = self.drop_if(|key, entry| key.class() == class && !entry.is_fresh(now, None));
        loop {
            let more = self.drop_if(|key, entry| match &entry.step {
                Step::Moved(next) => key.class() == class && !self.entries.contains_key(&key.at(next.clone())),
                Step::Read(_) | Step::Verdict(..) => false,
            });
            if more.entries == 0 {
                return dropped;
            }
            dropped.entries += more.entries;
            dropped.bytes += more.bytes;
        }
    }

    fn drop_if(&self, condemned: impl Fn(&Key, &Entry) -> bool) -> Shrunk {
        let mut dropped = Shrunk::default();
        for (key, entry) in self.entries.iter().filter(|(key, entry)| condemned(key, entry)) {
            self.entries.invalidate(&*key);
            dropped.entries += 1;
            dropped.bytes += weight(&key, &entry);
        }
        dropped
    }

    /// Drops everything from memory, so that a test sees the disk.
    #[cfg(test)]
    pub(super) fn forget_all(&self) {
        self.forget(&[None]);
    }
}
