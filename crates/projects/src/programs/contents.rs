//! `/api/v1/programs/{id}/projects/`: what a program holds, as far as the caller may know of it.
//! A private project is listed for its own members only.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_web::{ApiResult, App, Json, ProgramScope, Routes, says};

use crate::projects::model::Project;
use crate::projects::{present, queries};

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new().get("/api/v1/programs/{id}/projects/", list, says("The projects of a program."))
}

async fn list(
    State(app): State<App>,
    scope: ProgramScope<may::ReadProgram>,
) -> ApiResult<Json<Vec<Project>>> {
    let rows = queries::of_program(&app.db, scope.program, &scope.actor).await?;
    Ok(Json(present::shown(&app.db, &app.clock, &scope.actor, rows).await?))
}
