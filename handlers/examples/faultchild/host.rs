//! Parents: processes of their own, because the tests kill, starve or delete them.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use sift_handlers::{
    Content, ContentHandler, ExtractError, Head, Source,
    pdf::{Pdf, PdfConfig, Program},
};
use std::{env, fs::File, io, sync::Arc};

/// The parent of that name.
pub(crate) fn named(mode: &str) -> Option<fn()> {
    Some(match mode {
        "host-hang" => || print_outcome(&run("hang")),
        "host-deleted" => || {
            // The test has deleted the executable when the line comes.
            io::stdin().read_line(&mut String::new()).unwrap();
            print_outcome(&run("tell"));
        },
        "host-starved" => || {
            // Enough for the file, not for the pipes of a child; then enough.
            let runtime = runtime();
            let limit = getrlimit(Resource::Nofile);
            let file = File::open("/dev/null").unwrap();
            let next = rustix::io::dup(&file).unwrap();
            let number = u64::try_from(std::os::fd::AsRawFd::as_raw_fd(&next)).unwrap();
            drop(next);
            setrlimit(Resource::Nofile, Rlimit { current: Some(number + 3), ..limit }).unwrap();
            print_outcome(&runtime.block_on(extract("tell", file.try_clone().unwrap())));
            setrlimit(Resource::Nofile, limit).unwrap();
            print_outcome(&runtime.block_on(extract("tell", file)));
        },
        _ => return None,
    })
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap()
}

fn run(mode: &str) -> Result<usize, ExtractError> {
    runtime().block_on(extract(mode, File::open("/dev/null").unwrap()))
}

async fn extract(mode: &str, file: File) -> Result<usize, ExtractError> {
    let marker = env::args().nth(2).unwrap();
    let program = Program { path: "/proc/self/exe".into(), args: vec![mode.into(), marker.into()] };
    let content = Content::File(file, 0);
    let source = Source { head: Head::default(), base: None, content, reading: Arc::default() };
    Ok(Pdf::new(PdfConfig { program, ..PdfConfig::default() }).extract(source).await?.pages.len())
}

fn print_outcome(outcome: &Result<usize, ExtractError>) {
    println!("{outcome:?}");
}
