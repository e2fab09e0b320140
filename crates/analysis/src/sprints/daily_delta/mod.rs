//! `/api/v1/sprints/{id}/daily-delta/`: what happened in a sprint since yesterday, or since a moment.

mod model;
mod queries;
mod rules;

use axum::extract::State;
use chrono::{DateTime, Utc};
use planwright_domain::Role;
use planwright_domain::access::may;
use planwright_plan::sprints::{Load, SprintRow, VelocityGate, load};
use planwright_store::Read;
use planwright_web::{ApiResult, App, Item, Json, Query, Routes, says};

use self::model::*;
use super::burndown::past_of;
use super::velocity::rounded;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new().get(
        "/api/v1/sprints/{id}/daily-delta/",
        show,
        says("What happened in a sprint since a moment: moves, new work, new blockers."),
    )
}

async fn show(
    State(app): State<App>,
    item: Item<SprintRow, may::ReadProject>,
    Query(query): Query<DeltaQuery>,
) -> ApiResult<Json<SprintDailyDelta>> {
    let (sprint, until) = (&item.row, app.clock.now());
    let since = rules::since(query.since.as_given().map(String::as_str), sprint.activated_at, until);
    let gate = VelocityGate::of(&app.db, sprint.project_id, item.scope.actor.id).await?;
    let changes = queries::status_changes(&app.db, sprint.id, since).await?;
    let mut added = queries::scope_added(&app.db, sprint.id, since).await?;
    let blocked = queries::blocked(&app.db, sprint.id).await?;
    let load = load::load(&app.db, sprint.id).await?;
    let burndown_delta = if gate.is_open { burnt(&app.db, sprint, since, until).await? } else { None };
    let (per_actor, actor_aggregate) = rules::deeds(&changes, &added, &blocked, since);
    added.iter_mut().for_each(|row| row.story_points = gate.lets(row.story_points));
    Ok(Json(SprintDailyDelta {
        sprint_id: sprint.id,
        since,
        until,
        task_changes: changes.into_iter().map(|change| TaskChange { kind: "status", change }).collect(),
        scope_added: added,
        new_blockers: rules::new_blockers(&blocked, since, until),
        blocker_summary: rules::summary(&blocked),
        burndown_delta,
        per_actor: if item.scope.role == Role::Viewer { Vec::new() } else { per_actor },
        actor_aggregate,
        sprint_load: loaded(sprint, load, gate),
    }))
}

/// What was left then and is left now; nothing before the sprint was activated.
async fn burnt(
    db: &dyn Read,
    sprint: &SprintRow,
    since: DateTime<Utc>,
    until: DateTime<Utc>,
) -> ApiResult<Option<BurndownDelta>> {
    if sprint.activated_at.is_none() {
        return Ok(None);
    }
    let past = past_of(db, sprint).await?;
    let until = sprint.closed_at.unwrap_or(until);
    let (prior, current) = (past.totals(sprint.id, since.min(until)), past.totals(sprint.id, until));
    Ok(Some(BurndownDelta {
        prior_date: since.date_naive(),
        prior_remaining: prior.remaining_points,
        current_date: until.date_naive(),
        current_remaining: current.remaining_points,
        remaining_delta: current.remaining_points - prior.remaining_points,
        completed_delta: current.completed_points - prior.completed_points,
    }))
}

fn loaded(sprint: &SprintRow, load: Load, gate: VelocityGate) -> SprintLoad {
    let committed = sprint.committed_points;
    let percent = |points: i64| (points > 0).then(|| rounded(100.0 * load.points as f64 / points as f64, 1));
    SprintLoad {
        committed_points: gate.lets(committed),
        current_points: gate.lets(Some(load.points)),
        delta_points: gate.lets(committed.map(|points| load.points - points)),
        pct_loaded: gate.lets(committed.and_then(percent)),
    }
}
