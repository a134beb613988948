//! What runs inside the child, in the order in which it must.
//!
//! The caller's `main` comes here before it starts a thread or a runtime: Landlock binds only the calling thread.

use super::{
    confine::{SandboxReport, confine},
    extract::{self, Options, Refused},
    wire::Line,
};
use rustix::process::{Pid, Signal, getppid, set_parent_process_death_signal};
use serde::{Deserialize, Serialize};
use std::{
    ffi::OsString,
    io::{self, BufRead, Read, Write},
};

/// Reads a PDF and gives its lines away: [`extract::run`], or a double in tests of the sandbox.
pub type Extract = fn(Vec<u8>, &Options, &mut dyn FnMut(Line) -> io::Result<()>) -> Result<(), Refused>;

/// The most bytes of a PDF.
pub(super) const MAX_BYTES: u64 = 100 << 20;
/// The first line of stdin with `--preamble`, at most.
const MAX_PREAMBLE: u64 = 64 << 10;
/// Page trees and nested forms are bounded by count; the room is for what comes from elsewhere.
const STACK: usize = 64 << 20;

/// Exit statuses. 101 is Rust's own for a panic.
pub(super) mod status {
    pub(in crate::pdf) const OK: u8 = 0;
    pub(super) const FAILED: u8 = 1;
    pub(in crate::pdf) const ENCRYPTED: u8 = 3;
    pub(in crate::pdf) const UNREADABLE: u8 = 4;
    pub(super) const USAGE: u8 = 64;
    pub(super) const LOST_PARENT: u8 = 71;
    pub(in crate::pdf) const UNCONFINED: u8 = 78;
    pub(super) const PANICKED: u8 = 101;
}

/// Before the PDF on stdin, with `--preamble`: one line.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Preamble {
    /// Opens the document.
    pub(super) password: String,
}

/// What `--probe` prints: one line.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Probe {
    /// Which locks hold.
    pub(super) sandbox: SandboxReport,
}

/// The command line behind the name of the subcommand.
struct Args {
    max_pages: u32,
    memory: u64,
    parent: Option<i32>,
    password: Option<String>,
    preamble: bool,
    require: bool,
    probe: bool,
}

/// `pdftext`: locks the process in, reads a PDF from stdin and writes its lines to stdout. Answers with the exit status.
///
/// `args` are those after the subcommand: `--max-pages N`, `--memory BYTES`, `--parent PID` (end with that process),
/// `--password P` (at a terminal), `--preamble` (the first line of stdin has the password), `--require-sandbox`,
/// `--probe` (print which locks hold, and read nothing).
pub fn child_main(args: impl IntoIterator<Item = OsString>) -> u8 {
    run(args, extract::run)
}

/// [`child_main`] with another extraction.
pub fn run(args: impl IntoIterator<Item = OsString>, extract: Extract) -> u8 {
    let Some(args) = Args::parse(args) else { return status::USAGE };
    // The message of a panic may hold text of the document.
    std::panic::set_hook(Box::new(|info| {
        if let Some(place) = info.location() {
            let _ = writeln!(io::stderr(), "panic {}:{}", place.file(), place.line());
        }
    }));
    // Raising it takes no privilege, but not after the process has become undumpable.
    let _ = std::fs::write("/proc/self/oom_score_adj", "1000");
    if args.parent.is_some_and(|parent| !dies_with(parent)) {
        return status::LOST_PARENT;
    }
    let sandbox = confine(args.memory);
    if args.probe {
        return probe(sandbox).map_or(status::FAILED, |()| status::OK);
    }
    if !sandbox.suffices(args.require) {
        return status::UNCONFINED;
    }
    let options = Options { max_pages: args.max_pages, password: args.password };
    let Ok((pdf, options)) = read(options, args.preamble) else { return status::FAILED };
    if pdf.len() as u64 > MAX_BYTES {
        return status::UNREADABLE;
    }
    let worker =
        std::thread::Builder::new().stack_size(STACK).spawn(move || extract(pdf, &options, &mut |line| write(&line)));
    match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(Ok(()))) => status::OK,
        Ok(Ok(Err(Refused::Encrypted))) => status::ENCRYPTED,
        Ok(Ok(Err(Refused::Unreadable))) => status::UNREADABLE,
        Ok(Ok(Err(Refused::Closed))) | Err(_) => status::FAILED,
        Ok(Err(_)) => status::PANICKED,
    }
}

/// Asks for a SIGKILL at the end of the parent's thread; false when the parent had gone before.
fn dies_with(parent: i32) -> bool {
    set_parent_process_death_signal(Some(Signal::KILL)).is_ok() && getppid() == Pid::from_raw(parent)
}

fn probe(sandbox: SandboxReport) -> io::Result<()> {
    let mut line = serde_json::to_vec(&Probe { sandbox })?;
    line.push(b'\n');
    io::stdout().write_all(&line)
}

/// Reads stdin to its end, or one byte past [`MAX_BYTES`].
fn read(mut options: Options, preamble: bool) -> io::Result<(Vec<u8>, Options)> {
    let mut stdin = io::stdin().lock();
    if preamble {
        let mut line = Vec::new();
        (&mut stdin).take(MAX_PREAMBLE).read_until(b'\n', &mut line)?;
        options.password = Some(serde_json::from_slice::<Preamble>(&line)?.password);
    }
    let mut pdf = Vec::new();
    stdin.take(MAX_BYTES + 1).read_to_end(&mut pdf)?;
    Ok((pdf, options))
}

/// Writes one line at once, so that what came before a crash is kept.
fn write(line: &Line) -> io::Result<()> {
    let mut bytes = serde_json::to_vec(line)?;
    bytes.push(b'\n');
    let mut stdout = io::stdout().lock();
    stdout.write_all(&bytes)?;
    stdout.flush()
}

// === impl Args ===

impl Args {
    /// Nothing when an argument is unknown or has no value that it can have.
    fn parse(args: impl IntoIterator<Item = OsString>) -> Option<Self> {
        let config = super::PdfConfig::default();
        let mut parsed = Self {
            max_pages: config.max_pages,
            memory: config.child_memory,
            parent: None,
            password: None,
            preamble: false,
            require: false,
            probe: false,
        };
        let mut args = args.into_iter();
        while let Some(name) = args.next() {
            let mut value = || args.next()?.into_string().ok();
            match name.to_str()? {
                "--max-pages" => parsed.max_pages = value()?.parse().ok()?,
                "--memory" => parsed.memory = value()?.parse().ok()?,
                "--parent" => parsed.parent = Some(value()?.parse().ok().filter(|&pid| pid > 0)?),
                "--password" => parsed.password = Some(value()?),
                "--preamble" => parsed.preamble = true,
                "--require-sandbox" => parsed.require = true,
                "--probe" => parsed.probe = true,
                _ => return None,
            }
        }
        Some(parsed)
    }
}
