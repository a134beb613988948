//! What comes back is what was kept, in every field.

use super::*;
use proptest::{collection::vec, option, prelude::*};
use serde_json::{Map, Value};
use sift_handlers::{ExtractError, Link, OutlineItem, Sources};

fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z ]{0,40}", "\\PC{0,20}", any::<String>(), Just("a\0b\u{fffe}\u{10ffff}\"\\".to_owned())]
}

fn maybe() -> impl Strategy<Value = Option<String>> {
    option::of(text())
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-1.0e15..1.0e15).prop_map(|number: f64| Value::from(number.round())),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            vec((text(), inner), 0..4).prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
        ]
    })
}

fn map() -> impl Strategy<Value = Map<String, Value>> {
    vec((text(), value()), 0..5).prop_map(|pairs| pairs.into_iter().collect())
}

fn pages() -> impl Strategy<Value = Vec<Page>> {
    vec((text(), maybe()), 0..6).prop_map(|pages| {
        let page = |(number, (text, error)): (u32, (String, Option<String>))| {
            let mut page = Page::new(number, &text);
            page.error = error;
            page
        };
        (1..).zip(pages).map(page).collect()
    })
}

prop_compose! {
    fn sources()(raw in text(), html in maybe(), images in vec(text(), 0..3)) -> Sources {
        Sources { raw, html, images }
    }
}

prop_compose! {
    fn documents()(
        (title, byline, language, published) in (maybe(), maybe(), maybe(), maybe()),
        (site_name, canonical_url, description, note) in (maybe(), maybe(), maybe(), maybe()),
        (metadata, pages, sources) in (map(), pages(), option::of(sources())),
        outline in vec((text(), 1..9_u32, 1..7_u8), 0..4),
        (labels, links) in (vec(text(), 0..4), vec((text(), text()), 0..4)),
        (more, source_bytes) in (0..3_u32, any::<u64>()),
        (is_pdf, hidden_text, complete) in (any::<bool>(), any::<bool>(), any::<bool>()),
    ) -> Document {
        Document {
            kind: if is_pdf { PDF } else { HTML },
            title, byline, language, published, site_name, canonical_url, description, metadata,
            outline: outline.into_iter().map(|(title, page, level)| OutlineItem { title, page, level }).collect(),
            total_pages: u32::try_from(pages.len()).unwrap() + more,
            pages,
            unit: if is_pdf { Unit::Page } else { Unit::Part },
            labels,
            links: links.into_iter().map(|(url, text)| Link { url, text }).collect(),
            content_hash: ContentHash::of(&source_bytes.to_le_bytes()),
            source_bytes, hidden_text, complete, note, sources,
        }
    }
}

fn steps() -> impl Strategy<Value = Step> {
    let errors = [
        ExtractError::NoTextLayer,
        ExtractError::Encrypted,
        ExtractError::Unreadable,
        ExtractError::TimedOut,
        ExtractError::TooLarge,
        ExtractError::TooComplex,
        ExtractError::Unsupported,
        ExtractError::NoCapacity,
        ExtractError::SandboxUnavailable,
        ExtractError::Crashed,
    ];
    prop_oneof![
        6 => documents().prop_map(|document| Step::Read(Arc::new(document))),
        1 => "[a-z]{0,5}(\\?[a-z]{1,3}=%20[a-z])?".prop_map(|path| Step::Moved(url(&path))),
        2 => (any::<bool>(), proptest::sample::select(errors.to_vec()))
            .prop_map(|(is_pdf, error)| Step::Verdict(if is_pdf { PDF } else { HTML }, error)),
    ]
}

prop_compose! {
    fn entries()(
        step in steps(),
        status in 100..600_u16,
        (content_type, etag, last_modified) in (maybe(), maybe(), maybe()),
        fetched_at in prop_oneof![0..4_000_000_000_000_u64, Just(i64::MAX.cast_unsigned())],
        fresh in prop_oneof![(0..u64::from(u32::MAX)).prop_map(Duration::from_millis), Just(Duration::MAX)],
    ) -> Arc<Entry> {
        let validators = Validators { etag, last_modified };
        Arc::new(Entry { step, status, content_type, validators, fetched_at: Timestamp(fetched_at), fresh })
    }
}

#[test]
fn an_entry_comes_back_from_disk_as_it_was_kept() {
    let (directory, runtime) = (tempfile::tempdir().unwrap(), runtime());
    let shelf = open(directory.path());
    proptest!(ProptestConfig::with_cases(400), |(entry in entries(), path in "[a-c]")| {
        runtime.block_on(async {
            keep(&shelf, &fleet(&path), &entry).await;
            prop_assert_eq!(cold(&shelf, &fleet(&path)).await, Some(entry));
            Ok(())
        })?;
    });
}

#[tokio::test]
async fn a_renewed_entry_has_its_new_times_in_memory_and_on_disk() {
    let directory = tempfile::tempdir().unwrap();
    let shelf = open(directory.path());
    keep(&shelf, &fleet("a"), &read("a", 2, 1_000)).await;
    shelf.renew(&fleet("a"), Timestamp(2_000), Duration::from_secs(7)).await.unwrap();
    let hot = shelf.look(&fleet("a")).await.unwrap().unwrap();
    assert!(hot.hot);
    let expected =
        Arc::new(Entry { fetched_at: Timestamp(2_000), fresh: Duration::from_secs(7), ..(*read("a", 2, 0)).clone() });
    assert_eq!(hot.entry, expected);
    assert_eq!(cold(&shelf, &fleet("a")).await, Some(expected));
}

#[tokio::test]
async fn what_was_kept_is_there_after_a_restart_and_then_in_memory() {
    let directory = tempfile::tempdir().unwrap();
    let shelf = open(directory.path());
    keep(&shelf, &fleet("a"), &read("a", 3, 1_000)).await;
    drop(shelf);
    let shelf = open(directory.path());
    let looks = [shelf.look(&fleet("a")).await, shelf.look(&fleet("a")).await].map(|look| look.unwrap().unwrap());
    assert_eq!(looks.each_ref().map(|kept| kept.hot), [false, true]);
    assert!(looks.iter().all(|kept| kept.entry == read("a", 3, 1_000)));
}

#[tokio::test]
async fn one_source_read_in_two_ways_never_mixes_its_pages() {
    let directory = tempfile::tempdir().unwrap();
    let shelf = open(directory.path());
    let whole = document("a", 4);
    let mut main = Document { pages: whole.pages[..2].to_vec(), ..whole.clone() };
    main.pages[1] = Page::new(2, "another text");
    let of = |document: &Document| entry(Step::Read(Arc::new(document.clone())), 1_000);
    let other = Key::new(Class::Fleet, url("a"), Variant::from_stored("0123"));
    keep(&shelf, &fleet("a"), &of(&whole)).await;
    keep(&shelf, &other, &of(&main)).await;
    assert_eq!(cold(&shelf, &fleet("a")).await, Some(of(&whole)));
    assert_eq!(cold(&shelf, &other).await, Some(of(&main)));
}

#[tokio::test]
async fn equal_pages_are_kept_once_and_go_with_their_last_document() {
    let directory = tempfile::tempdir().unwrap();
    let shelf = open(directory.path());
    let pages =
        || vandal(directory.path()).query_one("SELECT COUNT(*) FROM page", [], |row| row.get::<_, i64>(0)).unwrap();
    keep(&shelf, &fleet("a"), &read("same", 5, 1_000)).await;
    keep(&shelf, &fleet("b"), &read("same", 5, 1_000)).await;
    assert_eq!(pages(), 5);
    keep(&shelf, &key(Class::Restricted, "a"), &read("same", 5, 1_000)).await;
    assert_eq!(pages(), 10, "classes share nothing");
    keep(&shelf, &fleet("a"), &read("other", 1, 2_000)).await;
    assert_eq!(pages(), 11, "b still has them");
    keep(&shelf, &fleet("b"), &moved("a", 2_000)).await;
    assert_eq!(pages(), 6);
    assert_eq!(cold(&shelf, &fleet("a")).await, Some(read("other", 1, 2_000)));
}

#[tokio::test]
async fn a_kind_that_this_process_does_not_have_is_not_found() {
    let directory = tempfile::tempdir().unwrap();
    let shelf = open(directory.path());
    keep(&shelf, &fleet("a"), &read("a", 1, 1_000)).await;
    drop(shelf);
    let fewer = Options { kinds: vec![HTML], ..options(directory.path()) };
    let shelf = Shelf::open(&fewer, Arc::default()).unwrap().shelf;
    assert_eq!(look(&shelf, &fleet("a")).await, None);
    drop(shelf);
    assert_eq!(look(&open(directory.path()), &fleet("a")).await, Some(read("a", 1, 1_000)));
}

#[tokio::test]
async fn a_store_in_memory_keeps_renews_shrinks_and_clears() {
    let shelf = Shelf::in_memory(16 << 20);
    keep(&shelf, &fleet("old"), &read("old", 1, 1_000)).await;
    keep(&shelf, &fleet("new"), &read("new", 1, 2_000)).await;
    shelf.renew(&fleet("new"), Timestamp(3_000), HOUR).await.unwrap();
    assert_eq!(look(&shelf, &fleet("new")).await.unwrap().fetched_at, Timestamp(3_000));
    let before = shelf.statistics(Class::Fleet).await.unwrap();
    assert_eq!((before.entries, before.kinds), (2, vec![(PDF, 2)]));
    let shrunk = shelf.shrink(before.bytes - 1).await.unwrap();
    assert_eq!(shrunk, Shrunk { entries: 1, bytes: before.bytes / 2 });
    assert_eq!(look(&shelf, &fleet("old")).await, None, "oldest first");
    assert_eq!(shelf.clear(Class::Restricted, false).await, Ok(Shrunk::default()));
    assert_eq!(shelf.clear(Class::Fleet, false).await.unwrap().entries, 1);
    assert_eq!(look(&shelf, &fleet("new")).await, None);
}

#[tokio::test]
async fn a_closed_store_says_so_and_a_second_close_is_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let shelf = open(directory.path());
    keep(&shelf, &fleet("a"), &read("a", 1, 1_000)).await;
    shelf.close();
    shelf.close();
    shelf.hot.forget_all();
    assert_eq!(shelf.look(&fleet("a")).await, Err(StoreError::Closed));
    assert_eq!(shelf.keep(&fleet("a"), read("a", 1, 1_000)).await, Err(StoreError::Closed));
    assert_eq!(shelf.statistics(Class::Fleet).await, Err(StoreError::Closed));
    assert_eq!(
        look(&open(directory.path()), &fleet("a")).await,
        Some(read("a", 1, 1_000)),
        "the directory is free again"
    );
}
