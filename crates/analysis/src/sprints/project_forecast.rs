//! `/api/v1/projects/{id}/forecast/`: at what pace the team works, how many sprints the promised work takes at that pace, and
//! when milestones are reached. The dates of milestones are those that were taken when a sprint closed.

use std::collections::HashMap;

use axum::extract::State;
use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::access::may;
use planwright_domain::ids::{MilestoneForecastId, ProjectId, TaskId};
use planwright_domain::words::{ForecastConfidence, MilestoneBasis};
use planwright_plan::schedule::calendars::working_days;
use planwright_plan::sprints::VelocityGate;
use planwright_plan::sprints::load::IS_WORK;
use planwright_store::{Read, Result, row, sql};
use planwright_web::{ApiResult, App, Gathered, Gathering, ProjectScope, Routes, says};
use schemars::JsonSchema;
use serde::Serialize;

use super::velocity::{LOOKED_AT, TeamVelocity, over, velocity_of};

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new().get(
        "/api/v1/projects/{id}/forecast/",
        show,
        says("At what pace the team works, and when milestones are reached.").agent_compute(),
    )
}

row! {
    struct TakenRow {
        id: MilestoneForecastId,
        milestone_id: TaskId,
        milestone_name: String,
        sprint_name: String,
        cpm_finish: Option<NaiveDate>,
        p50: Option<NaiveDate>,
        p80: Option<NaiveDate>,
        velocity_low: Option<i64>,
        velocity_high: Option<i64>,
        confidence: ForecastConfidence,
        unmodeled_dependency: bool,
        taken_at: DateTime<Utc>,
        /// 1 is the newest of its milestone.
        place: i64,
    }
}

/// The forecast of a milestone before the newest one.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PreviousForecastSnapshot {
    pub cpm_finish: Option<NaiveDate>,
    pub p50: Option<NaiveDate>,
    pub p80: Option<NaiveDate>,
    pub velocity_low: Option<i64>,
    pub velocity_high: Option<i64>,
    pub basis: MilestoneBasis,
    pub confidence: Option<ForecastConfidence>,
    pub taken_at: DateTime<Utc>,
}

/// When a milestone is reached.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ForecastSnapshot {
    pub id: MilestoneForecastId,
    pub milestone_id: Option<TaskId>,
    pub milestone_name: Option<String>,
    /// `monte_carlo` when past sprints were drawn, `velocity_band` when there were too few.
    pub basis: MilestoneBasis,
    /// The day that the schedule gave it.
    pub cpm_finish: Option<NaiveDate>,
    /// By this day in half of the draws.
    pub p50: Option<NaiveDate>,
    /// By this day in eighty of a hundred.
    pub p80: Option<NaiveDate>,
    /// Null for those who may not see the velocity of the team.
    pub velocity_low: Option<i64>,
    /// Null for those who may not see the velocity of the team.
    pub velocity_high: Option<i64>,
    pub confidence: ForecastConfidence,
    /// Whether it waits for tasks that are in none of its sprints.
    pub unmodeled_dependency: bool,
    pub taken_at: DateTime<Utc>,
    /// The forecast before this one.
    pub previous: Option<PreviousForecastSnapshot>,
    /// The sprint at whose close that was taken.
    pub previous_sprint_name: Option<String>,
}

/// The forecast of a project.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProjectForecast {
    pub velocity: TeamVelocity,
    /// The points that are left in sprints that run or are planned. Null for those who may not see the velocity.
    pub remaining_committed_points: Option<i64>,
    /// How many sprints they take at the upper end of the band.
    pub sprints_to_complete_low: Option<i64>,
    /// How many sprints they take at the lower end of the band.
    pub sprints_to_complete_high: Option<i64>,
    /// The newest forecast of each milestone, in the order of their days.
    pub milestones: Vec<ForecastSnapshot>,
}

async fn show(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
) -> ApiResult<Gathered<ProjectForecast>> {
    let (db, project) = (&app.db, scope.project);
    let gate = VelocityGate::of(db, project, scope.actor.id).await?;
    let mut gathering = Gathering::default();
    let milestones = snapshots(gathering.section("milestones", taken(db, project).await), gate);
    if !gate.is_open {
        return Ok(gathering.answer(hidden(milestones)));
    }
    let over = gathering.section("sprints", over(db, project, LOOKED_AT).await);
    let velocity = velocity_of(&over, &gathering.section("calendar", working_days(db, project).await));
    let remaining = gathering.section("remaining_points", remaining_points(db, project).await);
    let sprints = |pace: Option<i64>| {
        pace.filter(|pace| *pace > 0).map(|pace| remaining.div_euclid(pace) + i64::from(remaining % pace > 0))
    };
    Ok(gathering.answer(ProjectForecast {
        remaining_committed_points: Some(remaining),
        sprints_to_complete_low: sprints(velocity.forecast_range_high),
        sprints_to_complete_high: sprints(velocity.forecast_range_low),
        velocity,
        milestones,
    }))
}

/// What is left for somebody who may not see the velocity of the team.
fn hidden(milestones: Vec<ForecastSnapshot>) -> ProjectForecast {
    ProjectForecast {
        velocity: TeamVelocity { velocity_suppressed: true, ..TeamVelocity::default() },
        remaining_committed_points: None,
        sprints_to_complete_low: None,
        sprints_to_complete_high: None,
        milestones,
    }
}

/// The newest forecast of each milestone with the one before it.
fn snapshots(rows: Vec<TakenRow>, gate: VelocityGate) -> Vec<ForecastSnapshot> {
    let (newest, older): (Vec<TakenRow>, Vec<TakenRow>) = rows.into_iter().partition(|row| row.place == 1);
    let mut older: HashMap<TaskId, TakenRow> = older.into_iter().map(|row| (row.milestone_id, row)).collect();
    let mut all: Vec<ForecastSnapshot> = newest
        .into_iter()
        .map(|row| {
            let before = older.remove(&row.milestone_id);
            snapshot(row, before, gate)
        })
        .collect();
    all.sort_by_key(|snapshot| (snapshot.cpm_finish, snapshot.milestone_id));
    all
}

fn snapshot(row: TakenRow, before: Option<TakenRow>, gate: VelocityGate) -> ForecastSnapshot {
    let previous_sprint_name = before.as_ref().map(|before| before.sprint_name.clone());
    let previous = before.map(|before| PreviousForecastSnapshot {
        cpm_finish: before.cpm_finish,
        p50: before.p50,
        p80: before.p80,
        velocity_low: gate.lets(before.velocity_low),
        velocity_high: gate.lets(before.velocity_high),
        basis: basis(&before),
        confidence: Some(before.confidence),
        taken_at: before.taken_at,
    });
    ForecastSnapshot {
        id: row.id,
        milestone_id: Some(row.milestone_id),
        basis: basis(&row),
        milestone_name: Some(row.milestone_name),
        cpm_finish: row.cpm_finish,
        p50: row.p50,
        p80: row.p80,
        velocity_low: gate.lets(row.velocity_low),
        velocity_high: gate.lets(row.velocity_high),
        confidence: row.confidence,
        unmodeled_dependency: row.unmodeled_dependency,
        taken_at: row.taken_at,
        previous,
        previous_sprint_name,
    }
}

/// Without a band there were too few sprints to draw from.
fn basis(row: &TakenRow) -> MilestoneBasis {
    match row.velocity_low {
        Some(_) => MilestoneBasis::MonteCarlo,
        None => MilestoneBasis::VelocityBand,
    }
}

/// The two newest forecasts of each live milestone.
async fn taken(db: &dyn Read, project: ProjectId) -> Result<Vec<TakenRow>> {
    let select = "SELECT * FROM (
            SELECT f.id, f.milestone_id, t.name AS milestone_name, s.name AS sprint_name, f.cpm_finish, f.p50, f.p80,
                f.velocity_low, f.velocity_high, f.confidence, f.unmodeled_dependency, f.taken_at,
                ROW_NUMBER() OVER (PARTITION BY f.milestone_id ORDER BY f.taken_at DESC, f.id DESC) AS place
            FROM milestone_forecasts f JOIN tasks t ON t.id = f.milestone_id AND t.deletion_id IS NULL
            JOIN sprints s ON s.id = f.sprint_id WHERE f.project_id = :project) AS ranked
         WHERE place <= 2 ORDER BY milestone_id, place";
    db.all(sql!(select, project = project)).await
}

/// The points that are left in sprints that run or are planned.
async fn remaining_points(db: &dyn Read, project: ProjectId) -> Result<i64> {
    let select = format!(
        "SELECT CAST(COALESCE(SUM(COALESCE(t.remaining_points, t.story_points, 0)), 0) AS BIGINT) FROM tasks t
         JOIN sprints s ON s.id = t.sprint_id AND s.deletion_id IS NULL AND s.state IN ('PLANNED', 'ACTIVE')
         WHERE t.project_id = :project AND t.status <> 'COMPLETE' AND NOT t.sprint_pending AND {IS_WORK}"
    );
    db.count(sql!(select, project = project)).await
}
