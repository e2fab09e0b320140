//! `POST …/risks/import/`: adds the risks of a table. What is wrong with a row is said, and the other rows are added.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_plan::edit::Edit;
use planwright_web::{ApiError, ApiResult, App, File, Json, ProjectScope, Routes, says};
use schemars::JsonSchema;
use serde::Serialize;

use super::table::{Known, RiskImportIssue};
use super::{commands, queries, table};

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new().post(
        "/api/v1/projects/{project_pk}/risks/import/",
        import,
        says("Add the risks of a table of comma-separated values.")
            .members_only()
            .upload(table::MOST_BYTES + FORM_BYTES),
    )
}

/// What the form around the table may take.
const FORM_BYTES: usize = 64 * 1024;

/// What became of a table of risks.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct RiskImportResult {
    /// How many risks were added.
    pub imported: usize,
    /// How many rows were not.
    pub skipped: usize,
    /// What is wrong with those.
    pub errors: Vec<RiskImportIssue>,
    /// What was assumed for the others.
    pub warnings: Vec<RiskImportIssue>,
}

async fn import(
    State(app): State<App>,
    scope: ProjectScope<may::TakePart>,
    file: File,
) -> ApiResult<Json<RiskImportResult>> {
    if file.content.len() > table::MOST_BYTES {
        return Err(ApiError::too_large(table::MOST_BYTES));
    }
    let mut edit = Edit::locked(&app, &scope).await?;
    let members = queries::members(&edit, scope.project).await?;
    let tasks = queries::task_names(&edit, scope.project).await?;
    let read = table::read(&file.content, &Known { members, tasks })?;
    let ids = commands::create_all(&mut edit, read.risks).await?;
    edit.commit().await?;
    let (imported, skipped) = (ids.len(), read.skipped);
    Ok(Json(RiskImportResult { imported, skipped, errors: read.errors, warnings: read.warnings }))
}
