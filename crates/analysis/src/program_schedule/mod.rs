//! `/api/v1/programs/{id}/schedule/`: all member projects scheduled as one graph, computed when it is read. Tasks of projects
//! that the caller is no member of show as cards only; of private ones, and for agents of those that have not consented,
//! nothing shows.

mod computed;
mod queries;

use axum::extract::State;
use chrono::NaiveDate;
use planwright_domain::access::may;
use planwright_domain::ids::{ProgramId, ProjectId, TaskId};
use planwright_domain::words::DependencyType;
use planwright_plan::schedule::network::date;
use planwright_web::{ApiError, ApiResult, App, Json, ProgramScope, Routes, says};
use schemars::JsonSchema;
use serde::Serialize;

pub use computed::ProgramPlans;

use computed::{Computed, Leaf};
use queries::Named;

/// More leaves than this are not answered in one piece.
const MOST_TASKS: usize = 100_000;

/// The routes of this file.
pub fn routes() -> Routes {
    Routes::new().get(
        "/api/v1/programs/{id}/schedule/",
        show,
        says("The schedule of a whole program. It is computed at each request.")
            .also_answers(&[422])
            .agent_surface(),
    )
}

/// A member project.
#[derive(Serialize, JsonSchema)]
struct ScheduledProject {
    id: ProjectId,
    name: String,
    /// Whether the caller may open it.
    accessible: bool,
}

/// A task of a project that the caller may open.
#[derive(Serialize, JsonSchema)]
struct ScheduledTask {
    id: TaskId,
    name: String,
    hex_id: String,
    project_id: ProjectId,
    is_milestone: bool,
    /// Always false.
    is_external: bool,
    wbs_path: Option<String>,
    early_start: Option<NaiveDate>,
    early_finish: Option<NaiveDate>,
    late_start: Option<NaiveDate>,
    late_finish: Option<NaiveDate>,
    /// The working days that it can slip before the finish of the program moves.
    total_float_days: Option<i64>,
    /// The working days that it can slip before the finish of its own project moves.
    project_total_float_days: Option<i64>,
    is_critical: bool,
}

/// A task of a project that the caller may not open.
#[derive(Serialize, JsonSchema)]
struct RedactedTask {
    id: TaskId,
    title: String,
    hex_id: String,
    project_id: ProjectId,
    project_name: String,
    is_milestone: bool,
    /// Always true.
    is_external: bool,
    early_start: Option<NaiveDate>,
    early_finish: Option<NaiveDate>,
    is_critical: bool,
}

/// A task, with the fields that the caller may see.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
enum ProgramTask {
    Readable(Box<ScheduledTask>),
    Redacted(Box<RedactedTask>),
}

/// A link of the program.
#[derive(Serialize, JsonSchema)]
struct ProgramLink {
    predecessor_id: TaskId,
    successor_id: TaskId,
    dep_type: DependencyType,
    lag_days: i64,
    is_cross_project: bool,
}

/// The schedule of a program.
#[derive(Serialize, JsonSchema)]
struct ProgramSchedule {
    program_id: ProgramId,
    start_date: Option<NaiveDate>,
    finish_date: Option<NaiveDate>,
    projects: Vec<ScheduledProject>,
    /// The tasks without rows below them.
    tasks: Vec<ProgramTask>,
    links: Vec<ProgramLink>,
    /// The tasks that cannot slip without moving the finish of the program, in the order of their start.
    critical_path: Vec<TaskId>,
    cross_project_edge_count: i64,
}

async fn show(
    State(app): State<App>,
    scope: ProgramScope<may::ReadProgram>,
) -> ApiResult<Json<ProgramSchedule>> {
    let known = queries::known_projects(&app.db, scope.program, &scope.actor).await?;
    let plan = computed::current(&app, scope.program).await?;
    if plan.rows > MOST_TASKS {
        let detail = format!("A program schedule shows at most {MOST_TASKS} tasks.");
        return Err(ApiError::unprocessable(detail).with_code("program_schedule_too_large"));
    }
    Ok(Json(assemble(scope.program, &plan, known)))
}

/// What of a program's schedule the caller may see: nothing at all of projects that they may not know of.
fn assemble(program: ProgramId, plan: &Computed, known: Vec<Named>) -> ProgramSchedule {
    let named = |id: ProjectId| known.iter().find(|project| project.id == id);
    let is_known = |id: &ProjectId| named(*id).is_some();
    let links = plan.links.iter().filter(|(_, ends)| ends.iter().all(is_known));
    let links: Vec<ProgramLink> = links
        .map(|(link, [from, to])| ProgramLink {
            predecessor_id: link.predecessor_id,
            successor_id: link.successor_id,
            dep_type: link.dep_type,
            lag_days: link.lag,
            is_cross_project: from != to,
        })
        .collect();
    let leaves = || plan.leaves.iter().filter_map(|leaf| Some((leaf, named(leaf.project)?)));
    let mut critical: Vec<&Leaf> =
        leaves().map(|(leaf, _)| leaf).filter(|leaf| leaf.dates.program_critical).collect();
    critical.sort_by_key(|leaf| (leaf.dates.early_start, leaf.dates.early_finish, leaf.id));
    // Where there are tasks that the caller may not know of, their dates are not told either.
    let (start_date, finish_date) = match plan.leaves.iter().all(|leaf| is_known(&leaf.project)) {
        true => (plan.start, plan.finish),
        false => (
            leaves().map(|(leaf, _)| leaf.dates.early_start.0).min().and_then(date),
            leaves().map(|(leaf, _)| leaf.dates.early_finish.0).max().and_then(date),
        ),
    };
    ProgramSchedule {
        program_id: program,
        start_date,
        finish_date,
        critical_path: critical.iter().map(|leaf| leaf.id).collect(),
        cross_project_edge_count: links.iter().filter(|link| link.is_cross_project).count() as i64,
        tasks: leaves().map(|(leaf, project)| show_task(leaf, project)).collect(),
        links,
        projects: known
            .into_iter()
            .map(|Named { id, name, accessible }| ScheduledProject { id, name, accessible })
            .collect(),
    }
}

fn show_task(leaf: &Leaf, project: &Named) -> ProgramTask {
    let dates = &leaf.dates;
    let (early_start, early_finish) = (date(dates.early_start.0), date(dates.early_finish.0));
    if !project.accessible {
        return ProgramTask::Redacted(Box::new(RedactedTask {
            id: leaf.id,
            title: leaf.name.clone(),
            hex_id: leaf.short_id.clone(),
            project_id: leaf.project,
            project_name: project.name.clone(),
            is_milestone: leaf.is_milestone,
            is_external: true,
            early_start,
            early_finish,
            is_critical: dates.program_critical,
        }));
    }
    ProgramTask::Readable(Box::new(ScheduledTask {
        id: leaf.id,
        name: leaf.name.clone(),
        hex_id: leaf.short_id.clone(),
        project_id: leaf.project,
        is_milestone: leaf.is_milestone,
        is_external: false,
        wbs_path: leaf.number.clone(),
        early_start,
        early_finish,
        late_start: date(dates.late_start.0),
        late_finish: date(dates.late_finish.0),
        total_float_days: Some(dates.program_total_float.into()),
        project_total_float_days: Some(dates.total_float.into()),
        is_critical: dates.program_critical,
    }))
}
