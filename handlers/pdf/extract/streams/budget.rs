//! How much may still be decoded.

use std::{
    cell::Cell,
    sync::atomic::{AtomicUsize, Ordering},
};

/// The most bytes that one stream gives in one step.
const STREAM: usize = 64 << 20;
/// The most bytes that the streams of one page give.
const PAGE: usize = 128 << 20;
/// The least that a document may give, however small its file.
const DOCUMENT: usize = 512 << 20;
/// What a document may give for each byte of its file: dense drawings grow about tenfold.
const PER_BYTE: usize = 16;
/// The most places of damaged streams where a document's lost blocks are searched for.
const TRIES: usize = 64 << 20;

/// The bytes that a document may still give, over all its pages.
#[derive(Debug)]
pub(in super::super) struct Budget {
    left: AtomicUsize,
    tries: AtomicUsize,
}

/// The bytes that a page may still give.
#[derive(Debug)]
pub(in super::super) struct PageBudget<'a> {
    document: &'a Budget,
    left: Cell<usize>,
}

// === impl Budget ===

impl Budget {
    /// For a file of `length` bytes.
    pub(in super::super) fn new(length: usize) -> Self {
        Self { left: AtomicUsize::new(DOCUMENT.max(length.saturating_mul(PER_BYTE))), tries: AtomicUsize::new(TRIES) }
    }

    /// For the next page.
    pub(in super::super) fn page(&self) -> PageBudget<'_> {
        PageBudget { document: self, left: Cell::new(PAGE) }
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self::new(0)
    }
}

// === impl PageBudget ===

impl PageBudget<'_> {
    /// The bytes that the next step may give.
    pub(super) fn room(&self) -> usize {
        STREAM.min(self.left.get()).min(self.document.left.load(Ordering::Relaxed))
    }

    /// Takes `bytes` off.
    pub(super) fn spend(&self, bytes: usize) {
        self.left.set(self.left.get().saturating_sub(bytes));
        let less = |left: usize| Some(left.saturating_sub(bytes));
        let _ = self.document.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
    }

    /// Lets `work` take from the tries that are left.
    pub(super) fn search<T>(&self, work: impl FnOnce(&mut usize) -> T) -> T {
        let mut tries = self.document.tries.load(Ordering::Relaxed);
        let done = work(&mut tries);
        self.document.tries.store(tries, Ordering::Relaxed);
        done
    }
}
