//! Who may acknowledge a slip conflict, and whether there is anything left to acknowledge: pure decisions.

use planwright_domain::Role;
use planwright_domain::words::SlipResolution;
use planwright_web::{ApiError, ApiResult};

use super::model::ConflictRow;

/// Whether somebody may acknowledge a conflict of a project: its Scrum Master or Product Owner, and who manages it.
pub fn may_acknowledge(role: Role, has_facet: bool) -> ApiResult<()> {
    match has_facet || role >= Role::ProjectManager {
        true => Ok(()),
        false => Err(ApiError::forbidden("You do not have permission to perform this action.")),
    }
}

/// Whether there is anything left to acknowledge; doing it twice is fine, and is no when it was done.
pub fn is_unacknowledged(row: &ConflictRow) -> ApiResult<bool> {
    match row.resolution {
        SlipResolution::Unresolved => Ok(row.acknowledged_at.is_none()),
        SlipResolution::AutoResolved => {
            Err(ApiError::bad_request("The conflict is resolved already.").with_code("already_resolved"))
        }
    }
}
