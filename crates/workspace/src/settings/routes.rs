//! `/api/v1/workspace/`: show and update.
//! Another calendar recalculates every plan that inherits it.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::ids::CalendarId;
use planwright_domain::words::ChangeKind;
use planwright_plan::calendars::model::CalendarRow;
use planwright_store::Tx;
use planwright_store::history::Change;
use planwright_web::Resource;
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{ApiError, ApiResult, App, Body, Routes, WorkspaceScope, says};
use uuid::Uuid;

use super::model::{PatchedWorkspaceSettingsRequest, WorkspaceRow, WorkspaceSettings};
use super::{queries, rules};
use crate::Administrator;

/// The workspace in the history, which knows rows by id.
const WORKSPACE: Uuid = Uuid::from_u128(1);

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
    Ok(versioned(queries::find(&app.db).await?))
}

async fn update(
    State(app): State<App>,
    administrator: Administrator,
    expected: Precondition,
    Body(request): Body<PatchedWorkspaceSettingsRequest>,
) -> ApiResult<Versioned<WorkspaceSettings>> {
    let mut tx = app.db.begin().await?;
    let before = queries::find(&tx).await?;
    expected.check(before.server_version)?;
    let after = rules::changed(before.clone(), request)?;
    let written = write(&mut tx, &administrator, before, after).await?;
    tx.commit().await?;
    Ok(versioned(written))
}

fn versioned(row: WorkspaceRow) -> Versioned<WorkspaceSettings> {
    Versioned::new(row.server_version, row.into())
}

/// Writes what differs, if anything does, and returns the row as it stands then.
async fn write(
    tx: &mut Tx,
    administrator: &Administrator,
    before: WorkspaceRow,
    after: WorkspaceRow,
) -> ApiResult<WorkspaceRow> {
    let other_calendar = before.calendar_id != after.calendar_id;
    if other_calendar {
        check_calendar(tx, after.calendar_id).await?;
    }
    let change = Change::of("workspace", WORKSPACE, ChangeKind::Updated, administrator.actor.id)
        .between(&WorkspaceSettings::from(before.clone()), &WorkspaceSettings::from(after.clone()));
    if change.fields.is_empty() {
        return Ok(before);
    }
    if !queries::update(tx, administrator, &after).await? {
        return Err(ApiError::conflict("Somebody else changed the settings meanwhile."));
    }
    let version = before.server_version + 1;
    tx.record(Change { version, ..change }).await?;
    if other_calendar {
        planwright_plan::schedule::request_inheriting(tx, None).await?;
    }
    Ok(WorkspaceRow { server_version: version, ..after })
}

async fn check_calendar(tx: &Tx, calendar: Option<CalendarId>) -> ApiResult<()> {
    let Some(calendar) = calendar else { return Ok(()) };
    match CalendarRow::lock(tx, calendar.0).await? {
        Some(_) => Ok(()),
        None => Err(ApiError::invalid_field("calendar", "There is no such calendar.")),
    }
}
