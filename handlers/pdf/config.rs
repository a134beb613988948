//! How the child is started, what it may cost, and how it may end.

use std::{ffi::OsString, fmt, path::PathBuf, sync::Arc, time::Duration};

/// How PDFs are read.
#[derive(Clone)]
pub struct PdfConfig {
    /// What the child is.
    pub program: Program,
    /// Pages past this one are counted and not read.
    pub max_pages: u32,
    /// The longest time for a whole job, from the start of the child to its end.
    pub deadline: Duration,
    /// The most private writable memory of a child (`RLIMIT_DATA`), in bytes.
    pub child_memory: u64,
    /// How much of the sandbox must hold.
    pub sandbox: Sandbox,
    /// Told of the end of every child, for counting.
    pub on_child_end: Option<ChildEndHook>,
}

/// What [`PdfConfig::on_child_end`] calls.
pub type ChildEndHook = Arc<dyn Fn(ChildEnd) + Send + Sync>;

/// A program and the arguments before the child's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// An absolute path.
    pub path: PathBuf,
    /// What stands before `--max-pages` and the rest.
    pub args: Vec<OsString>,
}

/// How much of the sandbox must hold before a child reads a byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sandbox {
    /// Seccomp, Landlock and the resource limits. A Landlock older than the rules is enough.
    Require,
    /// Seccomp; the rest as far as the kernel has it.
    #[default]
    BestEffort,
}

/// How a child ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChildEnd {
    /// By itself, with everything said.
    Ok,
    /// It found nothing to read: encrypted, or not a PDF.
    Refused,
    /// It could not lock itself in.
    Unconfined,
    /// A panic, an abort, a fault in memory, an unknown status.
    Crashed,
    /// SIGKILL from elsewhere: the kernel was short of memory.
    Killed,
    /// SIGSYS: it made a system call that it has no right to. A bug, or an attack.
    PolicyKill,
    /// The deadline, or the limit on processor time.
    TimedOut,
    /// It wrote more than it may.
    TooLarge,
    /// What it wrote was not the protocol.
    Protocol,
}

// === impl PdfConfig ===

impl Default for PdfConfig {
    fn default() -> Self {
        Self {
            program: Program::default(),
            max_pages: 2000,
            deadline: Duration::from_mins(1),
            child_memory: 384 << 20,
            sandbox: Sandbox::default(),
            on_child_end: None,
        }
    }
}

impl fmt::Debug for PdfConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PdfConfig")
            .field("program", &self.program)
            .field("max_pages", &self.max_pages)
            .field("deadline", &self.deadline)
            .field("child_memory", &self.child_memory)
            .field("sandbox", &self.sandbox)
            .finish_non_exhaustive()
    }
}

// === impl Program ===

/// The running image itself, which an upgrade of the file on disk doesn't change.
impl Default for Program {
    fn default() -> Self {
        Self { path: "/proc/self/exe".into(), args: vec!["pdftext".into()] }
    }
}

// === impl ChildEnd ===

impl ChildEnd {
    /// A label for a metric.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Refused => "refused",
            Self::Unconfined => "unconfined",
            Self::Crashed => "crashed",
            Self::Killed => "killed",
            Self::PolicyKill => "policy_kill",
            Self::TimedOut => "timed_out",
            Self::TooLarge => "too_large",
            Self::Protocol => "protocol",
        }
    }
}
