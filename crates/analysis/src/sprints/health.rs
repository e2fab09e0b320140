//! `/api/v1/projects/{id}/sprint-health/`: the running sprint in a few numbers and one verdict, with the reasons for it.

use axum::extract::State;
use chrono::NaiveDate;
use planwright_domain::access::may;
use planwright_domain::ids::SprintId;
use planwright_domain::words::{BurnStatus, CapacityLabel, SprintHealthBand};
use planwright_plan::sprints::capacity::{self, capacities};
use planwright_plan::sprints::{Load, SprintRow, VelocityGate, load};
use planwright_store::{Read, Result, sql};
use planwright_web::{ApiError, ApiResult, App, Json, ProjectScope, Routes, says};
use schemars::JsonSchema;
use serde::Serialize;

use super::queries::active_sprint;
use super::velocity::rounded;
use planwright_plan::sprints::burn::{Burn, Position};

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new().get(
        "/api/v1/projects/{id}/sprint-health/",
        show,
        says("The running sprint in a few numbers and one verdict; 404 without one.").agent_surface(),
    )
}

/// The running sprint in a few numbers. Points are null for those who may not see the velocity of the team.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SprintHealth {
    pub sprint_id: SprintId,
    pub name: String,
    pub goal: String,
    pub start_date: NaiveDate,
    pub finish_date: NaiveDate,
    /// Which day of the sprint it is, from 1.
    pub day: i64,
    pub total_days: i64,
    pub days_remaining: i64,
    pub committed_points: Option<i64>,
    pub completed_points: Option<i64>,
    pub remaining_points: Option<i64>,
    pub task_count: i64,
    pub completed_task_count: i64,
    pub completion_ratio_tasks: Option<f64>,
    pub burn_status: BurnStatus,
    pub trend_points: Option<i64>,
    pub projected_finish_date: Option<NaiveDate>,
    pub capacity_ratio: f64,
    pub capacity_label: CapacityLabel,
    pub wip_count: i64,
    pub wip_limit: Option<i64>,
    /// Tasks that came after it began and wait for a decision.
    pub pending_count: i64,
    pub blocked_count: i64,
    pub health: SprintHealthBand,
    /// What speaks against the sprint: `behind`, `over_capacity`, `over_wip_limit`, `blocked`, `scope_pending`.
    pub reasons: Vec<&'static str>,
    pub velocity_suppressed: bool,
}

async fn show(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
) -> ApiResult<Json<SprintHealth>> {
    let sprint = active_sprint(&app.db, scope.project).await?.ok_or_else(none)?;
    let gate = VelocityGate::of(&app.db, scope.project, scope.actor.id).await?;
    let load = load::load(&app.db, sprint.id).await?;
    let blocked = blocked(&app.db, sprint.id).await?;
    let ratio = capacities(&app.db, std::slice::from_ref(&sprint)).await?.remove(&sprint.id);
    let ratio = ratio.unwrap_or_default().ratio();
    let position = Position {
        start: sprint.start_date,
        finish: sprint.finish_date,
        committed: sprint.committed_points,
        remaining: load.remaining_points,
        today: app.clock.today(),
    };
    Ok(Json(health(sprint, load, position, gate, ratio, blocked)))
}

fn none() -> ApiError {
    ApiError::not_found().with_code("no_active_sprint")
}

fn health(
    sprint: SprintRow,
    load: Load,
    position: Position,
    gate: VelocityGate,
    capacity_ratio: f64,
    blocked_count: i64,
) -> SprintHealth {
    let Burn { status, trend_points, projected_finish } = position.burn();
    let status = if gate.is_open { status } else { BurnStatus::NoData };
    let reasons = reasons(&sprint, load, status, capacity_ratio, blocked_count);
    let done = (load.tasks > 0).then(|| rounded(load.done_tasks as f64 / load.tasks as f64, 4));
    SprintHealth {
        sprint_id: sprint.id,
        start_date: sprint.start_date,
        finish_date: sprint.finish_date,
        day: position.day(),
        total_days: position.total_days(),
        days_remaining: (sprint.finish_date - position.today).num_days().max(0),
        committed_points: gate.lets(sprint.committed_points),
        completed_points: gate.lets(Some(load.done_points)),
        remaining_points: gate.lets(Some(load.remaining_points)),
        task_count: load.tasks,
        completed_task_count: load.done_tasks,
        completion_ratio_tasks: done,
        burn_status: status,
        trend_points: gate.lets(trend_points),
        projected_finish_date: gate.lets(projected_finish),
        capacity_ratio,
        capacity_label: capacity::label(capacity_ratio),
        wip_count: load.under_way,
        wip_limit: sprint.wip_limit,
        pending_count: load.pending,
        blocked_count,
        health: band(&reasons),
        reasons,
        velocity_suppressed: !gate.is_open,
        name: sprint.name,
        goal: sprint.goal,
    }
}

/// What speaks against a sprint.
fn reasons(
    sprint: &SprintRow,
    load: Load,
    status: BurnStatus,
    capacity_ratio: f64,
    blocked: i64,
) -> Vec<&'static str> {
    let speaks = [
        ("behind", status == BurnStatus::Behind),
        ("over_capacity", capacity::label(capacity_ratio) == CapacityLabel::OverCapacity),
        ("over_wip_limit", sprint.wip_limit.is_some_and(|limit| load.under_way > limit)),
        ("blocked", blocked > 0),
        ("scope_pending", load.pending > 0),
    ];
    speaks.into_iter().filter(|(_, applies)| *applies).map(|(reason, _)| reason).collect()
}

/// The verdict: one reason is a risk; being behind together with another one is more.
fn band(reasons: &[&str]) -> SprintHealthBand {
    match (reasons.len(), reasons.contains(&"behind")) {
        (0, _) => SprintHealthBand::OnTrack,
        (2.., true) => SprintHealthBand::OffTrack,
        _ => SprintHealthBand::AtRisk,
    }
}

/// How many open tasks of a sprint are blocked.
async fn blocked(db: &dyn Read, sprint: SprintId) -> Result<i64> {
    let select = "SELECT COUNT(*) FROM tasks WHERE sprint_id = :sprint AND deletion_id IS NULL
           AND blocked_since IS NOT NULL AND status <> 'COMPLETE'";
    db.count(sql!(select, sprint = sprint)).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn being_behind_with_another_reason_is_off_track() {
        use SprintHealthBand::*;
        let bands =
            [&[][..], &["blocked"], &["behind"], &["blocked", "scope_pending"], &["behind", "blocked"]];
        assert_eq!(bands.map(band), [OnTrack, AtRisk, AtRisk, AtRisk, OffTrack]);
    }
}
