//! The working days of projects, composed of a calendar in force and the overlays that narrow it, as the engine takes them.
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
pub async fn layers(db: &impl Read, projects: &[ProjectId]) -> Result<Vec<LayerRow>> {
    let select =
        "SELECT l.id, l.project_id, l.calendar_id, l.role, l.sort_order FROM project_calendar_layers l
         WHERE l.project_id IN (:projects) ORDER BY l.project_id, l.sort_order, l.id";
    db.all(sql!(select, projects = list(projects.iter().copied()))).await
}

row! {
    struct ExceptionInput { calendar_id: CalendarId, exc_start: NaiveDate, exc_end: NaiveDate, working: bool }
}

/// The calendars of some ids.
pub async fn calendars(db: &impl Read, ids: &[CalendarId]) -> Result<Vec<(CalendarId, engine::Calendar)>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let select = "SELECT id, working_days FROM calendars WHERE id IN (:ids) ORDER BY id";
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
    db: &impl Read,
    projects: &[ProjectInput],
) -> Result<HashMap<ProjectId, engine::Calendar>> {
    let ids: Vec<ProjectId> = projects.iter().map(|project| project.id).collect();
    let layers = layers(db, &ids).await?;
    let bases = projects.iter().filter_map(|project| project.calendar_id);
    let mut wanted: Vec<CalendarId> = bases.chain(layers.iter().map(|layer| layer.calendar_id)).collect();
    wanted.sort_unstable();
    wanted.dedup();
    let calendars: HashMap<_, _> = calendars(db, &wanted).await?.into_iter().collect();
    let mut composed = HashMap::new();
    for project in projects {
        let overlays: Vec<&engine::Calendar> = layers
            .iter()
            .filter(|layer| layer.project_id == project.id)
            .filter_map(|layer| calendars.get(&layer.calendar_id))
            .collect();
        let base = project.calendar_id.and_then(|id| calendars.get(&id)).cloned();
        if base.is_some() || !overlays.is_empty() {
            composed.insert(project.id, base.unwrap_or_default().with_overlays(overlays));
        }
    }
    Ok(composed)
}

/// The working days of one project: those that it is composed of, or Monday to Friday.
pub async fn working_days(db: &impl Read, project: ProjectId) -> Result<engine::Calendar> {
    let input = super::queries::project(db, project).await?;
    Ok(composed(db, &[input]).await?.remove(&project).unwrap_or_default())
}
