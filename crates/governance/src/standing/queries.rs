//! The statements that count where projects stand.

use std::collections::HashMap;

use chrono::{Days, NaiveDate};
use planwright_domain::ids::ProjectId;
use planwright_plan::schedule::network::{date, day};
use planwright_plan::standing::{COUNTS, LEAVES};
use planwright_store::value::list;
use planwright_store::{Read, Result, row, sql};

/// A milestone within so many days is near.
const NEAR_DAYS: u64 = 7;

/// Everything `f` that says by which days projects are done: the newest simulation of each, and the forecasts that were written
/// down with one.
pub const SIMULATED: &str = "(
        SELECT project_id, p50_finish AS p50, p80_finish AS p80, p95_finish AS p95, taken_at AS captured_at
        FROM latest_simulations WHERE p80_finish IS NOT NULL
        UNION ALL
        SELECT project_id, mc_p50_finish, mc_p80_finish, mc_p95_finish, captured_at
        FROM forecast_snapshots WHERE mc_p80_finish IS NOT NULL) f";

row! {
    struct CountedRow {
        project_id: ProjectId,
        open_task_count: i64,
        overdue_count: i64,
        at_risk_count: i64,
        weight: f64,
        weighted_percent: f64,
        task_count: i64,
        critical_count: i64,
        complete_count: i64,
        planned_count: i64,
        milestone_count: i64,
        overdue_milestone_count: i64,
        near_milestone_count: i64,
        finish_day: Option<i32>,
        baseline_finish: Option<NaiveDate>,
    }
}

/// What is counted over the leaves of a plan.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Standing {
    pub task_count: i64,
    pub open_task_count: i64,
    pub complete_count: i64,
    /// Open tasks whose last day is over.
    pub overdue_count: i64,
    /// Open tasks with little float.
    pub at_risk_count: i64,
    /// Open tasks on the critical path.
    pub critical_count: i64,
    /// Tasks that were to be finished by today.
    pub planned_count: i64,
    pub milestone_count: i64,
    /// Open milestones whose day is over.
    pub overdue_milestone_count: i64,
    /// Open milestones within a week.
    pub near_milestone_count: i64,
    /// 0 to 100, weighted by duration; none without work.
    pub percent_complete: Option<f64>,
    /// The last day of the plan.
    pub finish: Option<NaiveDate>,
    /// The last day of the active baseline.
    pub baseline_finish: Option<NaiveDate>,
}

/// Where several projects stand today.
pub async fn standings(
    db: &impl Read,
    projects: &[ProjectId],
    today: NaiveDate,
) -> Result<HashMap<ProjectId, Standing>> {
    let select = format!(
        "SELECT t.project_id, {COUNTS}, COUNT(*) AS task_count,
            CAST(SUM(CASE WHEN t.status <> 'COMPLETE' AND s.is_critical THEN 1 ELSE 0 END) AS BIGINT) AS critical_count,
            CAST(SUM(CASE WHEN t.status = 'COMPLETE' THEN 1 ELSE 0 END) AS BIGINT) AS complete_count,
            CAST(SUM(CASE WHEN k.finish_date <= :day OR (k.finish_date IS NULL AND s.early_finish <= :today)
                THEN 1 ELSE 0 END) AS BIGINT) AS planned_count,
            CAST(SUM(CASE WHEN t.is_milestone THEN 1 ELSE 0 END) AS BIGINT) AS milestone_count,
            CAST(SUM(CASE WHEN t.is_milestone AND t.status <> 'COMPLETE' AND s.early_finish < :today
                THEN 1 ELSE 0 END) AS BIGINT) AS overdue_milestone_count,
            CAST(SUM(CASE WHEN t.is_milestone AND t.status <> 'COMPLETE' AND s.early_finish >= :today
                AND s.early_finish <= :soon THEN 1 ELSE 0 END) AS BIGINT) AS near_milestone_count,
            MAX(s.early_finish) AS finish_day, MAX(k.finish_date) AS baseline_finish
         FROM tasks t LEFT JOIN task_schedule s ON s.task_id = t.id
         LEFT JOIN baselines b ON b.project_id = t.project_id AND b.is_active AND b.deletion_id IS NULL
         LEFT JOIN baseline_tasks k ON k.baseline_id = b.id AND k.task_id = t.id
         WHERE t.project_id IN (:projects) AND {LEAVES}
         GROUP BY t.project_id"
    );
    let soon = today.checked_add_days(Days::new(NEAR_DAYS)).unwrap_or(today);
    let (little, projects) = (planwright_plan::standing::LITTLE_FLOAT, list(projects.iter().copied()));
    let (now, soon) = (day(today).0, day(soon).0);
    let statement = sql!(select, projects = projects, day = today, today = now, soon = soon, little = little);
    let counted: Vec<CountedRow> = db.all(statement).await?;
    Ok(counted.into_iter().map(|row| (row.project_id, Standing::from(row))).collect())
}

impl From<CountedRow> for Standing {
    fn from(row: CountedRow) -> Self {
        Self {
            task_count: row.task_count,
            open_task_count: row.open_task_count,
            complete_count: row.complete_count,
            overdue_count: row.overdue_count,
            at_risk_count: row.at_risk_count,
            critical_count: row.critical_count,
            planned_count: row.planned_count,
            milestone_count: row.milestone_count,
            overdue_milestone_count: row.overdue_milestone_count,
            near_milestone_count: row.near_milestone_count,
            percent_complete: (row.weight > 0.0).then(|| row.weighted_percent / row.weight),
            finish: row.finish_day.and_then(date),
            baseline_finish: row.baseline_finish,
        }
    }
}
