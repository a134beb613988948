//! Landlock with no rule: everything it handles is forbidden.

use super::Landlock;
use landlock::{ABI, Access, AccessFs, AccessNet, Ruleset, RulesetAttr, RulesetError, RulesetStatus, Scope};

/// The rights that are taken away: all that Linux 6.12 knows.
const RIGHTS: ABI = ABI::V6;

/// Restricts the calling thread. A process that already has several counts as not restricted at all.
pub(super) fn restrict() -> Landlock {
    if threads() > 1 {
        return Landlock::None;
    }
    match apply() {
        Ok(RulesetStatus::FullyEnforced) => Landlock::Full,
        Ok(RulesetStatus::PartiallyEnforced) => Landlock::Partial,
        Ok(RulesetStatus::NotEnforced) | Err(_) => Landlock::None,
    }
}

/// Best effort is the crate's default: what the kernel doesn't know is left out.
fn apply() -> Result<RulesetStatus, RulesetError> {
    let ruleset = Ruleset::default()
        .handle_access(AccessFs::from_all(RIGHTS))?
        .handle_access(AccessNet::from_all(RIGHTS))?
        .scope(Scope::from_all(RIGHTS))?
        .create()?;
    Ok(ruleset.restrict_self()?.ruleset)
}

/// How many threads the process has; 0 when `/proc` doesn't say.
fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").map_or(0, Iterator::count)
}
