//! What may be said of a sprint, by whom and while it is in which state: pure decisions over rows and requests.

use planwright_domain::Role;
use planwright_domain::access::{Action, allows};
use planwright_domain::words::SprintState;
use planwright_plan::sprints::SprintRow;
use planwright_web::{ApiError, ApiResult, Problems};

use super::model::{PatchedSprintRequest, Verdict};

/// The row with the wanted fields changed.
///
/// # Errors
/// 400 with every field that does not fit the state or another field; 403 for what only higher roles may say.
pub fn changed(before: &SprintRow, request: PatchedSprintRequest, role: Role) -> ApiResult<SprintRow> {
    let mut row = before.clone();
    request.name.write_to(&mut row.name);
    request.goal.write_to(&mut row.goal);
    request.notes.write_to(&mut row.notes);
    request.start_date.write_to(&mut row.start_date);
    request.finish_date.write_to(&mut row.finish_date);
    request.exclude_from_velocity.write_to(&mut row.exclude_from_velocity);
    if let Some(Verdict(verdict)) = request.goal_outcome.given() {
        row.goal_outcome = verdict;
    }
    if let Some(target) = request.target_milestone.given() {
        row.target_milestone_id = target;
    }
    if let Some(points) = request.capacity_points.given() {
        row.capacity_points = points.map(i64::from);
    }
    if let Some(limit) = request.wip_limit.given() {
        row.wip_limit = limit.map(i64::from);
    }
    let mut problems = Problems::default();
    locks(before, &row, &mut problems);
    if row.finish_date <= row.start_date {
        problems.say("finish_date", "It must be after the start date.");
    }
    problems.check()?;
    ranks(before, &row, role)?;
    Ok(row)
}

/// What was promised stays as it was promised.
fn locks(before: &SprintRow, after: &SprintRow, problems: &mut Problems) {
    if before.state != SprintState::Planned {
        let promised = [
            ("name", before.name != after.name),
            ("goal", before.goal != after.goal),
            ("start_date", before.start_date != after.start_date),
            ("finish_date", before.finish_date != after.finish_date),
        ];
        for (field, _) in promised.into_iter().filter(|(_, is_other)| *is_other) {
            problems.say(field, "It can be changed only while the sprint is planned.");
        }
    }
    if before.is_over() {
        let limits = [
            ("capacity_points", before.capacity_points != after.capacity_points),
            ("wip_limit", before.wip_limit != after.wip_limit),
        ];
        for (field, _) in limits.into_iter().filter(|(_, is_other)| *is_other) {
            problems.say(field, "It cannot be changed any more, because the sprint is over.");
        }
    }
}

fn ranks(before: &SprintRow, after: &SprintRow, role: Role) -> ApiResult<()> {
    let rated =
        |row: &SprintRow| (row.capacity_points, row.wip_limit, row.goal_outcome, row.exclude_from_velocity);
    let rates = rated(before) != rated(after);
    let binds = before.target_milestone_id != after.target_milestone_id;
    let asked = [(rates, Action::RateSprints), (binds, Action::BindMilestones)];
    match asked.into_iter().any(|(is_asked, action)| is_asked && !allows(action, role)) {
        true => Err(ApiError::forbidden(
            "Capacity, limits, verdicts and milestones of a sprint are for Resource Managers and above.",
        )),
        false => Ok(()),
    }
}

/// Whether a sprint may be deleted: not while it runs, and not once it has a result.
pub fn deletable(row: &SprintRow) -> ApiResult<()> {
    match row.state {
        SprintState::Planned | SprintState::Cancelled => Ok(()),
        SprintState::Active | SprintState::Completed => {
            Err(ApiError::bad_request("Only a planned or cancelled sprint can be deleted."))
        }
    }
}

#[cfg(test)]
mod tests {
    use chrono::NaiveDate;
    use planwright_domain::ids::{ProjectId, SprintId, UserId};
    use planwright_web::input::Int;
    use planwright_web::{Field, Patch};
    use serde_json::json;
    use uuid::Uuid;

    use super::*;

    fn sprint(state: SprintState) -> SprintRow {
        let nil = Uuid::nil();
        let day = |day: u32| NaiveDate::from_ymd_opt(2026, 1, day).unwrap();
        let dates = (day(5), day(16));
        let fresh = SprintRow::fresh(
            SprintId(nil),
            ProjectId(nil),
            "1".into(),
            dates,
            UserId(nil),
            Default::default(),
        );
        SprintRow { state, ..fresh }
    }

    fn patch(body: serde_json::Value) -> PatchedSprintRequest {
        PatchedSprintRequest::from_json(&body).unwrap()
    }

    #[test]
    fn a_promise_is_kept_and_remarks_are_free() {
        let running = sprint(SprintState::Active);
        let refused =
            changed(&running, patch(json!({"name": "Other", "goal": "Other"})), Role::Owner).unwrap_err();
        assert!(refused.body().contains_key("name") && refused.body().contains_key("goal"));
        assert!(changed(&running, patch(json!({"notes": "Fine", "wip_limit": 3})), Role::Owner).is_ok());
        let over = sprint(SprintState::Completed);
        assert!(changed(&over, patch(json!({"wip_limit": 3})), Role::Owner).is_err());
        assert!(changed(&over, patch(json!({"goal_outcome": "MET"})), Role::Owner).is_ok());
    }

    #[test]
    fn a_member_plans_and_does_not_rate() {
        let planned = sprint(SprintState::Planned);
        assert!(changed(&planned, patch(json!({"name": "Other", "goal_outcome": ""})), Role::Member).is_ok());
        let points = PatchedSprintRequest { capacity_points: Patch::Set(Some(Int(8))), ..patch(json!({})) };
        assert_eq!(changed(&planned, points.clone(), Role::Member).unwrap_err().status(), 403);
        assert!(changed(&planned, points, Role::ResourceManager).is_ok());
    }

    #[test]
    fn a_sprint_ends_after_it_begins() {
        let planned = sprint(SprintState::Planned);
        assert!(changed(&planned, patch(json!({"finish_date": "2026-01-05"})), Role::Owner).is_err());
    }
}
