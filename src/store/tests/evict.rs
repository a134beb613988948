//! Documents leave whole, oldest first, whoever reads them meanwhile.

use super::*;

fn small(directory: &Path) -> Shelf {
    let options = Options { max_bytes: 1 << 20, ..options(directory) };
    Shelf::open(&options, Arc::default()).unwrap().shelf
}

async fn present(shelf: &Shelf, count: u64) -> Vec<u64> {
    let mut there = Vec::new();
    for at in 0..count {
        if let Some(entry) = cold(shelf, &fleet(&at.to_string())).await {
            assert_eq!(entry, read(&at.to_string(), 10, 1_000 + at), "whole");
            there.push(at);
        }
    }
    there
}

#[tokio::test]
async fn the_oldest_documents_make_room_and_memory_lets_go_of_them() {
    let directory = tempfile::tempdir().unwrap();
    let metrics = Arc::new(Metrics::default());
    let options = Options { max_bytes: 1 << 20, ..options(directory.path()) };
    let shelf = Shelf::open(&options, metrics.clone()).unwrap().shelf;
    for at in 0..100 {
        keep(&shelf, &fleet(&at.to_string()), &read(&at.to_string(), 10, 1_000 + at)).await;
    }
    assert_eq!(look(&shelf, &fleet("0")).await, None, "not even from memory");
    let there = present(&shelf, 100).await;
    assert_eq!(there, (100 - there.len() as u64..100).collect::<Vec<_>>());
    assert!((20..60).contains(&there.len()), "{}", there.len());
    let rows: i64 = vandal(directory.path()).query_one("SELECT COUNT(*) FROM page", [], |row| row.get(0)).unwrap();
    assert_eq!(rows, 10 * i64::try_from(there.len()).unwrap());
    let bytes = u64::try_from(metrics.store_bytes.get()).unwrap();
    assert!((900 << 10..=1 << 20).contains(&bytes), "{bytes}");
    drop(shelf);
    assert!(std::fs::metadata(directory.path().join(database::FILE)).unwrap().len() < (1 << 20) + (128 << 10));
}

#[tokio::test]
async fn shrinking_takes_whole_documents_until_the_file_is_small_enough() {
    let directory = tempfile::tempdir().unwrap();
    let shelf = open(directory.path());
    for at in 0..20 {
        keep(&shelf, &fleet(&at.to_string()), &read(&at.to_string(), 10, 1_000 + at)).await;
    }
    let before = shelf.statistics(Class::Fleet).await.unwrap();
    let shrunk = shelf.shrink(before.bytes / 2).await.unwrap();
    let after = shelf.statistics(Class::Fleet).await.unwrap();
    assert_eq!(shrunk, Shrunk { entries: before.entries - after.entries, bytes: before.bytes - after.bytes });
    assert!(after.bytes <= before.bytes / 2 && after.entries > 0, "{after:?}");
    assert_eq!(look(&shelf, &fleet("0")).await, None, "not even from memory");
    assert_eq!(present(&shelf, 20).await, (20 - after.entries..20).collect::<Vec<_>>());
    assert_eq!(shelf.shrink(u64::MAX).await, Ok(Shrunk::default()));
    assert_eq!(shelf.shrink(0).await.unwrap().entries, after.entries);
    assert_eq!(shelf.statistics(Class::Fleet).await, Ok(Statistics::default()));
}

#[tokio::test]
async fn a_document_that_would_evict_most_others_stays_in_memory_only() {
    let directory = tempfile::tempdir().unwrap();
    let shelf = small(directory.path());
    keep(&shelf, &fleet("small"), &read("small", 1, 1_000)).await;
    let size = |pages| weight::weight(&fleet("large"), &read("large", pages, 2_000));
    let most = (1..1000).take_while(|pages| size(*pages) <= (1 << 20) / writer::SHARE).last().unwrap();
    keep(&shelf, &fleet("large"), &read("large", most, 2_000)).await;
    assert_eq!(cold(&shelf, &fleet("large")).await, Some(read("large", most, 2_000)));
    let larger = read("large", most + 1, 2_000);
    keep(&shelf, &fleet("large"), &larger).await;
    assert_eq!(look(&shelf, &fleet("large")).await, Some(larger));
    assert_eq!(cold(&shelf, &fleet("large")).await, None, "nor what it replaced");
    assert!(cold(&shelf, &fleet("small")).await.is_some());
}

#[tokio::test]
async fn clearing_takes_one_class_or_only_what_is_no_longer_fresh() {
    let directory = tempfile::tempdir().unwrap();
    let now = Timestamp::now().0;
    for shelf in [open(directory.path()), Shelf::in_memory(16 << 20)] {
        keep(&shelf, &key(Class::Restricted, "old"), &read("old", 1, 1_000)).await;
        keep(&shelf, &fleet("old"), &read("old", 1, 1_000)).await;
        keep(&shelf, &fleet("future"), &read("future", 1, now + 9_999_999)).await;
        keep(&shelf, &fleet("new"), &read("new", 1, now)).await;
        keep(&shelf, &fleet("to-new"), &moved("new", 1_000)).await;
        keep(&shelf, &fleet("to-old"), &moved("old", 1_000)).await;
        keep(&shelf, &fleet("to-to-old"), &moved("to-old", 1_000)).await;
        assert_eq!(shelf.clear(Class::Fleet, true).await.unwrap().entries, 4);
        for (path, stays) in [("old", false), ("future", false), ("new", true), ("to-new", true), ("to-to-old", false)]
        {
            assert_eq!(look(&shelf, &fleet(path)).await.is_some(), stays, "{path}");
        }
        assert!(look(&shelf, &key(Class::Restricted, "old")).await.is_some());
        assert_eq!(shelf.clear(Class::Fleet, false).await.unwrap().entries, 2);
        assert_eq!(shelf.statistics(Class::Fleet).await, Ok(Statistics::default()));
        assert!(look(&shelf, &key(Class::Restricted, "old")).await.is_some());
    }
}

#[tokio::test]
async fn more_than_one_step_holds_is_dropped_too() {
    let directory = tempfile::tempdir().unwrap();
    let shelf = open(directory.path());
    let count = u64::from(writer::STEP) * 2 + 1;
    for (class, at) in Class::ALL.into_iter().flat_map(|class| (0..count).map(move |at| (class, at))) {
        keep(&shelf, &key(class, &at.to_string()), &read("same", 1, 1_000 + at)).await;
    }
    assert_eq!(shelf.clear(Class::Fleet, true).await.unwrap().entries, count);
    assert_eq!(shelf.statistics(Class::Fleet).await, Ok(Statistics::default()));
    assert_eq!(shelf.statistics(Class::Restricted).await.unwrap().entries, count);
    assert_eq!(shelf.shrink(0).await.unwrap().entries, count);
}

#[tokio::test]
async fn a_limit_that_was_lowered_holds_from_the_start() {
    let directory = tempfile::tempdir().unwrap();
    let shelf = open(directory.path());
    for at in 0..u64::from(writer::STEP) + 200 {
        keep(&shelf, &fleet(&at.to_string()), &read(&at.to_string(), 3, 1_000 + at)).await;
    }
    drop(shelf);
    let metrics = Arc::new(Metrics::default());
    let options = Options { max_bytes: 1 << 20, ..options(directory.path()) };
    let shelf = Shelf::open(&options, metrics.clone()).unwrap().shelf;
    shelf.renew(&fleet("none"), Timestamp(0), HOUR).await.unwrap();
    assert!((500 << 10..=1 << 20).contains(&metrics.store_bytes.get()));
}

#[tokio::test]
async fn what_was_cleared_is_in_no_file() {
    let directory = tempfile::tempdir().unwrap();
    let shelf = open(directory.path());
    keep(&shelf, &key(Class::Restricted, "a"), &read("canary-7731", 50, 1_000)).await;
    let holds_canary = || {
        std::fs::read_dir(directory.path()).unwrap().flatten().any(|file| {
            let bytes = std::fs::read(file.path()).unwrap();
            bytes.windows(11).any(|window| window == b"canary-7731")
        })
    };
    assert!(holds_canary());
    shelf.clear(Class::Restricted, false).await.unwrap();
    assert!(!holds_canary());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn readers_see_whole_documents_or_none_while_others_are_kept_and_evicted() {
    let directory = tempfile::tempdir().unwrap();
    let shelf = Arc::new(small(directory.path()));
    let write = |shelf: Arc<Shelf>, part: u64| async move {
        for round in 0..150 {
            let at = (round * 2 + part) % 40;
            keep(&shelf, &fleet(&at.to_string()), &read(&format!("{at} {round}"), 10, 1_000 + round)).await;
            if round % 50 == 49 {
                shelf.shrink(300 << 10).await.unwrap();
            }
        }
    };
    let look = |shelf: Arc<Shelf>| async move {
        let mut found = 0;
        for round in 0..600 {
            let at = round % 40;
            if let Some(entry) = cold(&shelf, &fleet(&at.to_string())).await {
                let Step::Read(document) = &entry.step else { panic!("a document was kept") };
                let name = document.title.clone().unwrap();
                assert!(name.starts_with(&format!("{at} ")));
                assert_eq!(**document, super::document(&name, 10), "whole, and of one version");
                found += 1;
            }
        }
        found
    };
    let writers = [0, 1].map(|part| tokio::spawn(write(shelf.clone(), part)));
    let readers = [0, 1, 2].map(|_| tokio::spawn(look(shelf.clone())));
    for writer in writers {
        writer.await.unwrap();
    }
    for reader in readers {
        assert!(reader.await.unwrap() > 0);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_document_that_is_replaced_while_it_is_read_is_found_all_the_same() {
    let directory = tempfile::tempdir().unwrap();
    let metrics = Arc::new(Metrics::default());
    let shelf = Arc::new(Shelf::open(&options(directory.path()), metrics.clone()).unwrap().shelf);
    keep(&shelf, &fleet("a"), &read("first", 1, 1_000)).await;
    let writer = tokio::spawn({
        let shelf = shelf.clone();
        async move {
            for round in 0..1_000 {
                keep(&shelf, &fleet("a"), &read(&format!("round {round}"), 1, 1_000)).await;
            }
        }
    });
    while !writer.is_finished() {
        assert!(cold(&shelf, &fleet("a")).await.is_some());
    }
    writer.await.unwrap();
    assert_eq!(metrics.store_errors.get_or_create(&[("op", "check")]).get(), 0);
}
