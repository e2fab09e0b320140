//! `/api/v1/programs/{id}/schedule/`: all member projects scheduled as one graph, computed when it is read.
//! Tasks of projects that the caller is no member of show as cards only.

use std::collections::HashSet;

use axum::extract::State;
use chrono::NaiveDate;
use planwright_domain::access::may;
use planwright_domain::ids::{ProgramId, ProjectId, TaskId, UserId};
use planwright_domain::words::DependencyType;
use planwright_engine as engine;
use planwright_plan::schedule::network::{self, Plan, date};
use planwright_plan::schedule::{outline, queries};
use planwright_plan::settings::PlanSettings;
use planwright_store::{Read, Result, row, sql};
use planwright_web::{ApiError, ApiResult, App, Json, ProgramScope, Routes, says};
use schemars::JsonSchema;
use serde::Serialize;

/// More leaves than this are not answered in one piece.
const MOST_TASKS: usize = 5_000;

/// The routes of this file.
pub fn routes() -> Routes {
    Routes::new().get(
        "/api/v1/programs/{id}/schedule/",
        show,
        says("The schedule of a whole program, computed on read.").agent_surface(),
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
    /// Working days before the program's finish moves.
    total_float_days: Option<i64>,
    /// Working days before its own project's finish moves.
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

/// A task, as much of it as the caller may see.
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
    /// Leaves only.
    tasks: Vec<ProgramTask>,
    links: Vec<ProgramLink>,
    /// Leaves that cannot slip without moving the program's finish, in order of their start.
    critical_path: Vec<TaskId>,
    cross_project_edge_count: i64,
}

row! {
    struct Named { id: ProjectId, name: String, accessible: bool }
}

async fn names(db: &impl Read, program: ProgramId, me: UserId) -> Result<Vec<Named>> {
    db.all(sql!(
        "SELECT p.id, p.name, m.id IS NOT NULL AS accessible FROM projects p
         LEFT JOIN project_members m ON m.project_id = p.id AND m.user_id = :me AND m.deletion_id IS NULL
         WHERE p.program_id = :program AND p.deletion_id IS NULL ORDER BY p.id",
        program = program,
        me = me
    ))
    .await
}

async fn task_names(db: &impl Read, program: ProgramId) -> Result<Vec<(TaskId, String, String)>> {
    let select = "SELECT t.id, t.name, t.short_id FROM tasks t JOIN projects p ON p.id = t.project_id
         WHERE p.program_id = :program AND p.deletion_id IS NULL AND t.deletion_id IS NULL ORDER BY t.id";
    db.all(sql!(select, program = program)).await
}

async fn show(
    State(app): State<App>,
    scope: ProgramScope<may::ReadProgram>,
) -> ApiResult<Json<ProgramSchedule>> {
    let projects = names(&app.db, scope.program, scope.actor.id).await?;
    let settings = app.db.context::<PlanSettings>().copied().unwrap_or_default();
    let inputs = queries::projects_of_program(&app.db, scope.program).await?;
    let plan = network::load(&app.db, inputs, &settings, app.clock.today()).await?;
    if plan.of_node.len() > MOST_TASKS {
        let detail = format!("A program schedule shows at most {MOST_TASKS} tasks.");
        return Err(ApiError::unprocessable(detail).with_code("program_schedule_too_large"));
    }
    let texts = task_names(&app.db, scope.program).await?;
    Ok(Json(assemble(scope.program, &plan, projects, &texts)))
}

fn assemble(
    program: ProgramId,
    plan: &Plan,
    projects: Vec<Named>,
    texts: &[(TaskId, String, String)],
) -> ProgramSchedule {
    let schedule = engine::schedule(&plan.network);
    let summaries: HashSet<usize> = plan.network.tasks.iter().filter_map(|task| task.parent).collect();
    let numbers = numbers(plan);
    let mut leaves: Vec<(usize, engine::TaskDates)> = (0..plan.of_node.len())
        .filter(|node| !summaries.contains(node))
        .filter_map(|node| Some((node, schedule.tasks[node]?)))
        .collect();
    let tasks = leaves
        .iter()
        .map(|(node, dates)| {
            let at = plan.of_node[*node];
            let text =
                texts.binary_search_by(|(id, ..)| id.cmp(&plan.tasks[at].id)).map(|found| &texts[found]);
            let (name, short_id) = text.map_or(("", ""), |(_, name, short)| (name.as_str(), short.as_str()));
            show_task(plan, at, dates, &projects, (name, short_id), numbers[at].clone())
        })
        .collect();
    let links: Vec<ProgramLink> = plan
        .links
        .iter()
        .enumerate()
        .map(|(at, link)| {
            let ends = plan.network.links[at];
            let project_of = |node: usize| plan.network.tasks[node].project;
            ProgramLink {
                predecessor_id: link.predecessor_id,
                successor_id: link.successor_id,
                dep_type: link.dep_type,
                lag_days: link.lag,
                is_cross_project: project_of(ends.predecessor) != project_of(ends.successor),
            }
        })
        .collect();
    leaves.sort_by_key(|(node, dates)| (dates.early_start, dates.early_finish, plan.network.tasks[*node].id));
    ProgramSchedule {
        program_id: program,
        start_date: schedule.start.and_then(|day| date(day.0)),
        finish_date: schedule.finish.and_then(|day| date(day.0)),
        critical_path: leaves
            .iter()
            .filter(|(_, dates)| dates.program_critical)
            .map(|(node, _)| plan.tasks[plan.of_node[*node]].id)
            .collect(),
        cross_project_edge_count: links.iter().filter(|link| link.is_cross_project).count() as i64,
        projects: projects
            .into_iter()
            .map(|project| ScheduledProject {
                id: project.id,
                name: project.name,
                accessible: project.accessible,
            })
            .collect(),
        tasks,
        links,
    }
}

/// The outline number of every task.
fn numbers(plan: &Plan) -> Vec<Option<String>> {
    let mut numbers = vec![None; plan.tasks.len()];
    for project in &plan.projects {
        let own: Vec<usize> =
            (0..plan.tasks.len()).filter(|at| plan.tasks[*at].project_id == project.id).collect();
        let rows: Vec<outline::Placed> = own.iter().map(|at| plan.tasks[*at].placed()).collect();
        for (at, place) in own.into_iter().zip(outline::outline(&rows)) {
            numbers[at] = place.number;
        }
    }
    numbers
}

fn show_task(
    plan: &Plan,
    at: usize,
    dates: &engine::TaskDates,
    projects: &[Named],
    (name, hex_id): (&str, &str),
    wbs_path: Option<String>,
) -> ProgramTask {
    let task = &plan.tasks[at];
    let project = projects.iter().find(|project| project.id == task.project_id);
    let accessible = project.is_some_and(|project| project.accessible);
    let (early_start, early_finish) = (date(dates.early_start.0), date(dates.early_finish.0));
    if !accessible {
        return ProgramTask::Redacted(Box::new(RedactedTask {
            id: task.id,
            title: name.to_owned(),
            hex_id: hex_id.to_owned(),
            project_id: task.project_id,
            project_name: project.map(|project| project.name.clone()).unwrap_or_default(),
            is_milestone: task.is_milestone,
            is_external: true,
            early_start,
            early_finish,
            is_critical: dates.program_critical,
        }));
    }
    ProgramTask::Readable(Box::new(ScheduledTask {
        id: task.id,
        name: name.to_owned(),
        hex_id: hex_id.to_owned(),
        project_id: task.project_id,
        is_milestone: task.is_milestone,
        is_external: false,
        wbs_path,
        early_start,
        early_finish,
        late_start: date(dates.late_start.0),
        late_finish: date(dates.late_finish.0),
        total_float_days: Some(dates.program_total_float.into()),
        project_total_float_days: Some(dates.total_float.into()),
        is_critical: dates.program_critical,
    }))
}
