//! `/api/v1/tasks/delete-untouched-seeded/`: takes away what a machine wrote and nobody touched since, however long ago.
//! Rows that somebody edited stay, and move up where the row above them goes.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::ProjectId;
use planwright_plan::tasks::write::deletion::{self, Drawer};
use planwright_plan::tasks::write::{self, Board, WriteContext};
use planwright_store::outbox::Event;
use planwright_web::{Actor, ApiResult, App, Body, Json, ProjectScope, Routes, input, says};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use super::queries;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new().post(
        "/api/v1/tasks/delete-untouched-seeded/",
        sweep,
        says("Delete the tasks of a project that an import or template wrote and nobody touched since."),
    )
}

input! {
    /// Where to sweep.
    pub struct DeleteUntouchedSeededRequestRequest {
        /// The project.
        pub project: ProjectId,
    }
}

/// What a sweep did.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct DeleteUntouchedSeeded {
    /// How many tasks were deleted.
    pub deleted: usize,
}

async fn sweep(
    State(app): State<App>,
    actor: Actor,
    Body(request): Body<DeleteUntouchedSeededRequestRequest>,
) -> ApiResult<Json<DeleteUntouchedSeeded>> {
    let mut tx = app.db.begin().await?;
    ProjectScope::<may::ManagePlan>::of(&tx, &actor, request.project).await?;
    let (scope, mut lock) = write::lock_plan(&mut tx, &actor, request.project).await?;
    let untouched = queries::untouched(&tx, scope.project).await?;
    let context = WriteContext::bare(&tx, &scope).await?;
    let announcer = context.announcer(Board::OneForAll);
    let done =
        deletion::delete_all(&mut tx, &mut lock, &announcer, Drawer::TakesThePlace, &untouched).await?;
    if !done.taken.is_empty() {
        let event = Event::Socket(SocketEvent::TasksRestructured);
        tx.emit(event, Some(scope.project), scope.program, json!({})).await?;
    }
    lock.end(&mut tx).await?;
    tx.commit().await?;
    Ok(Json(DeleteUntouchedSeeded { deleted: done.taken.len() }))
}
