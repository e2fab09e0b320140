//! Files that go out: the template of tables, and a project as Microsoft Project XML, CSV or a workbook.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::ids::{ProjectId, UserId};
use planwright_plan::schedule::network::date;
use planwright_plan_files::seed::Document;
use planwright_plan_files::unwritten::LINK_ELSEWHERE;
use planwright_plan_files::{Computed, FileFormat, Loss, mspdi, table as tables, xer};
use planwright_store::{Read, Result, row, sql};
use planwright_web::input::Name;
use planwright_web::reply::{Csv, Download, Foreign, Xlsx, Xml};
use planwright_web::{
    Actor, ApiError, ApiResult, App, Json, ProjectScope, Query, Routes, input, off_thread, says,
};
use schemars::JsonSchema;
use serde::Serialize;

use crate::programs::export;

/// The routes of this file.
pub(super) fn table() -> Routes {
    Routes::new()
        .get("/api/v1/import-templates/csv/", template, says("The template of a CSV table."))
        .get(
            "/api/v1/projects/{project_pk}/export/msproject.xml",
            as_project_file,
            says("A project as Microsoft Project XML."),
        )
        .get(
            "/api/v1/projects/{project_pk}/export/primavera.xer",
            as_activities,
            says("A project as a Primavera XER file."),
        )
        .get(
            "/api/v1/projects/{project_pk}/export/tasks.csv",
            as_table,
            says("The tasks of a project as CSV."),
        )
        .get(
            "/api/v1/projects/{project_pk}/export/tasks.xlsx",
            as_workbook,
            says("The tasks of a project as a workbook (XLSX)."),
        )
        .get(
            "/api/v1/projects/{project_pk}/export/losses/",
            losses,
            says("What a file of a project does not carry."),
        )
}

async fn template(_: Actor) -> Download<Csv> {
    Download::new("planwright-tasks.csv", tables::template())
}

async fn as_project_file(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
) -> ApiResult<Download<Xml>> {
    let (document, computed) = plan(&app, &scope).await?;
    let slug = document.program.slug.clone();
    let written = off_thread(move || mspdi::write(&document, &computed)).await?;
    let content = written.map_err(anyhow::Error::from)?;
    Ok(Download::new(format!("{slug}.xml"), content.content))
}

async fn as_activities(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
) -> ApiResult<Download<Foreign>> {
    let (document, computed) = plan(&app, &scope).await?;
    let slug = document.program.slug.clone();
    let written = off_thread(move || xer::write(&document, &computed)).await?;
    Ok(Download::new(format!("{slug}.xer"), written.content))
}

async fn as_table(State(app): State<App>, scope: ProjectScope<may::ReadProject>) -> ApiResult<Download<Csv>> {
    let (document, computed) = plan(&app, &scope).await?;
    Ok(Download::new(format!("{}.csv", document.program.slug), tables::write(&document, &computed).content))
}

async fn as_workbook(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
) -> ApiResult<Download<Xlsx>> {
    let (document, computed) = plan(&app, &scope).await?;
    let slug = document.program.slug.clone();
    let written = off_thread(move || tables::workbook(&document, &computed)).await?;
    let content = written.map_err(anyhow::Error::from)?;
    Ok(Download::new(format!("{slug}.xlsx"), content.content))
}

input! {
    /// The kind of file that is asked about.
    pub struct ExportLossesQuery {
        /// `msproject`, `primavera`, `csv` or `xlsx`.
        pub format: Name<1, 20>,
    }
}

/// What a file does not carry of a project.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ExportLosses {
    /// Each field that is not carried, with its rows.
    pub losses: Vec<Loss>,
    /// The same in sentences.
    pub warnings: Vec<String>,
}

const FORMATS: [(&str, FileFormat); 4] = [
    ("msproject", FileFormat::Mspdi),
    ("primavera", FileFormat::Xer),
    ("csv", FileFormat::Csv),
    ("xlsx", FileFormat::Xlsx),
];

async fn losses(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
    Query(asked): Query<ExportLossesQuery>,
) -> ApiResult<Json<ExportLosses>> {
    let format = FORMATS.iter().find(|(name, _)| *name == asked.format.as_str()).map(|(_, format)| *format);
    let unknown = || ApiError::invalid_field("format", "Choose from: msproject, primavera, csv, xlsx.");
    let format = format.ok_or_else(unknown)?;
    let (document, computed) = plan(&app, &scope).await?;
    let written = off_thread(move || format.write(&document, &computed)).await?;
    let mut losses = written.map_err(anyhow::Error::from)?.losses;
    for row in rows_linked_elsewhere(&app.db, scope.project).await? {
        losses.note("dependencies", LINK_ELSEWHERE, row);
    }
    for name in rows_too_deep(&app.db, scope.project).await? {
        losses.note("wbs", "A row whose outline number has more than 255 characters is left out.", name);
    }
    Ok(Json(ExportLosses { warnings: losses.sentences(), losses: losses.0 }))
}

/// A project as a document, with its dates by outline path.
async fn plan(app: &App, scope: &ProjectScope<may::ReadProject>) -> ApiResult<(Document, Computed)> {
    plan_of(&app.db, scope.project, scope.actor.id).await?.ok_or_else(ApiError::not_found)
}

/// The same as a reader sees it. `None` if there is no such project.
pub(crate) async fn plan_of(
    db: &dyn Read,
    project: ProjectId,
    reader: UserId,
) -> Result<Option<(Document, Computed)>> {
    let Some(document) = export::document_of(db, project, Some(reader)).await? else { return Ok(None) };
    Ok(Some((document, computed(db, project).await?)))
}

row! {
    /// What a loss says of a row.
    struct SaidRow {
        said: String,
    }
}

/// The rows of a project that have links to other projects, by their outline paths, once for each link.
async fn rows_linked_elsewhere(db: &dyn Read, project: ProjectId) -> Result<Vec<String>> {
    let select = "SELECT s.outline AS said FROM dependencies d
            JOIN task_schedule s ON s.project_id = :project AND s.outline IS NOT NULL
                AND s.task_id = CASE WHEN d.successor_project_id = :project THEN d.successor_id ELSE d.predecessor_id END
        WHERE (d.successor_project_id = :project OR d.predecessor_project_id = :project)
            AND d.successor_project_id <> d.predecessor_project_id
            AND d.deletion_id IS NULL AND NOT d.pending_acceptance
        ORDER BY s.outline";
    let rows: Vec<SaidRow> = db.all(sql!(select, project = project)).await?;
    Ok(rows.into_iter().map(|row| row.said).collect())
}

/// The names of the rows of a project whose outline numbers are longer than a document holds.
async fn rows_too_deep(db: &dyn Read, project: ProjectId) -> Result<Vec<String>> {
    let select = "SELECT t.name AS said FROM task_schedule s JOIN tasks t ON t.id = s.task_id AND t.deletion_id IS NULL
        WHERE s.project_id = :project AND LENGTH(s.outline) > :most ORDER BY s.outline_order";
    let most = i64::try_from(export::tree::LONGEST_PATH).unwrap_or(i64::MAX);
    let rows: Vec<SaidRow> = db.all(sql!(select, project = project, most = most)).await?;
    Ok(rows.into_iter().map(|row| row.said).collect())
}

/// The dates of the tasks of a project, by their outline paths.
async fn computed(db: &dyn Read, project: ProjectId) -> Result<Computed> {
    let select = "SELECT outline, COALESCE(scheduled_start, early_start) AS start, early_finish AS finish
        FROM task_schedule WHERE project_id = :project AND outline IS NOT NULL AND early_finish IS NOT NULL";
    let rows: Vec<(String, i32, i32)> = db.all(sql!(select, project = project)).await?;
    let dated = |(path, start, finish): (String, i32, i32)| Some((path, (date(start)?, date(finish)?)));
    Ok(rows.into_iter().filter_map(dated).collect())
}
