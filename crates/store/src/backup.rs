//! The operations on a database that backup, restore and `doctor` need: copy it, check it, and empty its write-ahead
//! log. The server decides where the copies go. PostgreSQL is copied with its own tools.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags};

use crate::database::Backend;
use crate::migrate::{self, Applied, MigrationState};
use crate::{Db, Result, StoreError, sql};

/// The state of a database file that is not open.
#[derive(Debug)]
pub struct Inspection {
    /// The errors that SQLite finds. Empty if there are none.
    pub faults: Vec<String>,
    /// Whether its schema is that of this binary.
    pub migrations: MigrationState,
    /// Whether its schema is older than any that this binary can update.
    pub is_too_old: bool,
}

/// The file beside a database file with that ending, such as `-wal`.
pub fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = OsString::from(path.as_os_str());
    name.push(ending);
    name.into()
}

/// Writes a compact, consistent copy to a file that must not exist yet.
pub async fn copy_to(db: &Db, path: &Path) -> Result<()> {
    let Backend::Sqlite(threads) = &db.backend else {
        return Err(StoreError::Unexpected(anyhow::anyhow!("only an embedded database is copied this way")));
    };
    let path = path
        .to_str()
        .ok_or_else(|| StoreError::Unexpected(anyhow::anyhow!("the path is not text")))?
        .to_owned();
    threads.write(move |connection| Ok(connection.execute("VACUUM INTO ?", [path]).map(drop)?)).await
}

/// Reads a whole database file that is not open, and creates no other file.
pub fn inspect(path: &Path) -> Result<Inspection> {
    let text =
        path.to_str().ok_or_else(|| StoreError::Unexpected(anyhow::anyhow!("the path is not text")))?;
    let escaped = text.replace('%', "%25").replace('?', "%3f").replace('#', "%23");
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_URI;
    let connection = Connection::open_with_flags(format!("file:{escaped}?immutable=1"), flags)?;
    let mut faults = complaints(&connection, "PRAGMA integrity_check")?;
    let mut statement = connection.prepare("PRAGMA foreign_key_check")?;
    let dangling = statement.query_map([], |row| row.get::<_, String>(0))?;
    for table in dangling {
        faults.push(format!("a row of {} refers to a row that does not exist", table?));
    }
    let recorded = "SELECT number, checksum FROM migrations ORDER BY number";
    let applied: rusqlite::Result<Vec<Applied>> = connection.prepare(recorded).and_then(|mut rows| {
        rows.query_map([], |row| Ok(Applied { number: row.get(0)?, checksum: row.get(1)? }))?.collect()
    });
    let (migrations, is_too_old) = match applied {
        Ok(applied) => (migrate::state_of(&applied), migrate::is_too_old(&applied)),
        Err(_) => (MigrationState::Unknown, false),
    };
    Ok(Inspection { faults, migrations, is_too_old })
}

/// Moves the content of the write-ahead log into a database file that is not open, so that no log remains.
pub fn settle(path: &Path) -> Result<()> {
    let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
    truncate_log(&connection)?;
    connection.close().map_err(|(_, error)| error)?;
    Ok(())
}

/// Copies the write-ahead log into the file and empties it.
fn truncate_log(connection: &Connection) -> Result<()> {
    let busy: i64 = connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
    match busy {
        0 => Ok(()),
        _ => Err(StoreError::Unavailable("another process still reads the write-ahead log".into())),
    }
}

/// One line for each fault; SQLite says `ok` when there is none.
fn complaints(connection: &Connection, check: &str) -> Result<Vec<String>> {
    let mut statement = connection.prepare(check)?;
    let lines = statement.query_map([], |row| row.get::<_, String>(0))?;
    let lines = lines.collect::<rusqlite::Result<Vec<_>>>()?;
    Ok(lines.into_iter().filter(|line| line != "ok").collect())
}

impl Db {
    /// Ends the use of the database by this process: the write-ahead log is copied into the file. A server needs
    /// nothing.
    pub async fn settle(&self) -> Result<()> {
        match &self.backend {
            Backend::Sqlite(threads) => threads.write(|connection| truncate_log(connection)).await,
            Backend::Postgres(_) => Ok(()),
        }
    }

    /// The errors that a quick check of every page finds. Empty if there are none. A server is not checked.
    pub async fn quick_check(&self) -> Result<Vec<String>> {
        match &self.backend {
            Backend::Sqlite(threads) => {
                threads.read(|connection| complaints(connection, "PRAGMA quick_check")).await
            }
            Backend::Postgres(_) => Ok(Vec::new()),
        }
    }

    /// The number of other connections to this database. For a file it is not known.
    pub async fn others_connected(&self) -> Result<i64> {
        match &self.backend {
            Backend::Sqlite(_) => Ok(0),
            Backend::Postgres(_) => {
                let others = "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database()
                                AND pid <> pg_backend_pid() AND backend_type = 'client backend'";
                self.count(sql!(others)).await
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(path: &Path) -> Connection {
        let connection = Connection::open(path).unwrap();
        connection.query_row("PRAGMA journal_mode = WAL", [], |_| Ok(())).unwrap();
        connection.execute_batch("CREATE TABLE a (b TEXT); INSERT INTO a VALUES ('c');").unwrap();
        connection
    }

    #[test]
    fn after_settling_all_is_in_the_file_and_nothing_beside_it() {
        let home = tempfile::tempdir().unwrap();
        let (path, copy) = (home.path().join("a.db"), home.path().join("b.db"));
        // A process that was killed leaves its log behind; a copy of both files is what it leaves.
        let killed = filled(&path);
        for ending in ["", "-wal"] {
            std::fs::copy(beside(&path, ending), beside(&copy, ending)).unwrap();
        }
        drop(killed);
        assert!(std::fs::metadata(beside(&copy, "-wal")).unwrap().len() > 0);
        settle(&copy).unwrap();
        assert!(!beside(&copy, "-wal").exists() && !beside(&copy, "-shm").exists());
        assert_eq!(inspect(&copy).unwrap().faults, Vec::<String>::new());
        let rows: i64 = Connection::open(&copy)
            .unwrap()
            .query_row("SELECT COUNT(*) FROM a", [], |row| row.get(0))
            .unwrap();
        assert_eq!(rows, 1);
    }

    #[test]
    fn an_inspection_finds_what_is_broken_and_leaves_no_trace() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("odd?#%.db");
        drop(filled(&path));
        let sound = inspect(&path).unwrap();
        assert!(sound.faults.is_empty() && sound.migrations == MigrationState::Unknown);
        let mut bytes = std::fs::read(&path).unwrap();
        let half = bytes.len() / 2;
        bytes[half..].fill(0xff);
        std::fs::write(&path, bytes).unwrap();
        assert!(inspect(&path).map_or(true, |found| !found.faults.is_empty()));
        std::fs::write(&path, "no database at all, but long enough to be looked at").unwrap();
        assert!(inspect(&path).is_err());
        assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 1);
    }
}
