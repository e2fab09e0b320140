//! Every statement of earned value.

use chrono::NaiveDate;
use planwright_domain::ids::{BaselineId, ProjectId};
use planwright_store::{Read, Result, row, sql};

row! {
    /// A leaf of the baseline with what became of it. Tasks that were deleted since stay in the plan that was promised.
    pub struct TaskRow {
        pub planned_start: Option<NaiveDate>,
        pub planned_finish: Option<NaiveDate>,
        pub planned_duration: i64,
        pub percent_complete: f64,
        pub actual_start: Option<NaiveDate>,
        pub actual_finish: Option<NaiveDate>,
    }
}

/// The active baseline of a project and its name.
pub async fn active(db: &impl Read, project: ProjectId) -> Result<Option<(BaselineId, String)>> {
    let select = "SELECT id, name FROM baselines
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
    let select = "SELECT k.start_date AS planned_start, k.finish_date AS planned_finish,
            COALESCE(k.duration, 0) AS planned_duration,
            CASE WHEN t.deletion_id IS NULL THEN t.percent_complete ELSE 0 END AS percent_complete,
            t.actual_start, t.actual_finish
         FROM baseline_tasks k JOIN tasks t ON t.id = k.task_id
         LEFT JOIN task_schedule s ON s.task_id = t.id
         WHERE k.baseline_id = :baseline AND t.is_recurring = FALSE
           AND (s.is_summary IS NULL OR s.is_summary = FALSE)";
    db.all(sql!(select, baseline = baseline)).await
}
