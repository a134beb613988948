//! Host names that no public host has. They are refused before anybody is asked about them.

/// The longest name and the longest label, in bytes, without the dot at the end.
const LONGEST: usize = 253;
const LONGEST_LABEL: usize = 63;

/// Names that stand for this machine, this network, or a network of another kind.
const SPECIAL: &[&str] = &["localhost", "local", "internal", "home.arpa", "onion", "i2p"];

/// A name without the dot that makes it absolute.
pub(super) fn without_dot(host: &str) -> &str {
    host.strip_suffix('.').unwrap_or(host)
}

/// Whether a name is one at all: labels of a proper length, the last of which is no number.
pub(super) fn is_sound(host: &str) -> bool {
    let host = without_dot(host);
    let proper = |label: &str| !label.is_empty() && label.len() <= LONGEST_LABEL;
    let last = host.rsplit('.').next().unwrap_or_default();
    host.len() <= LONGEST && host.split('.').all(proper) && !last.bytes().all(|byte| byte.is_ascii_digit())
}

/// Whether a sound name can be a public host's. One without a dot would be completed by the machine's search list.
pub(super) fn is_public(host: &str) -> bool {
    let host = without_dot(host);
    host.contains('.') && !SPECIAL.iter().any(|special| is_below(host, special))
}

fn is_below(host: &str, parent: &str) -> bool {
    let Some(at) = host.len().checked_sub(parent.len()) else { return false };
    let (above, tail) = host.as_bytes().split_at(at);
    tail.eq_ignore_ascii_case(parent.as_bytes()) && (above.is_empty() || above.ends_with(b"."))
}
