//! What became of what a baseline kept: of one task against the active baseline, and of a whole plan against any. Differences
//! are in calendar days, and in working days of the project.

use std::collections::HashMap;

use axum::extract::State;
use chrono::NaiveDate;
use planwright_domain::access::may;
use planwright_domain::ids::{BaselineId, TaskId};
use planwright_plan::schedule::calendars;
use planwright_plan::schedule::network::date;
use planwright_plan::tasks::write::TaskRecord;
use planwright_web::{ApiResult, App, Item, Json, Routes, says};
use schemars::JsonSchema;
use serde::Serialize;

use super::model::{BaselineRow, KeptRow};
use super::queries::{self, CurrentRow};
use crate::working_days::WorkingDays;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(
            "/api/v1/projects/{project_pk}/tasks/{task_pk}/baseline/",
            of_task,
            says("A task against the active baseline."),
        )
        .get(
            "/api/v1/projects/{project_pk}/baselines/{id}/comparison/",
            of_plan,
            says("The whole plan against a baseline: what moved, came and went."),
        )
}

/// Dates and duration, as they were planned and as they are.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Variance {
    pub planned_start: Option<NaiveDate>,
    pub planned_finish: Option<NaiveDate>,
    /// Working days.
    pub planned_duration: Option<i64>,
    pub current_start: Option<NaiveDate>,
    pub current_finish: Option<NaiveDate>,
    /// Working days.
    pub current_duration: Option<i64>,
    /// Calendar days from the planned first day to the current one. Positive is later.
    pub start_delta_days: Option<i64>,
    /// Calendar days from the planned last day to the current one. Positive is later.
    pub finish_delta_days: Option<i64>,
    /// The same in working days of the project.
    pub start_delta_working_days: Option<i64>,
    /// The same in working days of the project.
    pub finish_delta_working_days: Option<i64>,
    /// How many working days it takes longer.
    pub duration_delta: Option<i64>,
}

/// A task against the active baseline.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TaskBaselineComparison {
    /// Whether the project has an active baseline.
    pub has_baseline: bool,
    /// Whether the task is in it.
    pub in_baseline: bool,
    pub baseline_name: Option<String>,
    #[serde(flatten)]
    pub variance: Variance,
}

/// What became of a row of a baseline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Fate {
    /// It is in both.
    Kept,
    /// It was added since.
    Added,
    /// It was deleted since.
    Removed,
}

/// A row of a plan against a baseline.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ComparedTask {
    pub task_id: TaskId,
    pub task_name: String,
    pub fate: Fate,
    #[serde(flatten)]
    pub variance: Variance,
}

/// A plan against a baseline.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BaselineComparison {
    pub baseline_id: BaselineId,
    pub baseline_name: String,
    pub kept_count: usize,
    pub added_count: usize,
    pub removed_count: usize,
    /// How many tasks finish later than they were planned.
    pub later_count: usize,
    /// How many tasks finish earlier.
    pub earlier_count: usize,
    /// The last day of the plan against that of the baseline, in calendar days.
    pub finish_delta_days: Option<i64>,
    /// The same in working days of the project.
    pub finish_delta_working_days: Option<i64>,
    /// In the order of the outline; rows that were added come last.
    pub tasks: Vec<ComparedTask>,
}

async fn of_task(
    State(app): State<App>,
    item: Item<TaskRecord, may::ReadProject>,
) -> ApiResult<Json<TaskBaselineComparison>> {
    let project = item.row.project_id;
    let active = queries::active(&app.db, project).await?;
    let kept = match &active {
        Some(baseline) => queries::kept_of(&app.db, baseline.id, item.row.id).await?,
        None => None,
    };
    let current = queries::current(&app.db, project, Some(item.row.id)).await?.pop();
    let calendar = calendars::working_days(&app.db, project).await?;
    let (kept, current) = (kept.as_ref(), current.as_ref());
    let days = WorkingDays::spanning(&calendar, dates_of(kept).chain(days_of(current)));
    Ok(Json(TaskBaselineComparison {
        has_baseline: active.is_some(),
        in_baseline: kept.is_some(),
        baseline_name: active.map(|baseline| baseline.name),
        variance: variance(kept, current, &days),
    }))
}

async fn of_plan(
    State(app): State<App>,
    item: Item<BaselineRow, may::ReadProject>,
) -> ApiResult<Json<BaselineComparison>> {
    let kept = queries::kept(&app.db, item.row.id).await?;
    let current = queries::current(&app.db, item.row.project_id, None).await?;
    let calendar = calendars::working_days(&app.db, item.row.project_id).await?;
    let all = kept.iter().flat_map(|row| dates_of(Some(row)));
    let days = WorkingDays::spanning(&calendar, all.chain(current.iter().flat_map(|row| days_of(Some(row)))));
    Ok(Json(compared(&item.row, &kept, current, &days)))
}

fn dates_of(kept: Option<&KeptRow>) -> impl Iterator<Item = NaiveDate> {
    kept.into_iter().flat_map(|row| [row.start_date, row.finish_date]).flatten()
}

fn days_of(current: Option<&CurrentRow>) -> impl Iterator<Item = NaiveDate> {
    current.into_iter().flat_map(|row| [row.start_day, row.finish_day]).flatten().filter_map(date)
}

/// The differences of a whole plan.
fn compared(
    baseline: &BaselineRow,
    kept: &[KeptRow],
    current: Vec<CurrentRow>,
    days: &WorkingDays,
) -> BaselineComparison {
    // As everywhere, the work of the plan ends it: an entry of a checklist does not.
    let work_now = current.iter().filter(|row| row.is_leaf);
    let finish_now = work_now.filter_map(|row| row.finish_day.and_then(date)).max();
    let work_then = kept.iter().filter(|row| row.is_leaf == Some(true));
    let finish_then = work_then.filter_map(|row| row.finish_date).max();
    let mut order: Vec<TaskId> = current.iter().map(|row| row.id).collect();
    let mut now: HashMap<TaskId, CurrentRow> = current.into_iter().map(|row| (row.id, row)).collect();
    let mut tasks: Vec<ComparedTask> = kept
        .iter()
        .map(|row| {
            let current = now.remove(&row.task_id);
            let fate = if current.is_some() { Fate::Kept } else { Fate::Removed };
            let task_name = match &current {
                Some(current) => current.name.clone(),
                None => row.task_name.clone().unwrap_or_default(),
            };
            ComparedTask {
                task_id: row.task_id,
                task_name,
                fate,
                variance: variance(Some(row), current.as_ref(), days),
            }
        })
        .collect();
    order.retain(|task| now.contains_key(task));
    tasks.extend(order.into_iter().filter_map(|task| now.remove(&task)).map(|row| ComparedTask {
        task_id: row.id,
        task_name: row.name.clone(),
        fate: Fate::Added,
        variance: variance(None, Some(&row), days),
    }));
    let count = |fate| tasks.iter().filter(|task| task.fate == fate).count();
    let moved = |is: fn(i64) -> bool| {
        tasks.iter().filter(|task| task.variance.finish_delta_days.is_some_and(is)).count()
    };
    BaselineComparison {
        baseline_id: baseline.id,
        baseline_name: baseline.name.clone(),
        kept_count: count(Fate::Kept),
        added_count: count(Fate::Added),
        removed_count: count(Fate::Removed),
        later_count: moved(|days| days > 0),
        earlier_count: moved(|days| days < 0),
        finish_delta_days: finish_then.zip(finish_now).map(|(then, now)| (now - then).num_days()),
        finish_delta_working_days: finish_then.zip(finish_now).map(|(then, now)| days.between(then, now)),
        tasks,
    }
}

/// The differences of one task.
fn variance(kept: Option<&KeptRow>, current: Option<&CurrentRow>, days: &WorkingDays) -> Variance {
    let planned_start = kept.and_then(|row| row.start_date);
    let planned_finish = kept.and_then(|row| row.finish_date);
    let planned_duration = kept.and_then(|row| row.duration);
    let current_start = current.and_then(|row| row.start_day).and_then(date);
    let current_finish = current.and_then(|row| row.finish_day).and_then(date);
    let current_duration = current.map(|row| row.duration);
    let (starts, finishes) = (planned_start.zip(current_start), planned_finish.zip(current_finish));
    Variance {
        planned_start,
        planned_finish,
        planned_duration,
        current_start,
        current_finish,
        current_duration,
        start_delta_days: starts.map(|(then, now)| (now - then).num_days()),
        finish_delta_days: finishes.map(|(then, now)| (now - then).num_days()),
        start_delta_working_days: starts.map(|(then, now)| days.between(then, now)),
        finish_delta_working_days: finishes.map(|(then, now)| days.between(then, now)),
        duration_delta: planned_duration.zip(current_duration).map(|(then, now)| now - then),
    }
}
