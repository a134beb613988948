//! The system calls that an extraction needs. Two filters: the kernel takes the stricter answer of both.
//!
//! Descriptors above 2 can't be closed here without `unsafe`. Instead the filter lets no call reach one: reading is
//! allowed on 0, writing on 1 and 2, and memory comes from nowhere but the anonymous mapping.

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    apply_filter_all_threads,
};
use std::collections::BTreeMap;

/// Allowed with any arguments.
const ALLOWED: &[i64] = &[
    libc::SYS_brk,
    libc::SYS_clock_gettime,
    libc::SYS_clock_nanosleep,
    libc::SYS_close,
    libc::SYS_exit,
    libc::SYS_exit_group,
    libc::SYS_fstat,
    libc::SYS_futex,
    libc::SYS_getpid,
    libc::SYS_getrandom,
    libc::SYS_gettid,
    libc::SYS_madvise,
    libc::SYS_mremap,
    libc::SYS_munmap,
    libc::SYS_nanosleep,
    libc::SYS_restart_syscall,
    libc::SYS_rseq,
    libc::SYS_rt_sigaction,
    libc::SYS_rt_sigprocmask,
    libc::SYS_rt_sigreturn,
    libc::SYS_sched_getaffinity,
    libc::SYS_sched_yield,
    libc::SYS_set_robust_list,
    libc::SYS_sigaltstack,
];

/// What the standard and the C library try and can do without: answered with ENOSYS, not with death. `clone3` is among
/// them because its flags stand behind a pointer; the C library goes on with `clone`.
const ABSENT: &[i64] = &[
    libc::SYS_clone3,
    libc::SYS_ioctl,
    libc::SYS_newfstatat,
    libc::SYS_openat,
    libc::SYS_prlimit64,
    libc::SYS_readlinkat,
    libc::SYS_statx,
    libc::SYS_tkill,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_open,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_readlink,
    #[cfg(target_arch = "x86_64")]
    libc::SYS_stat,
];

type Filter = Result<BpfProgram, seccompiler::BackendError>;

/// Installs both filters on every thread of the process. False when the kernel or the machine has no seccomp.
pub(super) fn install() -> bool {
    // Both are built before the first is in force: building allocates and may ask for more than the filters allow.
    let (Ok(absent), Ok(allowed)) = (absent(), allowed()) else { return false };
    apply_filter_all_threads(&absent).is_ok() && apply_filter_all_threads(&allowed).is_ok()
}

fn absent() -> Filter {
    let rules = ABSENT.iter().map(|&call| (call, Vec::new())).collect();
    build(rules, SeccompAction::Allow, SeccompAction::Errno(libc::ENOSYS.unsigned_abs()))
}

fn allowed() -> Filter {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> =
        ALLOWED.iter().chain(ABSENT).map(|&call| (call, Vec::new())).collect();
    let no_exec = |argument| has(argument, libc::PROT_EXEC, 0);
    rules.extend([
        (libc::SYS_read, vec![rule([is(0, 0)?])?]),
        (libc::SYS_readv, vec![rule([is(0, 0)?])?]),
        (libc::SYS_lseek, vec![rule([is(0, 0)?])?]),
        (libc::SYS_write, vec![rule([is(0, 1)?])?, rule([is(0, 2)?])?]),
        (libc::SYS_writev, vec![rule([is(0, 1)?])?, rule([is(0, 2)?])?]),
        (libc::SYS_mmap, vec![rule([no_exec(2)?, has(3, libc::MAP_ANONYMOUS, libc::MAP_ANONYMOUS)?])?]),
        (libc::SYS_mprotect, vec![rule([no_exec(2)?])?]),
        (libc::SYS_clone, vec![rule([has(0, libc::CLONE_THREAD, libc::CLONE_THREAD)?])?]),
        (libc::SYS_prctl, vec![rule([is(0, libc::PR_SET_NAME)?])?, rule([is(0, libc::PR_SET_VMA)?])?]),
        // An abort signals its own process, and nothing else may be signalled.
        (libc::SYS_tgkill, vec![rule([is(0, std::process::id().cast_signed())?])?]),
    ]);
    build(rules, SeccompAction::KillProcess, SeccompAction::Allow)
}

fn build(rules: BTreeMap<i64, Vec<SeccompRule>>, other: SeccompAction, listed: SeccompAction) -> Filter {
    SeccompFilter::new(rules, other, listed, std::env::consts::ARCH.try_into()?)?.try_into()
}

fn rule<const N: usize>(conditions: [SeccompCondition; N]) -> Result<SeccompRule, seccompiler::BackendError> {
    SeccompRule::new(conditions.into())
}

/// The argument is `value`.
fn is(argument: u8, value: i32) -> Result<SeccompCondition, seccompiler::BackendError> {
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::Eq, u64::from(value.cast_unsigned()))
}

/// The bits `mask` of the argument are `bits`.
fn has(argument: u8, mask: i32, bits: i32) -> Result<SeccompCondition, seccompiler::BackendError> {
    let (mask, bits) = (u64::from(mask.cast_unsigned()), u64::from(bits.cast_unsigned()));
    SeccompCondition::new(argument, SeccompCmpArgLen::Dword, SeccompCmpOp::MaskedEq(mask), bits)
}
