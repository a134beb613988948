//! Behind the locks: what the child may do, what it may not, and what happens where a lock is missing.

use crate::job::{Job, faultchild};
use sift_handlers::{
    Content, ContentHandler, ContentHash, ExtractError as X, Source,
    pdf::{ChildEnd as E, Pdf, probe},
};
use std::{
    fs::File,
    io::Write,
    process::{Command, Stdio},
};

#[tokio::test]
async fn a_confined_child_reads_its_input_and_tells_what_it_was_given() {
    let outcome = Job::new("tell").pdf(vec![0; 3 << 20]).run().await;
    assert_eq!(outcome.end, Some(E::Ok));
    assert_eq!(outcome.texts()[0], "3145728 bytes, password None, 0 variables");
    let args = format!("--max-pages 2000 --memory 402653184 --parent {}", std::process::id());
    assert_eq!(outcome.texts()[1], args);
}

#[tokio::test]
async fn a_password_comes_on_stdin_and_not_on_the_command_line() {
    let outcome = Job::new("tell").pdf(vec![0; 3 << 20]).password("s3\n\"cret").run().await;
    assert_eq!(outcome.texts()[0], "3145728 bytes, password Some(\"s3\\n\\\"cret\"), 0 variables");
    assert!(outcome.texts()[1].ends_with("--preamble") && !outcome.texts()[1].contains("cret"));
}

#[tokio::test]
async fn a_body_in_a_file_is_read_and_hashed_like_one_in_memory() {
    let body = vec![b'x'; 3 << 20];
    for password in [None, Some("p")] {
        let mut job = Job::new("tell").pdf(body.clone());
        job.password = password;
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&body).unwrap();
        std::io::Seek::rewind(&mut file).unwrap();
        let in_file = Source { content: Content::File(file, body.len() as u64), ..job.source() };
        for source in [job.source(), in_file] {
            let document = Pdf::new(job.config.clone()).extract(source).await.unwrap();
            assert!(document.pages[0].text().starts_with("3145728 bytes"));
            assert_eq!((document.content_hash, document.source_bytes), (ContentHash::of(&body), 3 << 20));
        }
    }
}

#[tokio::test]
async fn an_extraction_may_start_threads() {
    let outcome = Job::new("threads").run().await;
    assert_eq!((outcome.texts().len(), outcome.end), (1, Some(E::Ok)));
}

#[tokio::test]
async fn files_are_out_of_reach() {
    for mode in ["open", "create", "environ"] {
        let outcome = Job::new(mode).run().await;
        assert_eq!((outcome.texts(), outcome.end), (vec!["refused"], Some(E::Ok)), "{mode}");
    }
}

#[tokio::test]
async fn sockets_processes_signals_and_other_descriptors_are_death() {
    for mode in ["connect", "exec", "fork", "kill-parent", "be-traced", "write-inherited", "write-stdin"] {
        let outcome = Job::new(mode).run().await;
        // The document is unread before an attempt, so no page was saved.
        assert_eq!((outcome.result.as_ref().err(), outcome.end), (Some(&X::TooComplex), Some(E::PolicyKill)), "{mode}");
    }
}

#[tokio::test]
async fn a_probe_tells_which_locks_hold() {
    let report = probe(&Job::new("pdftext").config).await.unwrap();
    assert!(report.seccomp && report.no_new_privs && report.limits, "{report:?}");
    let report = probe(&Job::new("no-landlock").config).await.unwrap();
    assert_eq!((report.landlock.as_str(), report.seccomp), ("none", true));
    let report = probe(&Job::new("no-seccomp").config).await.unwrap();
    assert!(!report.seccomp);
    assert_eq!(probe(&Job::new("early").config).await, None, "another answer is none");
}

#[tokio::test]
async fn a_missing_landlock_matters_only_where_the_sandbox_is_required() {
    let outcome = Job::new("no-landlock").run().await;
    assert_eq!((outcome.texts().len(), outcome.end), (2, Some(E::Ok)));
    Job::new("no-landlock").require_sandbox().run().await.failed(X::SandboxUnavailable, E::Unconfined);
}

#[tokio::test]
async fn a_missing_seccomp_matters_everywhere() {
    Job::new("no-seccomp").run().await.failed(X::SandboxUnavailable, E::Unconfined);
    Job::new("no-seccomp").require_sandbox().run().await.failed(X::SandboxUnavailable, E::Unconfined);
}

#[test]
fn a_child_of_another_parent_ends_before_it_reads() {
    let child = Command::new(faultchild()).args(["tell", "-", "--parent", "1"]).stdin(Stdio::null()).output().unwrap();
    assert_eq!((child.status.code(), child.stdout.len()), (Some(71), 0));
}

#[test]
fn arguments_that_it_does_not_know_end_it() {
    for args in [&["--max-pages"][..], &["--max-pages", "-1"], &["--parent", "0"], &["--unconfined"], &["file.pdf"]] {
        let child = Command::new(faultchild()).args(["tell", "-"]).args(args).stdin(Stdio::null()).output().unwrap();
        assert_eq!((child.status.code(), child.stdout.len()), (Some(64), 0), "{args:?}");
    }
}

#[test]
fn at_a_terminal_the_password_is_an_argument_and_the_text_may_go_to_a_file() {
    let mut input = tempfile::tempfile().unwrap();
    input.write_all(b"%PDF").unwrap();
    std::io::Seek::rewind(&mut input).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("text");
    let ended = Command::new(faultchild())
        .args(["tell", "-", "--password", "p"])
        .stdin(input)
        .stdout(File::create(&path).unwrap())
        .status()
        .unwrap();
    assert!(ended.success(), "{ended}");
    assert!(std::fs::read_to_string(path).unwrap().contains("4 bytes, password Some(\\\"p\\\")"));
}

#[test]
fn input_has_at_most_a_hundred_mebibytes() {
    for (length, status) in [((100 << 20) - 1, 0), (100 << 20, 0), ((100 << 20) + 1, 4)] {
        let input = tempfile::tempfile().unwrap();
        input.set_len(length).unwrap();
        let child = Command::new(faultchild()).args(["tell", "-"]).stdin(input).output().unwrap();
        assert_eq!(child.status.code(), Some(status), "{length}");
    }
}
