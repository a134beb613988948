//! Jobs with a faulty child, and what they leave behind.

use bytes::Bytes;
use sift_handlers::{
    Content, ContentHandler, Document, ExtractError, Head, Password, Reading, Source,
    pdf::{ChildEnd, Pdf, PdfConfig, Program, Sandbox},
};
use std::{
    fs,
    path::PathBuf,
    process,
    sync::{
        Arc, OnceLock,
        atomic::{AtomicU32, Ordering},
    },
    thread,
    time::Duration,
};
use tokio::time::Instant;

/// One job: a mode of `faultchild`, and how it is run.
pub(crate) struct Job {
    pub(crate) mode: &'static str,
    /// Makes its processes findable.
    pub(crate) marker: String,
    pub(crate) config: PdfConfig,
    pub(crate) pdf: Vec<u8>,
    pub(crate) password: Option<&'static str>,
}

/// How a job ended.
pub(crate) struct Outcome {
    pub(crate) result: Result<Document, ExtractError>,
    pub(crate) end: Option<ChildEnd>,
}

/// The child of these tests. `cargo test` builds examples; `cargo test --test child` doesn't.
pub(crate) fn faultchild() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let path = test.parent().and_then(|deps| deps.parent()).unwrap().join("examples/faultchild");
    assert!(path.exists(), "{} is missing: `cargo build -p sift-handlers --example faultchild`", path.display());
    path
}

/// An argument that no other process has.
pub(crate) fn marker() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!("faultchild-of-{}-{}", process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// The processes with `marker` on their command line.
pub(crate) fn processes(marker: &str) -> Vec<u32> {
    let pids = fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    pids.filter(|pid: &u32| {
        fs::read(format!("/proc/{pid}/cmdline"))
            .is_ok_and(|line| line.split(|&byte| byte == 0).any(|arg| arg == marker.as_bytes()))
    })
    .collect()
}

/// Waits until `done`, for at most `limit`.
pub(crate) fn within(limit: Duration, mut done: impl FnMut() -> bool) -> bool {
    let start = Instant::now();
    while start.elapsed() < limit {
        if done() {
            return true;
        }
        thread::sleep(Duration::from_millis(5));
    }
    done()
}

/// Zombies whose parent is this process. Tests run side by side, so one may stand here for a moment.
pub(crate) fn zombies() -> usize {
    let stats =
        fs::read_dir("/proc").unwrap().filter_map(|entry| fs::read_to_string(entry.ok()?.path().join("stat")).ok());
    let ours = format!("Z {} ", process::id());
    stats.filter(|stat| stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with(&ours))).count()
}

// === impl Job ===

impl Job {
    pub(crate) fn new(mode: &'static str) -> Self {
        let marker = marker();
        let program = Program { path: faultchild(), args: vec![mode.into(), marker.clone().into()] };
        let config = PdfConfig { program, deadline: Duration::from_secs(20), ..PdfConfig::default() };
        Self { mode, marker, config, pdf: b"%PDF-1.7".to_vec(), password: None }
    }

    #[must_use]
    pub(crate) fn deadline(mut self, deadline: Duration) -> Self {
        self.config.deadline = deadline;
        self
    }

    #[must_use]
    pub(crate) fn require_sandbox(mut self) -> Self {
        self.config.sandbox = Sandbox::Require;
        self
    }

    #[must_use]
    pub(crate) fn pdf(mut self, pdf: Vec<u8>) -> Self {
        self.pdf = pdf;
        self
    }

    #[must_use]
    pub(crate) fn password(mut self, password: &'static str) -> Self {
        self.password = Some(password);
        self
    }

    /// What the handler gets.
    pub(crate) fn source(&self) -> Source {
        let reading = Reading { password: self.password.map(Password::new), ..Reading::default() };
        let content = Content::Bytes(Bytes::from(self.pdf.clone()));
        Source { head: Head::default(), base: None, content, reading: Arc::new(reading) }
    }

    /// Runs it to its end. Whatever the end, nothing may be left behind.
    pub(crate) async fn run(mut self) -> Outcome {
        let told = Arc::new(OnceLock::new());
        let hook = told.clone();
        self.config.on_child_end = Some(Arc::new(move |end| hook.set(end).unwrap()));
        let result = Pdf::new(self.config.clone()).extract(self.source()).await;
        // Off the runtime's thread: killed processes go away, and are reaped, in the background.
        let gone =
            tokio::task::spawn_blocking(move || within(Duration::from_secs(1), || processes(&self.marker).is_empty()));
        assert!(gone.await.unwrap(), "{}: a process is left", self.mode);
        let reaped = tokio::task::spawn_blocking(|| within(Duration::from_secs(5), || zombies() == 0)).await.unwrap();
        assert!(reaped, "{}: a zombie is left", self.mode);
        Outcome { result, end: told.get().copied() }
    }
}

// === impl Outcome ===

impl Outcome {
    /// The texts of the pages.
    pub(crate) fn texts(&self) -> Vec<&str> {
        self.result.as_ref().unwrap().pages.iter().map(sift_handlers::Page::text).collect()
    }

    /// Checks that there is no document, and why.
    pub(crate) fn failed(&self, error: ExtractError, end: ChildEnd) {
        assert_eq!((self.result.as_ref().err(), self.end), (Some(&error), Some(end)));
    }

    /// Checks that these pages were saved, of how many, and why only these.
    pub(crate) fn salvaged(&self, texts: &[&str], total: u32, end: ChildEnd) {
        let document = self.result.as_ref().unwrap();
        assert_eq!((self.texts(), document.total_pages, self.end), (texts.to_vec(), total, Some(end)));
        assert!(!document.complete && document.note.as_deref().unwrap().contains("could be read"));
    }
}
