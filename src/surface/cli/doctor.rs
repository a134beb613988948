//! `sift doctor`: what holds on this machine, and which settings are in force.

use super::{End, print, runtime};
use crate::{assemble, config};
use sift_handlers::pdf;
use std::{fmt::Write, path::Path};

pub(super) fn run(path: Option<&Path>) -> Result<u8, End> {
    Ok(0)
}
