//! `sift doctor`: what holds on this machine, and which settings are in force.

use super::{EX_CONFIG, End, load, print, runtime};
use crate::{assemble, config::Loaded};
use sift_handlers::pdf::{self, confine::SandboxReport};
use std::{fmt::Write, path::Path};

pub(super) fn run(path: Option<&Path>) -> Result<u8, End> {
    let Loaded { config, file, values } = load(path)?;
    let pdf = assemble::pdf(&config, None);
    let report = runtime()?.block_on(pdf::probe(&pdf));
    let mut text = String::new();
    let _ = writeln!(text, "sift {}", env!("CARGO_PKG_VERSION"));
    let _ = writeln!(text, "file: {}", file.map_or_else(|| "none".to_owned(), |file| file.display().to_string()));
    let _ = match &report {
        Some(SandboxReport { landlock, seccomp, no_new_privs, limits }) => {
            let yes = |holds: &bool| if *holds { "yes" } else { "NO" };
            let (seccomp, no_new_privs, limits) = (yes(seccomp), yes(no_new_privs), yes(limits));
            let landlock = landlock.as_str();
            writeln!(
                text,
                "sandbox: landlock {landlock}, seccomp {seccomp}, no_new_privs {no_new_privs}, limits {limits}"
            )
        }
        None => writeln!(text, "sandbox: FAILED, a child can't be started or confined; PDFs are answered with 503"),
    };
    let kinds = assemble::handlers(&config, None).kinds();
    match assemble::store(&config, &kinds, assemble::Purpose::Cache, std::sync::Arc::default()) {
        Ok((_, remarks)) => {
            let _ = writeln!(text, "cache: ok");
            for remark in remarks {
                let _ = writeln!(text, "  {remark}");
            }
        }
        Err(error) => {
            let _ = writeln!(text, "cache: {error:#}");
        }
    }
    let _ = writeln!(text, "\nsettings in force:");
    for value in values {
        let _ = writeln!(text, "  {} = {} ({})", value.key.name, value.value, value.origin);
    }
    print(&text)?;
    Ok(if report.is_some() { 0 } else { EX_CONFIG })
}
