//! A consistent copy of a SQLite database while others use it.
//! PostgreSQL has tools of its own for that.

use std::path::Path;

use crate::database::Backend;
use crate::{Db, Result, StoreError};

/// Writes a compact, consistent copy to a file that must not exist yet.
pub async fn copy_to(db: &Db, path: &Path) -> Result<()> {
    let Backend::Sqlite(threads) = &db.backend else {
        return Err(StoreError::Unexpected(anyhow::anyhow!("only an embedded database is copied this way")));
    };
    let path = path
        .to_str()
        .ok_or_else(|| StoreError::Unexpected(anyhow::anyhow!("the path is no text")))?
        .to_owned();
    threads.write(move |connection| Ok(connection.execute("VACUUM INTO ?", [path]).map(drop)?)).await
}
