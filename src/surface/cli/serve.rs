//! `sift serve`.

use super::{EX_CONFIG, EX_TEMPFAIL, End, runtime};
use crate::{
    admin,
    assemble::{self, Purpose, Sift},
    config::{self, Loaded},
    serve, stack,
    store::OpenError,
    telemetry,
};
use anyhow::Context;
use sift_layers::auth::Callers;
use std::path::Path;
use tokio::net::TcpListener;

pub(super) fn run(path: Option<&Path>) -> Result<u8, End> {
    Ok(0)
}
