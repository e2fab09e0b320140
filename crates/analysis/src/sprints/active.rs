//! `/api/v1/me/active-sprints/`: the sprints that run in the projects of a person, the one that is most behind first.

use std::collections::HashMap;

use axum::extract::State;
use chrono::NaiveDate;
use planwright_domain::ids::{ProjectId, SprintId};
use planwright_domain::words::{CapacityLabel, Signal};
use planwright_plan::sprints::capacity::{self, capacities};
use planwright_plan::sprints::velocity::{self, Completed, Velocity};
use planwright_plan::sprints::{Load, SprintRow, VelocityGate, load, velocity_gate};
use planwright_plan::tasks::rules::short_number;
use planwright_store::record::select_list;
use planwright_store::{Read, Result, row, sql};
use planwright_web::{Actor, ApiResult, App, Json, Routes, says};
use schemars::JsonSchema;
use serde::Serialize;

use super::velocity::rounded;
use planwright_plan::sprints::burn::Position;

/// How many sprints are shown.
const MOST: i64 = 200;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new().get(
        "/api/v1/me/active-sprints/",
        list,
        says("The sprints that run in the caller's projects, the one that is most behind first."),
    )
}

row! {
    struct ActiveRow { project_name: String }
    and sprint: SprintRow
}

/// Where a running sprint stands.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "_ActiveSprintCardSprint")]
pub struct ActiveSprint {
    pub id: SprintId,
    pub name: String,
    pub short_id_display: String,
    pub start_date: NaiveDate,
    pub finish_date: NaiveDate,
    /// Which day of the sprint it is, from 1.
    pub day: i64,
    /// How many days it has.
    pub total: i64,
    /// The points of the tasks that are open; null for those who may not see the velocity of the team.
    pub remaining_points: Option<i64>,
    /// The points that it began with.
    pub committed_points: i64,
    /// Points ahead of a straight line; negative behind it, 0 without a commitment. Null for the same people.
    pub trend_pts: Option<i64>,
}

/// The velocity of the team; null for those who may not see it.
#[derive(Debug, Default, Serialize, JsonSchema)]
#[schemars(rename = "_ActiveSprintCardVelocity")]
pub struct ActiveVelocity {
    pub rolling_avg_points: Option<f64>,
    pub forecast_range_low: Option<f64>,
    pub forecast_range_high: Option<f64>,
    pub velocity_suppressed: bool,
}

/// A sprint that runs in a project of the caller.
#[derive(Debug, Serialize, JsonSchema)]
pub struct MeActiveSprintCard {
    pub project_id: ProjectId,
    pub project_name: String,
    pub sprint: ActiveSprint,
    pub capacity_ratio: f64,
    pub capacity_label: CapacityLabel,
    pub velocity: ActiveVelocity,
}

async fn list(State(app): State<App>, actor: Actor) -> ApiResult<Json<Vec<MeActiveSprintCard>>> {
    let rows = active(&app.db, &actor).await?;
    let sprints: Vec<SprintRow> = rows.iter().map(|row| row.sprint.clone()).collect();
    let ids: Vec<SprintId> = sprints.iter().map(|sprint| sprint.id).collect();
    let projects: Vec<ProjectId> = sprints.iter().map(|sprint| sprint.project_id).collect();
    let loads = load::loads(&app.db, &ids).await?;
    let capacities = capacities(&app.db, &sprints).await?;
    let readers = projects.iter().copied();
    let readable = velocity_gate::readable(&app.db, Signal::Velocity, actor.id, readers).await?;
    let past = velocity::completed_of(&app.db, &projects, velocity::WINDOW).await?;
    let today = app.clock.today();
    let mut cards: Vec<MeActiveSprintCard> = rows
        .into_iter()
        .map(|row| {
            let load = loads.get(&row.sprint.id).copied().unwrap_or_default();
            let capacity_ratio = capacities.get(&row.sprint.id).map_or(0.0, capacity::SprintCapacity::ratio);
            MeActiveSprintCard {
                project_id: row.sprint.project_id,
                velocity: pace(readable.contains(&row.sprint.project_id), &past, row.sprint.project_id),
                project_name: row.project_name,
                sprint: card(&row.sprint, load, readable.contains(&row.sprint.project_id), today),
                capacity_ratio,
                capacity_label: capacity::label(capacity_ratio),
            }
        })
        .collect();
    cards.sort_by_key(|card| (card.sprint.trend_pts.is_none(), card.sprint.trend_pts));
    Ok(Json(cards))
}

fn card(sprint: &SprintRow, load: Load, is_readable: bool, today: NaiveDate) -> ActiveSprint {
    let gate = VelocityGate { is_open: is_readable };
    let (start, finish, committed) = (sprint.start_date, sprint.finish_date, sprint.committed_points);
    let position = Position { start, finish, committed, remaining: load.remaining_points, today };
    ActiveSprint {
        id: sprint.id,
        name: sprint.name.clone(),
        short_id_display: format!("SP-{}", short_number(&sprint.short_id)),
        start_date: start,
        finish_date: finish,
        day: position.day(),
        total: position.total_days(),
        remaining_points: gate.lets(Some(load.remaining_points)),
        committed_points: committed.unwrap_or_default(),
        trend_pts: gate.lets(Some(position.burn().trend_points.unwrap_or_default())),
    }
}

fn pace(is_readable: bool, past: &HashMap<ProjectId, Vec<Completed>>, project: ProjectId) -> ActiveVelocity {
    if !is_readable {
        return ActiveVelocity { velocity_suppressed: true, ..ActiveVelocity::default() };
    }
    let velocity = past.get(&project).and_then(|sprints| Velocity::of(sprints));
    let band = velocity.and_then(|velocity| velocity.band());
    ActiveVelocity {
        rolling_avg_points: velocity.map(|velocity| rounded(velocity.average, 2)),
        forecast_range_low: band.map(|(low, _)| low as f64),
        forecast_range_high: band.map(|(_, high)| high as f64),
        velocity_suppressed: false,
    }
}

/// The sprints that run in the projects of a person, the first to end first.
async fn active(db: &dyn Read, actor: &Actor) -> Result<Vec<ActiveRow>> {
    let select = format!(
        "SELECT p.name AS project_name, {} FROM sprints s
         JOIN projects p ON p.id = s.project_id AND p.deletion_id IS NULL AND p.archived_at IS NULL
         JOIN project_members m ON m.project_id = p.id AND m.user_id = :user AND m.deletion_id IS NULL
         WHERE s.state = 'ACTIVE' AND s.deletion_id IS NULL{}
         ORDER BY s.finish_date, s.id LIMIT :most",
        select_list::<SprintRow>("s"),
        actor.sees_projects()
    );
    db.all(sql!(select, user = actor.id, most = MOST)).await
}
