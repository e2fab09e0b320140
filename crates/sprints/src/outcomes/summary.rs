//! The outcome of a sprint, put together from what was kept at its close, or from how it stands while it goes on.

use chrono::NaiveDate;
use planwright_domain::ids::{TaskId, UserId};
use planwright_domain::words::SprintState;
use planwright_plan::sprints::burn::Position;
use planwright_plan::sprints::velocity::{self, Velocity};
use planwright_plan::sprints::{Load, SprintRow, VelocityGate, load};
use planwright_store::Read;
use planwright_web::ApiResult;

use super::model::*;
use super::{queries, rules};
use crate::sprints::show::ratio;

/// What became of a sprint, or what it looks like today, for the eyes of a person.
pub async fn outcome(
    db: &dyn Read,
    reader: UserId,
    row: SprintRow,
    today: NaiveDate,
) -> ApiResult<SprintOutcome> {
    let gate = VelocityGate::of(db, row.project_id, reader).await?;
    let kept = queries::kept(db, row.id).await?;
    let outcome_recorded = !kept.is_empty();
    let items = if row.is_over() || outcome_recorded { kept } else { queries::standing(db, row.id).await? };
    let load = load::load(db, row.id).await?;
    let tasks: Vec<TaskId> = items.iter().filter_map(|item| item.task_id).collect();
    let criteria = queries::criteria(db, &tasks).await?;
    let retro = queries::retro(db, row.id).await?;
    let milestone_slip = match row.target_milestone_id {
        Some(milestone) => queries::slip(db, milestone).await?.and_then(rules::slip),
        None => None,
    };
    Ok(SprintOutcome {
        sprint_id: row.id,
        state: row.state,
        provisional: !row.is_over(),
        outcome_recorded,
        commitment: commitment(&row, load, gate),
        velocity: if gate.is_open { Some(pace(db, &row, load, today).await?) } else { None },
        didnt_ship: rules::didnt_ship(&items, gate),
        didnt_ship_summary: rules::summary(&items, gate),
        retro_summary: retro.map(|retro| RetroSummary {
            retro_id: retro.id,
            action_item_count: retro.actions,
            has_notes: retro.has_notes,
        }),
        review: rules::review(&row, &items, &criteria, gate),
        milestone_slip,
        name: row.name,
        start_date: row.start_date,
        finish_date: row.finish_date,
        closed_at: row.closed_at,
        goal: row.goal,
        goal_outcome: row.goal_outcome,
    })
}

/// What came over from other sprints, for the eyes of a person.
pub async fn incoming(db: &dyn Read, reader: UserId, row: &SprintRow) -> ApiResult<IncomingCarryover> {
    let gate = VelocityGate::of(db, row.project_id, reader).await?;
    let carried = queries::carried_into(db, row.id).await?;
    let points = carried.iter().filter_map(|row| row.story_points).sum();
    let items = carried.into_iter().map(|row| CarriedItem {
        task_id: row.task_id,
        task_short_id: row.short_id,
        task_title: row.name,
        story_points: gate.lets(row.story_points),
        status: row.status,
        from_sprint_id: row.from_sprint_id,
        from_sprint_name: row.from_sprint_name,
        was_pending: row.was_pending,
    });
    let items: Vec<CarriedItem> = items.collect();
    let (count, points) = (items.len() as i64, gate.lets(Some(points)));
    Ok(IncomingCarryover { sprint_id: row.id, count, points, items })
}

/// What is done of a sprint: as it closed, or as it stands.
fn done(row: &SprintRow, load: Load) -> (Option<i64>, Option<i64>) {
    match row.state {
        SprintState::Active => (Some(load.done_points), Some(load.done_tasks)),
        _ => (row.completed_points, row.completed_task_count),
    }
}

fn commitment(row: &SprintRow, load: Load, gate: VelocityGate) -> OutcomeCommitment {
    let (points, tasks) = done(row, load);
    OutcomeCommitment {
        committed_points: row.committed_points,
        completed_points: gate.lets(points),
        committed_task_count: row.committed_task_count,
        completed_task_count: gate.lets(tasks),
        completion_ratio_points: gate.lets(ratio(points, row.committed_points)),
        completion_ratio_tasks: gate.lets(ratio(tasks, row.committed_task_count)),
    }
}

/// How much was done, beside the sprints before.
async fn pace(db: &dyn Read, row: &SprintRow, load: Load, today: NaiveDate) -> ApiResult<OutcomeVelocity> {
    let (points, _) = done(row, load);
    let past = velocity::completed(db, row.project_id, Some(row.id), velocity::WINDOW).await?;
    let average = Velocity::of(&past).map(|velocity| (velocity.average * 100.0).round() / 100.0);
    let last_day = if row.is_over() { row.finish_date } else { today };
    let remaining = row.committed_points.unwrap_or_default() - points.unwrap_or_default();
    let position = Position {
        start: row.start_date,
        finish: row.finish_date,
        committed: row.committed_points,
        remaining: remaining.max(0),
        today: last_day,
    };
    let burn = position.burn();
    Ok(OutcomeVelocity {
        completed_points: points,
        velocity_delta_points: points.zip(past.first()).map(|(points, last)| points - last.points),
        rolling_avg_points: average,
        burn_status: burn.status,
        trend_points: burn.trend_points,
        projected_finish_date: burn.projected_finish.filter(|_| !row.is_over()),
    })
}
