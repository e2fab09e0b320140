//! `/api/v1/tasks/delete-untouched-seeded/`: takes away what a machine wrote and nobody touched since, however long ago.
//! Rows that somebody edited stay, and move up where the row above them goes.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::ProjectId;
use planwright_store::outbox::Event;
use planwright_web::{Actor, ApiResult, App, Body, Json, ProjectScope, Routes, input, says};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::json;

use super::queries;
use crate::tasks::write::deletion::{self, Drawer};
use crate::tasks::write::{self, Board, Known};

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
    Body(wish): Body<DeleteUntouchedSeededRequestRequest>,
) -> ApiResult<Json<DeleteUntouchedSeeded>> {
    let mut tx = app.db.begin().await?;
    ProjectScope::<may::ManagePlan>::of(&tx, &actor, wish.project).await?;
    let (scope, mut turn) = write::take_turn(&mut tx, &actor, wish.project).await?;
    let untouched = queries::untouched(&tx, scope.project).await?;
    let known = Known::bare(&tx, &scope).await?;
    let telling = known.telling(Board::OneForAll);
    let done = deletion::delete_all(&mut tx, &mut turn, &telling, Drawer::TakesThePlace, &untouched).await?;
    if !done.taken.is_empty() {
        let event = Event::Socket(SocketEvent::TasksRestructured);
        tx.emit(event, Some(scope.project), scope.program, json!({})).await?;
    }
    turn.end(&mut tx).await?;
    tx.commit().await?;
    Ok(Json(DeleteUntouchedSeeded { deleted: done.taken.len() }))
}
