//! `/api/v1/projects/{id}/calendars/`: the calendar a project works on and the overlays that narrow it, with a preview.
//! Days off of any layer count; a weekday is worked only when every layer works it.

use std::collections::HashMap;

use axum::extract::State;
use chrono::NaiveDate;
use planwright_domain::access::may;
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{CalendarId, ProjectId};
use planwright_domain::words::{CalendarLayer, ChangeKind};
use planwright_engine::MONDAY_TO_FRIDAY;
use planwright_plan::calendars::model::{Calendar, CalendarRow};
use planwright_plan::calendars::queries::{all_with_exceptions, write_base};
use planwright_plan::edit::Edit;
use planwright_plan::schedule;
use planwright_plan::schedule::calendars::{LayerRow, layers};
use planwright_store::history::Change;
use planwright_store::{Read, Result, Tx, sql};
use planwright_web::input::Patch;
use planwright_web::{
    ApiError, ApiResult, App, Body, Json, ProjectScope, Query, Resource, Routes, input, says,
};
use schemars::JsonSchema;
use serde::Serialize;
use uuid::Uuid;

/// The longest preview, in days.
const LONGEST_PREVIEW_DAYS: i64 = 366;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get("/api/v1/projects/{id}/calendars/", show, says("The calendars of a project."))
        .put("/api/v1/projects/{id}/calendars/", replace, says("Replace the calendars of a project."))
        .get(
            "/api/v1/projects/{id}/calendars/preview/",
            preview,
            says("Preview the calendar of a project: which days are worked, and why not."),
        )
}

/// A calendar that applies to a project.
#[derive(Clone, Serialize, JsonSchema)]
struct AppliedCalendar {
    /// The id of the overlay. Null for the base calendar.
    layer_id: Option<Uuid>,
    role: CalendarLayer,
    sort_order: i64,
    calendar: Calendar,
}

/// The calendars of a project.
#[derive(Serialize, JsonSchema)]
struct AppliedCalendars {
    /// The effective calendar: its own or an inherited one.
    base: Option<Calendar>,
    overlays: Vec<AppliedCalendar>,
    /// The base calendar and the overlays in one list.
    applied: Vec<AppliedCalendar>,
}

input! {
    /// An overlay.
    pub struct OverlayInputRequest {
        /// The calendar.
        pub calendar_id: CalendarId,
        /// `holidays` or `workspace`.
        pub role: Patch<CalendarLayer>,
    }
}

input! {
    /// The calendars of a project.
    pub struct ApplyCalendarsRequest {
        /// The calendar of the project. Null means that one is inherited. If it is left out, it does not change.
        pub base_calendar_id: Patch<Option<CalendarId>>,
        /// The overlays, in order.
        pub overlays: Vec<OverlayInputRequest>,
    }
}

input! {
    /// The days to look at.
    pub struct PreviewQuery {
        /// The first day.
        pub start: NaiveDate,
        /// The last day.
        pub end: NaiveDate,
    }
}

/// Why a day is not worked.
#[derive(Clone, Serialize, JsonSchema)]
struct CalendarPreviewSource {
    role: CalendarLayer,
    calendar_id: CalendarId,
    name: String,
}

/// One day.
#[derive(Serialize, JsonSchema)]
struct CalendarPreviewDay {
    date: NaiveDate,
    working: bool,
    /// The calendars in which the day is off.
    sources: Vec<CalendarPreviewSource>,
}

/// Some days of a project.
#[derive(Serialize, JsonSchema)]
struct CalendarPreview {
    start: NaiveDate,
    end: NaiveDate,
    days: Vec<CalendarPreviewDay>,
}

async fn write_layers(tx: &mut Tx, project: ProjectId, request: &[OverlayInputRequest]) -> Result<()> {
    tx.run(sql!("DELETE FROM project_calendar_layers WHERE project_id = :project", project = project))
        .await?;
    for (place, overlay) in request.iter().enumerate() {
        let statement = sql!(
            "INSERT INTO project_calendar_layers (id, project_id, calendar_id, role, sort_order)
             VALUES (:id, :project, :calendar, :role, :place)",
            id = tx.mint::<Uuid>(),
            project = project,
            calendar = overlay.calendar_id,
            role = overlay.role.clone().given().unwrap_or(CalendarLayer::Holidays),
            place = place as i64,
        );
        tx.run(statement).await?;
    }
    Ok(())
}

async fn applied(db: &dyn Read, project: ProjectId) -> ApiResult<AppliedCalendars> {
    let base = schedule::queries::project(db, project).await?.calendar_id;
    let layers = layers(db, &[project]).await?;
    let used = layers.iter().map(|layer| layer.calendar_id).chain(base);
    let calendars: HashMap<CalendarId, Calendar> = all_with_exceptions(db, used).await?;
    let calendar = |id: CalendarId| calendars.get(&id).cloned().ok_or_else(ApiError::not_found);
    let base = base.map(calendar).transpose()?;
    let overlay = |layer: LayerRow| {
        Ok(AppliedCalendar {
            layer_id: Some(layer.id),
            role: layer.role,
            sort_order: layer.sort_order,
            calendar: calendar(layer.calendar_id)?,
        })
    };
    let overlays = layers.into_iter().map(overlay).collect::<ApiResult<Vec<_>>>()?;
    let first = base.clone().map(|calendar| AppliedCalendar {
        layer_id: None,
        role: CalendarLayer::Project,
        sort_order: -1,
        calendar,
    });
    let applied = first.into_iter().chain(overlays.iter().cloned()).collect();
    Ok(AppliedCalendars { base, overlays, applied })
}

async fn show(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
) -> ApiResult<Json<AppliedCalendars>> {
    Ok(Json(applied(&app.db, scope.project).await?))
}

async fn replace(
    State(app): State<App>,
    scope: ProjectScope<may::EditProjectCalendars>,
    Body(request): Body<ApplyCalendarsRequest>,
) -> ApiResult<Json<AppliedCalendars>> {
    let mut edit = Edit::of_plan(&app, &scope).await?;
    check(&edit, &request).await?;
    write(&mut edit, &request).await?;
    let answer = applied(&edit, scope.project).await?;
    let unsaid = if answer.base.is_some() { 127 } else { i64::from(MONDAY_TO_FRIDAY) };
    let mask = answer.applied.iter().fold(unsaid, |mask, layer| mask & layer.calendar.working_days);
    if mask == 0 {
        return Err(ApiError::bad_request("Together these calendars leave no working weekday.")
            .with_code("calendar_has_no_working_day"));
    }
    edit.plan().1.moves_dates(scope.project);
    edit.commit().await?;
    Ok(Json(answer))
}

/// Writes base and overlays as one change of the project.
async fn write(edit: &mut Edit, request: &ApplyCalendarsRequest) -> Result<()> {
    let project = edit.project()?;
    let written = "SELECT calendar_id, server_version FROM projects WHERE id = :project";
    let (old, version): (Option<CalendarId>, i64) = edit.one(sql!(written, project = project)).await?;
    let before: Vec<CalendarId> =
        layers(edit, &[project]).await?.into_iter().map(|layer| layer.calendar_id).collect();
    let base = request.base_calendar_id.as_given().copied().unwrap_or(old);
    let after: Vec<CalendarId> = request.overlays.iter().map(|overlay| overlay.calendar_id).collect();
    let number = edit.change_number().await?;
    write_base(edit, project, base, number).await?;
    write_layers(edit, project, &request.overlays).await?;
    let fields = |base: Option<CalendarId>, overlays: Vec<CalendarId>| serde_json::json!({ "calendar": base, "calendar_overlays": overlays });
    let change = Change::of("project", project, ChangeKind::Updated, edit.grant.actor.id);
    let change = change.between(&fields(old, before), &fields(base, after));
    let program = edit.grant.place.program;
    edit.record(Change { version: version + 1, project: Some(project), program, ..change }).await?;
    edit.announce(SocketEvent::ProjectCalendarChanged, serde_json::json!({ "id": project })).await
}

async fn check(tx: &Tx, request: &ApplyCalendarsRequest) -> ApiResult<()> {
    if let Patch::Set(Some(base)) = request.base_calendar_id
        && CalendarRow::lock(tx, base.0).await?.is_none()
    {
        return Err(ApiError::invalid_field("base_calendar_id", "There is no such calendar."));
    }
    let mut seen = Vec::new();
    for overlay in &request.overlays {
        if CalendarRow::lock(tx, overlay.calendar_id.0).await?.is_none() {
            return Err(ApiError::invalid_field("overlays", "There is no such calendar."));
        }
        if seen.contains(&overlay.calendar_id) {
            return Err(ApiError::invalid_field("overlays", "A calendar may be applied only once."));
        }
        if overlay.role.as_given() == Some(&CalendarLayer::Project) {
            return Err(ApiError::invalid_field(
                "overlays",
                "An overlay must be for holidays or for the workspace.",
            ));
        }
        seen.push(overlay.calendar_id);
    }
    Ok(())
}

async fn preview(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
    Query(PreviewQuery { start, end }): Query<PreviewQuery>,
) -> ApiResult<Json<CalendarPreview>> {
    let span = (end - start).num_days() + 1;
    if !(1..=LONGEST_PREVIEW_DAYS).contains(&span) {
        let message = format!("A preview spans 1 to {LONGEST_PREVIEW_DAYS} days.");
        return Err(ApiError::invalid_field("end", message));
    }
    let layers = applied(&app.db, scope.project).await?.applied;
    let days = start.iter_days().take(span as usize).map(|date| preview_day(date, &layers)).collect();
    Ok(Json(CalendarPreview { start, end, days }))
}

fn preview_day(date: NaiveDate, layers: &[AppliedCalendar]) -> CalendarPreviewDay {
    let weekday = chrono::Datelike::weekday(&date).num_days_from_monday();
    let closes = |calendar: &Calendar| {
        let exception = calendar.exceptions.iter().rev().find(|e| (e.exc_start..=e.exc_end).contains(&date));
        exception.map_or(calendar.working_days >> weekday & 1 == 0, |exception| !exception.working)
    };
    let sources: Vec<CalendarPreviewSource> = layers
        .iter()
        .filter(|layer| closes(&layer.calendar))
        .map(|layer| CalendarPreviewSource {
            role: layer.role,
            calendar_id: layer.calendar.id,
            name: layer.calendar.name.clone(),
        })
        .collect();
    // Without a base calendar a project works Monday to Friday.
    let has_base = layers.iter().any(|layer| layer.layer_id.is_none());
    let working = sources.is_empty() && (has_base || MONDAY_TO_FRIDAY >> weekday & 1 == 1);
    CalendarPreviewDay { date, working, sources }
}
