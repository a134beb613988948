//! The file on disk: whose it is, whether it is sound, and connections to it.

use super::schema::{self, MIGRATIONS};
use rusqlite::{
    Connection,
    ErrorCode::{self, DatabaseCorrupt, NotADatabase, OperationInterrupted, Unknown},
    OpenFlags, ffi,
};
use rustix::fs::FlockOperation;
use sift_layers::{StoreError, clock::Timestamp};
use std::{
    fs::{DirBuilder, File, OpenOptions, Permissions},
    io,
    os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
    sync::mpsc,
    time::Duration,
};

/// The name of the database in its directory.
pub(super) const FILE: &str = "cache.db";

/// The name of the lock file beside it.
pub(super) const LOCK: &str = "cache.lock";

/// What stands between the name of a damaged file and the time it was moved aside.
const ASIDE: &str = ".corrupt-";

/// How long the check of a file may take before it is opened unfinished. Every document is checked again as it is read.
const CHECK: Duration = Duration::from_secs(1);

/// How long SQLite waits for a lock.
const BUSY: Duration = Duration::from_secs(5);

/// The log is cut back to this many bytes when it has been copied into the file.
const LOG_BYTES: i64 = 16 << 20;

const STATEMENTS: usize = 64;

/// Why a store can't be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenError {
    /// Another process has this directory.
    #[error("in use")]
    InUse,
    /// A newer version of sift wrote the file. It is left as it is.
    #[error("written by a newer version")]
    Newer,
    /// The directory or the file can't be used.
    #[error("unusable: {0}")]
    Unusable(io::ErrorKind),
}

/// An open database, ours alone.
pub(super) struct Database {
    /// The one connection that writes.
    pub(super) writer: Connection,
    /// Held as long as the database is in use; the system lets go of it when the process ends, however it ends.
    pub(super) lock: File,
    /// Where it is.
    pub(super) path: PathBuf,
    /// Where the damaged file went that stood here.
    pub(super) moved_aside: Option<PathBuf>,
}

enum State {
    Sound(Connection),
    Damaged,
    Newer,
}

// === impl OpenError ===

impl From<io::Error> for OpenError {
    fn from(error: io::Error) -> Self {
        Self::Unusable(error.kind())
    }
}

impl From<rusqlite::Error> for OpenError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Unusable(match code(&error) {
            Some(ErrorCode::CannotOpen | ErrorCode::PermissionDenied) => io::ErrorKind::PermissionDenied,
            Some(ErrorCode::ReadOnly) => io::ErrorKind::ReadOnlyFilesystem,
            Some(ErrorCode::DiskFull) => io::ErrorKind::StorageFull,
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => io::ErrorKind::ResourceBusy,
            Some(ErrorCode::NoLargeFileSupport) => io::ErrorKind::Unsupported,
            _ => io::ErrorKind::Other,
        })
    }
}

// === impl Database ===

impl Database {
    /// Opens the database of a directory, which is made when it isn't there. A damaged file is moved aside.
    pub(super) fn open(directory: &Path) -> Result<Self, OpenError> {
        // A directory that is already there keeps its mode: it may be anything that the operator named.
        DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
        let lock = lock(&directory.join(LOCK))?;
        let path = directory.join(FILE);
        private(&path)?;
        let (writer, moved_aside) = match open(&path)? {
            State::Newer => return Err(OpenError::Newer),
            State::Sound(writer) => (writer, None),
            State::Damaged => {
                let aside = move_aside(&path)?;
                private(&path)?;
                match open(&path)? {
                    State::Sound(writer) => (writer, Some(aside)),
                    State::Damaged | State::Newer => return Err(OpenError::Unusable(io::ErrorKind::InvalidData)),
                }
            }
        };
        Ok(Self { writer, lock, path, moved_aside })
    }

    /// A connection that can't write.
    pub(super) fn reader(path: &Path) -> rusqlite::Result<Connection> {
        let connection = Connection::open_with_flags(path, flags(OpenFlags::SQLITE_OPEN_READ_ONLY))?;
        connection.busy_timeout(BUSY)?;
        connection.set_prepared_statement_cache_capacity(STATEMENTS);
        connection.pragma_update(None, "query_only", true)?;
        connection.pragma_update(None, "temp_store", "MEMORY")?;
        Ok(connection)
    }
}

/// SQLite's code for a failure; none, when the failure is not SQLite's own but one of reading its values.
pub(super) fn code(error: &rusqlite::Error) -> Option<ErrorCode> {
    match error {
        rusqlite::Error::SqliteFailure(error, _) | rusqlite::Error::SqlInputError { error, .. } => Some(error.code),
        _ => None,
    }
}

/// What a failure of SQLite means for a fetch.
pub(super) fn store_error(error: &rusqlite::Error) -> StoreError {
    match code(error) {
        Some(ErrorCode::DiskFull) => StoreError::Full,
        Some(DatabaseCorrupt | NotADatabase) => StoreError::Corrupt,
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Busy,
        _ => StoreError::Failed,
    }
}

/// Each connection stays on one thread, so SQLite needs no locks of its own.
fn flags(mode: OpenFlags) -> OpenFlags {
    mode | OpenFlags::SQLITE_OPEN_NO_MUTEX
}

fn lock(path: &Path) -> Result<File, OpenError> {
    let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(path)?;
    match rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(file),
        Err(rustix::io::Errno::WOULDBLOCK) => Err(OpenError::InUse),
        Err(errno) => Err(io::Error::from(errno).into()),
    }
}

/// Makes the file, or makes it ours alone. SQLite gives its log the same mode.
fn private(path: &Path) -> io::Result<()> {
    let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).mode(0o600).open(path)?;
    if file.metadata()?.permissions().mode() & 0o077 != 0 {
        file.set_permissions(Permissions::from_mode(0o600))?;
    }
    Ok(())
}

/// Opens a file that is sound; leaves any other as it is.
fn open(path: &Path) -> Result<State, OpenError> {
    let opened = match is_known(path) {
        Ok(true) => prepare(path),
        Ok(false) => return Ok(State::Newer),
        Err(error) => Err(error),
    };
    match opened {
        Ok(writer) => Ok(State::Sound(writer)),
        // An unknown error is one of SQL: the tables are not what the version says.
        Err(error) if matches!(code(&error), Some(DatabaseCorrupt | NotADatabase | Unknown)) => Ok(State::Damaged),
        Err(error) => Err(error.into()),
    }
}

/// Checks a file without changing it. False when its version isn't ours to read.
fn is_known(path: &Path) -> rusqlite::Result<bool> {
    let connection = Connection::open_with_flags(path, flags(OpenFlags::SQLITE_OPEN_READ_ONLY))?;
    if !(0..=schema::newest()).contains(&schema::version(&connection)?) {
        return Ok(false);
    }
    check(&connection).map(|()| true)
}

/// Checks the structure of a file, as far as [`CHECK`] goes.
fn check(connection: &Connection) -> rusqlite::Result<()> {
    let interrupt = connection.get_interrupt_handle();
    std::thread::scope(|scope| {
        let (done, wait) = mpsc::channel::<()>();
        scope.spawn(move || {
            if wait.recv_timeout(CHECK) == Err(mpsc::RecvTimeoutError::Timeout) {
                interrupt.interrupt();
            }
        });
        let answer = connection.pragma_query_value(None, "quick_check", |row| row.get::<_, String>(0));
        drop(done);
        match answer {
            Ok(text) if text != "ok" => Err(rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_CORRUPT), None)),
            Err(error) if code(&error) != Some(OperationInterrupted) => Err(error),
            _ => Ok(()),
        }
    })
}

/// Renames a damaged file with its log. One is kept for whoever wants to know why; an older one makes room.
fn move_aside(path: &Path) -> io::Result<PathBuf> {
    let (directory, prefix) = (path.parent().unwrap_or(path), format!("{FILE}{ASIDE}"));
    for old in std::fs::read_dir(directory)?.flatten() {
        if old.file_name().to_string_lossy().starts_with(&prefix) {
            std::fs::remove_file(old.path())?;
        }
    }
    let aside = directory.join(format!("{prefix}{}", Timestamp::now().0 / 1000));
    for suffix in ["-wal", "-shm", ""] {
        let (from, to) = (with(path, suffix), with(&aside, suffix));
        match std::fs::rename(from, to) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(aside)
}

fn with(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

fn prepare(path: &Path) -> rusqlite::Result<Connection> {
    let mut writer = Connection::open_with_flags(path, flags(OpenFlags::SQLITE_OPEN_READ_WRITE))?;
    writer.busy_timeout(BUSY)?;
    writer.set_prepared_statement_cache_capacity(STATEMENTS);
    // Takes effect before the first table only.
    writer.pragma_update(None, "auto_vacuum", "INCREMENTAL")?;
    let mode: String = writer.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))?;
    if mode != "wal" {
        // A file system without locks or shared memory.
        return Err(rusqlite::Error::SqliteFailure(ffi::Error::new(ffi::SQLITE_NOLFS), None));
    }
    // No fsync a commit: the last commits may be lost with the machine's power, a cache can bear that.
    writer.pragma_update(None, "synchronous", "NORMAL")?;
    writer.pragma_update(None, "foreign_keys", true)?;
    writer.pragma_update(None, "temp_store", "MEMORY")?;
    // What was evicted is overwritten, so that restricted text doesn't linger in the file.
    writer.pragma_update_and_check(None, "secure_delete", "FAST", |_| Ok(()))?;
    writer.pragma_update_and_check(None, "journal_size_limit", LOG_BYTES, |_| Ok(()))?;
    schema::migrate(&mut writer, MIGRATIONS)?;
    schema::check(&writer)?;
    Ok(writer)
}
