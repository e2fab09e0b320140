//! The routes of the timer: whether it runs, start, stop.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_plan::edit::Edit;
use planwright_plan::tasks;
use planwright_plan::tasks::write::TaskRecord;
use planwright_web::{
    Actor, ApiError, ApiResult, App, Body, Created, IgnoredBody, Json, ProjectScope, Routes, says,
};

use super::model::*;
use super::{queries, rules};
use crate::TimeSettings;
use crate::entries::model::{TimeEntry, TimeEntryRow};
use crate::owner::logging;
use crate::{entries, zone};

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get("/api/v1/me/timer/", show, says("Get your timer."))
        .post(
            "/api/v1/me/timer/start",
            start,
            says("Start your timer. A running timer is stopped and logged first."),
        )
        .post("/api/v1/me/timer/stop", stop, says("Stop your timer and log its minutes."))
}

async fn show(State(app): State<App>, actor: Actor) -> ApiResult<Json<Timer>> {
    let timer = queries::seen(&app.db, actor.id).await?;
    Ok(Json(rules::shown(timer, app.clock.now(), app.get::<TimeSettings>().timer_minutes)))
}

async fn start(
    State(app): State<App>,
    actor: Actor,
    Body(request): Body<TimerStartRequest>,
) -> ApiResult<Created<TimerStarted>> {
    let task = tasks::queries::find(&app.db, &actor, request.task).await?;
    let task = task.ok_or_else(|| ApiError::invalid_field("task", "There is no such task."))?.written;
    let project = ProjectScope::<may::TakePart>::of(&app.db, &actor, task.project_id).await?;
    let mut edit = Edit::locked(&app, &logging(&project)).await?;
    edit.lock::<TaskRecord>(task.id).await?;
    entries::rules::check_task(entries::queries::is_phase(&edit, task.id).await?)?;
    let most_minutes = app.get::<TimeSettings>().timer_minutes;
    let finalized_entry = finish(&mut edit, most_minutes).await?.map(TimeEntry::from);
    let note = request.note.given().map(String::from).unwrap_or_default();
    let (id, started_at) = (edit.mint(), edit.now());
    let row = TimerRow { id, user_id: actor.id, task_id: task.id, note, started_at, server_version: 1 };
    edit.create(&row).await?;
    let active_timer = rules::shown(queries::seen(&edit, actor.id).await?, edit.now(), most_minutes);
    edit.commit().await?;
    Ok(Created(TimerStarted { active_timer, finalized_entry }))
}

async fn stop(State(app): State<App>, actor: Actor, _: IgnoredBody) -> ApiResult<Created<TimeEntry>> {
    let mut edit = Edit::locked(&app, &actor).await?;
    let entry = finish(&mut edit, app.get::<TimeSettings>().timer_minutes).await?;
    let entry = entry.ok_or_else(|| ApiError::conflict("No timer is running."))?;
    edit.commit().await?;
    Ok(Created(entry.into()))
}

/// Stops the timer of the person whose row is locked, and logs its minutes; nothing when none is running.
async fn finish(edit: &mut Edit, most_minutes: i64) -> ApiResult<Option<TimeEntryRow>> {
    let me = edit.grant.actor.id;
    let Some(timer) = queries::running(edit, me).await? else { return Ok(None) };
    let day = zone::day(timer.started_at, zone::of_person(edit, me).await?);
    let entry = rules::stopped(&timer, edit.mint(), day, edit.now(), most_minutes);
    edit.delete(&timer).await?;
    edit.create(&entry).await?;
    Ok(Some(entry))
}
