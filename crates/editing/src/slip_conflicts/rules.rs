//! Whether there is anything left to acknowledge of a slip conflict: a pure decision.

use planwright_domain::words::SlipResolution;
use planwright_web::{ApiError, ApiResult};

use super::model::ConflictRow;

/// Whether there is anything left to acknowledge; doing it twice is fine, and is no when it was done.
pub fn is_unacknowledged(row: &ConflictRow) -> ApiResult<bool> {
    match row.resolution {
        SlipResolution::Unresolved => Ok(row.acknowledged_at.is_none()),
        SlipResolution::AutoResolved => {
            Err(ApiError::bad_request("The conflict is resolved already.").with_code("already_resolved"))
        }
    }
}
