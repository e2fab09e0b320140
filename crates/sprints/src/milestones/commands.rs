//! Binding sprints to milestones, and forecasting when those are reached.

use planwright_domain::access::{Action, allows};
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{SprintId, TaskId};
use planwright_domain::words::{DeliveryMode, SprintState};
use planwright_plan::Edit;
use planwright_plan::sprints::milestones::{aiming, milestones, rollups};
use planwright_plan::sprints::{Load, Milestone, SprintRow, VelocityGate, load, velocity};
use planwright_plan::tasks::write::{self, Board, PlannedWrite, TaskRecord, WriteContext};
use planwright_store::Read;
use planwright_web::{ApiError, ApiResult};
use serde_json::json;

use super::forecast::{Forecast, Work, confidence, forecast};
use super::model::{PromoteRequest, ReforecastPreview};
use super::queries::{self, Kept};
use crate::sprints::commands::change;

/// Aims a sprint at a milestone; whether a new one was made for it.
pub async fn promote(edit: &mut Edit, row: &SprintRow, request: PromoteRequest) -> ApiResult<bool> {
    let named = request.milestone_id.as_given().copied().flatten();
    match (row.target_milestone_id, named) {
        (Some(now), Some(wanted)) if now == wanted => return Ok(false),
        (Some(_), _) => {
            return Err(ApiError::conflict("The sprint aims at another milestone; unbind it first.")
                .with_code("sprint_already_bound"));
        }
        (None, _) => {}
    }
    let (target, is_new) = match named {
        Some(milestone) => (existing(edit, row, milestone).await?, false),
        None => (mint(edit, row, request).await?, true),
    };
    change(edit, row, SprintRow { target_milestone_id: Some(target), ..row.clone() }).await?;
    Ok(is_new)
}

/// Lets a sprint aim at nothing.
pub async fn unbind(edit: &mut Edit, row: &SprintRow) -> ApiResult<()> {
    change(edit, row, SprintRow { target_milestone_id: None, ..row.clone() }).await.map(drop)
}

async fn existing(db: &dyn Read, row: &SprintRow, milestone: TaskId) -> ApiResult<TaskId> {
    let found = milestones(db, &[milestone]).await?.remove(&milestone);
    match found.is_some_and(|found| found.project_id == row.project_id) {
        true => Ok(milestone),
        false => Err(ApiError::invalid_field("milestone_id", "There is no such milestone in the project.")),
    }
}

/// Adds a milestone at the end of the plan, which only those may who author it.
async fn mint(edit: &mut Edit, row: &SprintRow, request: PromoteRequest) -> ApiResult<TaskId> {
    if !allows(Action::AuthorPlan, edit.grant.role) {
        return Err(ApiError::forbidden("A Resource Manager binds sprints to milestones that exist."));
    }
    let context = WriteContext::bare(edit, &edit.grant).await?;
    let (tx, lock) = edit.plan();
    let day = request.target_date.given().flatten().unwrap_or(row.finish_date);
    let fresh = TaskRecord::fresh(tx.mint(), row.project_id, tx.now());
    let made =
        write::by_hand(tx, &context, TaskRecord { name: name(row, request.name.given()), ..fresh }).await?;
    let milestone = TaskRecord {
        is_milestone: true,
        delivery_mode: DeliveryMode::Milestone,
        duration: 0,
        planned_start: Some(day),
        ..made
    };
    let id = milestone.id;
    let project_start = Some(day).filter(|day| *day < context.project.start_date);
    let planned = PlannedWrite { project_start, ..PlannedWrite::fresh(milestone) };
    write::save(tx, lock, &context, vec![planned], Board::EachRow).await?;
    Ok(id)
}

fn name(row: &SprintRow, wanted: Option<impl Into<String>>) -> String {
    let goal = row.goal.lines().next().unwrap_or_default().trim().chars().take(255).collect();
    let names = [wanted.map(Into::into).unwrap_or_default(), goal];
    let given = names.into_iter().find(|name| !name.is_empty());
    given.unwrap_or_else(|| format!("{} milestone", row.name))
}

/// A forecast with what it does not know.
pub struct Foreseen {
    /// The day that the schedule gives the milestone.
    pub cpm_finish: Option<chrono::NaiveDate>,
    /// When it would be reached.
    pub forecast: Forecast,
    /// The tasks that it waits for and that are in none of its sprints.
    pub unmodeled: Vec<TaskId>,
}

/// When a milestone would be reached if a sprint, beside those that do already, aimed at it.
pub async fn foresee(db: &dyn Read, row: &SprintRow, milestone: &Milestone) -> ApiResult<Foreseen> {
    let others = aiming(db, &[milestone.id]).await?;
    let mut open: Vec<SprintId> = others
        .iter()
        .filter(|sprint| matches!(sprint.state, SprintState::Planned | SprintState::Active))
        .map(|sprint| sprint.id)
        .collect();
    if !row.is_over() && !open.contains(&row.id) {
        open.push(row.id);
    }
    let left = |load: &Load| load.points - load.done_points;
    let remaining = load::loads(db, &open).await?.values().map(left).sum();
    let mut sprints: Vec<SprintId> = others.iter().map(|sprint| sprint.id).collect();
    sprints.push(row.id);
    let work = Work {
        cpm_finish: milestone.finish(),
        remaining,
        sprint_days: (row.finish_date - row.start_date).num_days() + 1,
        past: velocity::completed(db, row.project_id, None, velocity::WINDOW).await?,
    };
    Ok(Foreseen {
        cpm_finish: work.cpm_finish,
        forecast: forecast(&work),
        unmodeled: queries::unmodeled(db, milestone.id, &sprints).await?,
    })
}

/// A forecast for those who see the velocity of the team, or do not.
pub fn shown(foreseen: Foreseen, gate: VelocityGate) -> ReforecastPreview {
    let band = gate.lets(foreseen.forecast.band);
    ReforecastPreview {
        basis: "velocity_band".to_owned(),
        cpm_finish: foreseen.cpm_finish,
        p50: foreseen.forecast.p50,
        p80: foreseen.forecast.p80,
        p95: foreseen.forecast.p95,
        velocity_low: band.map(|band| band.0),
        velocity_high: band.map(|band| band.1),
        unmodeled_dependency: !foreseen.unmodeled.is_empty(),
        unmodeled_predecessor_ids: foreseen.unmodeled,
    }
}

/// Keeps the forecast of the milestone of a sprint that has closed, and tells those who look at the project.
pub async fn keep_forecast(edit: &mut Edit, row: &SprintRow) -> ApiResult<()> {
    let targets: Vec<TaskId> = row.target_milestone_id.into_iter().collect();
    let Some(milestone) = milestones(edit, &targets).await?.into_values().next() else { return Ok(()) };
    let foreseen = foresee(edit, row, &milestone).await?;
    let drifted = rollups(edit, &targets).await?.values().any(|rollup| rollup.binding_drifted);
    let unmodeled = !foreseen.unmodeled.is_empty();
    let kept = Kept {
        milestone: milestone.id,
        sprint: row.id,
        cpm_finish: foreseen.cpm_finish,
        confidence: confidence(&foreseen.forecast, unmodeled, drifted),
        unmodeled,
        drifted,
    };
    queries::keep(edit, row.project_id, &kept, &foreseen.forecast).await?;
    let told = json!({
        "milestone_id": milestone.id,
        "cpm_finish": kept.cpm_finish,
        "p50": foreseen.forecast.p50,
        "p80": foreseen.forecast.p80,
        "confidence": kept.confidence,
        "unmodeled_dependency": unmodeled,
        "binding_drifted": drifted,
    });
    Ok(edit.announce(SocketEvent::MilestoneForecastUpdated, told).await?)
}
