//! When tasks moved: a row for each change of status, sprint or points, written with the change itself.
//! Burndowns and flow metrics read these rows. The history is for people, and is slower to add up.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{ProjectId, SprintId, TaskId, UserId};
use planwright_domain::words::TaskStatus;
use planwright_store::{Result, ToValue, Tx, row};
use uuid::Uuid;

use super::write::TaskRecord;

row! {
    /// One move of one task.
    pub struct Transition {
        /// The task.
        pub task_id: TaskId,
        /// When it moved.
        pub at: DateTime<Utc>,
        /// Who moved it.
        pub actor_id: Option<UserId>,
        /// Whether it moved together with others.
        pub is_bulk: bool,
        /// The status before.
        pub old_status: TaskStatus,
        /// The status after.
        pub new_status: TaskStatus,
        /// The sprint before.
        pub old_sprint_id: Option<SprintId>,
        /// The sprint after.
        pub new_sprint_id: Option<SprintId>,
        /// The story points before.
        pub old_points: Option<i64>,
        /// The story points after.
        pub new_points: Option<i64>,
        /// The story points that remained before.
        pub old_remaining: Option<i64>,
        /// The story points that remain after.
        pub new_remaining: Option<i64>,
    }
}

/// The select list of a transition.
pub const COLUMNS: &str =
    "x.task_id, x.at, x.actor_id, x.is_bulk, x.old_status, x.new_status, x.old_sprint_id,
    x.new_sprint_id, x.old_points, x.new_points, x.old_remaining, x.new_remaining";

const INSERT: &str =
    "INSERT INTO task_transitions (id, task_id, project_id, at, actor_id, is_bulk, old_status, new_status,
        old_sprint_id, new_sprint_id, old_points, new_points, old_remaining, new_remaining)
     VALUES (:id, :task, :project, :at, :actor, :bulk, :old_status, :new_status,
        :old_sprint, :new_sprint, :old_points, :new_points, :old_remaining, :new_remaining)";

/// A status that a task of an import left before it came here. Sprint and points are those that it came with.
#[derive(Clone, Debug)]
pub struct PastTransition {
    pub project: ProjectId,
    pub task: TaskId,
    pub at: DateTime<Utc>,
    /// The person, if it was one of this installation.
    pub actor: Option<UserId>,
    pub old: TaskStatus,
    pub new: TaskStatus,
    pub sprint: Option<SprintId>,
    pub points: Option<i64>,
}

/// Writes down what an import tells of the past.
pub async fn note_past(tx: &mut Tx, rows: Vec<PastTransition>) -> Result<()> {
    let values: Vec<_> = rows
        .into_iter()
        .map(|row| {
            vec![
                ("id", tx.mint::<Uuid>().to_value()),
                ("task", row.task.to_value()),
                ("project", row.project.to_value()),
                ("at", row.at.to_value()),
                ("actor", row.actor.to_value()),
                ("bulk", false.to_value()),
                ("old_status", row.old.to_value()),
                ("new_status", row.new.to_value()),
                ("old_sprint", row.sprint.to_value()),
                ("new_sprint", row.sprint.to_value()),
                ("old_points", row.points.to_value()),
                ("new_points", row.points.to_value()),
                ("old_remaining", row.points.to_value()),
                ("new_remaining", row.points.to_value()),
            ]
        })
        .collect();
    tx.run_rows(INSERT, values).await.map(drop)
}

/// Writes down what moved between two states of each of some tasks of a project.
pub(super) async fn note(
    tx: &mut Tx,
    project: ProjectId,
    actor: UserId,
    is_bulk: bool,
    rows: impl Iterator<Item = (&TaskRecord, &TaskRecord)>,
) -> Result<()> {
    let moved = rows.filter(|(before, after)| progress(before) != progress(after));
    let now = tx.now();
    let values: Vec<_> = moved
        .map(|(before, after)| {
            vec![
                ("id", tx.mint::<Uuid>().to_value()),
                ("task", after.id.to_value()),
                ("project", project.to_value()),
                ("at", now.to_value()),
                ("actor", actor.to_value()),
                ("bulk", is_bulk.to_value()),
                ("old_status", before.status.to_value()),
                ("new_status", after.status.to_value()),
                ("old_sprint", before.sprint_id.to_value()),
                ("new_sprint", after.sprint_id.to_value()),
                ("old_points", before.story_points.to_value()),
                ("new_points", after.story_points.to_value()),
                ("old_remaining", remaining(before).to_value()),
                ("new_remaining", remaining(after).to_value()),
            ]
        })
        .collect();
    tx.run_rows(INSERT, values).await.map(drop)
}

type Progress = (TaskStatus, Option<SprintId>, Option<i64>, Option<i64>);

fn progress(row: &TaskRecord) -> Progress {
    (row.status, row.sprint_id, row.story_points, remaining(row))
}

/// The points of a task that are left to do; all of them until somebody says otherwise.
fn remaining(row: &TaskRecord) -> Option<i64> {
    row.remaining_points.or(row.story_points)
}
