//! Why the bytes of a file could not be written or read, and what a caller is told about it.

use std::io;

use planwright_web::ApiError;

/// What a call of the storage returns.
pub type StorageResult<T> = Result<T, StorageFailure>;

/// A failure of the storage of files.
#[derive(Debug)]
pub enum StorageFailure {
    /// There is no space left.
    Full(io::Error),
    /// The storage does not answer, or refuses. The same call may work later.
    Unavailable(anyhow::Error),
    /// A file that must be there is not.
    Lost(String),
}

impl StorageFailure {
    /// A file that must be there is not.
    pub fn lost(key: &str) -> Self {
        Self::Lost(key.to_owned())
    }
}

impl std::fmt::Display for StorageFailure {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Full(_) => formatter.write_str("the storage of files has no space left"),
            Self::Unavailable(cause) => write!(formatter, "the storage of files is not available: {cause}"),
            Self::Lost(key) => write!(formatter, "the file {key} is not in the storage"),
        }
    }
}

impl std::error::Error for StorageFailure {}

impl From<io::Error> for StorageFailure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::Full(error),
            _ => Self::Unavailable(error.into()),
        }
    }
}

impl From<object_store::Error> for StorageFailure {
    fn from(error: object_store::Error) -> Self {
        Self::Unavailable(error.into())
    }
}

impl From<StorageFailure> for ApiError {
    fn from(failure: StorageFailure) -> Self {
        match failure {
            StorageFailure::Full(cause) => {
                tracing::error!(%cause, "the storage of files has no space left");
                Self::unavailable("The server has no space left. Nothing was written.")
                    .with_code("storage_full")
            }
            StorageFailure::Unavailable(cause) => {
                tracing::error!(cause = format!("{cause:#}"), "the storage of files is not available");
                Self::unavailable("The storage of files is not available right now.")
                    .with_code("file_storage_unavailable")
            }
            StorageFailure::Lost(key) => {
                tracing::error!(key, "a file that a row names is not in the storage");
                Self::not_found().with_code("file_missing")
            }
        }
    }
}
