//! The `sift` binary: everything is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    sift::surface::cli::run(std::env::args_os().collect())
}
