//! Every statement of earned value.

use chrono::NaiveDate;
use planwright_domain::ids::{BaselineId, ProjectId};
use planwright_store::value::list;
use planwright_store::{Read, Result, record, row, sql};

use crate::money::HOURLY_COST;

record! {
    /// A leaf of the baseline with what became of it. Tasks that were deleted since stay in the plan that was promised.
    pub struct TaskRow {
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

fn leaves(more: &str) -> String {
    format!(
        "SELECT {more} k.start_date AS planned_start, k.finish_date AS planned_finish,
            COALESCE(k.duration, 0) AS planned_duration, k.budget, {HOURLY_COST} AS hourly_cost,
            CASE WHEN t.deletion_id IS NULL THEN t.percent_complete ELSE 0 END AS percent_complete,
            t.actual_start, t.actual_finish
         FROM baseline_tasks k JOIN tasks t ON t.id = k.task_id
         LEFT JOIN task_schedule s ON s.task_id = t.id
         WHERE t.is_recurring = FALSE AND (s.is_summary IS NULL OR s.is_summary = FALSE)"
    )
}
