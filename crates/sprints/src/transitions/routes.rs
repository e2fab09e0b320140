//! The routes by which sprints begin, close and are cancelled.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::words::{PendingDisposition, SprintState};
use planwright_plan::edit;
use planwright_plan::sprints::SprintRow;
use planwright_plan::sprints::scope::ScopeChangeRow;
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{Accepted, ApiError, ApiResult, App, IgnoredBody, Item, Json, OpenBody, Routes, says};

use super::model::*;
use super::rules::Ending;
use super::{commands, queries};
use crate::sprints::model::Sprint;
use crate::sprints::show;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .post(
            "/api/v1/sprints/{id}/activate/",
            activate,
            says("Begin a sprint: what it holds now is promised."),
        )
        .post(
            "/api/v1/sprints/{id}/close/",
            close,
            says("Close a running sprint and say where unfinished tasks go. It is closed when the answer comes."),
        )
        .get("/api/v1/sprints/{id}/close-request/", close_request, says("The last request to close a sprint."))
        .post(
            "/api/v1/sprints/{id}/cancel/",
            cancel,
            says("Cancel a planned or running sprint and say where its tasks go."),
        )
}

type Runnable = Item<SprintRow, may::RunSprints>;

async fn activate(
    State(app): State<App>,
    item: Runnable,
    expected: Precondition,
    _: IgnoredBody,
) -> ApiResult<Versioned<ActivatedSprint>> {
    let (mut edit, row) = edit::open_plan(&app, item, expected).await?;
    let warnings = commands::activate(&mut edit, &row).await?;
    let sprint = show::one(&edit, edit.grant.actor.id, row.id).await?;
    edit.commit().await?;
    Ok(Versioned::computed(sprint.server_version, ActivatedSprint { sprint, warnings }))
}

async fn close(
    State(app): State<App>,
    item: Runnable,
    expected: Precondition,
    OpenBody(request): OpenBody<SprintCloseRequest>,
) -> ApiResult<Accepted<SprintCloseAnswer>> {
    let (mut edit, row) = edit::open_plan(&app, item, expected).await?;
    let ending = ending(request, CarryOver::Backlog);
    let (request_id, waiting) = commands::close(&mut edit, &row, ending).await?;
    edit.commit().await?;
    Ok(Accepted(SprintCloseAnswer { queued: true, request_id, scope_pending_on_close: advice(&waiting) }))
}

async fn close_request(
    State(app): State<App>,
    item: Item<SprintRow, may::ReadProject>,
) -> ApiResult<Json<SprintCloseRequestState>> {
    let last = queries::last_closing(&app.db, item.row.id).await?;
    last.map(|row| Json(row.into())).ok_or_else(ApiError::not_found)
}

async fn cancel(
    State(app): State<App>,
    item: Runnable,
    expected: Precondition,
    OpenBody(request): OpenBody<SprintCloseRequest>,
) -> ApiResult<Versioned<Sprint>> {
    let (mut edit, row) = edit::open_plan(&app, item, expected).await?;
    // Nothing was promised of a planned sprint, so its tasks stay unless they are sent elsewhere.
    let usual = if row.state == SprintState::Active { CarryOver::Backlog } else { CarryOver::Stay };
    commands::cancel(&mut edit, &row, ending(request, usual)).await?;
    let sprint = show::one(&edit, edit.grant.actor.id, row.id).await?;
    edit.commit().await?;
    Ok(Versioned::computed(sprint.server_version, sprint))
}

fn ending(request: SprintCloseRequest, usual: CarryOver) -> Ending {
    Ending {
        carry_over: request.carry_over_to.given().unwrap_or(usual),
        pending: request.pending_disposition.given().unwrap_or(PendingDisposition::Carry),
    }
}

/// What is said of work on which nobody had decided.
fn advice(waiting: &[ScopeChangeRow]) -> Option<ScopePendingOnClose> {
    (!waiting.is_empty()).then(|| ScopePendingOnClose {
        code: "scope_pending_on_close".to_owned(),
        detail: "Some tasks came into the sprint while it ran, and nobody had decided on them.".to_owned(),
        pending_count: waiting.len() as i64,
        items: waiting.iter().map(UndecidedItem::from).collect(),
        default_disposition: PendingDisposition::Carry,
    })
}
