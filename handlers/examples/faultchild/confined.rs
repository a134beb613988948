//! Doubles of the extraction, run by the real child behind its real locks.

use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, apply_filter};
use sift_handlers::pdf::{
    extract::Refused,
    inside::Extract,
    wire::{End, Line, Meta},
};
use std::{
    fs::File,
    io::{self, Write},
    net::TcpStream,
    os::unix::process::CommandExt,
    process::Command,
    sync::OnceLock,
    thread,
    time::Duration,
};

type Emit<'a> = &'a mut dyn FnMut(Line) -> io::Result<()>;

/// A descriptor above 2, as a careless parent would leave one open.
static INHERITED: OnceLock<File> = OnceLock::new();

/// The double of that name. Some first make the kernel older than it is.
pub(crate) fn extraction(mode: &str) -> Option<Extract> {
    match mode {
        "no-landlock" => without(&[libc::SYS_landlock_create_ruleset]),
        "no-seccomp" => without(&[libc::SYS_seccomp]),
        "write-inherited" => {
            let copy = rustix::io::dup(io::stdout()).unwrap();
            INHERITED.set(copy.into()).unwrap();
        }
        _ => {}
    }
    Some(match mode {
        "tell" | "no-landlock" | "no-seccomp" => |pdf, options, emit| {
            let variables = std::env::vars_os().count();
            let told = format!("{} bytes, password {:?}, {variables} variables", pdf.len(), options.password);
            let args: Vec<_> = std::env::args().skip(3).collect();
            pages(emit, &[&told, &args.join(" ")])
        },
        "encrypted" => |_, _, _| Err(Refused::Encrypted),
        "blank" => |_, _, emit| pages(emit, &[" ", "\n"]),
        "threads" => |_, _, emit| {
            let sums = (0..4).map(|from| thread::spawn(move || (from..1000).sum::<u64>()));
            let sum: u64 = sums.collect::<Vec<_>>().into_iter().map(|sum| sum.join().unwrap()).sum();
            pages(emit, &[&sum.to_string()])
        },
        "slow" => |_, _, emit| {
            thread::sleep(Duration::from_millis(500));
            pages(emit, &["late"])
        },
        "hang" => |_, _, _| {
            loop {
                thread::sleep(Duration::from_secs(1));
            }
        },
        "panic" => |_, _, emit| {
            pages_of(emit, 12, &["one", "two"]);
            panic!("the text of the document")
        },
        "recursion" => |_, _, emit| {
            pages_of(emit, 12, &["one"]);
            let depth = deeper(0);
            pages(emit, &[&depth.to_string()])
        },
        "memory" => |_, _, emit| {
            pages_of(emit, 12, &["one"]);
            let hog = vec![1_u8; 1 << 30];
            pages(emit, &[&hog.len().to_string()])
        },
        "loop" => |_, _, _| {
            loop {
                std::hint::spin_loop();
            }
        },
        "open" => |_, _, emit| outcome(emit, &File::open("/etc/passwd")),
        "create" => |_, _, emit| outcome(emit, &File::create("/tmp/sift-faultchild")),
        "environ" => |_, _, emit| outcome(emit, &std::fs::read(format!("/proc/{}/environ", std::process::id()))),
        "connect" => |_, _, emit| outcome(emit, &TcpStream::connect(("127.0.0.1", 9))),
        "exec" => |_, _, emit| outcome(emit, &Err::<(), _>(Command::new("/bin/true").exec())),
        "fork" => |_, _, emit| outcome(emit, &Command::new("/bin/true").status()),
        "kill-parent" => |_, _, emit| {
            let parent = rustix::process::getppid().unwrap();
            outcome(emit, &rustix::process::test_kill_process(parent))
        },
        "be-traced" => |_, _, emit| outcome(emit, &rustix::process::set_ptracer(rustix::process::PTracer::Any)),
        "write-inherited" => |_, _, emit| outcome(emit, &INHERITED.get().unwrap().write_all(b"{}\n")),
        "write-stdin" => |_, _, emit| outcome(emit, &rustix::io::write(io::stdin(), b"x")),
        _ => return None,
    })
}

/// A whole document of these pages.
fn pages(emit: Emit<'_>, texts: &[&str]) -> Result<(), Refused> {
    let count = u32::try_from(texts.len()).unwrap();
    pages_of(emit, count, texts);
    emit(Line { end: Some(End { pages: count }), ..Line::default() }).map_err(|_| Refused::Closed)
}

/// The first pages of a document of `total` pages.
fn pages_of(emit: Emit<'_>, total: u32, texts: &[&str]) {
    let meta = Meta { pages: total, ..Meta::default() };
    emit(Line { meta: Some(meta), ..Line::default() }).unwrap();
    for (number, text) in (1..).zip(texts) {
        emit(Line { page: Some(number), text: Some((*text).to_owned()), ..Line::default() }).unwrap();
    }
}

/// How an attempt to get out ended, when it didn't end the child.
fn outcome<T, E>(emit: Emit<'_>, attempt: &Result<T, E>) -> Result<(), Refused> {
    pages(emit, &[if attempt.is_ok() { "escaped" } else { "refused" }])
}

fn deeper(depth: u64) -> u64 {
    let room = std::hint::black_box([depth; 128]);
    if depth == u64::MAX { depth } else { deeper(depth + 1) + room[7] }
}

/// Plays a kernel that lacks these system calls.
fn without(calls: &[i64]) {
    let rules = calls.iter().map(|&call| (call, Vec::new())).collect();
    let absent = SeccompAction::Errno(libc::ENOSYS.unsigned_abs());
    let arch = std::env::consts::ARCH.try_into().unwrap();
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, absent, arch).unwrap();
    apply_filter(&BpfProgram::try_from(filter).unwrap()).unwrap();
}
