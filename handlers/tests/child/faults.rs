//! Everything a child can do wrong, and what the parent makes of it.

use crate::job::{Job, faultchild};
use sift_handlers::{ExtractError as X, pdf::ChildEnd as E};
use std::{
    fs,
    process::{Command, Stdio},
    time::Duration,
};
use tokio::time::Instant;

#[tokio::test]
async fn a_kill_for_want_of_memory_leaves_the_pages_before() {
    Job::new("killed").run().await.salvaged(&["one"], 12, E::Killed);
}

#[tokio::test]
async fn half_a_line_and_an_abort_leave_the_pages_before() {
    Job::new("half-line").run().await.salvaged(&["one"], 2, E::Crashed);
    Job::new("half-first-line").run().await.failed(X::Unreadable, E::Crashed);
}

#[tokio::test]
async fn pages_without_the_sentinel_are_a_salvage() {
    let outcome = Job::new("no-sentinel").run().await;
    assert_eq!((outcome.texts(), outcome.end), (vec!["one", "two"], Some(E::Protocol)));
    assert!(!outcome.result.unwrap().complete);
}

#[tokio::test]
async fn a_flood_ends_the_child_at_once_and_the_parent_stays_small() {
    let start = Instant::now();
    Job::new("flood").run().await.failed(X::TooLarge, E::TooLarge);
    Job::new("long-line").run().await.failed(X::TooLarge, E::TooLarge);
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok());
    assert!(peak.is_some_and(|kib: u64| kib < 300 << 10), "{peak:?} KiB at the peak");
}

#[tokio::test]
async fn a_loud_error_stream_changes_nothing() {
    let outcome = Job::new("stderr").run().await;
    assert_eq!((outcome.texts(), outcome.end), (vec!["one", "two"], Some(E::Ok)));
}

#[tokio::test]
async fn the_deadline_ends_what_does_not_end_by_itself() {
    for mode in ["loop", "hang", "deaf", "grandchild"] {
        let start = Instant::now();
        let outcome = Job::new(mode).deadline(Duration::from_secs(1)).run().await;
        assert!(start.elapsed() < Duration::from_secs(2), "{mode}: {:?}", start.elapsed());
        outcome.failed(X::TimedOut, E::TimedOut);
    }
    let deaf = Job::new("deaf").deadline(Duration::from_secs(1)).pdf(vec![0; 8 << 20]).password("p");
    deaf.run().await.failed(X::TimedOut, E::TimedOut);
}

#[tokio::test]
async fn the_deadline_lets_finish_what_ends_in_time() {
    let outcome = Job::new("slow").deadline(Duration::from_secs(10)).run().await;
    assert_eq!((outcome.texts(), outcome.end), (vec!["late"], Some(E::Ok)));
}

#[tokio::test]
async fn deep_recursion_and_a_hog_of_memory_end_only_the_child() {
    Job::new("recursion").run().await.salvaged(&["one"], 12, E::Crashed);
    Job::new("memory").run().await.salvaged(&["one"], 12, E::Crashed);
}

#[tokio::test]
async fn a_panic_leaves_the_pages_before() {
    let outcome = Job::new("panic").run().await;
    outcome.salvaged(&["one", "two"], 12, E::Crashed);
    assert_eq!(outcome.result.unwrap().note.as_deref(), Some("only pages 1-2 of 12 could be read"));
}

#[test]
fn a_panic_names_its_place_and_no_text() {
    let child = Command::new(faultchild()).args(["panic", "-"]).stdin(Stdio::null()).output().unwrap();
    let said = String::from_utf8(child.stderr).unwrap();
    assert_eq!(child.status.code(), Some(101));
    assert!(
        said.starts_with("panic ") && said.lines().count() == 1 && !said.contains("text of the document"),
        "{said}"
    );
}

#[tokio::test]
async fn a_child_may_answer_before_it_has_read_everything() {
    // With a password the PDF goes through a pipe, which nobody empties.
    let outcome = Job::new("early").pdf(vec![0; 8 << 20]).password("p").run().await;
    assert_eq!((outcome.texts(), outcome.end), (vec!["one", "two"], Some(E::Ok)));
}

#[tokio::test]
async fn writing_and_reading_at_once_never_deadlocks() {
    let outcome = Job::new("late-reader").pdf(vec![0; 8 << 20]).password("p").run().await;
    assert_eq!((outcome.texts().len(), outcome.end), (2, Some(E::Ok)));
}

#[tokio::test]
async fn hostile_lines_are_no_document() {
    Job::new("many-pages").run().await.salvaged(&["one"], 2, E::Protocol);
    for mode in ["negative-page", "surrogate", "nested", "not-utf-8"] {
        Job::new(mode).run().await.failed(X::Unreadable, E::Protocol);
    }
}

#[tokio::test]
async fn refusals_of_the_child_are_refusals_of_the_document() {
    Job::new("encrypted").run().await.failed(X::Encrypted, E::Refused);
    Job::new("blank").run().await.failed(X::NoTextLayer, E::Ok);
    Job::new("pdftext").pdf(b"not a PDF".to_vec()).run().await.failed(X::Unreadable, E::Refused);
}

#[tokio::test]
async fn a_program_that_is_not_there_is_a_fault_of_ours() {
    let mut job = Job::new("tell");
    job.config.program.path = "/nonexistent/sift".into();
    let outcome = job.run().await;
    assert_eq!((outcome.result.unwrap_err(), outcome.end), (X::Crashed, None));
}
