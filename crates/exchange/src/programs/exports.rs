//! `/api/v1/programs/{id}/export/` and `/api/v1/projects/{id}/export/`: the canonical document as a file.

use axum::extract::State;
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use planwright_domain::access::may;
use planwright_web::reply::Raw;
use planwright_web::{
    ApiError, ApiResult, App, Patch, ProgramScope, ProjectScope, Query, Routes, input, says,
};
use serde_json::{Map, Value as Json};

use super::export::{self, AskedVersion, Exported};

/// A document whose form is that of a seed document.
type Document = Raw<Map<String, Json>>;

/// The routes of this file.
pub(super) fn table() -> Routes {
    Routes::new().get("/api/v1/programs/{id}/export/", program, says("A program as a seed document.")).get(
        "/api/v1/projects/{id}/export/",
        project,
        says("A project as a seed document."),
    )
}

input! {
    /// How to write the document.
    pub struct ExportQuery {
        /// The version of the format. The default is the oldest version from 2.0 on that can contain the whole plan.
        pub schema_version: Patch<AskedVersion>,
    }
}

async fn program(
    State(app): State<App>,
    scope: ProgramScope<may::ExportProgram>,
    Query(query): Query<ExportQuery>,
) -> ApiResult<Document> {
    let exported =
        export::program(&app.db, scope.program, query.schema_version.given(), Some(&scope.actor)).await?;
    exported.map(attachment).ok_or_else(ApiError::not_found)
}

async fn project(
    State(app): State<App>,
    scope: ProjectScope<may::ExportProject>,
    Query(query): Query<ExportQuery>,
) -> ApiResult<Document> {
    let exported =
        export::project(&app.db, scope.project, query.schema_version.given(), Some(scope.actor.id)).await?;
    exported.map(attachment).ok_or_else(ApiError::not_found)
}

fn attachment(exported: Exported) -> Document {
    let disposition = format!("attachment; filename=\"{}.json\"", exported.slug);
    let headers = [(CONTENT_TYPE, "application/json".to_owned()), (CONTENT_DISPOSITION, disposition)];
    Raw::new((headers, exported.text))
}
