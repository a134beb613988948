//! Lines to stderr from a thread of their own: a request pays for the line, and not for the system call.

use super::Sink;
use parking_lot::{Condvar, Mutex};
use std::{io::Write, sync::Arc, thread::JoinHandle, time::Duration};

/// How long lines are gathered before they are written together.
const GATHER: Duration = Duration::from_millis(5);

/// The most bytes that wait. Past it, whoever has a line to say waits for the thread.
const MOST: usize = 1 << 20;

/// The thread that writes. Dropping it writes what is left.
pub(super) struct Writer {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    waiting: Mutex<Waiting>,
    changed: Condvar,
}

#[derive(Default)]
struct Waiting {
    lines: Vec<u8>,
    closed: bool,
}

// === impl Writer ===

impl Writer {
    /// Starts the thread.
    pub(super) fn start(mut out: impl Write + Send + 'static) -> std::io::Result<Self> {
        let shared = Arc::<Shared>::default();
        let own = shared.clone();
        let thread = std::thread::Builder::new().name("lines".to_owned()).spawn(move || {
            let mut lines = Vec::new();
            while own.take(&mut lines) {
                // Nobody is left to be told when stderr is gone.
                let _ = out.write_all(&lines);
                lines.clear();
            }
        })?;
        Ok(Self { shared, thread: Some(thread) })
    }

    /// Where lines go in.
    pub(super) fn sink(&self) -> Sink {
        let shared = self.shared.clone();
        Arc::new(move |line| shared.put(line))
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.shared.waiting.lock().closed = true;
        self.shared.changed.notify_all();
        // A thread that panicked has written what it could.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

impl std::fmt::Debug for Writer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Writer(..)")
    }
}

// === impl Shared ===

impl Shared {
    fn put(&self, line: &[u8]) {
        let mut waiting = self.waiting.lock();
        while waiting.lines.len() > MOST && !waiting.closed {
            self.changed.wait(&mut waiting);
        }
        let first = waiting.lines.is_empty();
        waiting.lines.extend_from_slice(line);
        drop(waiting);
        if first {
            self.changed.notify_all();
        }
    }

    /// Waits for lines and takes them all; false when there will be none.
    fn take(&self, lines: &mut Vec<u8>) -> bool {
        let mut waiting = self.waiting.lock();
        while waiting.lines.is_empty() {
            if waiting.closed {
                return false;
            }
            self.changed.wait(&mut waiting);
        }
        if !waiting.closed {
            // The first line came after a silence; more may be on their way.
            let _ = self.changed.wait_for(&mut waiting, GATHER);
        }
        std::mem::swap(&mut waiting.lines, lines);
        drop(waiting);
        self.changed.notify_all();
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keeps what is written, and how often something was.
    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<(Vec<u8>, usize)>>);

    impl Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            let mut kept = self.0.lock();
            kept.0.extend_from_slice(bytes);
            kept.1 += 1;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn every_line_is_written_once_and_whole_before_the_end() {
        let kept = Kept::default();
        let writer = Writer::start(kept.clone()).unwrap();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let sink = writer.sink();
                scope.spawn(move || (0..5_000).for_each(|n| sink(format!("{thread} {n}\n").as_bytes())));
            }
        });
        drop(writer);
        let (bytes, writes) = std::mem::take(&mut *kept.0.lock());
        let text = String::from_utf8(bytes).unwrap();
        for thread in 0..4 {
            let own: Vec<_> = text.lines().filter_map(|line| line.strip_prefix(&format!("{thread} "))).collect();
            assert!(own.iter().enumerate().all(|(n, line)| *line == n.to_string()), "in order");
            assert_eq!(own.len(), 5_000);
        }
        assert!(writes < 5_000, "together: {writes} writes");
    }

    #[test]
    fn a_line_does_not_wait_for_the_next() {
        let kept = Kept::default();
        let writer = Writer::start(kept.clone()).unwrap();
        writer.sink()(b"alone\n");
        let began = tokio::time::Instant::now();
        while kept.0.lock().0.is_empty() {
            assert!(began.elapsed() < Duration::from_secs(5));
            std::thread::yield_now();
        }
    }
}
