//! What is wrong with a configuration, in one sentence for the operator.

use std::{net::SocketAddr, path::PathBuf};
use thiserror::Error;

/// Why a configuration can't be used. `Display` is the whole message.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ConfigError {
    /// A file that was asked for can't be read.
    #[error("{} can't be read: {why}", path.display())]
    Unreadable {
        /// Which one.
        path: PathBuf,
        /// The operating system's word for it.
        why: String,
    },
    /// The file is not TOML.
    #[error("{} is not valid TOML{}: {what}", path.display(), line.map(|line| format!(" in line {line}")).unwrap_or_default())]
    Syntax {
        /// Which one.
        path: PathBuf,
        /// The line, counted from 1.
        line: Option<usize>,
        /// What is wrong with it.
        what: String,
    },
    /// A key or section that this version doesn't have.
    #[error("unknown key `{name}`{}", nearest.as_ref().map(|nearest| format!("; did you mean `{nearest}`?")).unwrap_or_default())]
    UnknownKey {
        /// Its full name.
        name: String,
        /// The known one that looks most like it.
        nearest: Option<String>,
    },
    /// A value that its key can't have.
    #[error("`{key}` is {value} ({origin}), but must be {expected}")]
    Value {
        /// The key.
        key: String,
        /// The value, as written.
        value: String,
        /// Where it came from.
        origin: String,
        /// What the key wants.
        expected: String,
    },
    /// Something is wrong with a caller. The values of its token are never part of the sentence.
    #[error("caller {caller}: {what}")]
    Caller {
        /// Its name, or its number in the file when it has none.
        caller: String,
        /// What is wrong.
        what: String,
    },
    /// The service would be open to other machines without knowing who asks.
    #[error(
        "`server.listen` is {listen}, which other machines may reach, but no caller is configured: add a [[caller]] with \
         `name`, `class` and `token_sha256`, or listen on 127.0.0.1:{}",
        listen.port()
    )]
    OpenToAll {
        /// The address.
        listen: SocketAddr,
    },
}
