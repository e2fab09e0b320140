//! `/api/v1/workspace/`: show and update.
//! Another calendar recalculates every plan that inherits it.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::ids::CalendarId;
use planwright_plan::calendars::model::CalendarRow;
use planwright_plan::edit::Edit;
use planwright_plan::schedule;
use planwright_store::Tx;
use planwright_web::Resource;
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{ApiError, ApiResult, App, Body, Partial, Routes, WorkspaceScope, says};

use super::model::{PatchedWorkspaceSettingsRequest, WorkspaceSettings};
use super::{logo, queries, rules};
use crate::Administrator;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new().get("/api/v1/workspace/", show, says("The settings of the workspace.")).patch(
        "/api/v1/workspace/",
        update,
        says("Write some settings of the workspace."),
    )
}

async fn show(
    State(app): State<App>,
    _: WorkspaceScope<may::ReadWorkspace>,
) -> ApiResult<Versioned<WorkspaceSettings>> {
    let row = queries::find(&app.db).await?;
    let logo = logo::tag(&app.db).await?;
    Ok(Versioned::new(row.server_version, WorkspaceSettings::of(row, logo)))
}

async fn update(
    State(app): State<App>,
    administrator: Administrator,
    expected: Precondition,
    Body(request): Body<Partial<PatchedWorkspaceSettingsRequest>>,
) -> ApiResult<Versioned<WorkspaceSettings>> {
    let mut edit = Edit::begin(&app, &administrator).await?;
    let before = queries::lock(&edit).await?;
    edit.expect(&before, expected)?;
    let after = rules::changed(before.clone(), request)?;
    let other_calendar = before.calendar_id != after.calendar_id;
    if other_calendar {
        check_calendar(&edit, after.calendar_id).await?;
    }
    let written = edit.update(&before, after).await?;
    if other_calendar {
        schedule::request_inheriting(&mut edit, None).await?;
    }
    let logo = logo::tag(&edit).await?;
    edit.commit().await?;
    Ok(written.shown(|row| WorkspaceSettings::of(row, logo)))
}

async fn check_calendar(tx: &Tx, calendar: Option<CalendarId>) -> ApiResult<()> {
    let Some(calendar) = calendar else { return Ok(()) };
    match CalendarRow::lock(tx, calendar.0).await? {
        Some(_) => Ok(()),
        None => Err(ApiError::invalid_field("calendar", "There is no such calendar.")),
    }
}
