//! `/api/v1/workspace/members/{user_id}/second-factor/`: an Admin takes the second factors of somebody below them away, who has lost
//! them. Their sign-ins end; their password stays.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::ids::UserId;
use planwright_plan::edit::Edit;
use planwright_web::{ApiError, ApiResult, App, NoContent, Path, Routes, WorkspaceScope, says};

use super::commands;
use crate::sign_in::sessions::check_rank;

type Administrator = WorkspaceScope<may::AdministerWorkspace>;

/// The routes of this file.
pub(super) fn table() -> Routes {
    Routes::new().delete(
        "/api/v1/workspace/members/{user_id}/second-factor/",
        reset,
        says("Remove the second factors of a member and end their sign-ins.").session_only().dangerous(),
    )
}

async fn reset(
    State(app): State<App>,
    scope: Administrator,
    Path(user): Path<UserId>,
) -> ApiResult<NoContent> {
    let mut edit = Edit::begin(&app, &scope).await?;
    check_rank(&edit, &scope, user).await?;
    if !commands::reset(&mut edit, user, Some(scope.actor.id)).await? {
        return Err(ApiError::not_found());
    }
    edit.commit().await?;
    Ok(NoContent)
}
