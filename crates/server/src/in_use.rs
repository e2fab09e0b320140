//! Who uses the database file of an installation: any number of processes together, or a restore alone.
//! The lock is on a file beside it and ends with its process, however that ends. Servers of databases are not locked.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;

use anyhow::{Context, bail};
use planwright_store::backup::beside;

use crate::private;

/// A lock that lasts as long as this value.
pub struct InUse {
    _file: File,
}

impl InUse {
    /// Uses the database file together with others; refused while a restore replaces it.
    pub fn together(database: &Path) -> anyhow::Result<Self> {
        let file = lock_file(database)?;
        match file.try_lock_shared() {
            Ok(()) => Ok(Self { _file: file }),
            Err(TryLockError::WouldBlock) => {
                bail!("a restore of {} is running; try again when it is done", database.display())
            }
            Err(TryLockError::Error(error)) => Err(error).context("locking the database"),
        }
    }

    /// Uses the database file alone; refused while anybody else uses it.
    pub fn alone(database: &Path) -> anyhow::Result<Self> {
        match Self::alone_if_free(database)? {
            Some(lock) => Ok(lock),
            None => bail!("{} is in use; stop the server first", database.display()),
        }
    }

    /// Uses the database file alone, unless anybody else uses it.
    pub fn alone_if_free(database: &Path) -> anyhow::Result<Option<Self>> {
        let file = lock_file(database)?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Self { _file: file })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error).context("locking the database"),
        }
    }
}

fn lock_file(database: &Path) -> anyhow::Result<File> {
    let path = beside(database, ".lock");
    private::write_missing(&path, "").with_context(|| format!("making {}", path.display()))?;
    let opened = OpenOptions::new().read(true).write(true).open(&path);
    opened.with_context(|| format!("opening {}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn several_use_a_database_together_and_only_one_alone() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("a.db");
        let (one, other) = (InUse::together(&path).unwrap(), InUse::together(&path).unwrap());
        let refused = InUse::alone(&path).err().unwrap().to_string();
        assert!(refused.contains("in use; stop the server first"), "{refused}");
        drop((one, other));
        let alone = InUse::alone(&path).unwrap();
        let refused = InUse::together(&path).err().unwrap().to_string();
        assert!(refused.contains("a restore of"), "{refused}");
        drop(alone);
        assert!(InUse::together(&path).is_ok());
    }
}
