//! `/api/v1/auth/password/`: ask for a reset link, use one, change one's own password.
//! Asking says the same and takes as long whether or not anybody has the address.

use axum::extract::State;
use planwright_plan::edit::Edit;
use planwright_web::limits::Limit;
use planwright_web::{Actor, ApiError, ApiResult, App, Body, Json, Routes, says, token};
use uuid::Uuid;

use super::model::{
    PasswordAnswer, PasswordChangeRequest, PasswordResetConfirmRequest, PasswordResetRequest, ResetLink,
    ResetRequest,
};
use super::rules::{self, Wanted};
use super::{ask_for_link, hash_aside, matches_aside, queries, replace, reset};
use crate::people::{self, PersonRow};
use crate::tokens::Reason;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .post(
            "/api/v1/auth/password/reset/",
            ask_for_reset,
            says("Send a reset link by mail, if a person has this address.")
                .public()
                .limit(Limit::PasswordReset)
                .limit(Limit::PasswordResetAccount),
        )
        .post(
            "/api/v1/auth/password/reset/confirm/",
            confirm_reset,
            says("Choose a new password with a reset link.").public().limit(Limit::PasswordReset),
        )
        .post(
            "/api/v1/auth/password/change/",
            change,
            says("Change your password. All your sessions, personal tokens and calendar feeds end.")
                .session_only()
                .limit(Limit::PasswordReset),
        )
}

async fn ask_for_reset(
    State(app): State<App>,
    Body(request): Body<PasswordResetRequest>,
) -> ApiResult<Json<PasswordAnswer>> {
    if !rules::is_address(&request.email) {
        return Err(ApiError::invalid_field("email", "Enter a valid email address."));
    }
    ask_for_link(&app, ResetRequest { email: request.email.into() }).await?;
    let detail = "If there is an account with this address, it gets a mail with a link for a new password.";
    Ok(Json(PasswordAnswer { detail }))
}

async fn confirm_reset(
    State(app): State<App>,
    Body(request): Body<PasswordResetConfirmRequest>,
) -> ApiResult<Json<PasswordAnswer>> {
    choose(&app, &request.uid, &request.token, request.new_password.into()).await?;
    Ok(Json(PasswordAnswer { detail: "The password was changed. Sign in with the new one." }))
}

async fn change(
    State(app): State<App>,
    actor: Actor,
    Body(request): Body<PasswordChangeRequest>,
) -> ApiResult<Json<PasswordAnswer>> {
    let person = people::by_id(&app.db, actor.id).await?.ok_or_else(ApiError::not_found)?;
    if !matches_aside(request.old_password.into(), person.password_hash.clone()).await? {
        return Err(ApiError::invalid_field("old_password", "This is not the current password."));
    }
    let hash = accept(&person, request.new_password.into()).await?;
    let mut edit = Edit::locked(&app, &actor).await?;
    if !queries::still_has(&mut edit, &person).await? {
        return Err(ApiError::conflict("Somebody else has changed the password in the meantime."));
    }
    replace(&mut edit, person.id, &hash, Some(actor.id), Reason::PasswordChange).await?;
    edit.commit().await?;
    Ok(Json(PasswordAnswer { detail: "The password was changed. Sign in again with the new one." }))
}

/// Uses a link up for a new password.
pub(super) async fn choose(app: &App, uid: &str, secret: &str, password: String) -> ApiResult<()> {
    let (person, link) = holder(app, uid, secret).await?;
    let hash = accept(&person, password).await?;
    match reset(app, &person, link.id, &hash).await? {
        true => Ok(()),
        false => Err(invalid_token()),
    }
}

/// The person that a good reset link belongs to, who must still be one that may have it.
pub(super) async fn holder(app: &App, uid: &str, secret: &str) -> ApiResult<(PersonRow, ResetLink)> {
    let uid = Uuid::try_parse(uid).map_err(|_| invalid_token())?;
    let found = queries::find_link(&app.db, &token::hash(secret), app.clock.now()).await?;
    let link = found.filter(|link| link.user_id.0 == uid).ok_or_else(invalid_token)?;
    let person = people::by_id(&app.db, link.user_id).await?;
    let person = person.filter(|person| person.may_sign_in() && person.password_hash.is_some());
    Ok((person.ok_or_else(invalid_token)?, link))
}

fn invalid_token() -> ApiError {
    ApiError::bad_request("This link is not valid any more. Ask for a new one.").with_code("invalid_token")
}

/// The hash of a new password, if it is good enough for its owner.
async fn accept(person: &PersonRow, password: String) -> ApiResult<String> {
    let is_current = matches_aside(password.clone(), person.password_hash.clone()).await?;
    let (username, email) = (person.username.as_str(), person.email.as_str());
    let weaknesses = rules::weaknesses(Wanted { password: &password, username, email, is_current });
    if !weaknesses.is_empty() {
        let refusal = ApiError::bad_request("This password is too weak.").with_code("weak_password");
        return Err(refusal.with("messages", weaknesses));
    }
    Ok(hash_aside(password).await?)
}
