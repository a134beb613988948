//! The schema by number: each migration in one transaction with its number, so that a crash leaves the old or the new.

use rusqlite::{Connection, TransactionBehavior};

/// Migration `n` (from 1) leads from version `n - 1` to version `n`. What was released stays as it is.
pub(super) const MIGRATIONS: &[&str] = &[include_str!("schema/0001.sql")];

/// The newest version.
pub(super) fn newest() -> i32 {
    i32::try_from(MIGRATIONS.len()).unwrap_or(i32::MAX)
}

/// The version that a file has: 0 when it is empty.
pub(super) fn version(connection: &Connection) -> rusqlite::Result<i32> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// Brings a file to the newest version.
pub(super) fn migrate(connection: &mut Connection, migrations: &[&str]) -> rusqlite::Result<()> {
    let current = version(connection)?;
    for (number, migration) in (1..).zip(migrations).filter(|(number, _)| *number > current) {
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        transaction.execute_batch(migration)?;
        transaction.pragma_update(None, "user_version", number)?;
        transaction.commit()?;
    }
    Ok(())
}

/// Whether the tables that the version promises are there: a file may say anything.
pub(super) fn check(connection: &Connection) -> rusqlite::Result<()> {
    connection.prepare("SELECT checksum, text FROM document, page").map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "CREATE TABLE a (x INTEGER) STRICT; INSERT INTO a VALUES (1);";
    const COLUMN: &str = "ALTER TABLE a ADD COLUMN y TEXT; UPDATE a SET y = 'new';";

    fn row(connection: &Connection) -> (i64, String) {
        connection.query_one("SELECT x, y FROM a", [], |row| Ok((row.get(0)?, row.get(1)?))).unwrap()
    }

    #[test]
    fn an_empty_file_and_one_of_version_1_end_up_the_same() {
        let mut empty = Connection::open_in_memory().unwrap();
        migrate(&mut empty, &[TABLE, COLUMN]).unwrap();
        let mut first = Connection::open_in_memory().unwrap();
        migrate(&mut first, &[TABLE]).unwrap();
        assert_eq!(version(&first), Ok(1));
        migrate(&mut first, &[TABLE, COLUMN]).unwrap();
        for connection in [&empty, &first] {
            assert_eq!((version(connection), row(connection)), (Ok(2), (1, "new".to_owned())));
        }
        migrate(&mut first, &[TABLE, COLUMN]).unwrap();
        assert_eq!(version(&first), Ok(2), "a file that is up to date is left alone");
    }

    #[test]
    fn a_migration_that_fails_half_way_leaves_the_version_before() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection, &[TABLE]).unwrap();
        let broken = "ALTER TABLE a ADD COLUMN y TEXT; INSERT INTO missing VALUES (1);";
        assert!(migrate(&mut connection, &[TABLE, broken]).is_err());
        assert_eq!(version(&connection), Ok(1));
        assert!(connection.prepare("SELECT y FROM a").is_err());
        migrate(&mut connection, &[TABLE, COLUMN]).unwrap();
        assert_eq!(row(&connection), (1, "new".to_owned()));
    }

    #[test]
    fn the_shipped_migrations_lead_from_nothing_to_the_newest_version() {
        let mut connection = Connection::open_in_memory().unwrap();
        migrate(&mut connection, MIGRATIONS).unwrap();
        assert_eq!(version(&connection), Ok(newest()));
        assert_eq!(check(&connection), Ok(()));
    }
}
