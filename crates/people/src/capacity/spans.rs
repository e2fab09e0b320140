//! When who works on what: the allocations of a project, and of a program across its projects, as spans of days.
//! Whether somebody has too much to do is for the reader to see.

use axum::extract::State;
use chrono::NaiveDate;
use planwright_domain::access::{self, Action, may};
use planwright_domain::ids::{AssignmentId, ProgramId, ProjectId, ResourceId, TaskId};
use planwright_domain::words::TaskStatus;
use planwright_plan::schedule::network::{date, day};
use planwright_plan::tasks::rules::units_text;
use planwright_store::Read;
use planwright_web::input::Patch;
use planwright_web::{
    Actor, ApiError, ApiResult, App, Json, ProgramScope, ProjectScope, Query, Routes, input, says,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::queries::{self, Projects, SpanFilter, SpanRow};
use crate::catalog::model::Reader;

const OF_PROJECT: &str = "/api/v1/projects/{id}/resource-allocation/";
const OF_PROGRAM: &str = "/api/v1/programs/{id}/resource-contention/";

/// The routes of this file.
pub fn table() -> Routes {
    let of = |summary| says(summary).also_answers(&[409]);
    Routes::new().get(OF_PROJECT, of_project, of("When the resources of a project work on each task.")).get(
        OF_PROGRAM,
        of_program,
        of("When resources work on each task, over all projects of a program."),
    )
}

input! {
    /// Which spans an answer shows.
    pub struct SpanQuery {
        /// The first day. The default is the first day of the first span.
        pub start: Patch<NaiveDate>,
        /// The last day. The default is the last day of the last span.
        pub end: Patch<NaiveDate>,
        /// Only these resources.
        pub resource: Patch<Vec<ResourceId>>,
        /// Only tasks with one of these statuses.
        pub status: Patch<Vec<TaskStatus>>,
    }
}

/// When the resources of a project work on each task.
#[derive(Debug, Serialize, JsonSchema)]
struct ResourceAllocation {
    project_id: ProjectId,
    #[serde(flatten)]
    shown: Allocated,
}

/// When resources work on each task, over all projects of a program.
#[derive(Debug, Serialize, JsonSchema)]
struct ResourceContention {
    program_id: ProgramId,
    #[serde(flatten)]
    shown: Allocated,
}

/// Spans by resource.
#[derive(Debug, Serialize, JsonSchema)]
struct Allocated {
    /// The first day that is shown. Null if nothing is shown.
    window_start: Option<NaiveDate>,
    /// The last day that is shown. Null if nothing is shown.
    window_end: Option<NaiveDate>,
    resources: Vec<AllocatedResource>,
}

/// A resource with the spans of its allocations.
#[derive(Debug, Serialize, JsonSchema)]
struct AllocatedResource {
    id: ResourceId,
    name: String,
    /// The e-mail address. Left out for callers who manage no project, except on their own row.
    #[serde(skip_serializing_if = "Option::is_none")]
    email: Option<String>,
    max_units: String,
    tasks: Vec<AllocatedTask>,
}

/// A task with the days on which it is worked.
#[derive(Debug, Serialize, JsonSchema)]
struct AllocatedTask {
    assignment_id: AssignmentId,
    id: TaskId,
    name: String,
    project_id: ProjectId,
    project_name: String,
    early_start: Option<NaiveDate>,
    early_finish: Option<NaiveDate>,
    scheduled_start: Option<NaiveDate>,
    units: String,
    status: TaskStatus,
}

async fn of_project(
    State(app): State<App>,
    scope: ProjectScope<may::ReadCapacity>,
    reader: Reader,
    Query(query): Query<SpanQuery>,
) -> ApiResult<Json<ResourceAllocation>> {
    let projects = Projects::One(scope.project);
    let shown = shown(&app.db, &scope.actor, &reader, projects, query).await?;
    Ok(Json(ResourceAllocation { project_id: scope.project, shown }))
}

async fn of_program(
    State(app): State<App>,
    scope: ProgramScope<may::ReadCapacity>,
    reader: Reader,
    Query(query): Query<SpanQuery>,
) -> ApiResult<Json<ResourceContention>> {
    let projects = Projects::Of(scope.program);
    let shown = shown(&app.db, &scope.actor, &reader, projects, query).await?;
    Ok(Json(ResourceContention { program_id: scope.program, shown }))
}

async fn shown(
    db: &dyn Read,
    actor: &Actor,
    reader: &Reader,
    projects: Projects,
    query: SpanQuery,
) -> ApiResult<Allocated> {
    let (start, end) = (query.start.given(), query.end.given());
    if start.zip(end).is_some_and(|(start, end)| start > end) {
        return Err(ApiError::invalid_field("start", "Must not be after end."));
    }
    if !queries::any_computed(db, actor, projects).await? {
        return Err(ApiError::conflict("There is no computed schedule."));
    }
    let filter = SpanFilter { resources: query.resource.given(), statuses: query.status.given() };
    let rows = queries::spans(db, actor, projects, &filter).await?;
    let sees_mail = access::allows(Action::EditResources, reader.role);
    Ok(grouped(rows, (start, end), sees_mail))
}

/// The day on which a span begins.
fn begin(row: &SpanRow) -> i32 {
    row.scheduled_start.or(row.early_start).unwrap_or(row.early_finish)
}

/// The rows in a window, by resource; they come in that order.
fn grouped(
    rows: Vec<SpanRow>,
    (start, end): (Option<NaiveDate>, Option<NaiveDate>),
    sees_mail: bool,
) -> Allocated {
    let first = start.map(|start| day(start).0).or_else(|| rows.iter().map(begin).min());
    let last = end.map(|end| day(end).0).or_else(|| rows.iter().map(|row| row.early_finish).max());
    let is_in = |row: &SpanRow| {
        last.is_none_or(|last| begin(row) <= last) && first.is_none_or(|first| row.early_finish >= first)
    };
    let mut resources: Vec<AllocatedResource> = Vec::new();
    for row in rows.into_iter().filter(is_in) {
        if resources.last().is_none_or(|known| known.id != row.resource_id) {
            resources.push(AllocatedResource {
                id: row.resource_id,
                name: row.resource_name,
                email: (sees_mail || row.is_me).then_some(row.email),
                max_units: units_text(row.max_units),
                tasks: Vec::new(),
            });
        }
        let task = AllocatedTask {
            assignment_id: row.assignment_id,
            id: row.task_id,
            name: row.task_name,
            project_id: row.project_id,
            project_name: row.project_name,
            early_start: row.early_start.and_then(date),
            early_finish: date(row.early_finish),
            scheduled_start: row.scheduled_start.and_then(date),
            units: units_text(row.units),
            status: row.status,
        };
        if let Some(resource) = resources.last_mut() {
            resource.tasks.push(task);
        }
    }
    Allocated { window_start: first.and_then(date), window_end: last.and_then(date), resources }
}
