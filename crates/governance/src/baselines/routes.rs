//! The routes of baselines themselves.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::events::SocketEvent;
use planwright_plan::edit::{self, Edit};
use planwright_store::page::Key;
use planwright_web::paging::Orderings;
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{
    ApiResult, App, Body, Created, IgnoredBody, Item, NoContent, Page, Paging, ProjectScope, Routes, says,
};
use serde_json::json;

use super::capture::capture;
use super::model::*;
use super::queries;

const ALL: &str = "/api/v1/projects/{project_pk}/baselines/";
const ONE: &str = "/api/v1/projects/{project_pk}/baselines/{id}/";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(ALL, list, says("The baselines of a project, the newest first.").orderings(ORDERINGS))
        .post(ALL, create, says("Capture a baseline: the plan as it is now."))
        .get(ONE, show, says("One baseline with all that it kept."))
        .delete(ONE, delete, says("Delete a baseline."))
        .post(
            "/api/v1/projects/{project_pk}/baselines/{baseline_pk}/activate/",
            activate,
            says("Measure variances against this baseline."),
        )
}

const ORDERINGS: Orderings = &[("created_at", "b.created_at"), ("name", "b.name")];

async fn list(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
    paging: Paging,
) -> ApiResult<Page<Baseline>> {
    let keys = paging.keys(ORDERINGS, &[Key::descending("b.created_at")], "b.id")?;
    let from = queries::of_project(scope.project);
    paging.fetch::<CountedRow, _>(&app.db, &queries::columns(), from, "b.id", &keys, Baseline::from).await
}

async fn create(
    State(app): State<App>,
    scope: ProjectScope<may::CaptureBaselines>,
    Body(request): Body<BaselineRequest>,
) -> ApiResult<Created<Baseline>> {
    let mut edit = Edit::locked(&app, &scope).await?;
    let name = request.name.given().map(String::from).unwrap_or_default();
    let captured = capture(&mut edit, &name, false).await?;
    edit.commit().await?;
    Ok(Created(captured.into()))
}

async fn show(
    State(app): State<App>,
    item: Item<BaselineRow, may::ReadProject>,
) -> ApiResult<Versioned<BaselineDetail>> {
    let counted = queries::counted(&app.db, item.row.id).await?;
    let tasks = queries::kept(&app.db, item.row.id).await?;
    let BaselineRow { calendar_id, working_days, hours_per_day, server_version, .. } = item.row;
    let tasks = tasks.into_iter().map(BaselineTask::from).collect();
    let baseline = Baseline::from(counted);
    let detail = BaselineDetail { baseline, calendar: calendar_id, working_days, hours_per_day, tasks };
    Ok(Versioned::computed(server_version, detail))
}

async fn activate(
    State(app): State<App>,
    item: Item<BaselineRow, may::CaptureBaselines>,
    expected: Precondition,
    _: IgnoredBody,
) -> ApiResult<Versioned<Baseline>> {
    let (mut edit, row) = edit::open_plan(&app, item, expected).await?;
    make_active(&mut edit, &row).await?;
    let counted = queries::counted(&edit, row.id).await?;
    edit.commit().await?;
    Ok(Versioned::new(counted.baseline.server_version, counted.into()))
}

async fn delete(
    State(app): State<App>,
    item: Item<BaselineRow, may::DeleteBaselines>,
    expected: Precondition,
) -> ApiResult<NoContent> {
    let (mut edit, row) = edit::open_plan(&app, item, expected).await?;
    edit.delete(&row).await?;
    if row.is_active {
        edit.plan().1.changes_rollups(row.project_id);
    }
    edit.commit().await?;
    Ok(NoContent)
}

/// Makes a baseline the active one of its project. Doing it twice changes nothing the second time.
pub async fn make_active(edit: &mut Edit, row: &BaselineRow) -> ApiResult<()> {
    if row.is_active {
        return Ok(());
    }
    if let Some(other) = queries::active(edit, row.project_id).await? {
        edit.update(&other, BaselineRow { is_active: false, ..other.clone() }).await?;
    }
    edit.update(row, BaselineRow { is_active: true, ..row.clone() }).await?;
    // Where the project stands is kept against the active baseline.
    edit.plan().1.changes_rollups(row.project_id);
    Ok(edit.announce(SocketEvent::BaselineActivated, json!({ "id": row.id })).await?)
}
