//! How far a plan may reach: what its durations and lags may add up to, and the last day that four digits of a year tell.
//! Dates of single fields are checked where they are read, by the input types of the web crate.

use planwright_domain::ids::{ProjectId, TaskId};
use planwright_store::{Read, Result, Tx, sql};
use planwright_web::{ApiError, ApiResult};

/// How many days the durations and lags of a plan may add up to.
pub const MOST_DAYS: i64 = 366_000;

/// When more days than these are written, the span of the whole plan is looked at.
pub const LONG_DAYS: i64 = 365;

/// What is said of a duration or lag that is too long for its plan.
pub const TOO_LONG: &str = "The sum of the durations and lags of the project is larger than a plan may have.";

/// 1 January of the year 1 and 31 December 9999, as the engine counts.
const DAYS: (i32, i32) = (-719_162, 2_932_896);

/// The days that the durations and lags of a project add up to.
pub async fn total(db: &dyn Read, project: ProjectId) -> Result<i64> {
    let select = "SELECT CAST(COALESCE((SELECT SUM(duration) FROM tasks
             WHERE project_id = :project AND deletion_id IS NULL), 0)
         + COALESCE((SELECT SUM(ABS(lag)) FROM dependencies
             WHERE successor_project_id = :project AND deletion_id IS NULL), 0) AS BIGINT)";
    db.count(sql!(select, project = project)).await
}

/// Whether a plan lies within the years 1 to 9999, as it did before a write.
#[derive(Clone, Copy, Debug)]
pub struct Reach {
    project: Option<ProjectId>,
    was_outside: bool,
}

impl Reach {
    /// Looks at a plan before it is written.
    pub async fn of(tx: &Tx, project: ProjectId) -> Result<Self> {
        Ok(Self { project: Some(project), was_outside: is_outside(tx, project).await? })
    }

    /// The same for the plan that a task stands in.
    pub async fn of_task(tx: &Tx, task: TaskId) -> Result<Self> {
        let select = "SELECT project_id FROM tasks WHERE id = :task AND deletion_id IS NULL";
        match tx.scalars(sql!(select, task = task)).await?.pop() {
            Some(project) => Self::of(tx, project).await,
            None => Ok(Self { project: None, was_outside: false }),
        }
    }

    /// Refuses a write by which the plan has come to lie outside; a plan that did so before may be mended step by step.
    ///
    /// # Errors
    /// 400 on the field that is to blame.
    pub async fn keep(self, tx: &Tx, field: &str) -> ApiResult<()> {
        let Some(project) = self.project.filter(|_| !self.was_outside) else { return Ok(()) };
        match is_outside(tx, project).await? {
            true => Err(ApiError::invalid_field(
                field,
                "The dates of the plan would be outside the years 1 to 9999.",
            )),
            false => Ok(()),
        }
    }
}

async fn is_outside(tx: &Tx, project: ProjectId) -> Result<bool> {
    let select = "SELECT COUNT(*) FROM project_schedule
         WHERE project_id = :project AND (start_day < :first OR finish_day > :last)";
    let (first, last) = DAYS;
    Ok(tx.count(sql!(select, project = project, first = i64::from(first), last = i64::from(last))).await? > 0)
}
