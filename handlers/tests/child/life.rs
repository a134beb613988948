//! No child outlives its job, and every job gets its child.

use crate::job::{Job, faultchild, marker, processes, within, zombies};
use sift_handlers::{ContentHandler, pdf::Pdf};
use std::{
    fs,
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

fn host(program: &Path, mode: &str, marker: &str) -> Child {
    Command::new(program).args([mode, marker]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_is_dropped_takes_its_whole_group_with_it() {
    for mode in ["hang", "grandchild"] {
        let job = Job::new(mode);
        let (pdf, source) = (Pdf::new(job.config.clone()), job.source());
        let running = tokio::spawn(async move { pdf.extract(source).await });
        assert!(within(Duration::from_secs(5), || processes(&job.marker).len() == 1), "{mode} has started");
        tokio::time::sleep(Duration::from_millis(200)).await;
        assert!(!processes(&job.marker).is_empty(), "{mode} stays");
        running.abort();
        assert!(within(Duration::from_secs(1), || processes(&job.marker).is_empty()), "{mode} is gone");
        assert!(within(Duration::from_secs(5), || zombies() == 0), "{mode} is reaped");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_child_outlives_the_thread_that_asked_for_it() {
    let job = Job::new("slow");
    let (pdf, source, runtime) = (Pdf::new(job.config.clone()), job.source(), tokio::runtime::Handle::current());
    let marker = job.marker.clone();
    let asking = thread::spawn(move || {
        let mut extraction = Box::pin(async move { pdf.extract(source).await });
        runtime.block_on(async {
            while processes(&marker).is_empty() {
                tokio::time::timeout(Duration::from_millis(5), &mut extraction).await.unwrap_err();
            }
        });
        extraction
    });
    let extraction = asking.join().unwrap();
    assert_eq!(extraction.await.unwrap().pages[0].text(), "late");
}

#[test]
fn a_parent_that_is_killed_takes_its_children_with_it() {
    let marker = marker();
    let mut host = host(&faultchild(), "host-hang", &marker);
    assert!(within(Duration::from_secs(5), || processes(&marker).len() == 2), "parent and child run");
    // The death signal is asked for at the start of the child, a moment after it can be seen.
    thread::sleep(Duration::from_millis(100));
    host.kill().unwrap();
    host.wait().unwrap();
    assert!(within(Duration::from_secs(1), || processes(&marker).is_empty()), "the child is gone");
}

#[test]
fn a_deleted_executable_still_starts_children() {
    let directory = tempfile::tempdir().unwrap();
    let program = directory.path().join("sift");
    fs::copy(faultchild(), &program).unwrap();
    let mut host = host(&program, "host-deleted", &marker());
    fs::remove_file(&program).unwrap();
    host.stdin.take().unwrap().write_all(b"\n").unwrap();
    let outcome = host.wait_with_output().unwrap();
    assert_eq!(String::from_utf8(outcome.stdout).unwrap(), "Ok(2)\n");
}

#[test]
fn a_host_without_descriptors_is_out_of_capacity_and_recovers() {
    let mut host = host(&faultchild(), "host-starved", &marker());
    let lines: Vec<_> = BufReader::new(host.stdout.take().unwrap()).lines().map(Result::unwrap).collect();
    host.wait().unwrap();
    assert_eq!(lines, ["Err(NoCapacity)", "Ok(2)"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_jobs_leave_nothing_behind() {
    let open = || fs::read_dir("/proc/self/fd").unwrap().count();
    Job::new("tell").run().await;
    let before = open();
    for _ in 0..25 {
        let jobs: Vec<_> = ["tell", "half-line", "open", "early"].map(|mode| tokio::spawn(Job::new(mode).run())).into();
        for job in jobs {
            assert!(job.await.unwrap().result.is_ok());
        }
    }
    // Other tests have descriptors of their own at the same time.
    assert!(open() < before + 60, "{before} descriptors became {}", open());
}
