//! `sift cache stats` and `sift cache clear`.

use super::{EX_TEMPFAIL, End, load, print, runtime, say};
use crate::assemble;
use anyhow::anyhow;
use clap::Subcommand;
use sift_layers::{Class, Store};
use std::{fmt::Write, path::Path};

/// What to do with the cache.
#[derive(Clone, Copy, Debug, Subcommand)]
pub(super) enum CacheCommand {
    /// What the cache holds, by partition.
    Stats,
    /// Drop what the cache holds.
    Clear {
        /// Only what is no longer fresh.
        #[arg(long)]
        expired: bool,
    },
}

pub(super) fn run(config: Option<&Path>, command: CacheCommand) -> Result<u8, End> {
    let config = load(config)?.config;
    let kinds = assemble::handlers(&config, None).kinds();
    runtime()?.block_on(async {
        let (store, remarks) = assemble::store(&config, &kinds, assemble::Purpose::Cache, std::sync::Arc::default())
            .map_err(|error| End::Start(EX_TEMPFAIL, error))?;
        for remark in remarks {
            say(&remark);
        }
        let mut text = String::new();
        for class in Class::ALL {
            let failed = |error| End::Start(1, anyhow!("the cache can't be read: {error}"));
            let name = class.as_str();
            match command {
                CacheCommand::Stats => {
                    let found = store.statistics(class).await.map_err(failed)?;
                    let _ = writeln!(text, "{name}: {} entries, {} bytes", found.entries, found.bytes);
                    for (kind, count) in found.kinds {
                        let _ = writeln!(text, "  {kind}: {count}");
                    }
                }
                CacheCommand::Clear { expired } => {
                    let dropped = store.clear(class, expired).await.map_err(failed)?;
                    let _ = writeln!(text, "{name}: dropped {} entries, {} bytes", dropped.entries, dropped.bytes);
                }
            }
        }
        print(&text)?;
        Ok(0)
    })
}
