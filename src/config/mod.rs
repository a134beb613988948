//! The configuration: one TOML file, every key with a default, every key overridable by the environment.
//!
//! [`KEYS`] is the whole list. The process's environment is only ever seen through a closure, so nothing here depends on
//! where it runs.

mod callers;
mod error;
mod file;
mod keys;
mod sections;
mod units;
mod values;

pub use error::ConfigError;
pub use keys::{CALLER_KEYS, KEYS, Key, nearest};
pub use sections::{Admin, Cache, Egress, Limits, LogFormat, Pdf, Reach, Sandbox, Server, Telemetry, Ttl, View};
pub use values::{Effective, Origin};

use sift_layers::auth::Known;
use std::path::{Path, PathBuf};
use values::Values;

/// How the environment is seen: the value of a variable, if it is set.
pub type Env<'a> = &'a dyn Fn(&str) -> Option<String>;

/// A configuration and how it came about.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// What holds.
    pub config: Config,
    /// The file, if there is one.
    pub file: Option<PathBuf>,
    /// Every key with its value and where that came from, in the order of [`KEYS`].
    pub values: Vec<Effective>,
}

/// What the operator decided.
#[derive(Clone, Debug)]
pub struct Config {
    /// The service.
    pub server: Server,
    /// Its own address for health and metrics.
    pub admin: Admin,
    /// What may be fetched from.
    pub egress: Egress,
    /// Reading PDFs.
    pub pdf: Pdf,
    /// Sizes and times of downloads.
    pub limits: Limits,
    /// What is kept, and how long.
    pub cache: Cache,
    /// The size of answers.
    pub view: View,
    /// Logs and spans.
    pub telemetry: Telemetry,
    /// Who may ask; empty: everybody on this machine.
    pub callers: Vec<Known>,
}

/// Loads the configuration: the file at `path`, else at `SIFT_CONFIG`, else the user's own if there is one.
pub fn load(path: Option<&Path>, env: Env<'_>) -> Result<Loaded, ConfigError> {
    let file = file::read(path, env)?;
    let (path, callers) = (file.path.clone(), callers::read(&file)?);
    let values = Values::new(file, env);
    Ok(Loaded { config: Config::new(&values, callers, env)?, file: path, values: values.effective() })
}

// === impl Config ===

impl Config {
    /// Refuses to serve other machines without knowing who asks.
    pub fn may_serve(&self) -> Result<(), ConfigError> {
        let listen = self.server.listen;
        if self.callers.is_empty() && !listen.ip().to_canonical().is_loopback() {
            return Err(ConfigError::OpenToAll { listen });
        }
        Ok(())
    }

    fn new(values: &Values, callers: Vec<Known>, env: Env<'_>) -> Result<Self, ConfigError> {
        Ok(Self {
            server: Server::new(values)?,
            admin: Admin { listen: values.socket("admin.listen")? },
            egress: Egress::new(values)?,
            pdf: Pdf::new(values)?,
            limits: Limits::new(values)?,
            cache: Cache::new(values, env)?,
            view: View::new(values)?,
            telemetry: Telemetry::new(values)?,
            callers,
        })
    }
}

#[cfg(test)]
mod tests;
