use super::*;
use crate::{fetch::Task, url::PageUrl};
use async_trait::async_trait;
use futures::stream;
use sift_handlers::{Claim, ContentHandler, ContentHash, ExtractError, Head, Keep, Kind, Reading, Source, Unit};
use std::{io::Read, sync::atomic::AtomicU64};
use tokio::time::sleep;

const LIMIT: u64 = 5_000_000;
const KIND: Kind = Kind::new("test");

struct Handler;

#[async_trait]
impl ContentHandler for Handler {
    fn kind(&self) -> Kind {
        KIND
    }

    fn claim(&self, _: &Head) -> Claim {
        Claim::Declared
    }

    fn limits(&self) -> Limits {
        limits(Keep::Memory)
    }

    async fn extract(&self, _: Source) -> Result<Document, ExtractError> {
        Err(ExtractError::Crashed)
    }
}

fn limits(keep: Keep) -> Limits {
    Limits {
        body: LIMIT,
        read: Duration::from_mins(1),
        extract: Duration::from_secs(20),
        keep,
        fresh: Duration::from_mins(10),
        pooled: false,
        honours_no_store: true,
    }
}

/// Pieces of the given lengths, each after its silence.
fn drip(declared: Option<u64>, pieces: impl Iterator<Item = (Duration, usize)> + Send + 'static) -> Body {
    let stream = stream::iter(pieces).then(|(silence, length)| async move {
        if !silence.is_zero() {
            sleep(silence).await;
        }
        Ok(Bytes::from(vec![b'x'; length]))
    });
    Body::new(stream.boxed(), declared, Arc::default())
}

/// A body of `length` bytes in pieces of at most 64 KiB, without a pause.
fn body(declared: Option<u64>, length: u64) -> Body {
    let piece = 64 << 10;
    let count = length.div_ceil(piece);
    let piece = move |at: u64| (Duration::ZERO, usize::try_from((length - at * piece).min(piece)).unwrap());
    drip(declared, (0..count).map(piece))
}

async fn read_to(keep: Keep, body: Body) -> Result<u64, Error> {
    read(body, &limits(keep), None).await.map(|content| content.len())
}

#[tokio::test]
async fn a_body_may_be_as_long_as_its_limit_and_no_longer() {
    let too_large = Err(Error::TooLarge { limit: LIMIT });
    for keep in [Keep::Memory, Keep::File] {
        for (length, end) in [(0, Ok(0)), (LIMIT - 1, Ok(LIMIT - 1)), (LIMIT, Ok(LIMIT)), (LIMIT + 1, too_large)] {
            assert_eq!(read_to(keep, body(None, length)).await, end, "{length}");
            // A small declaration is not believed.
            assert_eq!(read_to(keep, body(Some(10), length)).await, end, "{length}");
            assert_eq!(read_to(keep, body(Some(length), length)).await, end, "{length}");
        }
    }
}

#[tokio::test]
async fn what_is_declared_too_large_is_refused_unread() {
    let unread = Body::new(stream::pending().boxed(), Some(LIMIT + 1), Arc::default());
    assert_eq!(read_to(Keep::Memory, unread).await, Err(Error::TooLarge { limit: LIMIT }));
}

#[tokio::test]
async fn the_wire_counts_as_well_as_what_comes_out() {
    for (on_wire, end) in [(LIMIT, Ok(1)), (LIMIT + 1, Err(Error::TooLarge { limit: LIMIT }))] {
        let stream = stream::iter([Ok(Bytes::from_static(b"x"))]).boxed();
        let body = Body::new(stream, None, Arc::new(AtomicU64::new(on_wire)));
        assert_eq!(read_to(Keep::Memory, body).await, end);
    }
}

#[tokio::test(start_paused = true)]
async fn a_silence_of_fifteen_seconds_is_too_long() {
    let enough = 20 << 10;
    for (silence, end) in [(14_999, Ok(2 * enough as u64)), (15_001, Err(Error::UpstreamTimedOut))] {
        let pieces = [(Duration::ZERO, enough), (Duration::from_millis(silence), enough)];
        assert_eq!(read_to(Keep::Memory, drip(None, pieces.into_iter())).await, end, "{silence}");
    }
}

#[tokio::test(start_paused = true)]
async fn past_ten_seconds_a_kibibyte_a_second_is_the_least() {
    let steady = |length| drip(None, (0..40).map(move |_| (Duration::from_secs(1), length)));
    assert_eq!(read_to(Keep::Memory, steady(1024)).await, Ok(40 * 1024));
    let began = Instant::now();
    assert_eq!(read_to(Keep::Memory, steady(1023)).await, Err(Error::UpstreamTimedOut));
    assert_eq!(began.elapsed().as_secs(), 11, "the grace has passed");
    // Slow, but over in time.
    let short = drip(None, (0..10).map(|_| (Duration::from_secs(1), 1)));
    assert_eq!(read_to(Keep::Memory, short).await, Ok(10));
}

#[tokio::test(start_paused = true)]
async fn the_whole_body_has_the_time_of_its_kind() {
    for (seconds, in_time) in [(59, true), (61, false)] {
        let inner = tower::service_fn(|job: Loaded| async move {
            Ok(Arc::new(Document::new(KIND, Unit::Part, ContentHash::of(b""), job.content.len())))
        });
        let job = Job {
            task: Task {
                handler: Arc::new(Handler),
                limits: limits(Keep::Memory),
                head: Head::default(),
                url: PageUrl::parse("http://example.com/").unwrap(),
                reading: Arc::new(Reading::default()),
            },
            body: drip(None, (0..seconds).map(|_| (Duration::from_secs(1), 2048))),
            place: None,
        };
        let began = Instant::now();
        let read = within_limits(None).layer(inner).oneshot(job).await.map(|document| document.source_bytes);
        assert_eq!(read, if in_time { Ok(seconds * 2048) } else { Err(Error::UpstreamTimedOut) });
        assert_eq!(began.elapsed().as_secs(), seconds.min(60));
    }
}

#[tokio::test]
async fn a_file_holds_what_came_and_stands_at_its_start() {
    let folder = tempfile::tempdir().unwrap();
    let lengths = [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 7];
    for length in lengths {
        let body = Body::whole(Bytes::from((0..length).map(|at| at.to_le_bytes()[0]).collect::<Vec<u8>>()));
        let content = read(body, &limits(Keep::File), Some(folder.path().to_owned())).await.unwrap();
        let Content::File(mut file, said) = content else { panic!("not a file") };
        let mut kept = Vec::new();
        file.read_to_end(&mut kept).unwrap();
        assert_eq!((said, kept.len()), (length as u64, length));
        assert!(kept.iter().enumerate().all(|(at, byte)| *byte == at.to_le_bytes()[0]));
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "the file has no name");
}

#[tokio::test]
async fn errors_of_the_body_pass_and_a_full_spool_is_ours() {
    for error in [Error::UpstreamProtocol, Error::UpstreamEncoding] {
        let stream = stream::iter([Ok(Bytes::from_static(b"x")), Err(error)]).boxed();
        assert_eq!(read_to(Keep::File, Body::new(stream, None, Arc::default())).await, Err(error));
    }
    let nowhere = Some(PathBuf::from("/nonexistent/folder"));
    assert_eq!(read(body(None, 1), &limits(Keep::File), nowhere).await.unwrap_err(), Error::Overloaded);
}
