//! `/api/v1/sprints/{id}/burndown/`: what was left of a sprint at the end of each day.
//! The days are told from what its tasks are now and when they moved; nothing is sampled at night.

use axum::extract::State;
use chrono::{DateTime, Days, NaiveDate, NaiveTime, Utc};
use planwright_domain::access::may;
use planwright_domain::ids::SprintId;
use planwright_domain::words::{BurnStatus, SprintState};
use planwright_plan::sprints::{SprintRow, VelocityGate};
use planwright_store::Read;
use planwright_web::{ApiResult, App, Item, Json, Routes, says};
use schemars::JsonSchema;
use serde::Serialize;

use super::queries;
use super::replay::{Past, Totals};
use planwright_plan::sprints::burn::{Burn, Position};

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new().get(
        "/api/v1/sprints/{id}/burndown/",
        show,
        says("What was left of a sprint at the end of each day, and where it stands."),
    )
}

/// What was left of a sprint at the end of a day. Points are null for those who may not see the velocity of the team.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct BurnSnapshot {
    pub snapshot_date: NaiveDate,
    pub remaining_points: Option<i64>,
    pub remaining_task_count: i64,
    pub completed_points: Option<i64>,
    pub completed_task_count: i64,
    /// What came since the sprint began; negative when more left it.
    pub scope_change_points: Option<i64>,
    pub scope_change_task_count: i64,
}

/// How a sprint burns.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct SprintBurndown {
    pub sprint: SprintId,
    /// One for each day from the first to today, or to the last day of a sprint that is over.
    pub snapshots: Vec<BurnSnapshot>,
    pub burn_status: BurnStatus,
    /// Points ahead of a straight line from the commitment to nothing; negative behind it.
    pub trend_points: Option<i64>,
    /// The day on which nothing is left at the pace so far.
    pub projected_finish_date: Option<NaiveDate>,
    /// Whether points are hidden from the caller by the privacy settings of the project.
    pub velocity_suppressed: bool,
}

async fn show(
    State(app): State<App>,
    item: Item<SprintRow, may::ReadProject>,
) -> ApiResult<Json<SprintBurndown>> {
    let gate = VelocityGate::of(&app.db, item.row.project_id, item.scope.actor.id).await?;
    let days = days_of(&app.db, &item.row, app.clock.now()).await?;
    let burn = burn_of(&item.row, days.last().map(|(_, totals)| *totals), app.clock.today());
    Ok(Json(SprintBurndown {
        sprint: item.row.id,
        snapshots: days.into_iter().map(|day| snapshot(&item.row, gate, day)).collect(),
        burn_status: if gate.is_open { burn.status } else { BurnStatus::NoData },
        trend_points: gate.lets(burn.trend_points),
        projected_finish_date: gate.lets(burn.projected_finish),
        velocity_suppressed: !gate.is_open,
    }))
}

/// What was left at the end of each day of a sprint that has begun; nothing of another one.
pub(super) async fn days_of(
    db: &dyn Read,
    sprint: &SprintRow,
    now: DateTime<Utc>,
) -> ApiResult<Vec<(NaiveDate, Totals)>> {
    let Some((first, end)) = span_of(sprint, now) else { return Ok(Vec::new()) };
    let past = past_of(db, sprint).await?;
    let days = first.iter_days().take_while(|date| *date <= end.date_naive());
    Ok(days.map(|date| (date, past.totals(sprint.id, end_of(date).min(end)))).collect())
}

/// The first day of a sprint that has begun, and the moment until which it can be told. An imported sprint has its dates alone.
fn span_of(sprint: &SprintRow, now: DateTime<Utc>) -> Option<(NaiveDate, DateTime<Utc>)> {
    let first = sprint.activated_at.map_or(sprint.start_date, |at| at.date_naive());
    let over = || sprint.closed_at.unwrap_or_else(|| end_of(sprint.finish_date).min(now));
    match sprint.state {
        SprintState::Active => Some((first, now)),
        SprintState::Completed => Some((first, over())),
        SprintState::Cancelled => Some((sprint.activated_at?.date_naive(), over())),
        SprintState::Planned => None,
    }
}

/// The tasks of a sprint with their past.
pub(super) async fn past_of(db: &dyn Read, sprint: &SprintRow) -> ApiResult<Past> {
    let tasks = queries::tasks_of(db, sprint).await?;
    let transitions = queries::transitions_of(db, sprint.id).await?;
    let waits = queries::waits_of(db, sprint.id).await?;
    Ok(Past::new(tasks, transitions, waits))
}

/// How a sprint burns, given what is left of it now.
pub(super) fn burn_of(sprint: &SprintRow, left: Option<Totals>, today: NaiveDate) -> Burn {
    position_of(sprint, left, today).burn()
}

/// Where a sprint stands, given what is left of it now.
pub(super) fn position_of(sprint: &SprintRow, left: Option<Totals>, today: NaiveDate) -> Position {
    let is_begun = sprint.state == SprintState::Active || sprint.state == SprintState::Completed;
    Position {
        start: sprint.start_date,
        finish: sprint.finish_date,
        committed: sprint.committed_points.filter(|_| is_begun),
        remaining: left.map_or(0, |totals| totals.remaining_points),
        today: sprint.closed_at.map_or(today, |closed| closed.date_naive()),
    }
}

fn snapshot(sprint: &SprintRow, gate: VelocityGate, (date, totals): (NaiveDate, Totals)) -> BurnSnapshot {
    let points = totals.remaining_points + totals.completed_points;
    let tasks = totals.remaining_tasks + totals.completed_tasks;
    BurnSnapshot {
        snapshot_date: date,
        remaining_points: gate.lets(Some(totals.remaining_points)),
        remaining_task_count: totals.remaining_tasks,
        completed_points: gate.lets(Some(totals.completed_points)),
        completed_task_count: totals.completed_tasks,
        scope_change_points: gate.lets(Some(points - sprint.committed_points.unwrap_or_default())),
        scope_change_task_count: tasks - sprint.committed_task_count.unwrap_or_default(),
    }
}

/// The moment at which a day is over.
pub(super) fn end_of(date: NaiveDate) -> DateTime<Utc> {
    (date + Days::new(1)).and_time(NaiveTime::MIN).and_utc()
}
