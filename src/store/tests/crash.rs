//! Killed in the midst of writing: what was acknowledged is there, what is there is whole.

use super::*;
use std::{
    env,
    io::{BufRead, BufReader},
    process::{Command, Stdio},
};

/// Set in a child: the directory that it writes to until it is killed.
const DIRECTORY: &str = "SIFT_STORE_CRASH_DIRECTORY";

/// Addresses of the child's documents.
const DOCUMENTS: u64 = 60;

/// The `round`th document of the child; its name tells its address and its size.
fn nth(round: u64) -> (Key, Arc<Entry>) {
    let pages = u32::try_from(1 + round * 7 % 23).unwrap();
    (fleet(&(round % DOCUMENTS).to_string()), read(&format!("round {round}"), pages, 1_000 + round))
}

#[test]
fn the_child_of_the_test_below() {
    let Some(directory) = env::var_os(DIRECTORY) else { return };
    let options = Options { max_bytes: 1 << 20, ..options(Path::new(&directory)) };
    let Opened { shelf, moved_aside } = Shelf::open(&options, Arc::default()).unwrap();
    assert_eq!(moved_aside, None);
    runtime().block_on(async {
        for round in 0.. {
            let (key, entry) = nth(round);
            keep(&shelf, &key, &entry).await;
            println!("kept {round}");
        }
    });
}

#[test]
fn a_store_that_was_killed_opens_at_once_and_has_whole_documents_only() {
    let directory = tempfile::tempdir().unwrap();
    for kill in 0..8 {
        let mut child = Command::new(env::current_exe().unwrap())
            .args(["--exact", "store::tests::crash::the_child_of_the_test_below", "--nocapture"])
            .env(DIRECTORY, directory.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let rounds = lines.map_while(Result::ok).filter_map(|line| line.strip_prefix("kept ")?.parse::<u64>().ok());
        let mut acknowledged = None;
        for round in rounds {
            acknowledged = Some(round);
            if round == 20 + kill * 17 {
                child.kill().unwrap();
            }
        }
        child.wait().unwrap();
        let acknowledged = acknowledged.expect("the child kept something");

        let began = tokio::time::Instant::now();
        let Opened { shelf, moved_aside } = Shelf::open(&options(directory.path()), Arc::default()).unwrap();
        assert!(began.elapsed() < Duration::from_secs(2));
        assert_eq!(moved_aside, None);
        let (last, kept) = nth(acknowledged);
        runtime().block_on(async {
            let found = look(&shelf, &last).await.expect("what was acknowledged is there");
            assert!(found == kept || found.fetched_at > kept.fetched_at);
            for at in 0..DOCUMENTS {
                if let Some(entry) = look(&shelf, &fleet(&at.to_string())).await {
                    assert_eq!(entry, nth(entry.fetched_at.0 - 1_000).1);
                }
            }
        });
        drop(shelf);
        let check: String = vandal(directory.path()).query_one("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
        assert_eq!(check, "ok");
    }
}
