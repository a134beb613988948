//! Damage, a full disk, two processes, a newer version: the service starts, or says why not; a fetch never fails.

use super::*;
use std::{fs, os::unix::fs::PermissionsExt};

fn damage(directory: &Path, sql: &str) {
    vandal(directory).execute_batch(sql).unwrap();
}

/// Keeps `a` and `b`, does `sql` to the file, and looks.
async fn after(sql: &str) -> [Option<Arc<Entry>>; 2] {
    let directory = tempfile::tempdir().unwrap();
    let metrics = Arc::new(Metrics::default());
    let shelf = Shelf::open(&options(directory.path()), metrics.clone()).unwrap().shelf;
    keep(&shelf, &fleet("a"), &read("a", 3, 1_000)).await;
    keep(&shelf, &fleet("b"), &read("b", 3, 1_000)).await;
    damage(directory.path(), sql);
    let found = [cold(&shelf, &fleet("a")).await, cold(&shelf, &fleet("b")).await];
    assert_eq!(metrics.store_errors.get_or_create(&[("op", "check")]).get(), 1, "{sql}");
    // The discard is in the queue before this.
    keep(&shelf, &fleet("c"), &read("c", 1, 1_000)).await;
    let rows: i64 = vandal(directory.path())
        .query_one("SELECT COUNT(*) FROM document WHERE url_key LIKE '%/a'", [], |row| row.get(0))
        .unwrap();
    assert_eq!(rows, 0, "{sql}");
    keep(&shelf, &fleet("a"), &read("a", 3, 1_000)).await;
    assert_eq!(cold(&shelf, &fleet("a")).await, Some(read("a", 3, 1_000)), "kept anew: {sql}");
    found
}

#[tokio::test]
async fn a_row_that_is_not_whole_is_a_miss_and_goes() {
    for what in [
        "DELETE FROM page WHERE page = 2 AND text LIKE 'a 2%'",
        "DELETE FROM page WHERE page = 3 AND text LIKE 'a 3%'",
        "DELETE FROM page WHERE text LIKE 'a %'",
        "UPDATE page SET text = 'forged' WHERE text LIKE 'a 1%'",
        "UPDATE page SET text = CAST(x'ff' AS TEXT) WHERE text LIKE 'a 1%'",
        "UPDATE page SET page = 5000000000 WHERE text LIKE 'a 3%'",
        "UPDATE page SET error = 'none' WHERE text LIKE 'a 1%'",
        "UPDATE document SET meta_json = '{' WHERE url_key LIKE '%/a'",
        "UPDATE document SET meta_json = replace(meta_json, '1000', '1001') WHERE url_key LIKE '%/a'",
        "UPDATE document SET status = 70000 WHERE url_key LIKE '%/a'",
        "UPDATE document SET kind = 'html' WHERE url_key LIKE '%/a'",
        "UPDATE document SET step = 'verdict' WHERE url_key LIKE '%/a'",
        "UPDATE document SET fetched_at = -1 WHERE url_key LIKE '%/a'",
    ] {
        let [damaged, sound] = after(what).await;
        assert_eq!(damaged, None, "{what}");
        assert_eq!(sound, Some(read("b", 3, 1_000)), "{what}");
    }
}

#[tokio::test]
async fn damaged_pages_go_with_all_documents_that_have_them() {
    let directory = tempfile::tempdir().unwrap();
    let shelf = open(directory.path());
    for path in ["a", "b"] {
        keep(&shelf, &fleet(path), &read("same", 3, 1_000)).await;
    }
    damage(directory.path(), "UPDATE page SET text = 'forged' WHERE page = 2");
    assert_eq!(cold(&shelf, &fleet("a")).await, None);
    keep(&shelf, &fleet("a"), &read("same", 3, 1_000)).await;
    assert_eq!(cold(&shelf, &fleet("a")).await, Some(read("same", 3, 1_000)), "the damage did not stay behind");
    assert_eq!(cold(&shelf, &fleet("b")).await, None);
}

#[tokio::test]
async fn a_file_that_is_no_database_is_moved_aside_and_a_fresh_one_begun() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join(database::FILE);
    let noise = b"not a database, and longer than the header of one ".repeat(100);
    fs::write(&file, &noise).unwrap();
    let Opened { shelf, moved_aside } = Shelf::open(&options(directory.path()), Arc::default()).unwrap();
    let aside = moved_aside.unwrap();
    assert!(aside.file_name().unwrap().to_str().unwrap().starts_with("cache.db.corrupt-"));
    assert_eq!(fs::read(&aside).unwrap(), noise);
    keep(&shelf, &fleet("a"), &read("a", 1, 1_000)).await;
    drop(shelf);
    let again = Shelf::open(&options(directory.path()), Arc::default()).unwrap();
    assert_eq!(again.moved_aside, None);
    assert_eq!(look(&again.shelf, &fleet("a")).await, Some(read("a", 1, 1_000)));
}

#[tokio::test]
async fn a_file_with_damaged_pages_is_moved_aside_and_only_the_last_one_is_kept() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join(database::FILE);
    fs::write(directory.path().join("cache.db.corrupt-1"), "older").unwrap();
    let shelf = open(directory.path());
    for at in 0..50 {
        keep(&shelf, &fleet(&at.to_string()), &read(&at.to_string(), 10, 1_000)).await;
    }
    drop(shelf);
    let mut bytes = fs::read(&file).unwrap();
    bytes[8192..200_000].fill(0x5a);
    fs::write(&file, bytes).unwrap();
    let opened = Shelf::open(&options(directory.path()), Arc::default()).unwrap();
    assert!(opened.moved_aside.unwrap().exists());
    assert_eq!(look(&opened.shelf, &fleet("0")).await, None);
    assert!(!directory.path().join("cache.db.corrupt-1").exists());
}

#[tokio::test]
async fn a_file_whose_tables_are_not_what_its_version_says_is_moved_aside() {
    for sql in
        ["PRAGMA user_version = 1", "CREATE TABLE document (x)", "PRAGMA user_version = 1; CREATE TABLE page (text)"]
    {
        let directory = tempfile::tempdir().unwrap();
        damage(directory.path(), sql);
        let opened = Shelf::open(&options(directory.path()), Arc::default()).unwrap();
        assert!(opened.moved_aside.is_some(), "{sql}");
        keep(&opened.shelf, &fleet("a"), &read("a", 1, 1_000)).await;
    }
}

#[tokio::test]
async fn damage_found_while_running_is_a_miss_with_a_reason() {
    let directory = tempfile::tempdir().unwrap();
    let shelf = open(directory.path());
    for at in 0..50 {
        keep(&shelf, &fleet(&at.to_string()), &read(&at.to_string(), 10, 1_000)).await;
    }
    drop(shelf);
    let shelf = open(directory.path());
    let file = directory.path().join(database::FILE);
    let mut bytes = fs::read(&file).unwrap();
    bytes[8192..].fill(0x5a);
    fs::write(&file, bytes).unwrap();
    assert_eq!(shelf.look(&fleet("7")).await, Err(StoreError::Corrupt));
    assert_eq!(shelf.keep(&fleet("8"), read("8", 1, 2_000)).await, Err(StoreError::Corrupt));
    assert_eq!(look(&shelf, &fleet("8")).await, Some(read("8", 1, 2_000)), "memory goes on");
    drop(shelf);
    assert!(Shelf::open(&options(directory.path()), Arc::default()).unwrap().moved_aside.is_some());
}

#[tokio::test]
async fn a_file_of_a_newer_version_is_left_as_it_is() {
    for version in [schema::newest() + 1, i32::MAX, -1] {
        let directory = tempfile::tempdir().unwrap();
        let shelf = open(directory.path());
        keep(&shelf, &fleet("a"), &read("a", 1, 1_000)).await;
        drop(shelf);
        damage(directory.path(), &format!("PRAGMA user_version = {version}"));
        let file = directory.path().join(database::FILE);
        let before = fs::read(&file).unwrap();
        assert_eq!(Shelf::open(&options(directory.path()), Arc::default()).unwrap_err(), OpenError::Newer);
        assert_eq!(fs::read(&file).unwrap(), before);
    }
}

#[test]
fn two_stores_never_share_a_directory_and_the_second_hears_so_at_once() {
    let directory = tempfile::tempdir().unwrap();
    let first = open(directory.path());
    let began = tokio::time::Instant::now();
    assert_eq!(Shelf::open(&options(directory.path()), Arc::default()).unwrap_err(), OpenError::InUse);
    assert!(began.elapsed() < Duration::from_secs(1));
    drop(first);
    drop(open(directory.path()));
}

#[test]
fn a_directory_that_cannot_be_one_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("file");
    fs::write(&file, "x").unwrap();
    for path in [file.clone(), file.join("below")] {
        let refused = Shelf::open(&options(&path), Arc::default()).unwrap_err();
        assert!(matches!(refused, OpenError::Unusable(_)), "{refused:?}");
    }
}

#[tokio::test]
async fn nobody_else_may_read_the_files() {
    let parent = tempfile::tempdir().unwrap();
    let directory = parent.path().join("state/sift");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let shelf = open(&directory);
    keep(&shelf, &fleet("a"), &read("a", 1, 1_000)).await;
    assert_eq!(mode(&directory), 0o700);
    let files: Vec<_> = fs::read_dir(&directory).unwrap().flatten().collect();
    assert_eq!(files.len(), 4, "the file, its log, the log's index, the lock");
    assert!(files.iter().all(|file| mode(&file.path()) == 0o600));
    drop(shelf);
    fs::set_permissions(directory.join(database::FILE), fs::Permissions::from_mode(0o644)).unwrap();
    drop(open(&directory));
    assert_eq!(mode(&directory.join(database::FILE)), 0o600);
}

/// A writer whose file may not grow any more, asked directly, and a reader.
#[tokio::test]
async fn a_full_disk_fails_the_keeping_and_nothing_else() {
    let directory = tempfile::tempdir().unwrap();
    let database = database::Database::open(directory.path()).unwrap();
    let mut reader = database::Database::reader(&database.path).unwrap();
    let mut writer = writer::Writer::new(database, Arc::new(Hot::new(16 << 20)), Arc::default(), 64 << 20);
    let orders = |changes: Vec<Change>| {
        let of = |change| {
            let (reply, answer) = tokio::sync::oneshot::channel();
            (writer::Order { change, reply }, answer)
        };
        changes.into_iter().map(of).unzip::<_, _, Vec<_>, Vec<_>>()
    };
    let keep = |path: &str, pages| Change::Keep(fleet(path), read(path, pages, 1_000));
    let (batch, _) = orders(vec![keep("before", 5)]);
    writer.serve(batch);
    let size: i64 = writer.connection.pragma_query_value(None, "page_count", |row| row.get(0)).unwrap();
    writer.connection.pragma_update_and_check(None, "max_page_count", size + 30, |_| Ok(())).unwrap();
    let (batch, answers) = orders(vec![keep("first", 5), keep("too-large", 500), keep("last", 5)]);
    writer.serve(batch);
    let mut results = Vec::new();
    for answer in answers {
        results.push(answer.await.unwrap().map(drop));
    }
    assert_eq!(results, [Ok(()), Err(StoreError::Full), Ok(())], "one that doesn't fit takes no other with it");
    let kinds = [PDF];
    for (path, there) in [("before", true), ("first", true), ("too-large", false), ("last", true)] {
        match readers::look(&mut reader, &fleet(path), &kinds).unwrap() {
            Looked::Whole(entry) => assert!(there && entry == *read(path, 5, 1_000), "{path}"),
            looked => assert!(!there && matches!(looked, Looked::Nothing), "{path}"),
        }
    }
    assert_eq!(writer.hot.get(&fleet("too-large")), Some(read("too-large", 500, 1_000)), "memory has it");
    let pages: i64 = writer.connection.query_one("SELECT COUNT(*) FROM page", [], |row| row.get(0)).unwrap();
    assert_eq!(pages, 15, "no part of it is left");
    let (batch, answers) = orders(vec![Change::Shrink(0), keep("after", 5)]);
    writer.serve(batch);
    for answer in answers {
        assert!(answer.await.unwrap().is_ok());
    }
}

/// On paused time nobody waits for a disk that doesn't answer.
#[tokio::test(start_paused = true)]
async fn a_file_that_another_process_holds_costs_a_fetch_its_patience_and_no_more() {
    let directory = tempfile::tempdir().unwrap();
    let shelf = open(directory.path());
    let other = vandal(directory.path());
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    let began = tokio::time::Instant::now();
    assert_eq!(shelf.keep(&fleet("a"), read("a", 1, 1_000)).await, Err(StoreError::Busy));
    assert_eq!(began.elapsed(), Duration::from_secs(5));
    other.execute_batch("COMMIT").unwrap();
    shelf.close();
    let rows: i64 = other.query_one("SELECT COUNT(*) FROM document", [], |row| row.get(0)).unwrap();
    assert_eq!(rows, 1, "what was asked is done all the same");
}

#[tokio::test]
async fn a_slow_reader_does_not_bring_back_what_was_cleared_meanwhile() {
    let directory = tempfile::tempdir().unwrap();
    let shelf = open(directory.path());
    let epoch = shelf.hot.epoch();
    shelf.hot.promote(&fleet("a"), &read("a", 1, 1_000), epoch);
    assert!(look(&shelf, &fleet("a")).await.is_some());
    shelf.clear(Class::Fleet, false).await.unwrap();
    shelf.hot.promote(&fleet("a"), &read("a", 1, 1_000), epoch);
    assert_eq!(look(&shelf, &fleet("a")).await, None);
}
