//! Entries as rows and back. What doesn't come back whole doesn't come back.

use super::{
    checksum::{Checksum, PagesHash},
    database::code,
    meta::Meta,
};
use rusqlite::{Connection, Row, params};
use sift_handlers::{ContentHash, ExtractError, Kind, Page};
use sift_layers::{Class, Entry, Key, PageUrl, Step, Validators, Variant, clock::Timestamp};
use std::{sync::Arc, time::Duration};

/// Every verdict under the code by which it is kept. Codes stay as they are: old rows have them.
const VERDICTS: [(ExtractError, &str); 10] = [
    (ExtractError::NoTextLayer, "no_text_layer"),
    (ExtractError::Encrypted, "encrypted"),
    (ExtractError::Unreadable, "unreadable"),
    (ExtractError::TimedOut, "timed_out"),
    (ExtractError::TooLarge, "too_large"),
    (ExtractError::TooComplex, "too_complex"),
    (ExtractError::Unsupported, "unsupported"),
    (ExtractError::NoCapacity, "no_capacity"),
    (ExtractError::SandboxUnavailable, "sandbox_unavailable"),
    (ExtractError::Crashed, "crashed"),
];

const SELECT: &str = "SELECT step, target, verdict, kind, content_hash, pages_hash, meta_json, status, content_type, \
    etag, last_modified, checksum, fetched_at, fresh_ms \
    FROM document WHERE caller_class = ?1 AND variant = ?2 AND url_key = ?3";

const UPSERT: &str = "INSERT INTO document (caller_class, variant, url_key, step, target, verdict, kind, \
    content_hash, pages_hash, meta_json, status, content_type, etag, last_modified, checksum, fetched_at, fresh_ms, bytes) \
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18) \
    ON CONFLICT (caller_class, variant, url_key) DO UPDATE SET step = excluded.step, target = excluded.target, \
    verdict = excluded.verdict, kind = excluded.kind, content_hash = excluded.content_hash, \
    pages_hash = excluded.pages_hash, meta_json = excluded.meta_json, status = excluded.status, \
    content_type = excluded.content_type, etag = excluded.etag, last_modified = excluded.last_modified, \
    checksum = excluded.checksum, fetched_at = excluded.fetched_at, fresh_ms = excluded.fresh_ms, bytes = excluded.bytes";

/// What a look finds.
pub(super) enum Looked {
    /// No such row.
    Nothing,
    /// The whole entry.
    Whole(Entry),
    /// A row that can't be read back: damaged, or with pages missing.
    Broken,
    /// A whole row of a kind that this process doesn't have.
    Foreign,
}

/// A row of `document`, but for its key and its size.
struct Record {
    step: String,
    target: Option<String>,
    verdict: Option<String>,
    kind: Option<String>,
    content_hash: Option<String>,
    pages_hash: Option<[u8; 32]>,
    meta_json: Option<String>,
    status: u16,
    content_type: Option<String>,
    etag: Option<String>,
    last_modified: Option<String>,
    fetched_at: i64,
    fresh_ms: i64,
}

/// Writes an entry with its pages.
pub(super) fn write(connection: &Connection, key: &Key, entry: &Entry, bytes: u64) -> rusqlite::Result<()> {
    let record = Record::of(entry)?;
    let class = key.class().as_str();
    if let (Step::Read(document), Some(hash)) = (&entry.step, &record.pages_hash) {
        let mut insert = connection.prepare_cached(
            "INSERT INTO page (caller_class, pages_hash, page, text, error) VALUES (?1, ?2, ?3, ?4, ?5) \
             ON CONFLICT (caller_class, pages_hash, page) DO NOTHING",
        )?;
        for page in &document.pages {
            insert.execute(params![class, hash, page.number, page.text(), page.error])?;
        }
    }
    let checksum = record.checksum(key);
    let Record { step, target, verdict, kind, content_hash, pages_hash, meta_json, status, .. } = record;
    connection.prepare_cached(UPSERT)?.execute(params![
        class,
        key.variant().as_str(),
        key.url().as_str(),
        step,
        target,
        verdict,
        kind,
        content_hash,
        pages_hash,
        meta_json,
        status,
        record.content_type,
        record.etag,
        record.last_modified,
        checksum,
        record.fetched_at,
        record.fresh_ms,
        signed(bytes),
    ])?;
    Ok(())
}

/// Reads an entry with its pages. The caller holds a read transaction, so that no page leaves in between.
pub(super) fn read(connection: &Connection, key: &Key, kinds: &[Kind]) -> rusqlite::Result<Looked> {
    match read_whole(connection, key, kinds) {
        Ok(looked) => Ok(looked),
        Err(rusqlite::Error::QueryReturnedNoRows) => Ok(Looked::Nothing),
        // A value that we never wrote.
        Err(error) if code(&error).is_none() => Ok(Looked::Broken),
        Err(error) => Err(error),
    }
}

fn read_whole(connection: &Connection, key: &Key, kinds: &[Kind]) -> rusqlite::Result<Looked> {
    let class = key.class().as_str();
    let (record, checksum): (_, [u8; 32]) = connection
        .prepare_cached(SELECT)?
        .query_one(columns(key), |row| Ok((Record::from_row(row)?, row.get("checksum")?)))?;
    if record.checksum(key) != checksum {
        return Ok(Looked::Broken);
    }
    let kind = kinds.iter().find(|kind| Some(kind.as_str()) == record.kind.as_deref());
    if record.kind.is_some() && kind.is_none() {
        return Ok(Looked::Foreign);
    }
    let Some(hash) = record.pages_hash else {
        return Ok(record.into_entry(kind, Vec::new()).map_or(Looked::Broken, Looked::Whole));
    };
    let (mut pages, mut digest) = (Vec::new(), PagesHash::default());
    let mut select = connection.prepare_cached(
        "SELECT page, text, error FROM page WHERE caller_class = ?1 AND pages_hash = ?2 ORDER BY page",
    )?;
    let mut rows = select.query(params![class, hash])?;
    while let Some(row) = rows.next()? {
        let mut page = Page::new(row.get(0)?, row.get_ref(1)?.as_str()?);
        page.error = row.get(2)?;
        digest.add(&page);
        pages.push(page);
    }
    if digest.finish() != hash {
        return Ok(Looked::Broken);
    }
    Ok(record.into_entry(kind, pages).map_or(Looked::Broken, Looked::Whole))
}

/// A key as the columns `caller_class`, `variant` and `url_key`.
pub(super) fn columns(key: &Key) -> [&str; 3] {
    [key.class().as_str(), key.variant().as_str(), key.url().as_str()]
}

/// The key of a row, if it can be named.
pub(super) fn key_of(row: &Row<'_>) -> Option<Key> {
    let text = |column| row.get::<_, String>(column).ok();
    let class = text("caller_class")?;
    let class = Class::ALL.into_iter().find(|known| known.as_str() == class)?;
    Some(Key::new(class, url_of(&text("url_key")?)?, Variant::from_stored(&text("variant")?)))
}

/// The kept form of a number without a sign.
pub(super) fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// The kept form of a duration, in milliseconds; the longest stands for ever.
pub(super) fn milliseconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

fn duration(milliseconds: i64) -> Duration {
    match u64::try_from(milliseconds) {
        Ok(milliseconds) if milliseconds < i64::MAX.cast_unsigned() => Duration::from_millis(milliseconds),
        Ok(_) => Duration::MAX,
        Err(_) => Duration::ZERO,
    }
}

fn url_of(text: &str) -> Option<PageUrl> {
    PageUrl::parse(text).ok().filter(|url| url.as_str() == text)
}

// === impl Record ===

impl Record {
    fn of(entry: &Entry) -> rusqlite::Result<Self> {
        let Entry { step, status, content_type, validators, fetched_at, fresh } = entry;
        let Validators { etag, last_modified } = validators.clone();
        let name = match step {
            Step::Moved(_) => "moved",
            Step::Read(_) => "read",
            Step::Verdict(..) => "verdict",
        };
        let mut record = Self {
            step: name.to_owned(),
            target: None,
            verdict: None,
            kind: entry.kind().map(|kind| kind.as_str().to_owned()),
            content_hash: None,
            pages_hash: None,
            meta_json: None,
            status: *status,
            content_type: content_type.clone(),
            etag,
            last_modified,
            fetched_at: signed(fetched_at.0),
            fresh_ms: milliseconds(*fresh),
        };
        match step {
            Step::Moved(url) => {
                record.target = Some(url.as_str().to_owned());
            }
            Step::Read(document) => {
                record.content_hash = Some(document.content_hash.to_string());
                record.pages_hash = Some(PagesHash::of(&document.pages));
                let meta = serde_json::to_string(&Meta::of(document));
                record.meta_json = Some(meta.map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?);
            }
            Step::Verdict(_, error) => {
                let code = VERDICTS.iter().find(|(known, _)| known == error);
                record.verdict = code.map(|(_, code)| (*code).to_owned());
            }
        }
        Ok(record)
    }

    fn from_row(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            step: row.get("step")?,
            target: row.get("target")?,
            verdict: row.get("verdict")?,
            kind: row.get("kind")?,
            content_hash: row.get("content_hash")?,
            pages_hash: row.get("pages_hash")?,
            meta_json: row.get("meta_json")?,
            status: row.get("status")?,
            content_type: row.get("content_type")?,
            etag: row.get("etag")?,
            last_modified: row.get("last_modified")?,
            fetched_at: row.get("fetched_at")?,
            fresh_ms: row.get("fresh_ms")?,
        })
    }

    fn into_entry(self, kind: Option<&Kind>, pages: Vec<Page>) -> Option<Entry> {
        let step = match self.step.as_str() {
            "moved" => Step::Moved(url_of(&self.target?)?),
            "read" => {
                let content_hash = ContentHash::from_hex(&self.content_hash?)?;
                let meta: Meta = serde_json::from_str(&self.meta_json?).ok()?;
                Step::Read(Arc::new(meta.into_document(*kind?, content_hash, pages)))
            }
            "verdict" => {
                let code = self.verdict?;
                let (error, _) = VERDICTS.iter().find(|(_, known)| *known == code)?;
                Step::Verdict(*kind?, *error)
            }
            _ => return None,
        };
        let validators = Validators { etag: self.etag, last_modified: self.last_modified };
        let fetched_at = Timestamp(u64::try_from(self.fetched_at).ok()?);
        let Self { status, content_type, fresh_ms, .. } = self;
        Some(Entry { step, status, content_type, validators, fetched_at, fresh: duration(fresh_ms) })
    }

    /// Of everything but the freshness, under its key: a row that stands under another key is broken, too.
    fn checksum(&self, key: &Key) -> [u8; 32] {
        let Self { step, target, verdict, kind, content_hash, pages_hash, meta_json, .. } = self;
        let Self { status, content_type, etag, last_modified, .. } = self;
        let mut checksum = Checksum::default();
        for field in columns(key) {
            checksum.add(Some(field));
        }
        checksum.add(Some(step));
        for field in [target, verdict, kind, content_hash, meta_json, content_type, etag, last_modified] {
            checksum.add(field.as_ref());
        }
        checksum.add(pages_hash.as_ref());
        checksum.add(Some(&status.to_le_bytes()));
        checksum.finish()
    }
}
