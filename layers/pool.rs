//! The extraction pool: a *place* taken without waiting before a body is read, a *slot* waited for after.
//!
//! Tower's own limits can't say this: their permits are readiness, which is reserved and dropped, and a timeout around
//! a queue also ends the work. Two semaphores say it as values: dropping a place or a slot gives it back.

use crate::{
    error::Error,
    fetch::{Job, Loaded},
    metrics::Metrics,
    stage::{Stage, around},
};
use sift_handlers::Document;
use std::{fmt, sync::Arc, time::Duration};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::Instant,
};
use tower::{Layer, ServiceExt};

/// The pool's capacity, and how long one waits for it.
#[derive(Clone, Debug)]
pub struct Pool {
    places: Arc<Semaphore>,
    slots: Arc<Semaphore>,
    patience: Duration,
    metrics: Arc<Metrics>,
}

/// The right to be in the pool, running or waiting.
pub struct Place {
    pool: Pool,
    _permit: OwnedSemaphorePermit,
}

/// The right to run.
pub struct Slot {
    place: Place,
    _permit: OwnedSemaphorePermit,
}

/// Jobs of pooled kinds take a place, or are refused now: before the body is read.
pub fn admit<S: Stage<Job, Arc<Document>>>(pool: Pool) -> impl Layer<S, Service: Stage<Job, Arc<Document>>> + Clone {
    around(pool, |pool: Pool, inner: S, mut job: Job| async move {
        if job.task.limits.pooled {
            job.place = Some(pool.enter()?);
        }
        inner.oneshot(job).await
    })
}

/// Jobs that have a place wait for a slot, no longer than the pool's patience, and hold it to the end.
pub fn turn<S: Stage<Loaded, Arc<Document>>>() -> impl Layer<S, Service: Stage<Loaded, Arc<Document>>> + Clone {
    around((), |(), inner: S, mut job: Loaded| async move {
        let _slot = match job.place.take() {
            Some(place) => Some(place.turn(job.task.handler.kind()).await?),
            None => None,
        };
        inner.oneshot(job).await
    })
}

// === impl Pool ===

impl Pool {
    /// A pool that runs `slots` jobs at once while `waiting` more wait, each at most `patience`.
    pub fn new(slots: usize, waiting: usize, patience: Duration, metrics: Arc<Metrics>) -> Self {
        let (places, slots) = (Semaphore::new(slots + waiting), Semaphore::new(slots));
        Self { places: Arc::new(places), slots: Arc::new(slots), patience, metrics }
    }

    /// Takes a place. Never waits.
    pub fn enter(&self) -> Result<Place, Error> {
        let permit = self.places.clone().try_acquire_owned().map_err(|_| Error::WorkersBusy)?;
        self.metrics.pool_places_in_use.inc();
        Ok(Place { pool: self.clone(), _permit: permit })
    }
}

// === impl Place ===

impl Place {
    /// Waits for a slot, in order of arrival.
    pub async fn turn(self, kind: sift_handlers::Kind) -> Result<Slot, Error> {
        let began = Instant::now();
        let slot = tokio::time::timeout(self.pool.patience, self.pool.slots.clone().acquire_owned()).await;
        self.pool.metrics.of(kind).pool_wait_seconds.observe(began.elapsed().as_secs_f64());
        match slot {
            Ok(Ok(permit)) => Ok(Slot { place: self, _permit: permit }),
            Ok(Err(_)) | Err(_) => Err(Error::WorkersBusy),
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.pool.metrics.pool_places_in_use.dec();
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Place(..)")
    }
}

// === impl Slot ===

impl fmt::Debug for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Slot({:?})", self.place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sift_handlers::Kind;

    #[tokio::test(start_paused = true)]
    async fn the_seventh_is_refused_at_once_and_the_waiting_give_up_after_their_patience() {
        let pool = Pool::new(2, 4, Duration::from_secs(20), Arc::default());
        let began = Instant::now();
        let places: Vec<_> = (0..6).map(|_| pool.enter().unwrap()).collect();
        assert_eq!(pool.enter().unwrap_err(), Error::WorkersBusy);
        let turns = places.into_iter().map(|place| async move {
            let slot = place.turn(Kind::new("pdf")).await;
            if slot.is_ok() {
                tokio::time::sleep(Duration::from_mins(1)).await;
            }
            (slot.err(), began.elapsed().as_secs())
        });
        let mut ends = futures::future::join_all(turns).await;
        ends.sort_by_key(|(_, at)| *at);
        assert_eq!(ends[..4], [(Some(Error::WorkersBusy), 20); 4]);
        assert_eq!(ends[4..], [(None, 60); 2]);
        assert_eq!((0..6).filter_map(|_| pool.enter().ok()).collect::<Vec<_>>().len(), 6, "all capacity is back");
    }
}
