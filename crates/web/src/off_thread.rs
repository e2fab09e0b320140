//! Work that takes long, off the threads that answer requests.

use crate::{ApiError, ApiResult};

/// Does work that may take a second on a thread of its own, beside the requests of others.
///
/// # Errors
/// When the work panics.
pub async fn off_thread<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> ApiResult<T> {
    tokio::task::spawn_blocking(work).await.map_err(|error| ApiError::unexpected(error.into()))
}
