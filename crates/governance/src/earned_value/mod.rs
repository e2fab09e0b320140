//! `/api/v1/projects/{id}/earned-value/`: planned, earned and actual work by week against the active baseline, in working days.
//! Formulas and a worked example are in docs/earned-value.md.

mod queries;
mod rules;

use axum::extract::State;
use chrono::NaiveDate;
use planwright_domain::access::may;
use planwright_plan::schedule::calendars::working_days;
use planwright_web::{ApiError, ApiResult, App, Json, ProjectScope, Routes, says};
use schemars::JsonSchema;
use serde::Serialize;

use crate::working_days::WorkingDays;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new().get(
        "/api/v1/projects/{id}/earned-value/",
        show,
        says("Planned, earned and actual work by week against the active baseline, in working days."),
    )
}

/// Where the work stands at the end of a week. All values are working days.
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

/// Earned value of a project. All values are working days.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct EarnedValue {
    /// The day of the figures: the status date of the project, or else today.
    pub date: NaiveDate,
    /// The baseline that is measured against.
    pub baseline_name: String,
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
    /// Earned for each planned day; null before anything was planned.
    pub schedule_performance_index: Option<f64>,
    /// Earned for each day spent; null before anything was spent.
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

async fn show(State(app): State<App>, scope: ProjectScope<may::ReadProject>) -> ApiResult<Json<EarnedValue>> {
    let Some((baseline, name)) = queries::active(&app.db, scope.project).await? else {
        return Err(ApiError::conflict("The project has no active baseline.").with_code("no_active_baseline"));
    };
    let tasks = queries::tasks(&app.db, baseline).await?;
    let date = queries::status_date(&app.db, scope.project).await?.unwrap_or_else(|| app.clock.today());
    let calendar = working_days(&app.db, scope.project).await?;
    let days = WorkingDays::spanning(&calendar, rules::dates(&tasks).chain([date]));
    Ok(Json(rules::earned_value(name, &tasks, date, &days)))
}
