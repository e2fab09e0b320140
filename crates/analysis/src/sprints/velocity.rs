//! `/api/v1/projects/{id}/velocity/`: what the last sprints of a team completed, for those who may see it.

use axum::extract::State;
use chrono::NaiveDate;
use planwright_domain::access::may;
use planwright_domain::ids::{ProjectId, SprintId};
use planwright_engine::Calendar;
use planwright_plan::schedule::calendars::working_days;
use planwright_plan::schedule::network::day;
use planwright_plan::sprints::VelocityGate;
use planwright_plan::sprints::velocity::{Completed, Velocity, WINDOW};
use planwright_store::{Read, Result, row, sql};
use planwright_web::{ApiResult, App, Json, ProjectScope, Routes, says};
use schemars::JsonSchema;
use serde::Serialize;

/// How many sprints are shown.
const SHOWN: usize = 8;

/// How far back sprints that count are looked for.
pub(super) const LOOKED_AT: i64 = 50;

/// So many sprints does it take to tell the pace of a day.
const LEAST_FOR_PACE: usize = 3;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new().get(
        "/api/v1/projects/{id}/velocity/",
        show,
        says("What the last sprints completed, on average, and how much that varies."),
    )
}

row! {
    /// A sprint that is over.
    pub struct OverRow {
        pub id: SprintId,
        pub name: String,
        pub start_date: NaiveDate,
        pub finish_date: NaiveDate,
        pub committed_points: Option<i64>,
        pub completed_points: Option<i64>,
        pub committed_task_count: Option<i64>,
        pub completed_task_count: Option<i64>,
        pub exclude_from_velocity: bool,
    }
}

/// What a sprint that is over completed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct VelocitySprint {
    pub id: SprintId,
    pub name: String,
    pub start_date: NaiveDate,
    pub finish_date: NaiveDate,
    pub committed_points: Option<i64>,
    pub completed_points: Option<i64>,
    pub committed_task_count: Option<i64>,
    pub completed_task_count: Option<i64>,
    /// More than the sprint before it; negative when less.
    pub delta_vs_prior_points: Option<i64>,
    pub delta_vs_prior_tasks: Option<i64>,
    /// Whether it is left out of averages.
    pub exclude_from_velocity: bool,
}

/// The velocity of a team.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub struct TeamVelocity {
    /// The last eight sprints that were completed, the oldest first.
    pub sprints: Vec<VelocitySprint>,
    /// The mean of the last six that count.
    pub rolling_avg_points: Option<f64>,
    pub rolling_avg_tasks: Option<f64>,
    /// The sample standard deviation of the same sprints; it takes two.
    pub rolling_stdev_points: Option<f64>,
    pub rolling_stdev_tasks: Option<f64>,
    /// One deviation below the mean, not below zero.
    pub forecast_range_low: Option<i64>,
    /// One deviation above the mean.
    pub forecast_range_high: Option<i64>,
    /// Points in a working day of the project's calendar, with three decimals; it takes three sprints.
    pub team_velocity_per_day: Option<f64>,
    /// How many of the sprints shown do not count.
    pub excluded_count: i64,
    /// Whether the figures are hidden from the caller by the privacy settings of the project.
    pub velocity_suppressed: bool,
}

async fn show(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
) -> ApiResult<Json<TeamVelocity>> {
    let gate = VelocityGate::of(&app.db, scope.project, scope.actor.id).await?;
    if !gate.is_open {
        return Ok(Json(TeamVelocity { velocity_suppressed: true, ..TeamVelocity::default() }));
    }
    let over = over(&app.db, scope.project, LOOKED_AT).await?;
    let calendar = working_days(&app.db, scope.project).await?;
    Ok(Json(velocity_of(&over, &calendar)))
}

/// The velocity that sprints show; the newest is the first of them.
pub(super) fn velocity_of(over: &[OverRow], calendar: &Calendar) -> TeamVelocity {
    let counted: Vec<&OverRow> =
        over.iter().filter(|sprint| !sprint.exclude_from_velocity).take(WINDOW).collect();
    let of = |figure: fn(&OverRow) -> Option<i64>| {
        let known = counted.iter().filter_map(|sprint| Some(completed(sprint, figure(sprint)?)));
        Velocity::of(&known.collect::<Vec<_>>())
    };
    let (points, tasks) = (of(|sprint| sprint.completed_points), of(|sprint| sprint.completed_task_count));
    let band = points.and_then(|velocity| velocity.band());
    TeamVelocity {
        sprints: shown(over, SHOWN),
        rolling_avg_points: points.map(|velocity| rounded(velocity.average, 2)),
        rolling_avg_tasks: tasks.map(|velocity| rounded(velocity.average, 2)),
        rolling_stdev_points: points.and_then(|velocity| Some(rounded(velocity.deviation?, 2))),
        rolling_stdev_tasks: tasks.and_then(|velocity| Some(rounded(velocity.deviation?, 2))),
        forecast_range_low: band.map(|(low, _)| low),
        forecast_range_high: band.map(|(_, high)| high),
        team_velocity_per_day: per_day(&counted, calendar),
        excluded_count: over.iter().take(SHOWN).filter(|sprint| sprint.exclude_from_velocity).count() as i64,
        velocity_suppressed: false,
    }
}

fn completed(sprint: &OverRow, figure: i64) -> Completed {
    let (start_date, finish_date) = (sprint.start_date, sprint.finish_date);
    Completed { id: sprint.id, start_date, finish_date, points: figure }
}

fn shown(over: &[OverRow], most: usize) -> Vec<VelocitySprint> {
    let delta = |one: Option<i64>, other: Option<i64>| Some(one? - other?);
    let row = |(place, sprint): (usize, &OverRow)| {
        let prior = over.get(place + 1);
        VelocitySprint {
            id: sprint.id,
            name: sprint.name.clone(),
            start_date: sprint.start_date,
            finish_date: sprint.finish_date,
            committed_points: sprint.committed_points,
            completed_points: sprint.completed_points,
            committed_task_count: sprint.committed_task_count,
            completed_task_count: sprint.completed_task_count,
            delta_vs_prior_points: prior
                .and_then(|prior| delta(sprint.completed_points, prior.completed_points)),
            delta_vs_prior_tasks: prior
                .and_then(|prior| delta(sprint.completed_task_count, prior.completed_task_count)),
            exclude_from_velocity: sprint.exclude_from_velocity,
        }
    };
    let newest_first: Vec<_> = over.iter().enumerate().take(most).map(row).collect();
    newest_first.into_iter().rev().collect()
}

/// The mean over sprints of the points that each completed in a working day.
fn per_day(counted: &[&OverRow], calendar: &Calendar) -> Option<f64> {
    let pace = |sprint: &&OverRow| {
        let days = sprint.start_date.iter_days().take_while(|date| *date <= sprint.finish_date);
        let working = days.filter(|date| calendar.is_working(day(*date))).count();
        Some(sprint.completed_points? as f64 / working.max(1) as f64)
    };
    let paces: Vec<f64> = counted.iter().filter_map(pace).collect();
    (paces.len() >= LEAST_FOR_PACE).then(|| rounded(paces.iter().sum::<f64>() / paces.len() as f64, 3))
}

/// A number with so many decimals.
pub(super) fn rounded(number: f64, decimals: i32) -> f64 {
    let scale = 10_f64.powi(decimals);
    (number * scale).round() / scale
}

/// The last sprints of a project that were completed, the newest first.
pub(super) async fn over(db: &dyn Read, project: ProjectId, most: i64) -> Result<Vec<OverRow>> {
    let select = "SELECT s.id, s.name, s.start_date, s.finish_date, s.committed_points, s.completed_points,
            s.committed_task_count, s.completed_task_count, s.exclude_from_velocity
         FROM sprints s WHERE s.project_id = :project AND s.deletion_id IS NULL AND s.state = 'COMPLETED'
         ORDER BY COALESCE(s.closed_at, s.created_at) DESC, s.finish_date DESC, s.id DESC LIMIT :most";
    db.all(sql!(select, project = project, most = most)).await
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn sprint(completed: i64, excluded: bool) -> OverRow {
        OverRow {
            id: SprintId(Uuid::nil()),
            name: String::new(),
            start_date: NaiveDate::from_ymd_opt(2026, 1, 5).unwrap(),
            finish_date: NaiveDate::from_ymd_opt(2026, 1, 16).unwrap(),
            committed_points: Some(20),
            completed_points: Some(completed),
            committed_task_count: Some(4),
            completed_task_count: Some(2),
            exclude_from_velocity: excluded,
        }
    }

    #[test]
    fn excluded_sprints_are_shown_and_not_counted() {
        let newest_first = [sprint(30, false), sprint(99, true), sprint(10, false)];
        let velocity = velocity_of(&newest_first, &Calendar::default());
        assert_eq!((velocity.rolling_avg_points, velocity.excluded_count), (Some(20.0), 1));
        let deltas: Vec<_> = velocity.sprints.iter().map(|sprint| sprint.delta_vs_prior_points).collect();
        assert_eq!(deltas, [None, Some(89), Some(-69)], "the oldest first");
        assert_eq!((velocity.forecast_range_low, velocity.forecast_range_high), (Some(6), Some(34)));
    }

    #[test]
    fn the_pace_of_a_day_takes_three_sprints_and_counts_working_days() {
        let pace = |count| {
            let sprints = vec![sprint(25, false); count];
            velocity_of(&sprints, &Calendar::default()).team_velocity_per_day
        };
        assert_eq!((pace(2), pace(3)), (None, Some(2.5)));
    }
}
