//! `/api/v1/projects/{id}/earned-value/`: planned, earned and actual work by week against the active baseline, in working days,
//! and below `money/` in money. Formulas and a worked example are in docs/earned-value.md.

mod curve;
pub mod parts;
pub mod queries;
pub mod rules;
pub mod work;

use std::collections::HashMap;

use axum::extract::State;
use chrono::NaiveDate;
use planwright_domain::access::may;
use planwright_domain::ids::{BaselineId, ProjectId, TaskId};
use planwright_plan::schedule::calendars::{self, working_days};
use planwright_store::{Read, Result};
use planwright_web::{ApiError, ApiResult, App, Json, ProjectScope, Routes, says};
use schemars::JsonSchema;
use serde::Serialize;

use self::parts::{divided_rows, keep_parts_of, shared};
use self::queries::{Grouped, Measured};
use self::work::Work;
use crate::working_days::WorkingDaysOfTasks;

/// The hours of a working day where a baseline kept none.
pub const HOURS_PER_DAY: f64 = 8.0;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(
            "/api/v1/projects/{id}/earned-value/",
            in_days,
            says("Planned, earned and actual work by week against the active baseline, in working days.")
                .also_answers(&[409]),
        )
        .get(
            "/api/v1/projects/{id}/earned-value/money/",
            in_money,
            says("Planned, earned and actual work by week against the active baseline, in money.")
                .also_answers(&[409]),
        )
}

/// What the values are counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ValueUnit {
    /// Working days of tasks.
    WorkingDays,
    /// The currency of the rates of resources.
    Money,
}

/// Where the work stands at the end of a week.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct EarnedWeek {
    /// The last day of the week, a Sunday; in the last row the day of the figures.
    pub date: NaiveDate,
    /// What was to be done by then.
    pub planned_value: f64,
    /// What is done by then of what was planned. Null after the day of the figures.
    pub earned_value: Option<f64>,
    /// What that took. Null after the day of the figures.
    pub actual_cost: Option<f64>,
}

/// Earned value of a project. Values are in `unit`; `earned_schedule` and `actual_time` are always working days.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct EarnedValue {
    /// The day of the figures: the status date of the project, or else today.
    pub date: NaiveDate,
    /// The baseline that is measured against.
    pub baseline_name: String,
    /// What the values are counted in.
    pub unit: ValueUnit,
    /// What the whole plan was to take.
    pub budget_at_completion: f64,
    /// What was to be done by now.
    pub planned_value: f64,
    /// What is done of it.
    pub earned_value: f64,
    /// What that took.
    pub actual_cost: f64,
    /// Earned less planned; negative is behind.
    pub schedule_variance: f64,
    /// Earned less actual; negative is more than planned.
    pub cost_variance: f64,
    /// Earned for each unit planned; null before anything was planned.
    pub schedule_performance_index: Option<f64>,
    /// Earned for each unit spent; null before anything was spent.
    pub cost_performance_index: Option<f64>,
    /// What the whole plan takes at this rate.
    pub estimate_at_completion: Option<f64>,
    /// After how many working days of the plan what is earned was to be earned.
    pub earned_schedule: f64,
    /// How many working days of the plan are over.
    pub actual_time: f64,
    /// Earned schedule less the days that are over; negative is behind.
    pub schedule_variance_time: f64,
    /// Earned schedule for each day that is over; null on the first day.
    pub schedule_performance_index_time: Option<f64>,
    /// The curve by week.
    pub weeks: Vec<EarnedWeek>,
}

async fn in_days(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
) -> ApiResult<Json<EarnedValue>> {
    let measured = measured(&app, scope.project).await?;
    let work = work(&app.db, &measured, ValueUnit::WorkingDays).await?;
    figures(&app, scope.project, measured.name, ValueUnit::WorkingDays, &work).await
}

async fn in_money(
    State(app): State<App>,
    scope: ProjectScope<may::SeeCosts>,
) -> ApiResult<Json<EarnedValue>> {
    let measured = measured(&app, scope.project).await?;
    let work = work(&app.db, &measured, ValueUnit::Money).await?;
    if work.is_empty() {
        let detail =
            "The active baseline has no costs. Give resources an hourly rate and capture a baseline.";
        return Err(ApiError::conflict(detail).with_code("no_cost_data"));
    }
    figures(&app, scope.project, measured.name, ValueUnit::Money, &work).await
}

/// What a baseline promised, with what became of it.
async fn work(db: &dyn Read, measured: &Measured, unit: ValueUnit) -> Result<Vec<Work>> {
    let baselines = [(measured.project_id, measured.id, measured.hours_per_day)];
    let mut works = works(db, &baselines, unit, Grouped::ByAllDates).await?;
    Ok(works.remove(&measured.project_id).unwrap_or_default())
}

/// What the baselines of several projects promised, each with its hours of a day. Where nothing was to cost anything there is
/// nothing in money.
pub async fn works(
    db: &dyn Read,
    baselines: &[(ProjectId, BaselineId, Option<f64>)],
    unit: ValueUnit,
    grouped: Grouped,
) -> Result<HashMap<ProjectId, Vec<Work>>> {
    let ids: Vec<BaselineId> = baselines.iter().map(|(_, id, _)| *id).collect();
    let hours_of = |project: ProjectId| {
        let own = baselines.iter().find(|(of, ..)| *of == project);
        own.and_then(|(.., hours)| *hours).unwrap_or(HOURS_PER_DAY)
    };
    let mut parts = queries::parts(db, &ids).await?;
    let rows = match parts.is_empty() {
        true => Vec::new(),
        false => queries::tasks(db, &ids, &divided_rows(&parts)).await?,
    };
    // Work that nobody promised is worked on like any other, split or not.
    let promised = rows.iter().map(|row| row.task.task_id).collect();
    keep_parts_of(&mut parts, &promised);
    let mut works: HashMap<ProjectId, Vec<Work>> = HashMap::new();
    let mut has_costs = false;
    let apart: Vec<TaskId> = promised.into_iter().chain(parts.iter().map(|part| part.task_id)).collect();
    for row in queries::promised(db, &ids, grouped).await? {
        has_costs |= row.budget.is_some();
        works.entry(row.project_id).or_default().push(Work::promised(&row, unit));
    }
    for row in queries::begun(db, &ids, unit, grouped, &apart).await? {
        let (own, hours) = (works.entry(row.project_id).or_default(), hours_of(row.project_id));
        own.push(Work::begun(&row, unit, hours));
    }
    for row in rows {
        let (own, hours) = (works.entry(row.project_id).or_default(), hours_of(row.project_id));
        own.extend(shared(vec![row.task], &parts).into_iter().map(|part| Work::alone(part, unit, hours)));
    }
    let is_known = has_costs || unit == ValueUnit::WorkingDays;
    Ok(if is_known { works } else { HashMap::new() })
}

async fn measured(app: &App, project: ProjectId) -> ApiResult<Measured> {
    queries::active(&app.db, project).await?.ok_or_else(|| {
        ApiError::conflict("The project has no active baseline.").with_code("no_active_baseline")
    })
}

async fn figures(
    app: &App,
    project: ProjectId,
    baseline_name: String,
    unit: ValueUnit,
    work: &[Work],
) -> ApiResult<Json<EarnedValue>> {
    let date = queries::status_date(&app.db, project).await?.unwrap_or_else(|| app.clock.today());
    let calendar = working_days(&app.db, project).await?;
    let own = calendars::calendars(&app.db, &rules::own_calendars(work.iter())).await?;
    let days = WorkingDaysOfTasks::spanning(&calendar, &own, rules::dates(work).chain([date]));
    Ok(Json(rules::earned_value(baseline_name, unit, work, date, &days)))
}
