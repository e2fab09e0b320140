//! The working days of projects, composed of a calendar in force and the overlays that narrow it, and of tasks with a calendar
//! of their own, as the engine takes them.
//! People read and write calendars in `calendars/`.

use std::collections::HashMap;

use chrono::NaiveDate;
use planwright_domain::ids::{CalendarId, ProjectId};
use planwright_domain::words::CalendarLayer;
use planwright_engine as engine;
use planwright_store::value::list;
use planwright_store::{Read, Result, row, sql};
use uuid::Uuid;

use super::network::day;
use super::queries::ProjectInput;

row! {
    /// An overlay of a project.
    pub struct LayerRow {
        pub id: Uuid,
        pub project_id: ProjectId,
        pub calendar_id: CalendarId,
        pub role: CalendarLayer,
        pub sort_order: i64,
    }
}

/// The overlays of some projects, in their order.
pub async fn layers(db: &dyn Read, projects: &[ProjectId]) -> Result<Vec<LayerRow>> {
    let select =
        "SELECT l.id, l.project_id, l.calendar_id, l.role, l.sort_order FROM project_calendar_layers l
         WHERE l.project_id IN (:projects) ORDER BY l.project_id, l.sort_order, l.id";
    db.all(sql!(select, projects = list(projects.iter().copied()))).await
}

row! {
    struct ExceptionInput { calendar_id: CalendarId, exc_start: NaiveDate, exc_end: NaiveDate, working: bool }
}

/// The calendars of some ids.
pub async fn calendars(db: &dyn Read, ids: &[CalendarId]) -> Result<Vec<(CalendarId, engine::Calendar)>> {
    among(db, ids, "").await
}

/// Those of them that are in the library.
pub async fn live(db: &dyn Read, ids: &[CalendarId]) -> Result<Vec<(CalendarId, engine::Calendar)>> {
    among(db, ids, " AND deletion_id IS NULL").await
}

async fn among(
    db: &dyn Read,
    ids: &[CalendarId],
    condition: &str,
) -> Result<Vec<(CalendarId, engine::Calendar)>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let select = format!("SELECT id, working_days FROM calendars WHERE id IN (:ids){condition} ORDER BY id");
    let rows: Vec<(CalendarId, i64)> = db.all(sql!(select, ids = list(ids.iter().copied()))).await?;
    let select = "SELECT calendar_id, exc_start, exc_end, working FROM calendar_exceptions
         WHERE calendar_id IN (:ids) ORDER BY exc_start, id";
    let exceptions: Vec<ExceptionInput> = db.all(sql!(select, ids = list(ids.iter().copied()))).await?;
    let calendar = |(id, weekdays): (CalendarId, i64)| {
        let own = exceptions.iter().filter(|exception| exception.calendar_id == id);
        let exceptions = own.map(|exception| engine::CalendarException {
            first: day(exception.exc_start),
            last: day(exception.exc_end),
            working: exception.working,
        });
        let working_weekdays = u8::try_from(weekdays).unwrap_or_default();
        (id, engine::Calendar { working_weekdays, exceptions: exceptions.collect() })
    };
    Ok(rows.into_iter().map(calendar).collect())
}

/// What each project works on: its calendar in force with its overlays; a project without any is left out.
pub async fn composed(
    db: &dyn Read,
    projects: &[ProjectInput],
) -> Result<HashMap<ProjectId, engine::Calendar>> {
    let ids: Vec<ProjectId> = projects.iter().map(|project| project.id).collect();
    let layers = layers(db, &ids).await?;
    let layers: Vec<_> = layers.iter().map(|layer| (layer.project_id, layer.calendar_id)).collect();
    let calendars = used(db, projects, layers.iter().map(|(_, id)| *id)).await?;
    Ok(compose(projects, &layers, &calendars))
}

/// What everything in some projects is worked on.
pub(super) struct InForce {
    /// The calendar of each project with its overlays; a project without any is left out.
    pub(super) of_projects: HashMap<ProjectId, engine::Calendar>,
    /// The calendars that tasks have of their own, in the order of their ids. No overlay narrows them.
    pub(super) of_tasks: Vec<(CalendarId, engine::Calendar)>,
}

row! {
    struct UseRow { project_id: ProjectId, calendar_id: CalendarId, is_of_task: bool }
}

/// Reads what everything in some projects is worked on.
pub(super) async fn in_force(db: &dyn Read, projects: &[ProjectInput]) -> Result<InForce> {
    let select = "SELECT u.project_id, u.calendar_id, u.is_of_task FROM (
            SELECT project_id, calendar_id, FALSE AS is_of_task, sort_order, id FROM project_calendar_layers
            WHERE project_id IN (:projects)
            UNION ALL
            SELECT DISTINCT project_id, calendar_id, TRUE AS is_of_task, 0 AS sort_order, calendar_id AS id FROM tasks
            WHERE project_id IN (:projects) AND calendar_id IS NOT NULL AND deletion_id IS NULL
         ) u ORDER BY u.sort_order, u.id";
    let rows: Vec<UseRow> =
        db.all(sql!(select, projects = list(projects.iter().map(|project| project.id)))).await?;
    let calendars = used(db, projects, rows.iter().map(|row| row.calendar_id)).await?;
    let (of_tasks, layers): (Vec<UseRow>, Vec<UseRow>) = rows.into_iter().partition(|row| row.is_of_task);
    let layers: Vec<_> = layers.into_iter().map(|row| (row.project_id, row.calendar_id)).collect();
    let mut own: Vec<CalendarId> = of_tasks.into_iter().map(|row| row.calendar_id).collect();
    own.sort_unstable();
    own.dedup();
    let of_tasks = own.into_iter().filter_map(|id| Some((id, calendars.get(&id)?.clone()))).collect();
    Ok(InForce { of_projects: compose(projects, &layers, &calendars), of_tasks })
}

/// The calendars of projects, and others besides.
async fn used(
    db: &dyn Read,
    projects: &[ProjectInput],
    others: impl Iterator<Item = CalendarId>,
) -> Result<HashMap<CalendarId, engine::Calendar>> {
    let bases = projects.iter().filter_map(|project| project.calendar_id);
    let mut wanted: Vec<CalendarId> = bases.chain(others).collect();
    wanted.sort_unstable();
    wanted.dedup();
    Ok(calendars(db, &wanted).await?.into_iter().collect())
}

/// The calendar of each project with its overlays.
fn compose(
    projects: &[ProjectInput],
    layers: &[(ProjectId, CalendarId)],
    calendars: &HashMap<CalendarId, engine::Calendar>,
) -> HashMap<ProjectId, engine::Calendar> {
    let mut composed = HashMap::new();
    for project in projects {
        let own = layers.iter().filter(|(of, _)| *of == project.id);
        let overlays: Vec<&engine::Calendar> = own.filter_map(|(_, id)| calendars.get(id)).collect();
        let base = project.calendar_id.and_then(|id| calendars.get(&id)).cloned();
        if base.is_some() || !overlays.is_empty() {
            composed.insert(project.id, base.unwrap_or_default().with_overlays(overlays));
        }
    }
    composed
}

/// The working days of one project: those that it is composed of, or Monday to Friday.
pub async fn working_days(db: &dyn Read, project: ProjectId) -> Result<engine::Calendar> {
    let input = super::queries::project(db, project).await?;
    Ok(composed(db, &[input]).await?.remove(&project).unwrap_or_default())
}
