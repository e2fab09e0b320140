//! `/api/v1/tasks/delete-untouched-seeded/`: takes away what a machine wrote and nobody touched since, however long ago.
//! Rows that somebody edited stay, and move up where the row above them goes.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::ProjectId;
use planwright_plan::Edit;
use planwright_plan::tasks::write::deletion::{self, Drawer};
use planwright_plan::tasks::write::{Board, WriteContext};
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
        says("Delete the tasks of a project that came from an import or a template and that nobody has changed since."),
    )
}

input! {
    /// The project whose tasks are deleted.
    pub struct DeleteUntouchedSeededRequestRequest {
        /// The project.
        pub project: ProjectId,
    }
}

/// The result of the deletion.
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
    let scope = ProjectScope::<may::ManagePlan>::of(&app.db, &actor, request.project).await?;
    let mut edit = Edit::of_plan(&app, &scope).await?;
    let untouched = queries::untouched(&edit, scope.project).await?;
    let context = WriteContext::bare(&edit, &edit.grant).await?;
    let announcer = context.announcer(Board::OneForAll);
    let (tx, lock) = edit.plan();
    let done = deletion::delete_all(tx, lock, &announcer, Drawer::TakesThePlace, &untouched).await?;
    if !done.taken.is_empty() {
        edit.announce(SocketEvent::TasksRestructured, json!({})).await?;
    }
    edit.commit().await?;
    Ok(Json(DeleteUntouchedSeeded { deleted: done.taken.len() }))
}
