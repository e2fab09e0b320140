//! From which state a sprint goes to which, what it is then, and what becomes of its tasks: pure decisions.

use chrono::{DateTime, Utc};
use planwright_domain::ids::SprintId;
use planwright_domain::words::{
    GoalOutcome, PendingDisposition, SprintState, SprintTaskDisposition, TaskStatus, TaskType,
};
use planwright_plan::sprints::capacity::MemberHours;
use planwright_plan::sprints::{Load, SprintRow};
use planwright_plan::tasks::write::{PlannedWrite, TaskRecord};
use planwright_web::{ApiError, ApiResult};

use super::model::{CarryOver, OverCapacity};
use crate::outcomes::rows::OutcomeRow;

/// The share of a promise from which its goal counts as met.
const MET: f64 = 0.8;

/// The share of a promise from which its goal counts as met in part.
const PARTIAL: f64 = 0.5;

/// What is to become of the tasks of a sprint that ends.
#[derive(Clone, Copy, Debug)]
pub struct Ending {
    /// Where unfinished tasks go.
    pub carry_over: CarryOver,
    /// What becomes of undecided work.
    pub pending: PendingDisposition,
}

/// Refuses to begin a sprint that is not planned, or beside another one.
pub fn may_begin(row: &SprintRow, active: Option<SprintId>) -> ApiResult<()> {
    if row.state != SprintState::Planned {
        return Err(ApiError::bad_request("Only a planned sprint can begin."));
    }
    match active {
        Some(other) => Err(ApiError::conflict("Another sprint of the project is running.")
            .with("conflicting_sprint_id", other.to_string())),
        None => Ok(()),
    }
}

/// Refuses to close a sprint that does not run.
pub fn may_close(row: &SprintRow) -> ApiResult<()> {
    match row.state {
        SprintState::Active => Ok(()),
        _ => Err(ApiError::bad_request("Only a running sprint can be closed.")),
    }
}

/// Refuses to cancel a sprint that is over.
pub fn may_cancel(row: &SprintRow) -> ApiResult<()> {
    match row.is_over() {
        false => Ok(()),
        true => Err(ApiError::bad_request("Only a planned or running sprint can be cancelled.")),
    }
}

/// A sprint that begins with what it holds.
pub fn begun(row: &SprintRow, load: Load, now: DateTime<Utc>) -> SprintRow {
    SprintRow {
        state: SprintState::Active,
        activated_at: Some(now),
        begun_on: Some(row.start_date.min(now.date_naive())),
        committed_points: Some(load.points),
        committed_task_count: Some(load.tasks),
        updated_at: now,
        ..row.clone()
    }
}

/// A sprint that closes with what is done of it. A verdict that a person gave stays.
pub fn closed(row: &SprintRow, load: Load, now: DateTime<Utc>) -> SprintRow {
    SprintRow {
        state: SprintState::Completed,
        closed_at: Some(now),
        completed_points: Some(load.done_points),
        completed_task_count: Some(load.done_tasks),
        goal_outcome: row.goal_outcome.or_else(|| verdict(row, load)),
        updated_at: now,
        ..row.clone()
    }
}

/// The people of whom a sprint asks more than they have, and how many of its points each of them could bear.
pub fn over_capacity(members: Vec<MemberHours>, committed_points: i64) -> Vec<OverCapacity> {
    let over = members.into_iter().filter(MemberHours::is_over);
    let warning = |member: MemberHours| {
        let share = member.available / member.committed;
        OverCapacity {
            r#type: "over_capacity".to_owned(),
            member_id: member.member,
            member_name: member.name,
            committed_hours: round(member.committed),
            available_hours: round(member.available),
            suggested_commitment_points: Some((committed_points as f64 * share).floor() as i64),
        }
    };
    over.map(warning).collect()
}

fn round(hours: f64) -> f64 {
    (hours * 100.0).round() / 100.0
}

/// How a goal ended, by the share of the points that were promised, or of the tasks when they have no points.
fn verdict(row: &SprintRow, load: Load) -> Option<GoalOutcome> {
    let share = |done: i64, promised: Option<i64>| {
        promised.filter(|promised| *promised > 0).map(|promised| done as f64 / promised as f64)
    };
    let points = share(load.done_points, row.committed_points);
    Some(match points.or_else(|| share(load.done_tasks, row.committed_task_count))? {
        share if share >= MET => GoalOutcome::Met,
        share if share >= PARTIAL => GoalOutcome::Partial,
        _ => GoalOutcome::Missed,
    })
}

/// Where a task goes that stands in a sprint that ends; nothing when it stays as it is.
pub fn moved(task: &TaskRecord, ending: Ending, now: DateTime<Utc>) -> Option<PlannedWrite> {
    let mut after = TaskRecord { sprint_pending: false, ..task.clone() };
    let is_done = task.status == TaskStatus::Complete;
    match ending.carry_over {
        CarryOver::Backlog if !is_done => {
            (after.sprint_id, after.status) = (None, TaskStatus::Backlog);
            after.status_changed_at = Some(now);
        }
        CarryOver::Sprint(next) if !is_done => after.sprint_id = Some(next),
        _ => {}
    }
    let carries_pending =
        task.sprint_pending && matches!(ending.carry_over, CarryOver::Sprint(_)) && !is_done;
    (after != *task).then(|| PlannedWrite { carries_pending, ..PlannedWrite::direct(task.clone(), after) })
}

/// Whether an outcome is kept of a task: not of an epic, and not of a drawer subtask.
pub fn has_outcome(task: &TaskRecord) -> bool {
    task.r#type != TaskType::Epic && !task.is_subtask
}

/// What becomes of a task when its sprint closes.
pub fn outcome(
    id: planwright_domain::ids::SprintOutcomeId,
    sprint: SprintId,
    task: &TaskRecord,
    ending: Ending,
    now: DateTime<Utc>,
) -> OutcomeRow {
    let is_rejected = task.sprint_pending && ending.pending == PendingDisposition::Reject;
    let next = match ending.carry_over {
        CarryOver::Sprint(next) if task.status != TaskStatus::Complete && !is_rejected => Some(next),
        _ => None,
    };
    let disposition = match (task.status, next) {
        (TaskStatus::Complete, _) => SprintTaskDisposition::Completed,
        (_, Some(_)) => SprintTaskDisposition::Carried,
        (_, None) => SprintTaskDisposition::Dropped,
    };
    OutcomeRow {
        id,
        project_id: task.project_id,
        sprint_id: sprint,
        task_id: Some(task.id),
        task_short_id: task.short_id.clone(),
        task_title: task.name.clone(),
        story_points: task.story_points,
        final_status: task.status,
        disposition,
        next_sprint_id: next,
        was_pending: task.sprint_pending,
        backfilled: false,
        demo_ready: false,
        demo_order: None,
        presenter: String::new(),
        review_note: String::new(),
        flagged_to_backlog_task_id: None,
        created_at: now,
        server_version: 1,
    }
}

#[cfg(test)]
mod tests {
    use chrono::NaiveDate;
    use planwright_domain::ids::{ProjectId, SprintOutcomeId, TaskId, UserId};
    use uuid::Uuid;

    use super::*;

    fn sprint(state: SprintState) -> SprintRow {
        let nil = Uuid::nil();
        let day = |day: u32| NaiveDate::from_ymd_opt(2026, 1, day).unwrap();
        let (dates, now) = ((day(5), day(16)), DateTime::default());
        SprintRow {
            state,
            ..SprintRow::fresh(SprintId(nil), ProjectId(nil), "1".into(), dates, UserId(nil), now)
        }
    }

    fn task(status: TaskStatus, pending: bool) -> TaskRecord {
        let fresh = TaskRecord::fresh(TaskId(Uuid::nil()), ProjectId(Uuid::nil()), DateTime::default());
        TaskRecord { status, sprint_pending: pending, sprint_id: Some(SprintId(Uuid::nil())), ..fresh }
    }

    fn ending(carry_over: CarryOver) -> Ending {
        Ending { carry_over, pending: PendingDisposition::Carry }
    }

    #[test]
    fn a_verdict_follows_from_the_promise_unless_a_person_gave_one() {
        let promised = |points, tasks| SprintRow {
            committed_points: Some(points),
            committed_task_count: Some(tasks),
            ..sprint(SprintState::Active)
        };
        let done = |done_points, done_tasks| Load { done_points, done_tasks, ..Load::default() };
        let verdict = |row: &SprintRow, load| closed(row, load, DateTime::default()).goal_outcome;
        assert_eq!(verdict(&promised(10, 3), done(8, 1)), Some(GoalOutcome::Met));
        assert_eq!(verdict(&promised(10, 3), done(5, 1)), Some(GoalOutcome::Partial));
        assert_eq!(verdict(&promised(10, 3), done(4, 3)), Some(GoalOutcome::Missed));
        assert_eq!(
            verdict(&promised(0, 2), done(0, 2)),
            Some(GoalOutcome::Met),
            "tasks without points count as tasks"
        );
        assert_eq!(verdict(&promised(0, 0), done(3, 1)), None, "nothing was promised");
        let given = SprintRow { goal_outcome: Some(GoalOutcome::Missed), ..promised(10, 1) };
        assert_eq!(verdict(&given, done(10, 1)), Some(GoalOutcome::Missed));
    }

    #[test]
    fn unfinished_tasks_go_where_they_are_sent_and_finished_ones_stay() {
        let next = SprintId(Uuid::from_u128(2));
        let to = |carry, status| moved(&task(status, false), ending(carry), DateTime::default());
        let gone = to(CarryOver::Backlog, TaskStatus::InProgress).unwrap().after;
        assert_eq!((gone.sprint_id, gone.status), (None, TaskStatus::Backlog));
        let carried = to(CarryOver::Sprint(next), TaskStatus::Review).unwrap().after;
        assert_eq!((carried.sprint_id, carried.status), (Some(next), TaskStatus::Review));
        assert!(to(CarryOver::Stay, TaskStatus::Review).is_none());
        assert!(to(CarryOver::Backlog, TaskStatus::Complete).is_none());
        let waits =
            moved(&task(TaskStatus::Review, true), ending(CarryOver::Sprint(next)), DateTime::default());
        assert!(waits.unwrap().carries_pending, "nobody has decided on it yet");
    }

    #[test]
    fn an_outcome_says_whether_a_task_was_completed_carried_or_dropped() {
        let next = SprintId(Uuid::from_u128(2));
        let of = |task: TaskRecord, ending| {
            let id = SprintOutcomeId(Uuid::nil());
            outcome(id, SprintId(Uuid::nil()), &task, ending, DateTime::default()).disposition
        };
        use SprintTaskDisposition::*;
        let carry = ending(CarryOver::Sprint(next));
        assert_eq!(of(task(TaskStatus::Complete, false), carry), Completed);
        assert_eq!(of(task(TaskStatus::Review, false), carry), Carried);
        assert_eq!(of(task(TaskStatus::Review, false), ending(CarryOver::Backlog)), Dropped);
        let reject = Ending { pending: PendingDisposition::Reject, ..carry };
        assert_eq!(of(task(TaskStatus::Review, true), reject), Dropped);
    }

    #[test]
    fn work_counts_from_the_planned_start_or_from_an_earlier_beginning() {
        let at = |day| DateTime::parse_from_rfc3339(&format!("2026-01-{day}T09:00:00Z")).unwrap().to_utc();
        let planned = sprint(SprintState::Planned);
        let begun_on = |now| begun(&planned, Load::default(), now).begun_on.unwrap().to_string();
        assert_eq!(begun_on(at("02")), "2026-01-02");
        assert_eq!(begun_on(at("07")), "2026-01-05");
    }
}
