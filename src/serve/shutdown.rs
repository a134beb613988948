//! The way out: first every request under way is finished, then, when asked again, nothing is.

use std::io;
use tokio::{
    signal::unix::{SignalKind, signal},
    sync::watch,
};

/// Tells all parts of a process that it is to end. Clones share the state; there is no way back.
#[derive(Clone, Debug)]
pub struct Shutdown(watch::Sender<Phase>);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Phase {
    Running,
    Draining,
    Ending,
}

/// Turns signals into a shutdown: the first SIGTERM or SIGINT drains, the second ends. Every SIGHUP calls `reload`.
///
/// Only fails when the handlers can't be installed; runs until it is dropped.
pub async fn signals(shutdown: Shutdown, reload: impl Fn() + Send) -> io::Result<()> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut hangup = signal(SignalKind::hangup())?;
    loop {
        let stop = tokio::select! {
            received = terminate.recv() => received.is_some(),
            received = interrupt.recv() => received.is_some(),
            received = hangup.recv() => {
                if received.is_some() {
                    reload();
                }
                false
            }
        };
        if stop && shutdown.is_draining() {
            shutdown.end();
        } else if stop {
            shutdown.drain();
        }
    }
}

// === impl Shutdown ===

impl Shutdown {
    /// A process that runs.
    pub fn new() -> Self {
        Self(watch::Sender::new(Phase::Running))
    }

    /// Takes no new work; what is under way goes on.
    pub fn drain(&self) {
        self.advance(Phase::Draining);
    }

    /// Ends now.
    pub fn end(&self) {
        self.advance(Phase::Ending);
    }

    /// Whether no new work is taken.
    pub fn is_draining(&self) -> bool {
        *self.0.borrow() >= Phase::Draining
    }

    /// Waits until no new work is taken.
    pub async fn draining(&self) {
        self.reached(Phase::Draining).await;
    }

    /// Waits until everything is to end now.
    pub async fn ending(&self) {
        self.reached(Phase::Ending).await;
    }

    fn advance(&self, to: Phase) {
        self.0.send_if_modified(|phase| std::mem::replace(phase, to.max(*phase)) < to);
    }

    async fn reached(&self, phase: Phase) {
        // The sender is ours, so the channel can't be closed.
        let _ = self.0.subscribe().wait_for(|now| *now >= phase).await;
    }
}

impl Default for Shutdown {
    fn default() -> Self {
        Self::new()
    }
}
