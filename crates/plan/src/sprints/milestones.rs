//! Milestones that sprints aim at: how far they are, as their sprints tell. A milestone without sprints has no rollup.
//! When one would be reached is forecast in the area `sprints`.

use std::collections::{BTreeSet, HashMap};

use chrono::NaiveDate;
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{ProjectId, SprintId, TaskId};
use planwright_domain::words::{RollupBasis, SprintState};
use planwright_store::outbox::{Event, Message};
use planwright_store::value::list;
use planwright_store::{Read, Result, Tx, row, sql};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value as Json, json};

use super::load::{Load, loads};
use crate::schedule::network::date;
use crate::tasks::write::TaskRecord;
use crate::tasks::write::announce::Announcer;

row! {
    /// What a sprint says of the milestone that it aims at.
    #[derive(PartialEq)]
    pub struct Aiming {
        pub id: SprintId,
        pub milestone_id: TaskId,
        pub state: SprintState,
        pub finish_date: NaiveDate,
        pub committed_points: Option<i64>,
        pub committed_task_count: Option<i64>,
        pub completed_points: Option<i64>,
        pub completed_task_count: Option<i64>,
        pub binding_committed_snapshot: Option<i64>,
        /// Whether work came into it while it ran.
        pub has_scope_changes: bool,
    }
}

/// How far a milestone is, as its sprints tell.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct MilestoneRollup {
    /// 0 to 100; null when there is nothing to count.
    pub percent_complete: Option<f64>,
    pub rollup_basis: RollupBasis,
    /// By how many days the last open sprint ends after the milestone.
    pub variance_days: Option<i64>,
    /// Whether work came into one of the sprints while it ran.
    pub sprint_scope_changed: bool,
    /// The sprint of which that is true.
    pub scope_change_sprint_id: Option<SprintId>,
    /// Whether a sprint holds other points now than when it was bound.
    pub binding_drifted: bool,
    pub sprint_count: i64,
}

row! {
    /// A milestone, with the date that the schedule gives it.
    pub struct Milestone {
        pub id: TaskId,
        pub project_id: ProjectId,
        pub name: String,
        pub short_id: String,
        pub outline: Option<String>,
        pub early_finish: Option<i32>,
    }
}

impl Milestone {
    /// The day the schedule gives it.
    pub fn finish(&self) -> Option<NaiveDate> {
        self.early_finish.and_then(date)
    }
}

/// Live tasks by their ids.
pub async fn milestones(db: &dyn Read, ids: &[TaskId]) -> Result<HashMap<TaskId, Milestone>> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let select = "SELECT t.id, t.project_id, t.name, t.short_id, d.outline, d.early_finish FROM tasks t
         LEFT JOIN task_schedule d ON d.task_id = t.id
         WHERE t.id IN (:ids) AND t.deletion_id IS NULL AND t.is_milestone";
    let rows: Vec<Milestone> = db.all(sql!(select, ids = list(ids.iter().copied()))).await?;
    Ok(rows.into_iter().map(|row| (row.id, row)).collect())
}

/// The sprints that aim at some milestones and were not cancelled, by milestone and finish.
pub async fn aiming(db: &dyn Read, milestones: &[TaskId]) -> Result<Vec<Aiming>> {
    if milestones.is_empty() {
        return Ok(Vec::new());
    }
    let select = "SELECT s.id, s.target_milestone_id AS milestone_id, s.state, s.finish_date, s.committed_points,
            s.committed_task_count, s.completed_points, s.completed_task_count, s.binding_committed_snapshot,
            EXISTS (SELECT 1 FROM sprint_scope_changes c
                    WHERE c.sprint_id = s.id AND c.status <> 'rejected' AND c.deletion_id IS NULL) AS has_scope_changes
         FROM sprints s WHERE s.target_milestone_id IN (:ids) AND s.deletion_id IS NULL AND s.state <> 'CANCELLED'
         ORDER BY s.target_milestone_id, s.finish_date, s.id";
    db.all(sql!(select, ids = list(milestones.iter().copied()))).await
}

/// How far some milestones are; one that no sprint aims at is missing.
pub async fn rollups(db: &dyn Read, ids: &[TaskId]) -> Result<HashMap<TaskId, MilestoneRollup>> {
    let aiming = aiming(db, ids).await?;
    if aiming.is_empty() {
        return Ok(HashMap::new());
    }
    let targets: BTreeSet<TaskId> = aiming.iter().map(|sprint| sprint.milestone_id).collect();
    let rows = milestones(db, &targets.into_iter().collect::<Vec<_>>()).await?;
    let sprints: Vec<SprintId> = aiming.iter().map(|sprint| sprint.id).collect();
    let loads = loads(db, &sprints).await?;
    let of = |(id, row): (TaskId, Milestone)| {
        let own = aiming.iter().filter(|sprint| sprint.milestone_id == id);
        let own = own.map(|sprint| (sprint, loads.get(&sprint.id).copied().unwrap_or_default()));
        (id, rollup(&own.collect::<Vec<_>>(), row.finish()))
    };
    Ok(rows.into_iter().map(of).collect())
}

/// What is told of milestones whose sprints have changed; one that no sprint aims at any more has nothing but its id.
pub async fn payloads(db: &dyn Read, milestones: &[TaskId]) -> Result<Vec<Json>> {
    let rollups = rollups(db, milestones).await?;
    let told = |milestone: &TaskId| {
        let mut told = rollups.get(milestone).map_or_else(|| json!({}), |rollup| json!(rollup));
        told["milestone_id"] = json!(milestone);
        told
    };
    Ok(milestones.iter().map(told).collect())
}

/// Tells how far the milestones are that the sprints of some tasks aim at, once these tasks are gone or back.
pub(crate) async fn tell_of_tasks(tx: &mut Tx, announcer: &Announcer<'_>, rows: &[TaskRecord]) -> Result<()> {
    let sprints: BTreeSet<SprintId> = rows.iter().filter_map(|row| row.sprint_id).collect();
    if sprints.is_empty() {
        return Ok(());
    }
    let select = "SELECT DISTINCT target_milestone_id FROM sprints
         WHERE id IN (:sprints) AND target_milestone_id IS NOT NULL AND deletion_id IS NULL AND state <> 'CANCELLED'
         ORDER BY target_milestone_id";
    let milestones: Vec<TaskId> = tx.scalars(sql!(select, sprints = list(sprints))).await?;
    let (project, program) = (Some(announcer.project), announcer.program);
    let event = Event::Socket(SocketEvent::MilestoneRollupUpdated);
    let told = payloads(tx, &milestones).await?.into_iter();
    tx.emit_each(told.map(|payload| Message { event, project, program, payload: payload.into() }).collect())
        .await
}

/// Done and all, in points and in tasks, as one sprint counts towards its milestone.
fn share(sprint: &Aiming, load: Load) -> [(i64, i64); 2] {
    let kept = |figure: Option<i64>| figure.unwrap_or_default();
    match sprint.state {
        SprintState::Completed => [
            (kept(sprint.completed_points), kept(sprint.committed_points)),
            (kept(sprint.completed_task_count), kept(sprint.committed_task_count)),
        ],
        SprintState::Active => [
            (load.done_points, sprint.committed_points.unwrap_or(load.points)),
            (load.done_tasks, sprint.committed_task_count.unwrap_or(load.tasks)),
        ],
        SprintState::Planned => [(0, load.points), (0, load.tasks)],
        SprintState::Cancelled => [(0, 0), (0, 0)],
    }
}

/// How far a milestone is that falls on a day, by the sprints that aim at it.
pub fn rollup(sprints: &[(&Aiming, Load)], finish: Option<NaiveDate>) -> MilestoneRollup {
    let sum = |nth: usize| {
        sprints
            .iter()
            .map(|(sprint, load)| share(sprint, *load)[nth])
            .fold((0, 0), |sum, share| (sum.0 + share.0, sum.1 + share.1))
    };
    let (points, tasks) = (sum(0), sum(1));
    let (rollup_basis, (done, all)) = match () {
        () if points.1 > 0 => (RollupBasis::Points, points),
        () if tasks.1 > 0 => (RollupBasis::Tasks, tasks),
        () => (RollupBasis::None, (0, 0)),
    };
    let percent = |all: i64| ((done as f64 / all as f64 * 10_000.0).round() / 100.0).clamp(0.0, 100.0);
    let is_open = |sprint: &Aiming| matches!(sprint.state, SprintState::Planned | SprintState::Active);
    let last =
        sprints.iter().filter(|(sprint, _)| is_open(sprint)).map(|(sprint, _)| sprint.finish_date).max();
    let changed = sprints.iter().rev().find(|(sprint, _)| sprint.has_scope_changes);
    let drifted = |(sprint, load): &(&Aiming, Load)| {
        is_open(sprint) && sprint.binding_committed_snapshot.is_some_and(|then| then != load.points)
    };
    MilestoneRollup {
        percent_complete: (all > 0).then(|| percent(all)),
        rollup_basis,
        variance_days: last.zip(finish).map(|(last, finish)| (last - finish).num_days()),
        sprint_scope_changed: changed.is_some(),
        scope_change_sprint_id: changed.map(|(sprint, _)| sprint.id),
        binding_drifted: sprints.iter().any(drifted),
        sprint_count: sprints.len() as i64,
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn aiming(state: SprintState, committed: Option<i64>, completed: Option<i64>) -> Aiming {
        Aiming {
            id: SprintId(Uuid::nil()),
            milestone_id: TaskId(Uuid::nil()),
            state,
            finish_date: NaiveDate::from_ymd_opt(2026, 1, 16).unwrap(),
            committed_points: committed,
            committed_task_count: committed,
            completed_points: completed,
            completed_task_count: completed,
            binding_committed_snapshot: Some(10),
            has_scope_changes: false,
        }
    }

    fn load(points: i64, done: i64) -> Load {
        Load { points, done_points: done, tasks: 1, ..Load::default() }
    }

    #[test]
    fn completed_sprints_count_as_they_closed_and_planned_ones_only_as_work_to_do() {
        let closed = aiming(SprintState::Completed, Some(20), Some(15));
        let running = aiming(SprintState::Active, Some(10), None);
        let planned = aiming(SprintState::Planned, None, None);
        let sprints = [(&closed, load(3, 3)), (&running, load(12, 5)), (&planned, load(10, 4))];
        let shown = rollup(&sprints, NaiveDate::from_ymd_opt(2026, 1, 14));
        assert_eq!((shown.percent_complete, shown.rollup_basis), (Some(50.0), RollupBasis::Points));
        assert_eq!((shown.variance_days, shown.sprint_count), (Some(2), 3));
        assert!(
            shown.binding_drifted,
            "the running sprint holds 12 points now, and held 10 when it was bound"
        );
    }

    #[test]
    fn without_points_tasks_count_and_without_anything_nothing_is_said() {
        let running = aiming(SprintState::Active, None, None);
        let tasks = Load { tasks: 4, done_tasks: 1, ..Load::default() };
        let counted = rollup(&[(&running, tasks)], None);
        assert_eq!((counted.percent_complete, counted.rollup_basis), (Some(25.0), RollupBasis::Tasks));
        let nothing = rollup(&[(&running, Load::default())], None);
        assert_eq!((nothing.percent_complete, nothing.rollup_basis), (None, RollupBasis::None));
    }

    #[test]
    fn more_than_was_promised_is_still_a_hundred_per_cent() {
        let running = aiming(SprintState::Active, Some(5), None);
        assert_eq!(rollup(&[(&running, load(9, 9))], None).percent_complete, Some(100.0));
    }
}
