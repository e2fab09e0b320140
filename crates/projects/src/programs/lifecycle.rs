//! `/api/v1/programs/{id}/close/`, `reopen/` and `transfer-sponsorship/`: what an Owner does to a program as a whole.
//! Closing freezes the program itself; its projects go on.

use axum::extract::State;
use planwright_domain::Role;
use planwright_domain::access::may;
use planwright_domain::events::SocketEvent;
use planwright_plan::containers::hold_program;
use planwright_plan::containers::members::{program_member, set_program_role};
use planwright_store::Tx;
use planwright_web::version::Versioned;
use planwright_web::{ApiError, ApiResult, App, IgnoredBody, OpenBody, ProgramScope, Routes, says};
use serde_json::json;

use super::model::{Program, ProgramRow};
use super::{change, present, queries};
use crate::people;
use crate::projects::requests::TransferRequest;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .post("/api/v1/programs/{id}/close/", close, says("Freeze a program; its projects go on."))
        .post("/api/v1/programs/{id}/reopen/", reopen, says("Let a closed program be changed again."))
        .post(
            "/api/v1/programs/{id}/transfer-sponsorship/",
            transfer,
            says("Hand a program over to another member."),
        )
}

async fn close(
    State(app): State<App>,
    scope: ProgramScope<may::OwnProgram>,
    _: IgnoredBody,
) -> ApiResult<Versioned<Program>> {
    freeze(app, scope, true).await
}

async fn reopen(
    State(app): State<App>,
    scope: ProgramScope<may::OwnProgram>,
    _: IgnoredBody,
) -> ApiResult<Versioned<Program>> {
    freeze(app, scope, false).await
}

/// Doing it twice changes nothing the second time.
async fn freeze(
    app: App,
    scope: ProgramScope<may::OwnProgram>,
    closed: bool,
) -> ApiResult<Versioned<Program>> {
    let mut tx = app.db.begin().await?;
    let before = change::found(&mut tx, &scope).await?;
    if before.closed_at.is_some() != closed {
        let stamp = closed.then(|| (tx.now(), scope.actor.id));
        queries::set_closed(&mut tx, scope.program, stamp).await?;
        let after = ProgramRow {
            closed_at: stamp.map(|(at, _)| at),
            closed_by: stamp.map(|(_, person)| person),
            ..before.clone()
        };
        change::record(&mut tx, scope.actor.id, &before, &after).await?;
        let event = if closed { SocketEvent::ProgramClosed } else { SocketEvent::ProgramReopened };
        change::tell(&mut tx, scope.program, event, json!({ "id": scope.program })).await?;
    }
    let row = present::one(&tx, &scope.actor, scope.program).await?;
    tx.commit().await?;
    Ok(Versioned::new(row.server_version, row))
}

async fn transfer(
    State(app): State<App>,
    scope: ProgramScope<may::OwnProgram>,
    OpenBody(request): OpenBody<TransferRequest>,
) -> ApiResult<Versioned<Program>> {
    let mut tx = app.db.begin().await?;
    let scope = hold_program(&mut tx, &scope).await?;
    hand_over(&mut tx, &scope, request).await?;
    let row = present::one(&tx, &scope.actor, scope.program).await?;
    tx.commit().await?;
    Ok(Versioned::new(row.server_version, row))
}

async fn hand_over(
    tx: &mut Tx,
    scope: &ProgramScope<may::OwnProgram>,
    request: TransferRequest,
) -> ApiResult<()> {
    let (program, actor) = (scope.program, scope.actor.id);
    let heir = request.new_owner_user_id;
    let old = program_member(tx, program, actor).await?.ok_or_else(ApiError::not_found)?;
    let new = program_member(tx, program, heir).await?;
    let new = new.filter(|member| member.user_id != actor).ok_or_else(|| {
        ApiError::invalid_field("new_owner_user_id", "Must be another member of the program.")
    })?;
    if !people::is_active(tx, heir).await? {
        return Err(ApiError::invalid_field("new_owner_user_id", "This person can no longer sign in."));
    }
    // In this order, since a program has one Owner at every moment.
    set_program_role(tx, actor, &old, Role::ProjectManager, &old.role_title).await?;
    set_program_role(tx, actor, &new, Role::Owner, &new.role_title).await?;
    let told = json!({ "id": program, "new_owner_id": heir });
    change::tell(tx, program, SocketEvent::ProgramSponsorshipTransferred, told).await?;
    Ok(())
}
