//! Every statement of earned value.

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::ids::{BaselineId, CalendarId, ProjectId, TaskId};
use planwright_plan::baseline_budgets::PROMISED;
use planwright_store::value::list;
use planwright_store::{Read, Result, record, row, sql};

use super::ValueUnit;
use crate::money::HOURLY_COST;

record! {
    /// A row of the baseline that was work when it was captured, with what became of it. Tasks that were deleted since, or that
    /// have rows below them by now, stay in the plan that was promised.
    pub struct TaskRow {
        pub task_id: TaskId,
        /// The calendar that it has of its own.
        pub calendar_id: Option<CalendarId>,
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
        /// When it was deleted. Nobody works on it from then on.
        pub deleted_at: Option<DateTime<Utc>>,
    }
}

row! {
    /// The baseline that is measured against.
    pub struct Measured {
        pub id: BaselineId,
        pub project_id: ProjectId,
        pub name: String,
        pub hours_per_day: Option<f64>,
    }
}

/// The active baseline of a project.
pub async fn active(db: &dyn Read, project: ProjectId) -> Result<Option<Measured>> {
    let select = "SELECT id, project_id, name, hours_per_day FROM baselines
         WHERE project_id = :project AND is_active AND deletion_id IS NULL ORDER BY id LIMIT 1";
    db.maybe(sql!(select, project = project)).await
}

/// The status date of a project.
pub async fn status_date(db: &dyn Read, project: ProjectId) -> Result<Option<NaiveDate>> {
    let date: Option<Option<NaiveDate>> =
        db.scalar(sql!("SELECT status_date FROM projects WHERE id = :id", id = project)).await?;
    Ok(date.flatten())
}

/// What has the same dates and calendar, as one. What is spread evenly over the same days can be added up first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grouped {
    /// By all dates, for a curve.
    ByAllDates,
    /// By the dates that came alone, for sums over whole plans.
    ByActualDates,
}

row! {
    /// What a baseline promised for the same dates and calendar.
    pub struct PromisedRow {
        pub project_id: ProjectId,
        /// The calendar that the rows had of their own.
        pub calendar_id: Option<CalendarId>,
        pub planned_start: Option<NaiveDate>,
        pub planned_finish: Option<NaiveDate>,
        /// Working days.
        pub duration: i64,
        /// Hundredths. None if none of the rows was to cost anything.
        pub budget: Option<i64>,
    }
}

/// What several baselines promised, as it was added up when they were captured.
pub async fn promised(db: &dyn Read, baselines: &[BaselineId], grouped: Grouped) -> Result<Vec<PromisedRow>> {
    let select = match grouped {
        Grouped::ByAllDates => {
            "SELECT b.project_id, p.calendar_id, p.start_date AS planned_start, p.finish_date AS planned_finish,
                p.duration, p.budget
             FROM baseline_budgets p JOIN baselines b ON b.id = p.baseline_id WHERE b.id IN (:baselines)"
        }
        Grouped::ByActualDates => {
            "SELECT b.project_id, CAST(NULL AS UUID) AS calendar_id, CAST(NULL AS DATE) AS planned_start,
                CAST(NULL AS DATE) AS planned_finish, CAST(SUM(p.duration) AS BIGINT) AS duration,
                CAST(SUM(p.budget) AS BIGINT) AS budget
             FROM baseline_budgets p JOIN baselines b ON b.id = p.baseline_id WHERE b.id IN (:baselines)
             GROUP BY b.project_id"
        }
    };
    db.all(sql!(select, baselines = list(baselines.iter().copied()))).await
}

record! {
    /// What is done of rows with the same dates and calendar, and what a working day of them takes. There may be several for the
    /// same dates, and what is done or spent may be less than nothing in one of them: only their sum counts.
    pub struct BegunRow {
        pub project_id: ProjectId,
        /// The calendar that they have of their own.
        pub calendar_id: Option<CalendarId>,
        /// When they were to begin, if they did not.
        pub planned_start: Option<NaiveDate>,
        pub actual_start: Option<NaiveDate>,
        pub actual_finish: Option<NaiveDate>,
        /// When they were deleted. Nobody works on them from then on.
        pub deleted_at: Option<DateTime<Utc>>,
        /// The working days or hundredths of the baseline times the percentages that are done.
        pub percent_budget: f64,
        /// Rows, or ten thousandths for each hour.
        pub cost: f64,
    }
}

/// What became of the leaves of several baselines, grouped, with what was worked on besides. Some rows are left out.
pub async fn begun(
    db: &dyn Read,
    baselines: &[BaselineId],
    unit: ValueUnit,
    grouped: Grouped,
    apart: &[TaskId],
) -> Result<Vec<BegunRow>> {
    let planned = match grouped {
        Grouped::ByAllDates => "CASE WHEN t.actual_start IS NULL THEN k.start_date END",
        Grouped::ByActualDates => "CAST(NULL AS DATE)",
    };
    // What has not begun takes nothing yet, so nobody has to be asked what it costs.
    let (budget, cost) = match unit {
        ValueUnit::WorkingDays => ("k.duration", "1".to_owned()),
        ValueUnit::Money => {
            ("k.budget", format!("CASE WHEN t.actual_start IS NOT NULL THEN {HOURLY_COST} END"))
        }
    };
    // PostgreSQL adds up whole numbers as decimals of any length, which takes it longer.
    let budget = format!("CAST(COALESCE({budget}, 0) AS DOUBLE PRECISION)");
    let cost = format!("CAST(COALESCE(SUM({cost}), 0) AS DOUBLE PRECISION)");
    let actual = "t.actual_start, t.actual_finish, t.deletion_id";
    let place = format!("t.project_id, t.calendar_id, {planned} AS planned_start, {actual}");
    let by = format!("t.project_id, t.calendar_id, 3, {actual}");
    // Few rows are phases by now. What their own percentage is wrong by comes as rows of its own: a join of all rows with their
    // phases would take longer than everything else. What is done on a phase is spent on the rows below it.
    let select = format!(
        "SELECT g.*, d.at AS deleted_at FROM (
            SELECT {place}, SUM({budget} * {OWN_PERCENT}) AS percent_budget, {cost} AS cost
            FROM baselines b JOIN tasks t ON t.project_id = b.project_id AND {BEGUN}
            LEFT JOIN baseline_tasks k ON k.baseline_id = b.id AND k.task_id = t.id AND {PROMISED}
            WHERE b.id IN (:baselines) AND (t.id IN (:apart)) IS NOT TRUE AND (k.task_id IS NOT NULL OR {WORKED})
            GROUP BY {by}
            UNION ALL
            SELECT {place}, SUM({budget} * ({PERCENT} - {OWN_PERCENT})), -{cost}
            FROM baselines b JOIN task_schedule s ON s.project_id = b.project_id AND s.is_phase
            JOIN baseline_tasks k ON k.baseline_id = b.id AND k.task_id = s.task_id AND {PROMISED}
            JOIN tasks t ON t.id = k.task_id
            WHERE b.id IN (:baselines) AND (t.id IN (:apart)) IS NOT TRUE
            GROUP BY {by}
         ) g LEFT JOIN deletions d ON d.id = g.deletion_id"
    );
    let baselines = list(baselines.iter().copied());
    db.all(sql!(select, baselines = baselines, apart = list(apart.iter().copied()))).await
}

/// Some leaves of several baselines with what became of them, each with its project.
pub async fn tasks(db: &dyn Read, baselines: &[BaselineId], only: &[TaskId]) -> Result<Vec<OfProject>> {
    let select = format!(
        "SELECT t.project_id, t.id AS task_id, t.calendar_id, t.duration, k.start_date AS planned_start,
            k.finish_date AS planned_finish, COALESCE(k.duration, 0) AS planned_duration, k.budget,
            {HOURLY_COST} AS hourly_cost, {PERCENT} AS percent_complete,
            {OWN_START} AS actual_start, t.actual_finish, d.at AS deleted_at
         FROM baseline_tasks k JOIN tasks t ON t.id = k.task_id LEFT JOIN deletions d ON d.id = t.deletion_id
         LEFT JOIN task_schedule s ON s.task_id = t.id AND s.is_phase
         WHERE {PROMISED} AND k.baseline_id IN (:baselines) AND k.task_id IN (:only)"
    );
    let (baselines, only) = (list(baselines.iter().copied()), list(only.iter().copied()));
    db.all(sql!(select, baselines = baselines, only = only)).await
}

record! {
    /// A leaf of the baseline of a project.
    pub struct OfProject {
        pub project_id: ProjectId,
    }
    and pub task: TaskRow
}

/// That something was done on the task `t`. An index of exactly these rows is read.
const BEGUN: &str = "(t.actual_start IS NOT NULL OR t.percent_complete > 0)";

/// That the task `t` is work that was begun, promised or not.
const WORKED: &str =
    "(t.actual_start IS NOT NULL AND t.deletion_id IS NULL AND NOT t.is_recurring AND NOT t.is_subtask
    AND NOT EXISTS (SELECT 1 FROM task_schedule s WHERE s.task_id = t.id AND s.is_phase))";

/// How far the task `t` is by itself; what was deleted earns nothing.
const OWN_PERCENT: &str = "CASE WHEN t.deletion_id IS NOT NULL THEN 0.0 ELSE t.percent_complete END";

/// How far the task `t` is; a phase is as far as its rows.
const PERCENT: &str = "CASE WHEN t.deletion_id IS NOT NULL THEN 0
    ELSE COALESCE(s.rolled_percent, t.percent_complete) END";

/// When work on the task `t` began that is not that of rows below it, beside its schedule `s` if it is a phase.
const OWN_START: &str = "CASE WHEN s.task_id IS NULL THEN t.actual_start END";

row! {
    /// A row that was split off since a baseline was captured, which does not have it.
    pub struct PartRow {
        pub task_id: TaskId,
        pub split_from: TaskId,
        /// What it took along of what the other row had then.
        pub share: f64,
        /// The calendar that it has of its own.
        pub calendar_id: Option<CalendarId>,
        pub duration: i64,
        pub hourly_cost: Option<i64>,
        pub percent_complete: f64,
        pub actual_start: Option<NaiveDate>,
        pub actual_finish: Option<NaiveDate>,
        pub deleted_at: Option<DateTime<Utc>>,
    }
}

/// The rows that were split off in the projects of baselines since these were captured, those included that were deleted. The
/// order of ids is that of time: a row that lay in the trash at the capture is no part of the baseline, nor of its rows.
pub async fn parts(db: &dyn Read, baselines: &[BaselineId]) -> Result<Vec<PartRow>> {
    let select = format!(
        "SELECT x.task_id, x.split_from, x.share, t.calendar_id, t.duration, {HOURLY_COST} AS hourly_cost,
            {PERCENT} AS percent_complete, {OWN_START} AS actual_start, t.actual_finish, d.at AS deleted_at
         FROM baselines b JOIN task_splits x ON x.project_id = b.project_id
         JOIN tasks t ON t.id = x.task_id LEFT JOIN deletions d ON d.id = t.deletion_id
         LEFT JOIN task_schedule s ON s.task_id = t.id AND s.is_phase
         WHERE b.id IN (:baselines) AND x.task_id > b.id
         ORDER BY x.task_id"
    );
    db.all(sql!(select, baselines = list(baselines.iter().copied()))).await
}
