//! `/api/v1/auth/me/`: who one is; `/api/v1/auth/me/profile/`: what one chose for oneself.
//! Everybody reads and writes only their own.

use axum::extract::State;
use planwright_plan::edit::Edit;
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{Actor, ApiResult, App, Body, Json, Routes, says};

use super::model::{Me, PatchedUserProfileRequest, UserProfile};
use super::{queries, rules};

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(
            "/api/v1/auth/me/",
            show,
            says("Get your account and the page that opens after sign-in.")
                .agent_surface()
                .before_second_factor(),
        )
        .get("/api/v1/auth/me/profile/", show_profile, says("Get your preferences."))
        .patch("/api/v1/auth/me/profile/", update_profile, says("Change some preferences."))
}

async fn show(State(app): State<App>, actor: Actor) -> ApiResult<Json<Me>> {
    let row = queries::own(&app.db, &actor).await?;
    let involvement = queries::involvement(&app.db, &actor).await?;
    Ok(Json(Me::of(row, involvement)))
}

async fn show_profile(State(app): State<App>, actor: Actor) -> ApiResult<Versioned<UserProfile>> {
    let row = queries::own(&app.db, &actor).await?;
    Ok(Versioned::new(row.server_version, UserProfile::of(row)))
}

async fn update_profile(
    State(app): State<App>,
    actor: Actor,
    expected: Precondition,
    Body(request): Body<PatchedUserProfileRequest>,
) -> ApiResult<Versioned<UserProfile>> {
    let mut edit = Edit::locked(&app, &actor).await?;
    let before = queries::own(&edit, &actor).await?;
    edit.expect(&before, expected)?;
    let written = edit.update(&before, rules::changed(before.clone(), request)).await?;
    edit.commit().await?;
    Ok(written.shown(UserProfile::of))
}
