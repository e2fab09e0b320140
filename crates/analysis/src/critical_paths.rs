//! `/api/v1/projects/{id}/schedule/drag/`, `…/near-critical/` and `…/longest-path/`: what to shorten so that a project ends
//! earlier, what comes next once that is done, and what leads to a task. Computed when it is read.

use std::collections::{HashMap, HashSet};

use axum::extract::State;
use chrono::NaiveDate;
use planwright_domain::access::may;
use planwright_domain::ids::{ProjectId, TaskId};
use planwright_engine::{CompiledPlan, Schedule, TaskDates};
use planwright_plan::schedule::network::{Plan, date};
use planwright_store::value::list;
use planwright_store::{Read, Result, sql};
use planwright_web::input::{Int, Patch};
use planwright_web::{ApiError, ApiResult, App, Json, ProjectScope, Query, Routes, input, says};
use schemars::JsonSchema;
use serde::Serialize;

use crate::computed;

/// The routes of this file.
pub(crate) fn table() -> Routes {
    Routes::new()
        .get(
            "/api/v1/projects/{id}/schedule/drag/",
            drag,
            says("How many days each task delays the finish of its project.").agent_compute(),
        )
        .get(
            "/api/v1/projects/{id}/schedule/near-critical/",
            near_critical,
            says("List the open tasks that are not critical and have at most this number of days of total float.")
                .agent_compute(),
        )
        .get(
            "/api/v1/projects/{id}/schedule/longest-path/",
            longest_path,
            says("The chain of tasks that decides the date of a task, or of the finish.").agent_compute(),
        )
}

input! {
    /// How near to critical.
    pub struct NearCriticalQuery {
        /// The maximum total float in working days. The default is 5.
        pub days: Patch<Int<0, 10000>>,
    }
}

input! {
    /// Where the path ends.
    pub struct LongestPathQuery {
        /// The task. The default is the finish of the project.
        pub task_id: Patch<TaskId>,
    }
}

/// A task on a path.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PathTask {
    /// The task.
    pub task_id: TaskId,
    /// Its name.
    pub name: String,
    /// The project it belongs to.
    pub project_id: ProjectId,
    pub early_start: Option<NaiveDate>,
    pub early_finish: Option<NaiveDate>,
    /// Working days.
    pub total_float: i64,
    /// The working days by which the project would end earlier if the task took no time. Null if it was not
    /// requested.
    pub drag_days: Option<i64>,
}

/// A list of tasks of a project.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PathTasks {
    /// The project.
    pub project_id: ProjectId,
    /// The tasks. For drag, the largest delay comes first. Otherwise they are in the order of their dates.
    pub tasks: Vec<PathTask>,
}

/// Places of tasks in the network, with the drag of each where it was asked for.
type Found = Vec<(usize, Option<i32>)>;

async fn drag(State(app): State<App>, scope: Reader) -> ApiResult<Json<PathTasks>> {
    answer(&app, &scope, |_, compiled, _| {
        let drags = compiled.drags(0).into_iter();
        Some(drags.map(|drag| (drag.task, Some(drag.days))).collect())
    })
    .await
}

async fn near_critical(
    State(app): State<App>,
    scope: Reader,
    Query(query): Query<NearCriticalQuery>,
) -> ApiResult<Json<PathTasks>> {
    let days = query.days.given().map_or(5, |days| days.0 as i32);
    answer(&app, &scope, move |_, compiled, _| {
        Some(compiled.near_critical(0, days).into_iter().map(|task| (task, None)).collect())
    })
    .await
}

async fn longest_path(
    State(app): State<App>,
    scope: Reader,
    Query(query): Query<LongestPathQuery>,
) -> ApiResult<Json<PathTasks>> {
    let wanted = query.task_id.given();
    answer(&app, &scope, move |plan, compiled, schedule| {
        let tasks = match wanted {
            Some(task) => compiled.longest_path_to(node_of(plan, task)?),
            None => path_to_finish(compiled, schedule),
        };
        Some(tasks.into_iter().map(|task| (task, None)).collect())
    })
    .await
}

type Reader = ProjectScope<may::ReadProject>;

/// The place of a task of the first project in the network.
fn node_of(plan: &Plan, task: TaskId) -> Option<usize> {
    let is_it = |at: &usize| plan.tasks[*at].id == task && plan.tasks[*at].project_id == plan.projects[0].id;
    plan.of_node.iter().position(is_it)
}

/// The leaves of the first project that decide its finish, in the order of their dates.
fn path_to_finish(compiled: &CompiledPlan, schedule: &Schedule) -> Vec<usize> {
    let rows = &compiled.network().tasks;
    let summaries: HashSet<usize> = rows.iter().filter_map(|row| row.parent).collect();
    let mut path: Vec<(usize, TaskDates)> = (0..rows.len())
        .filter(|node| rows[*node].project == 0 && !summaries.contains(node))
        .filter_map(|node| Some((node, schedule.tasks[node].filter(|dates| dates.on_longest_path)?)))
        .collect();
    path.sort_by_key(|(node, dates)| (dates.early_start, dates.early_finish, *node));
    path.into_iter().map(|(node, _)| node).collect()
}

/// Reads the plan, has the engine look, and shows what it found; nothing found to look at is 404.
async fn answer(
    app: &App,
    scope: &Reader,
    look: impl FnOnce(&Plan, &CompiledPlan, &Schedule) -> Option<Found> + Send + 'static,
) -> ApiResult<Json<PathTasks>> {
    let mut plan = computed::plan(app, scope.project).await?;
    let found = planwright_web::off_thread(move || {
        let compiled = CompiledPlan::new(std::mem::take(&mut plan.network));
        let schedule = compiled.schedule();
        let found = look(&plan, &compiled, &schedule)?;
        let shown =
            found.into_iter().filter_map(|(node, drag)| shown(&plan, schedule.tasks[node]?, node, drag));
        Some(shown.collect::<Vec<PathTask>>())
    });
    let tasks = found.await?.ok_or_else(ApiError::not_found)?;
    let tasks = named(&app.db, scope, tasks).await?;
    Ok(Json(PathTasks { project_id: scope.project, tasks }))
}

fn shown(plan: &Plan, dates: TaskDates, node: usize, drag: Option<i32>) -> Option<PathTask> {
    let row = plan.tasks.get(plan.of_node[node])?;
    Some(PathTask {
        task_id: row.id,
        name: String::new(),
        project_id: row.project_id,
        early_start: date(dates.early_start.0),
        early_finish: date(dates.early_finish.0),
        total_float: dates.total_float.into(),
        drag_days: drag.map(i64::from),
    })
}

/// The tasks with their names; those of projects that the caller may not open are left out.
async fn named(db: &dyn Read, scope: &Reader, tasks: Vec<PathTask>) -> Result<Vec<PathTask>> {
    let ids = list(tasks.iter().map(|task| task.task_id));
    let select = sql!("SELECT t.id, t.name FROM tasks t WHERE t.id IN (:ids)", ids = ids);
    let rows: Vec<(TaskId, String)> = db.all(scope.actor.in_visible_projects(select, "t.project_id")).await?;
    let mut names: HashMap<TaskId, String> = rows.into_iter().collect();
    let name = |task: PathTask| Some(PathTask { name: names.remove(&task.task_id)?, ..task });
    Ok(tasks.into_iter().filter_map(name).collect())
}
