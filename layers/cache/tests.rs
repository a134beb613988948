//! What the cache answers, asks and keeps, on paused time.

mod bench;

use super::*;
use crate::{fetch::Terms, single_flight::Cockpit, store::Validators};
use bench::*;
use sift_handlers::ExtractError;
use std::sync::atomic::Ordering::Relaxed;
use tokio::time::advance;

#[tokio::test(start_paused = true)]
async fn a_fresh_entry_is_answered_without_the_origin_and_counted() {
    let bench = Bench::new();
    bench.ask_origin("a", Terms::default(), Ok(new(&read("a")))).await.unwrap();
    let found = what(bench.ask("a", Terms::default()).await);
    assert_eq!(found, (Origin::Hot, false, read("a").step.clone()));
    assert_eq!(bench.metrics.of(PDF).cache_hits.get(), 1);
    assert_eq!(*bench.origin.asked.lock(), [None]);
}

#[tokio::test(start_paused = true)]
async fn an_entry_is_fresh_until_the_last_millisecond_of_its_time() {
    for (terms, age, is_fresh) in [
        (Terms::default(), ALMOST, true),
        (Terms::default(), MINUTE, false),
        (Terms::default(), MINUTE + MS, false),
        (no_older_than(MINUTE * 2), Duration::from_millis(119_999), true),
        (no_older_than(MINUTE * 2), MINUTE * 2, false),
        (no_older_than(MS), Duration::ZERO, true),
        (no_older_than(MS), MS, false),
        (no_older_than(Duration::ZERO), Duration::ZERO, false),
    ] {
        let bench = Bench::new();
        bench.put("a", &read("a"));
        // An age of zero is an entry of this very millisecond, of another fetch.
        advance(age).await;
        let since = Timestamp(Timestamp::now().0 + 1);
        *bench.origin.says.lock() = Some(Ok(Reply::NotModified));
        bench.ask_since("a", terms.clone(), since).await.unwrap();
        assert_eq!(bench.origin.asked.lock().is_empty(), is_fresh, "{age:?} {terms:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_304_confirms_the_entry_and_makes_it_fresh_again() {
    let bench = Bench::new();
    let old = read("a");
    bench.put("a", &old);
    advance(MINUTE).await;
    let found = what(bench.ask_origin("a", Terms::default(), Ok(Reply::NotModified)).await);
    assert_eq!(found, (Origin::Revalidated, false, old.step.clone()));
    assert_eq!(*bench.origin.asked.lock(), [Some(old.validators.clone())]);
    assert_eq!(bench.kept("a").unwrap().fetched_at, Timestamp::now());
    advance(ALMOST).await;
    assert_eq!(what(bench.ask("a", Terms::default()).await).0, Origin::Hot);
}

#[tokio::test(start_paused = true)]
async fn a_304_to_a_question_without_a_condition_is_against_the_protocol() {
    let bench = Bench::new();
    let found = bench.ask_origin("a", Terms::default(), Ok(Reply::NotModified)).await;
    assert_eq!(found.unwrap_err(), Error::UpstreamProtocol);
}

#[tokio::test(start_paused = true)]
async fn an_entry_without_validators_is_asked_for_anew_and_replaced() {
    let bench = Bench::new();
    bench.put("a", &Arc::new(Entry { validators: Validators::default(), ..(*read("old")).clone() }));
    advance(MINUTE).await;
    let found = what(bench.ask_origin("a", Terms::default(), Ok(new(&read("new")))).await);
    assert_eq!(found, (Origin::Network, false, read("new").step.clone()));
    assert_eq!(*bench.origin.asked.lock(), [None]);
    assert_eq!(bench.kept("a"), Some(read("new")));
}

#[tokio::test(start_paused = true)]
async fn what_may_not_be_kept_is_not_kept() {
    let bench = Bench::new();
    bench.ask_origin("a", Terms::default(), Ok(Reply::New(read("a"), false))).await.unwrap();
    assert_eq!(bench.kept("a"), None);
    let old = read("b");
    bench.put("b", &old);
    advance(MINUTE).await;
    let terms = Terms { no_store: true, ..Terms::default() };
    assert_eq!(what(bench.ask_origin("b", terms, Ok(Reply::NotModified)).await).0, Origin::Revalidated);
    assert_eq!(bench.kept("b"), Some(old), "a request that wants no trace renews nothing");
}

#[tokio::test(start_paused = true)]
async fn an_alias_is_as_fresh_as_what_it_leads_to() {
    let bench = Bench::new();
    bench.put("a", &moved("b"));
    bench.put("b", &moved("c"));
    advance(MINUTE * 1000).await;
    bench.put("c", &read("c"));
    advance(ALMOST).await;
    assert_eq!(what(bench.ask("a", Terms::default()).await), (Origin::Hot, false, moved("b").step.clone()));
    assert_eq!(bench.metrics.of(PDF).cache_hits.get(), 0, "the document is what counts, and it comes later");
    advance(MS).await;
    let found = bench.ask_origin("a", Terms::default(), Ok(new(&moved("c")))).await;
    assert_eq!(what(found), (Origin::Network, false, moved("c").step.clone()));
}

#[tokio::test(start_paused = true)]
async fn an_alias_that_leads_nowhere_or_in_circles_or_too_far_is_no_hit() {
    let bench = Bench::new();
    bench.put("nowhere", &moved("missing"));
    bench.put("circle", &moved("circle"));
    bench.put("0", &read("end"));
    for at in 1..=ALIASES + 1 {
        bench.put(&at.to_string(), &moved(&(at - 1).to_string()));
    }
    advance(MS).await;
    for path in ["nowhere".to_owned(), "circle".to_owned(), (ALIASES + 1).to_string()] {
        assert_eq!(
            bench.ask_origin(&path, Terms::default(), Ok(new(&read("x")))).await.unwrap().origin,
            Origin::Network
        );
    }
    assert_eq!(bench.ask(&ALIASES.to_string(), Terms::default()).await.unwrap().origin, Origin::Hot);
}

#[tokio::test(start_paused = true)]
async fn a_stale_copy_is_served_when_the_origin_cannot_be_asked() {
    let failures = [
        Err(Error::UpstreamDns),
        Err(Error::UpstreamConnect),
        Err(Error::UpstreamTls),
        Err(Error::UpstreamProtocol),
        Err(Error::UpstreamEncoding),
        Err(Error::UpstreamTimedOut),
        Err(Error::UpstreamStatus(503)),
        Ok(new(&with_status(500))),
        Ok(Reply::New(with_status(599), false)),
    ];
    for failure in failures {
        let (bench, old) = (Bench::new(), read("a"));
        bench.put("a", &old);
        advance(MINUTE).await;
        let found = what(bench.ask_origin("a", Terms::default(), failure).await);
        assert_eq!(found, (Origin::Disk, true, old.step.clone()));
        assert_eq!(bench.kept("a"), Some(old), "and stays as stale as it was");
    }
}

#[tokio::test(start_paused = true)]
async fn what_says_something_of_the_document_is_not_hidden_behind_a_stale_copy() {
    for error in [
        Error::UpstreamStatus(499),
        Error::TooLarge { limit: 1 },
        Error::Unsupported(crate::Media::default()),
        Error::Unreadable(ExtractError::Encrypted),
        Error::BadRedirect,
        Error::WorkersBusy,
        Error::Internal,
    ] {
        let bench = Bench::new();
        bench.put("a", &read("a"));
        advance(MINUTE).await;
        assert_eq!(bench.ask_origin("a", Terms::default(), Err(error)).await.unwrap_err(), error);
    }
    let bench = Bench::new();
    bench.put("a", &read("a"));
    advance(MINUTE).await;
    let found = bench.ask_origin("a", Terms::default(), Ok(new(&with_status(404)))).await.unwrap();
    assert_eq!((found.entry.status, found.stale), (404, false));
}

#[tokio::test(start_paused = true)]
async fn without_a_good_copy_the_failure_is_the_answer() {
    let verdict = Arc::new(entry(Step::Verdict(PDF, ExtractError::NoTextLayer)));
    for copy in [None, Some(with_status(404)), Some(verdict)] {
        let bench = Bench::new();
        if let Some(copy) = &copy {
            bench.put("a", copy);
        }
        advance(MINUTE).await;
        let found = bench.ask_origin("a", Terms::default(), Err(Error::UpstreamDns)).await;
        assert_eq!(found.unwrap_err(), Error::UpstreamDns);
        let found = bench.ask_origin("a", Terms::default(), Ok(Reply::New(with_status(503), false))).await.unwrap();
        assert_eq!((found.entry.status, found.stale), (503, false));
    }
}

#[tokio::test(start_paused = true)]
async fn a_verdict_is_kept_like_a_document() {
    let bench = Bench::new();
    let verdict = Arc::new(entry(Step::Verdict(PDF, ExtractError::Encrypted)));
    bench.ask_origin("a", Terms::default(), Ok(new(&verdict))).await.unwrap();
    assert_eq!(what(bench.ask("a", Terms::default()).await), (Origin::Hot, false, verdict.step.clone()));
    assert_eq!(bench.metrics.of(PDF).cache_hits.get(), 1);
    advance(MS).await;
    let found = bench.ask_origin("a", no_older_than(Duration::ZERO), Ok(new(&read("a")))).await;
    assert_eq!(what(found).2, read("a").step);
}

#[tokio::test(start_paused = true)]
async fn a_cache_only_request_takes_any_age_that_it_does_not_exclude_and_asks_nobody() {
    let bench = Bench::new();
    assert_eq!(bench.ask("a", cache_only()).await.unwrap_err(), Error::NotCached);
    bench.put("a", &read("a"));
    bench.put("alias", &moved("a"));
    bench.put("nowhere", &moved("missing"));
    advance(MINUTE * 2).await;
    assert!(bench.ask("a", cache_only()).await.is_ok());
    assert!(bench.ask("alias", cache_only()).await.is_ok());
    assert_eq!(bench.ask("nowhere", cache_only()).await.unwrap_err(), Error::NotCached);
    let younger = Terms { max_age: Some(MINUTE), ..cache_only() };
    assert_eq!(bench.ask("a", younger).await.unwrap_err(), Error::NotCached);
    assert!(bench.origin.asked.lock().is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_store_that_fails_is_a_miss_and_counted() {
    let bench = Bench::new();
    bench.put("a", &read("a"));
    bench.shelf.fails.store(true, Relaxed);
    let found = bench.ask_origin("a", Terms::default(), Ok(new(&read("new")))).await;
    assert_eq!(what(found), (Origin::Network, false, read("new").step.clone()));
    assert_eq!((bench.failures("look"), bench.failures("keep")), (2, 1));
    assert_eq!(bench.ask("a", cache_only()).await.unwrap_err(), Error::NotCached);
}

#[tokio::test(start_paused = true)]
async fn a_renewal_that_fails_is_counted_and_the_answer_stands() {
    let bench = Bench::new();
    bench.put("a", &read("a"));
    advance(MINUTE).await;
    let (shelf, origin) = (bench.shelf.clone(), bench.origin.clone());
    let failing = tower::service_fn(move |_: Leg| {
        shelf.fails.store(true, Relaxed);
        origin.asked.lock().push(None);
        std::future::ready(Ok::<_, Error>(Reply::NotModified))
    });
    let leg =
        Leg { key: key("a"), terms: Arc::default(), since: Timestamp::now(), known: None, cockpit: Cockpit::alone() };
    let found = fill(bench.cache.clone()).layer(failing).oneshot(leg).await;
    assert_eq!(what(found).0, Origin::Revalidated);
    assert_eq!(bench.failures("renew"), 1);
}

#[tokio::test(start_paused = true)]
async fn an_entry_from_the_future_is_stale_on_both_sides_of_the_flight() {
    let bench = Bench::new();
    let at = Timestamp(Timestamp::now().0 + 1);
    bench.put("a", &Arc::new(Entry { fetched_at: at, ..(*read("a")).clone() }));
    let found = bench.ask_origin("a", Terms::default(), Ok(Reply::NotModified)).await;
    assert_eq!(what(found).0, Origin::Revalidated);
    assert_eq!(bench.kept("a").unwrap().fetched_at, Timestamp::now());
}

#[tokio::test(start_paused = true)]
async fn what_landed_since_the_fetch_began_is_as_good_as_asked_for() {
    let since = Timestamp::now();
    for (landed, is_enough) in [(since.0 - 1, false), (since.0, true), (since.0 + 1, true)] {
        let bench = Bench::new();
        bench.put("a", &Arc::new(Entry { fetched_at: Timestamp(landed), ..(*read("a")).clone() }));
        advance(MS * 5).await;
        if !is_enough {
            *bench.origin.says.lock() = Some(Ok(new(&read("new"))));
        }
        let found = bench.ask_since("a", no_older_than(Duration::ZERO), since).await.unwrap();
        assert_eq!(found.origin == Origin::Hot, is_enough);
        assert_eq!(bench.origin.asked.lock().is_empty(), is_enough);
    }
}
