//! What a child costs before it reads a byte. The benchmark is its own child.

#![allow(clippy::unwrap_used, reason = "a part of the tests")]

use divan::Bencher;
use sift_handlers::pdf::{PdfConfig, Program, child_main, probe};
use std::{
    env,
    process::{Command, ExitCode, Stdio},
};

fn main() -> ExitCode {
    match env::args().nth(1).as_deref() {
        Some("pdftext") => child_main(env::args_os().skip(2)).into(),
        Some("nothing") => ExitCode::SUCCESS,
        _ => {
            divan::main();
            ExitCode::SUCCESS
        }
    }
}

/// Starts, locks itself in, says so, ends, is reaped: as the service starts it.
#[divan::bench(sample_count = 500)]
fn confined(bencher: Bencher) {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let program = Program { path: env::current_exe().unwrap(), args: vec!["pdftext".into()] };
    let config = PdfConfig { program, ..PdfConfig::default() };
    bencher.bench_local(|| runtime.block_on(probe(&config)).unwrap());
}

/// The floor: the same program, started by the standard library, that ends at once.
#[divan::bench(sample_count = 500)]
fn bare(bencher: Bencher) {
    let program = env::current_exe().unwrap();
    bencher.bench_local(|| {
        Command::new(&program).arg("nothing").env_clear().stdout(Stdio::piped()).output().unwrap();
    });
}
