//! `/api/v1/auth/confirm/`: somebody who is signed in proves that it is they, by password, code or passkey. For ten minutes nobody
//! asks them again.

use axum::extract::State;
use planwright_domain::words::{AuditKind, ChallengeKind};
use planwright_plan::edit::Edit;
use planwright_store::audit::Audited;
use planwright_web::limits::Limit;
use planwright_web::{Actor, ApiError, ApiResult, App, Body, Json, NoContent, Routes, says};
use serde_json::json;

use super::commands::{self, Means};
use super::model::{ConfirmationRequest, PasskeyOptions};
use super::{ceremonies, challenges, queries};
use crate::sign_in::model::Device;
use crate::{hashing, people};

/// The routes of this file.
pub(super) fn table() -> Routes {
    let proof = |what| says(what).session_only().before_second_factor().limit(Limit::SecondFactor);
    Routes::new()
        .post(
            "/api/v1/auth/confirm/",
            confirm,
            proof("Prove that it is you: by password, code or passkey. It counts for ten minutes."),
        )
        .post(
            "/api/v1/auth/confirm/options/",
            ask_for_signature,
            says("Ask for what a browser needs to prove that it is you with a passkey.")
                .session_only()
                .before_second_factor()
                .limit(Limit::PasskeyOptions),
        )
}

async fn ask_for_signature(
    State(app): State<App>,
    actor: Actor,
    _: planwright_web::IgnoredBody,
) -> ApiResult<Json<PasskeyOptions>> {
    let mut edit = Edit::begin(&app, &actor).await?;
    let options = challenges::ask_for_signature(&app, &mut edit, Some(actor.id)).await?;
    edit.commit().await?;
    Ok(Json(options))
}

async fn confirm(
    State(app): State<App>,
    actor: Actor,
    device: Device,
    Body(request): Body<ConfirmationRequest>,
) -> ApiResult<NoContent> {
    let session = actor.credential.session().ok_or_else(ApiError::not_found)?;
    check_one_proof(&request)?;
    commands::count_try(&app, actor.id).await?;
    let by_password = by_password(&app, &actor, &request).await?;
    let mut edit = Edit::locked(&app, &actor).await?;
    let proved = match by_password {
        true => Some(Means::Password),
        false => by_factor(&app, &mut edit, &actor, request).await?,
    };
    let (kind, name) = match proved {
        Some(means) => (AuditKind::SignInConfirmed, means.as_str()),
        None => (AuditKind::SignInRefused, "confirmation"),
    };
    let metadata = json!({ "second_factor": name, "session": session, "source_ip": device.address });
    let (who, target, label) = (Some(actor.id), Some(actor.id.0), String::new());
    edit.audit(Audited { kind, actor: who, target_type: "user", target, label, metadata }).await?;
    if let Some(means) = proved {
        queries::confirm(&mut edit, session, means != Means::Password).await?;
    }
    edit.commit().await?;
    match proved {
        Some(_) => Ok(NoContent),
        None => Err(ApiError::invalid_field("non_field_errors", "This is not accepted.")),
    }
}

/// Refuses two proofs at once: a wrong one beside a right one would not be told.
fn check_one_proof(request: &ConfirmationRequest) -> ApiResult<()> {
    let has_password = request.current_password.as_given().is_some_and(|given| !given.as_str().is_empty());
    let has_code = request.code.as_given().is_some_and(|code| !code.as_str().is_empty());
    let sent = [has_password, has_code, request.credential.is_given()];
    match sent.into_iter().filter(|is_sent| *is_sent).count() > 1 {
        true => Err(ApiError::invalid_field(
            "non_field_errors",
            "Send a password, a code or a passkey, not several.",
        )),
        false => Ok(()),
    }
}

/// Whether the request has the password of the caller. One that is wrong is told on its field.
async fn by_password(app: &App, actor: &Actor, request: &ConfirmationRequest) -> ApiResult<bool> {
    let Some(password) = request.current_password.as_given().filter(|given| !given.as_str().is_empty())
    else {
        return Ok(false);
    };
    let person = people::by_id(&app.db, actor.id).await?.ok_or_else(ApiError::not_found)?;
    Ok(hashing::matches_aside(password.as_str().to_owned(), person.password_hash).await?)
}

async fn by_factor(
    app: &App,
    edit: &mut Edit,
    actor: &Actor,
    request: ConfirmationRequest,
) -> ApiResult<Option<Means>> {
    if let Some(code) = request.code.as_given().filter(|code| !code.as_str().is_empty()) {
        return commands::accept(app, edit, actor.id, code.as_str()).await;
    }
    let (Some(word), Some(credential)) = (request.challenge.as_given(), request.credential.given()) else {
        return Ok(None);
    };
    let answer = serde_json::Value::Object(credential).to_string();
    let Some(claimed) = ceremonies::claimed(answer.as_bytes()) else { return Ok(None) };
    let kind = ChallengeKind::Passkey;
    let taken = challenges::take_passkey(app, edit, kind, word.as_str()).await?;
    let is_own = claimed.user == actor.id;
    let Some((_, state)) = taken.filter(|(user, _)| is_own && *user == Some(actor.id)) else {
        return Ok(None);
    };
    Ok(commands::signed_by(app, edit, &state, &claimed).await?.map(|_| Means::Passkey))
}
