//! Why text of a page is not seen by its readers.

use crate::pdf::wire::Signal;

/// A set of signals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Hidden(u8);

// === impl Hidden ===

impl Hidden {
    /// Adds `signal`.
    pub(super) fn add(&mut self, signal: Signal) {
        self.0 |= 1 << signal as u8;
    }

    /// Whether all text is seen.
    pub(super) fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The signals in the order of their names.
    pub(super) fn signals(self) -> Vec<Signal> {
        Signal::ALL.into_iter().filter(|signal| self.0 & (1 << *signal as u8) != 0).collect()
    }
}
