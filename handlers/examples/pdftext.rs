//! Reads a PDF on stdin and prints its lines, as the child does, without the confinement.
//!
//! `pdftext [--max-pages N] [--password P] < FILE.pdf`; exit status 0, 3 (encrypted) or 4 (unreadable).
#![expect(clippy::print_stderr, reason = "a program")]

use sift_handlers::pdf::extract::{Options, Refused, run};
use std::{
    io::{self, Read as _, Write as _},
    process::ExitCode,
};

fn main() -> ExitCode {
    let mut options = Options { max_pages: 2000, password: None };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match (argument.as_str(), arguments.next()) {
            ("--max-pages", Some(number)) => options.max_pages = number.parse().unwrap_or(options.max_pages),
            ("--password", Some(password)) => options.password = Some(password).filter(|given| !given.is_empty()),
            _ => {
                eprintln!("usage: pdftext [--max-pages N] [--password P] < FILE.pdf");
                return ExitCode::from(2);
            }
        }
    }
    let mut pdf = Vec::new();
    if io::stdin().read_to_end(&mut pdf).is_err() {
        return ExitCode::FAILURE;
    }
    std::panic::set_hook(Box::new(|_| {}));
    let work = move || {
        let mut out = io::stdout().lock();
        run(pdf, &options, &mut |line| {
            let mut text = serde_json::to_vec(&line)?;
            text.push(b'\n');
            out.write_all(&text)?;
            out.flush()
        })
    };
    let done = std::thread::Builder::new().stack_size(64 << 20).spawn(work).map(std::thread::JoinHandle::join);
    match done {
        Ok(Ok(Ok(()))) => ExitCode::SUCCESS,
        Ok(Ok(Err(Refused::Encrypted))) => ExitCode::from(3),
        Ok(Ok(Err(Refused::Unreadable))) => ExitCode::from(4),
        _ => ExitCode::FAILURE,
    }
}
