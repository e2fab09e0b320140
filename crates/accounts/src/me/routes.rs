//! `/api/v1/auth/me/`: who one is; `/api/v1/auth/me/profile/`: what one chose for oneself.
//! Everybody reads and writes only their own.

use axum::extract::State;
use planwright_domain::words::ChangeKind;
use planwright_store::history::Change;
use planwright_web::{Actor, ApiError, ApiResult, App, Body, Json, Routes, says};

use super::model::{Me, PatchedUserProfileRequest, UserProfile};
use super::{queries, rules};

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get("/api/v1/auth/me/", show, says("Who one is, and where one lands.").agent_surface())
        .get("/api/v1/auth/me/profile/", show_profile, says("What one chose for oneself."))
        .patch("/api/v1/auth/me/profile/", update_profile, says("Choose some of it anew."))
}

async fn show(State(app): State<App>, actor: Actor) -> ApiResult<Json<Me>> {
    let row = queries::find(&app.db, actor.id).await?.ok_or_else(ApiError::not_found)?;
    let involvement = queries::involvement(&app.db, actor.id).await?;
    Ok(Json(Me::of(row, involvement)))
}

async fn show_profile(State(app): State<App>, actor: Actor) -> ApiResult<Json<UserProfile>> {
    let row = queries::find(&app.db, actor.id).await?.ok_or_else(ApiError::not_found)?;
    Ok(Json(UserProfile::of(&row)))
}

async fn update_profile(
    State(app): State<App>,
    actor: Actor,
    Body(request): Body<PatchedUserProfileRequest>,
) -> ApiResult<Json<UserProfile>> {
    let mut tx = app.db.begin().await?;
    let row = queries::find(&tx, actor.id).await?.ok_or_else(ApiError::not_found)?;
    let before = UserProfile::of(&row);
    let after = rules::changed(before.clone(), request);
    if after != before {
        queries::update_profile(&mut tx, actor.id, &after).await?;
        let version = row.server_version + 1;
        let change = Change { version, ..Change::of("user", actor.id, ChangeKind::Updated, actor.id) };
        tx.record(change.between(&before, &after)).await?;
        tx.commit().await?;
    }
    Ok(Json(after))
}
