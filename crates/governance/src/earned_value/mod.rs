//! `/api/v1/projects/{id}/earned-value/`: planned, earned and actual work by week against the active baseline, in working days,
//! and below `money/` in money. Formulas and a worked example are in docs/earned-value.md.

pub mod queries;
pub mod rules;

use axum::extract::State;
use chrono::NaiveDate;
use planwright_domain::access::may;
use planwright_domain::ids::ProjectId;
use planwright_plan::schedule::calendars::working_days;
use planwright_web::{ApiError, ApiResult, App, Json, ProjectScope, Routes, says};
use schemars::JsonSchema;
use serde::Serialize;

use self::queries::Measured;
use self::rules::Work;
use crate::working_days::WorkingDays;

/// The hours of a working day where a baseline kept none.
pub const HOURS_PER_DAY: f64 = 8.0;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(
            "/api/v1/projects/{id}/earned-value/",
            in_days,
            says("Planned, earned and actual work by week against the active baseline, in working days."),
        )
        .get(
            "/api/v1/projects/{id}/earned-value/money/",
            in_money,
            says("Planned, earned and actual work by week against the active baseline, in money."),
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
    let rows = queries::tasks(&app.db, measured.id).await?;
    let work: Vec<Work> = rows.into_iter().map(Work::in_days).collect();
    figures(&app, scope.project, measured.name, ValueUnit::WorkingDays, &work).await
}

async fn in_money(
    State(app): State<App>,
    scope: ProjectScope<may::SeeCosts>,
) -> ApiResult<Json<EarnedValue>> {
    let measured = measured(&app, scope.project).await?;
    let rows = queries::tasks(&app.db, measured.id).await?;
    if rows.iter().all(|row| row.budget.is_none()) {
        let detail =
            "The active baseline has no costs. Give resources an hourly rate and capture a baseline.";
        return Err(ApiError::conflict(detail).with_code("no_cost_data"));
    }
    let hours = measured.hours_per_day.unwrap_or(HOURS_PER_DAY);
    let work: Vec<Work> = rows.into_iter().map(|row| Work::in_money(row, hours)).collect();
    figures(&app, scope.project, measured.name, ValueUnit::Money, &work).await
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
    let days = WorkingDays::spanning(&calendar, rules::dates(work).chain([date]));
    Ok(Json(rules::earned_value(baseline_name, unit, work, date, &days)))
}
