//! Secrets of other systems in storage: sealed for one row, and opened only to be used.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use planwright_web::{ApiError, ApiResult, App};

/// A secret as it is stored.
pub fn seal(app: &App, purpose: &str, secret: &str) -> ApiResult<String> {
    Ok(STANDARD.encode(app.sealer.seal(purpose, secret.as_bytes())?))
}

/// A stored secret.
pub fn open(app: &App, purpose: &str, sealed: &str) -> ApiResult<String> {
    let bytes = STANDARD.decode(sealed).map_err(|error| ApiError::unexpected(error.into()))?;
    let opened = app.sealer.open(purpose, &bytes)?;
    String::from_utf8(opened).map_err(|error| ApiError::unexpected(error.into()))
}
