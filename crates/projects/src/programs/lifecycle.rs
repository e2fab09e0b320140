//! `/api/v1/programs/{id}/close/`, `reopen/` and `transfer-sponsorship/`: what an Owner does to a program as a whole.
//! Closing freezes the program itself; its projects go on.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::events::SocketEvent;
use planwright_plan::containers::ProgramRow;
use planwright_plan::containers::program;
use planwright_plan::edit::{self, Edit};
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{ApiResult, App, IgnoredBody, Item, OpenBody, ProgramScope, Routes, says};
use serde_json::json;

use super::model::Program;
use super::present;
use crate::members;
use crate::projects::requests::TransferRequest;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .post("/api/v1/programs/{id}/close/", close, says("Close a program. Its projects continue."))
        .post("/api/v1/programs/{id}/reopen/", reopen, says("Reopen a closed program."))
        .post(
            "/api/v1/programs/{id}/transfer-sponsorship/",
            transfer,
            says("Make another member the Owner of a program."),
        )
}

type Owned = Item<ProgramRow, may::OwnProgram>;

async fn close(State(app): State<App>, item: Owned, _: IgnoredBody) -> ApiResult<Versioned<Program>> {
    freeze(app, item, true).await
}

async fn reopen(State(app): State<App>, item: Owned, _: IgnoredBody) -> ApiResult<Versioned<Program>> {
    freeze(app, item, false).await
}

/// Doing it twice changes nothing the second time.
async fn freeze(app: App, item: Owned, closed: bool) -> ApiResult<Versioned<Program>> {
    let (mut edit, before) = edit::open(&app, item, Precondition::default()).await?;
    let (now, id) = (edit.now(), before.id);
    if before.closed_at.is_some() != closed {
        let closed_by = closed.then_some(edit.grant.actor.id);
        let closed_at = closed.then_some(now);
        let after = ProgramRow { closed_at, closed_by, updated_at: now, ..before.clone() };
        edit.update(&before, after).await?;
        let event = if closed { SocketEvent::ProgramClosed } else { SocketEvent::ProgramReopened };
        program::tell(&mut edit, id, event, json!({ "id": id })).await?;
    }
    let row = present::one(&edit, &edit.grant.actor, id).await?;
    edit.commit().await?;
    Ok(Versioned::computed(row.server_version, row))
}

async fn transfer(
    State(app): State<App>,
    scope: ProgramScope<may::OwnProgram>,
    OpenBody(request): OpenBody<TransferRequest>,
) -> ApiResult<Versioned<Program>> {
    let mut edit = Edit::locked(&app, &scope).await?;
    members::hand_over(&mut edit, scope.program, request.new_owner_user_id).await?;
    let told = json!({ "id": scope.program, "new_owner_id": request.new_owner_user_id });
    program::tell(&mut edit, scope.program, SocketEvent::ProgramSponsorshipTransferred, told).await?;
    let row = present::one(&edit, &edit.grant.actor, scope.program).await?;
    edit.commit().await?;
    Ok(Versioned::computed(row.server_version, row))
}
