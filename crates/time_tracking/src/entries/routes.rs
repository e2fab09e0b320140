//! The routes of time entries: those of a task, and the caller's own over all projects.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_plan::edit::{self, Edit};
use planwright_plan::tasks::write::TaskRecord;
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{Actor, ApiResult, App, Body, Created, Item, Json, Query, Routes, WrittenBody, says};

use super::model::*;
use super::{queries, rules, week};
use crate::TimeSettings;
use crate::owner::logging;

const ON_TASK: &str = "/api/v1/tasks/{task_pk}/time-entries/";
const OWN: &str = "/api/v1/me/time-entries/";
const ONE: &str = "/api/v1/me/time-entries/{id}/";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(ON_TASK, on_task, says("Your own minutes on a task, newest first."))
        .post(ON_TASK, log, says("Log minutes on a task."))
        .get(OWN, own, says("Your minutes of a week, or of other days, over all projects."))
        .patch(ONE, update, says("Write some fields of minutes of your own."))
        .delete(ONE, edit::delete_row::<TimeEntryRow, may::TakePart>, says("Delete minutes of your own."))
}

type Own = Item<TimeEntryRow, may::TakePart>;

async fn on_task(
    State(app): State<App>,
    item: Item<TaskRecord, may::ReadProject>,
) -> ApiResult<Json<TaskTimeEntries>> {
    let rows = queries::on_task(&app.db, item.scope.actor.id, item.row.id).await?;
    Ok(Json(TaskTimeEntries {
        total_logged_minutes: rows.iter().map(|row| row.minutes).sum(),
        results: rows.into_iter().map(TimeEntry::from).collect(),
    }))
}

async fn log(
    State(app): State<App>,
    item: Item<TaskRecord, may::TakePart>,
    Body(request): Body<TimeEntryRequest>,
) -> ApiResult<Created<TimeEntry>> {
    let mut edit = Edit::begin(&app, &logging(&item.scope)).await?;
    edit.lock::<TaskRecord>(item.row.id).await?;
    rules::check_task(queries::is_phase(&edit, item.row.id).await?)?;
    let (me, now) = (edit.grant.actor.id, edit.now());
    let loggable = week::loggable(&edit, me, now, app.get::<TimeSettings>()).await?;
    let fresh = rules::fresh(edit.mint(), me, item.row.id, now, loggable.today);
    let row = rules::changed(fresh, request.into(), loggable)?;
    edit.create(&row).await?;
    edit.commit().await?;
    Ok(Created(row.into()))
}

async fn own(
    State(app): State<App>,
    actor: Actor,
    Query(query): Query<TimeWindowQuery>,
) -> ApiResult<Json<TimeWeek>> {
    let loggable = week::loggable(&app.db, actor.id, app.clock.now(), app.get::<TimeSettings>()).await?;
    let (from, to) = rules::window(&query, loggable.today)?;
    Ok(Json(week::of(&app.db, actor.id, (from, to), loggable.today).await?))
}

async fn update(
    State(app): State<App>,
    item: Own,
    expected: Precondition,
    WrittenBody(request): WrittenBody<PatchedTimeEntryRequest>,
) -> ApiResult<Versioned<TimeEntry>> {
    let (mut edit, before) = edit::open(&app, item, expected).await?;
    let loggable = week::loggable(&edit, before.user_id, edit.now(), app.get::<TimeSettings>()).await?;
    let written = edit.update(&before, rules::changed(before.clone(), request, loggable)?).await?;
    edit.commit().await?;
    Ok(written.shown(TimeEntry::from))
}
