//! The locks a child puts on itself before it reads a byte. None can be taken off again.

mod landlock;
mod limits;
mod seccomp;

use rustix::process::{DumpableBehavior, set_dumpable_behavior};
use serde::{Deserialize, Serialize};

/// Which locks hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SandboxReport {
    /// No file, no TCP, no abstract socket, no signal to other processes.
    pub landlock: Landlock,
    /// Only the system calls that an extraction needs, and only on its own three descriptors.
    pub seccomp: bool,
    /// No set-user-ID program gives rights, and no process of the same user looks in.
    pub no_new_privs: bool,
    /// Memory, processor time, files, core dumps.
    pub limits: bool,
}

/// How much of the Landlock rules the kernel enforces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Landlock {
    /// All of them.
    Full,
    /// Those that an older kernel knows: files at least.
    Partial,
    /// None.
    None,
}

/// Confines the calling process for good; `memory` is its `RLIMIT_DATA` in bytes.
///
/// Call it from the only thread of the process: Landlock binds a thread and those it starts.
pub fn confine(memory: u64) -> SandboxReport {
    let no_new_privs =
        rustix::thread::set_no_new_privs(true).is_ok() && set_dumpable_behavior(DumpableBehavior::NotDumpable).is_ok();
    let limits = limits::set(memory);
    let landlock = landlock::restrict();
    SandboxReport { landlock, seccomp: seccomp::install(), no_new_privs, limits }
}

// === impl SandboxReport ===

impl SandboxReport {
    /// Whether enough holds: seccomp in any case, the rest when it is `required`.
    pub fn suffices(&self, required: bool) -> bool {
        self.seccomp && (!required || (self.landlock != Landlock::None && self.no_new_privs && self.limits))
    }
}

// === impl Landlock ===

impl Landlock {
    /// `full`, `partial` or `none`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Partial => "partial",
            Self::None => "none",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seccomp_is_always_required_and_the_rest_on_demand() {
        let full = SandboxReport { landlock: Landlock::Full, seccomp: true, no_new_privs: true, limits: true };
        let cases = [
            (full, true, true),
            (SandboxReport { landlock: Landlock::Partial, ..full }, true, true),
            (SandboxReport { landlock: Landlock::None, ..full }, true, false),
            (SandboxReport { no_new_privs: false, ..full }, true, false),
            (SandboxReport { limits: false, ..full }, true, false),
            (SandboxReport { seccomp: false, ..full }, false, false),
        ];
        for (report, best_effort, required) in cases {
            assert_eq!((report.suffices(false), report.suffices(true)), (best_effort, required), "{report:?}");
        }
    }
}
