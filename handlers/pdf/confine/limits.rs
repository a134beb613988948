//! Resource limits. Not the number of processes: `RLIMIT_NPROC` counts all threads of the user, the service included,
//! and seccomp forbids new processes anyway.

use rustix::{
    fs::FileType,
    process::{Resource, Rlimit, getrlimit, setrlimit},
};
use std::os::fd::AsFd;

/// Processor seconds before SIGXCPU. The deadline of the parent is on the clock and comes first as a rule.
const CPU_SECONDS: u64 = 60;
/// The wide fence: reservations count, too, such as stacks and the arenas of the allocator.
const ADDRESS_SPACE: u64 = 2 << 30;

/// Sets all limits; `memory` is for private writable memory, in bytes. False when one could not be set.
pub(super) fn set(memory: u64) -> bool {
    let limits = [
        (Resource::Core, 0, 0),
        (Resource::Nofile, 16, 16),
        (Resource::Cpu, CPU_SECONDS, CPU_SECONDS + 10),
        (Resource::As, ADDRESS_SPACE, ADDRESS_SPACE),
        (Resource::Data, memory, memory),
    ];
    // At a terminal the text may go to a file; there the limit on file sizes would end the child.
    let writes_files = is_file(std::io::stdout()) || is_file(std::io::stderr());
    let files = (!writes_files).then_some((Resource::Fsize, 0, 0));
    limits.into_iter().chain(files).fold(true, |held, (resource, soft, hard)| lower(resource, soft, hard) && held)
}

/// Lowers one limit; one that is lower already stays.
fn lower(resource: Resource, soft: u64, hard: u64) -> bool {
    let now = getrlimit(resource);
    let least = |now: Option<u64>, wanted: u64| Some(now.map_or(wanted, |now| now.min(wanted)));
    setrlimit(resource, Rlimit { current: least(now.current, soft), maximum: least(now.maximum, hard) }).is_ok()
}

fn is_file(fd: impl AsFd) -> bool {
    rustix::fs::fstat(fd).is_ok_and(|stat| FileType::from_raw_mode(stat.st_mode) == FileType::RegularFile)
}
