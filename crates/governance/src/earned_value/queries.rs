//! Every statement of earned value.

use chrono::NaiveDate;
use planwright_domain::ids::{BaselineId, ProjectId, TaskId};
use planwright_store::value::list;
use planwright_store::{Read, Result, record, row, sql};

use crate::money::HOURLY_COST;

record! {
    /// A row of the baseline that was work when it was captured, with what became of it. Tasks that were deleted since, or that
    /// have rows below them by now, stay in the plan that was promised.
    pub struct TaskRow {
        pub task_id: TaskId,
        /// Its working days as they are now.
        pub duration: i64,
        pub planned_start: Option<NaiveDate>,
        pub planned_finish: Option<NaiveDate>,
        pub planned_duration: i64,
        /// What it was to cost, in hundredths.
        pub budget: Option<i64>,
        /// What an hour of those who are allocated now costs, in ten thousandths.
        pub hourly_cost: Option<i64>,
        pub percent_complete: f64,
        pub actual_start: Option<NaiveDate>,
        pub actual_finish: Option<NaiveDate>,
    }
}

row! {
    /// The baseline that is measured against.
    pub struct Measured {
        pub id: BaselineId,
        pub name: String,
        pub hours_per_day: Option<f64>,
    }
}

/// The active baseline of a project.
pub async fn active(db: &impl Read, project: ProjectId) -> Result<Option<Measured>> {
    let select = "SELECT id, name, hours_per_day FROM baselines
         WHERE project_id = :project AND is_active AND deletion_id IS NULL ORDER BY id LIMIT 1";
    db.maybe(sql!(select, project = project)).await
}

/// The status date of a project.
pub async fn status_date(db: &impl Read, project: ProjectId) -> Result<Option<NaiveDate>> {
    let date: Option<Option<NaiveDate>> =
        db.scalar(sql!("SELECT status_date FROM projects WHERE id = :id", id = project)).await?;
    Ok(date.flatten())
}

/// The leaves of a baseline with what became of them.
pub async fn tasks(db: &impl Read, baseline: BaselineId) -> Result<Vec<TaskRow>> {
    db.all(sql!(format!("{} AND k.baseline_id = :baseline", leaves("")), baseline = baseline)).await
}

/// The leaves of several baselines that were to cost something, each with its project.
pub async fn costly_tasks(db: &impl Read, baselines: &[BaselineId]) -> Result<Vec<OfProject>> {
    let select =
        format!("{} AND k.budget IS NOT NULL AND k.baseline_id IN (:baselines)", leaves("t.project_id,"));
    db.all(sql!(select, baselines = list(baselines.iter().copied()))).await
}

record! {
    /// A leaf of the baseline of a project.
    pub struct OfProject {
        pub project_id: ProjectId,
    }
    and pub task: TaskRow
}

// What has no dates cannot be planned by a day, so it is no part of the promise.
fn leaves(more: &str) -> String {
    format!(
        "SELECT {more} t.id AS task_id, t.duration, k.start_date AS planned_start, k.finish_date AS planned_finish,
            COALESCE(k.duration, 0) AS planned_duration, k.budget, {HOURLY_COST} AS hourly_cost,
            CASE WHEN t.deletion_id IS NOT NULL THEN 0
                WHEN s.is_phase THEN COALESCE(s.rolled_percent, t.percent_complete)
                ELSE t.percent_complete END AS percent_complete,
            t.actual_start, t.actual_finish
         FROM baseline_tasks k JOIN tasks t ON t.id = k.task_id
         LEFT JOIN task_schedule s ON s.task_id = t.id
         WHERE k.is_leaf = TRUE AND k.start_date IS NOT NULL AND k.finish_date IS NOT NULL"
    )
}

row! {
    /// A live row that was split off since a baseline was captured, which does not have it.
    pub struct PartRow {
        pub task_id: TaskId,
        pub split_from: TaskId,
        pub duration: i64,
        pub hourly_cost: Option<i64>,
        pub percent_complete: f64,
        pub actual_start: Option<NaiveDate>,
        pub actual_finish: Option<NaiveDate>,
    }
}

/// The rows that were split off in the projects of baselines since these were captured.
pub async fn parts(db: &impl Read, baselines: &[BaselineId]) -> Result<Vec<PartRow>> {
    let select = format!(
        "SELECT x.task_id, x.split_from, t.duration, {HOURLY_COST} AS hourly_cost, t.percent_complete,
            t.actual_start, t.actual_finish
         FROM baselines b JOIN task_splits x ON x.project_id = b.project_id
         JOIN tasks t ON t.id = x.task_id AND t.deletion_id IS NULL
         WHERE b.id IN (:baselines) AND NOT EXISTS (
             SELECT 1 FROM baseline_tasks k WHERE k.baseline_id = b.id AND k.task_id = x.task_id)
         ORDER BY x.task_id"
    );
    db.all(sql!(select, baselines = list(baselines.iter().copied()))).await
}
