//! The child of the tests in `tests/child`: the real one, one with a double of the extraction in the real sandbox, or
//! one that plays a fault. `faultchild MODE MARKER …`; the marker only makes the process findable.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a part of the tests")]

mod confined;
mod host;
mod script;

use sift_handlers::pdf::{child_main, inside};
use std::{env, process::ExitCode};

fn main() -> ExitCode {
    let mut args = env::args_os().skip(1);
    let mode = args.next().and_then(|mode| mode.into_string().ok()).unwrap_or_default();
    let args = args.skip(1);
    if mode == "pdftext" {
        child_main(args).into()
    } else if let Some(extract) = confined::extraction(&mode) {
        inside::run(args, extract).into()
    } else if let Some(play) = script::named(&mode) {
        play();
        ExitCode::SUCCESS
    } else if let Some(host) = host::named(&mode) {
        host();
        ExitCode::SUCCESS
    } else {
        panic!("no mode {mode:?}")
    }
}
