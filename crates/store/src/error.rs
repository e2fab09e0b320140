//! The errors of a query, grouped by what a caller can do about them. The web crate decides which HTTP answer each of
//! them gives.

/// A failed statement or connection.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// A unique key already has this value. Its name is `uq_<table>_<columns>` on both engines.
    #[error("the unique key {0} already has this value")]
    Duplicate(String),
    /// A row that is referred to does not exist, or a row to be deleted is still referred to.
    #[error("a reference is not valid: {0}")]
    Reference(String),
    /// The database cannot be reached, or is too busy to answer in time; the same call may work later.
    #[error("the database is unavailable: {0}")]
    Unavailable(String),
    /// The database rolled this transaction back in favour of another one. It may be run again at once.
    #[error("the transaction was rolled back in favour of another: {0}")]
    GaveWay(String),
    /// The disk is full; nothing was written.
    #[error("the database has no space left: {0}")]
    Full(String),
    /// A row that the caller needs does not exist.
    #[error("no such row")]
    Missing,
    /// A programming error or damage: a wrong statement, a wrong type, a damaged file.
    #[error(transparent)]
    Unexpected(#[from] anyhow::Error),
}

impl StoreError {
    /// Whether the same transaction may succeed if it is run again: it was rolled back in favour of another one, or
    /// another one wrote the same primary key.
    pub fn is_worth_another_try(&self) -> bool {
        match self {
            StoreError::GaveWay(_) => true,
            StoreError::Duplicate(key) => key.ends_with("_pkey"),
            _ => false,
        }
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ffi;
        let rusqlite::Error::SqliteFailure(code, message) = &error else {
            return StoreError::Unexpected(anyhow::Error::new(error));
        };
        let text = message.clone().unwrap_or_else(|| error.to_string());
        match (code.code, code.extended_code) {
            (_, ffi::SQLITE_CONSTRAINT_UNIQUE | ffi::SQLITE_CONSTRAINT_PRIMARYKEY) => {
                StoreError::Duplicate(unique_key_in(&text))
            }
            (_, ffi::SQLITE_CONSTRAINT_FOREIGNKEY) => StoreError::Reference(text),
            (ffi::ErrorCode::DiskFull, _) => StoreError::Full(text),
            (
                ffi::ErrorCode::DatabaseBusy
                | ffi::ErrorCode::DatabaseLocked
                | ffi::ErrorCode::CannotOpen
                | ffi::ErrorCode::SystemIoFailure
                | ffi::ErrorCode::ReadOnly,
                _,
            ) => StoreError::Unavailable(text),
            _ => StoreError::Unexpected(anyhow::Error::new(error)),
        }
    }
}

/// SQLite names the columns of a violated key (`table.a, table.b`) or its index; PostgreSQL names the constraint.
/// Keys are called `uq_<table>_<columns>` everywhere, so the one can be told from the other.
fn unique_key_in(message: &str) -> String {
    let subject = message.rsplit("failed: ").next().unwrap_or(message);
    if let Some(index) = subject.strip_prefix("index '") {
        return index.trim_end_matches('\'').to_owned();
    }
    let mut columns = subject.split(", ").filter_map(|part| part.split_once('.'));
    let Some((table, first)) = columns.next() else { return subject.to_owned() };
    columns.fold(format!("uq_{table}_{first}"), |name, (_, column)| format!("{name}_{column}"))
}

impl From<tokio_postgres::Error> for StoreError {
    fn from(error: tokio_postgres::Error) -> Self {
        use tokio_postgres::error::SqlState;
        let Some(database) = error.as_db_error() else {
            let text = describe(&error);
            if error.is_closed()
                || std::error::Error::source(&error).is_some_and(|s| s.is::<std::io::Error>())
            {
                return StoreError::Unavailable(text);
            }
            return StoreError::Unexpected(anyhow::anyhow!(text));
        };
        let text = database.message().to_owned();
        match database.code() {
            code if *code == SqlState::UNIQUE_VIOLATION => {
                StoreError::Duplicate(database.constraint().unwrap_or_default().to_owned())
            }
            code if *code == SqlState::FOREIGN_KEY_VIOLATION => StoreError::Reference(text),
            code if *code == SqlState::DISK_FULL => StoreError::Full(text),
            code if code.code().starts_with("40") => StoreError::GaveWay(text),
            code if code.code().starts_with("57P")
                || code.code().starts_with("08")
                || code.code().starts_with("53") =>
            {
                StoreError::Unavailable(text)
            }
            code => StoreError::Unexpected(anyhow::anyhow!("{} ({})", text, code.code())),
        }
    }
}

/// All causes, because the outermost message of the driver says little.
fn describe(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        text += &format!(": {inner}");
        cause = inner.source();
    }
    text
}

impl From<deadpool_postgres::PoolError> for StoreError {
    fn from(error: deadpool_postgres::PoolError) -> Self {
        match error {
            deadpool_postgres::PoolError::Backend(error) => match StoreError::from(error) {
                StoreError::Unexpected(cause) => StoreError::Unavailable(cause.to_string()),
                known => known,
            },
            other => StoreError::Unavailable(describe(&other)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::unique_key_in;

    #[test]
    fn a_violated_key_has_one_name_on_both_engines() {
        assert_eq!(unique_key_in("UNIQUE constraint failed: users.username"), "uq_users_username");
        assert_eq!(
            unique_key_in("UNIQUE constraint failed: memberships.project_id, memberships.user_id"),
            "uq_memberships_project_id_user_id"
        );
        assert_eq!(unique_key_in("UNIQUE constraint failed: index 'uq_labels_name'"), "uq_labels_name");
    }
}
