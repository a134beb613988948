//! The store as a whole, from outside its threads.

mod crash;
mod evict;
mod faults;
mod partition;
mod whole;

use super::*;
use sift_handlers::{ContentHash, Document, Page, Unit};
use sift_layers::{PageUrl, Step, Validators, Variant};
use std::path::Path;

const HTML: Kind = Kind::new("html");
const PDF: Kind = Kind::new("pdf");
const HOUR: Duration = Duration::from_hours(1);

fn options(directory: &Path) -> Options {
    Options { directory: directory.into(), hot_bytes: 16 << 20, max_bytes: 64 << 20, kinds: vec![HTML, PDF] }
}

fn open(directory: &Path) -> Shelf {
    Shelf::open(&options(directory), Arc::default()).unwrap().shelf
}

fn url(path: &str) -> PageUrl {
    PageUrl::parse(&format!("http://example.com/{path}")).unwrap()
}

fn key(class: Class, path: &str) -> Key {
    Key::new(class, url(path), Variant::default())
}

fn fleet(path: &str) -> Key {
    key(Class::Fleet, path)
}

/// A document of `pages` pages that say what it is.
fn document(name: &str, pages: u32) -> Document {
    let source = ContentHash::of(name.as_bytes());
    let mut document = Document::new(PDF, Unit::Page, source, 1000);
    document.title = Some(name.to_owned());
    document.pages =
        (1..=pages).map(|number| Page::new(number, &format!("{name} {number} {}", "text ".repeat(400)))).collect();
    document.total_pages = pages;
    document
}

fn entry(step: Step, fetched_at: u64) -> Arc<Entry> {
    Arc::new(Entry {
        step,
        status: 200,
        content_type: Some("application/pdf".to_owned()),
        validators: Validators { etag: Some("\"1\"".to_owned()), last_modified: None },
        fetched_at: Timestamp(fetched_at),
        fresh: HOUR,
    })
}

fn read(name: &str, pages: u32, fetched_at: u64) -> Arc<Entry> {
    entry(Step::Read(Arc::new(document(name, pages))), fetched_at)
}

fn moved(path: &str, fetched_at: u64) -> Arc<Entry> {
    Arc::new(Entry { fresh: Duration::MAX, ..(*entry(Step::Moved(url(path)), fetched_at)).clone() })
}

/// What the disk has under a key, memory aside.
async fn cold(shelf: &Shelf, key: &Key) -> Option<Arc<Entry>> {
    shelf.hot.forget_all();
    look(shelf, key).await
}

async fn look(shelf: &Shelf, key: &Key) -> Option<Arc<Entry>> {
    shelf.look(key).await.unwrap().map(|kept| kept.entry)
}

async fn keep(shelf: &Shelf, key: &Key, entry: &Arc<Entry>) {
    shelf.keep(key, entry.clone()).await.unwrap();
}

/// A second connection, to do to the file what a test is about. It may not outlive the shelf's use of the file.
fn vandal(directory: &Path) -> rusqlite::Connection {
    rusqlite::Connection::open(directory.join(database::FILE)).unwrap()
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}
