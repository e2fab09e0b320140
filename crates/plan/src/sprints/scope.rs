//! What comes into a sprint after it has begun, and who decides on it. Every write of a task passes here, so that no way in
//! is forgotten.

use std::collections::{BTreeSet, HashMap};

use chrono::{DateTime, Utc};
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{ProjectId, ScopeChangeId, SprintId, TaskId, UserId};
use planwright_domain::words::{ChangeKind, ScopeChangeStatus, SprintState};
use planwright_store::history::Change;
use planwright_store::outbox::{Event, Message};
use planwright_store::record::{Record, column, find_live};
use planwright_store::value::list;
use planwright_store::{Read, Result, Tx, record, sql, tracked};
use planwright_web::Resource;
use serde_json::json;
use uuid::Uuid;

use super::milestones;
use crate::tasks::write::queries::{SprintFacts, live_sprints};
use crate::tasks::write::{Board, PlannedWrite, TaskRecord, WriteContext};

record! {
    /// Work that came into a running sprint, with the points that it had then.
    pub struct ScopeChangeRow in sprint_scope_changes {
        #[serde(skip)]
        pub id: ScopeChangeId,
        #[serde(skip)]
        pub project_id: ProjectId,
        #[serde(rename = "sprint")]
        pub sprint_id: SprintId,
        #[serde(rename = "task")]
        pub task_id: TaskId,
        pub item_name: String,
        #[serde(skip)]
        pub story_points: Option<i64>,
        pub goal_impact: String,
        pub status: ScopeChangeStatus,
        #[serde(skip)]
        pub added_by: Option<UserId>,
        #[serde(skip)]
        pub added_at: DateTime<Utc>,
        #[serde(skip)]
        pub decided_by: Option<UserId>,
        #[serde(skip)]
        pub decided_at: Option<DateTime<Utc>>,
        #[serde(skip)]
        pub server_version: i64,
    }
}

tracked! { ScopeChangeRow as "scope_change" }

impl Resource for ScopeChangeRow {
    type Container = ProjectId;

    fn container(&self) -> ProjectId {
        self.project_id
    }

    /// Gone with its task.
    async fn find(db: &dyn Read, id: Uuid) -> Result<Option<Self>> {
        let Some(row) = find_live::<Self>(db, id).await? else { return Ok(None) };
        Ok(find_live::<TaskRecord>(db, row.task_id.0).await?.map(|_| row))
    }
}

impl ScopeChangeRow {
    /// The same row, decided on.
    pub fn decided(&self, status: ScopeChangeStatus, by: UserId, now: DateTime<Utc>) -> Self {
        Self { status, decided_by: Some(by), decided_at: Some(now), ..self.clone() }
    }
}

/// What a set of writes does to the sprints that they concern.
#[derive(Debug, Default)]
pub(crate) struct Effects {
    /// The sprint that each row came into while it ran.
    entered: Vec<(SprintId, TaskRecord)>,
    /// The rows that left a sprint, or wait no longer, without a decision on them.
    left: Vec<TaskId>,
    /// The milestones whose progress follows from what was written.
    milestones: BTreeSet<TaskId>,
}

/// Whether a write concerns what a sprint holds or how much of it is done.
fn concerns(row: &PlannedWrite) -> bool {
    let counted = |row: &TaskRecord| {
        (row.sprint_id, row.sprint_pending, row.status, row.story_points, row.actual_finish)
    };
    let before = if row.is_new { None } else { row.before.sprint_id };
    (before.is_some() || row.after.sprint_id.is_some())
        && (row.is_new || counted(&row.before) != counted(&row.after))
}

/// The sprint of the row above a new drawer subtask.
fn sprint_above(context: &WriteContext, row: &PlannedWrite) -> Option<SprintId> {
    let parent = row.after.parent_id.filter(|_| row.is_new && row.after.is_subtask)?;
    context.tasks.get(&parent).filter(|parent| !parent.sprint_pending)?.sprint_id
}

/// Brings rows that are about to be written into agreement with the sprints that they enter and leave.
pub(crate) async fn settle(tx: &Tx, context: &WriteContext, rows: &mut [PlannedWrite]) -> Result<Effects> {
    let named =
        rows.iter().filter(|row| concerns(row)).flat_map(|row| [row.before.sprint_id, row.after.sprint_id]);
    let above = rows.iter().map(|row| sprint_above(context, row));
    let named: BTreeSet<SprintId> = named.chain(above).flatten().collect();
    if named.is_empty() {
        return Ok(Effects::default());
    }
    let missing: Vec<SprintId> =
        named.into_iter().filter(|sprint| !context.sprints.contains_key(sprint)).collect();
    let mut sprints: HashMap<SprintId, SprintFacts> = context.sprints.clone();
    sprints.extend(live_sprints(tx, context.project.id, &missing).await?);
    let mut effects = Effects::default();
    for row in rows.iter_mut() {
        let above = sprint_above(context, row);
        effects.follow(&sprints, row, above);
    }
    Ok(effects)
}

impl Effects {
    fn follow(
        &mut self,
        sprints: &HashMap<SprintId, SprintFacts>,
        row: &mut PlannedWrite,
        above: Option<SprintId>,
    ) {
        let runs =
            |sprint: &SprintId| sprints.get(sprint).is_some_and(|sprint| sprint.state == SprintState::Active);
        let former = if row.is_new { None } else { row.before.sprint_id };
        if concerns(row) {
            let both = [former, row.after.sprint_id].into_iter().flatten();
            let aims = both.filter_map(|sprint| sprints.get(&sprint)?.target_milestone_id);
            self.milestones.extend(aims);
        }
        if former == row.after.sprint_id {
            if !row.is_new && row.before.sprint_pending && !row.after.sprint_pending {
                self.left.push(row.after.id);
            }
            if let Some(sprint) = above.filter(|sprint| former.is_none() && runs(sprint)) {
                self.entered.push((sprint, row.after.clone()));
            }
            return;
        }
        if !row.is_new && row.before.sprint_pending {
            self.left.push(row.after.id);
        }
        let adds_scope = |sprint: &SprintId| runs(sprint) && !row.is_split_off;
        let enters = row.after.sprint_id.filter(|sprint| adds_scope(sprint) || row.carries_pending);
        row.after.sprint_pending = enters.is_some() && !row.after.is_subtask;
        if !row.is_new && row.after.sprint_rank == row.before.sprint_rank {
            row.after.sprint_rank = None;
        }
        self.entered.extend(enters.map(|sprint| (sprint, row.after.clone())));
    }

    /// Writes what follows, once the rows are written: the records, their history, and what the board hears.
    pub(crate) async fn write(self, tx: &mut Tx, context: &WriteContext, board: Board) -> Result<()> {
        if self.entered.is_empty() && self.left.is_empty() && self.milestones.is_empty() {
            return Ok(());
        }
        let mut told = reject_pending(tx, context, &self.left).await?;
        told.extend(record_entries(tx, context, self.entered).await?);
        let (project, program) = (Some(context.project.id), context.project.program_id);
        let mut events = Vec::new();
        if board == Board::EachRow {
            let changed = Event::Socket(SocketEvent::SprintScopeChanged);
            events.extend(told.iter().map(|row| {
                let payload = json!({ "sprint_id": row.sprint_id, "task_id": row.task_id });
                Message { event: changed, project, program, payload: payload.into() }
            }));
        }
        let milestones: Vec<TaskId> = self.milestones.into_iter().collect();
        let event = Event::Socket(SocketEvent::MilestoneRollupUpdated);
        events.extend(milestones::payloads(tx, &milestones).await?.into_iter().map(|payload| Message {
            event,
            project,
            program,
            payload: payload.into(),
        }));
        tx.emit_each(events).await
    }
}

/// Rejects what nobody has decided on of tasks that left their sprint.
async fn reject_pending(
    tx: &mut Tx,
    context: &WriteContext,
    tasks: &[TaskId],
) -> Result<Vec<ScopeChangeRow>> {
    let before = pending_of(tx, tasks).await?;
    let (by, now) = (context.caller.id, tx.now());
    let after = before.iter().map(|row| ScopeChangeRow {
        server_version: row.server_version + 1,
        ..row.decided(ScopeChangeStatus::Rejected, by, now)
    });
    let after: Vec<ScopeChangeRow> = after.collect();
    if after.is_empty() {
        return Ok(after);
    }
    let number = tx.next_change_number(Some(context.project.id.0)).await?;
    tx.update_each(after.iter().map(|row| (row, column("change_number", number))).collect()).await?;
    let changes = before
        .iter()
        .zip(&after)
        .map(|(before, after)| change(context, after, ChangeKind::Updated).between(before, after));
    tx.record_each(changes.collect()).await?;
    Ok(after)
}

/// Notes what came into running sprints.
async fn record_entries(
    tx: &mut Tx,
    context: &WriteContext,
    entered: Vec<(SprintId, TaskRecord)>,
) -> Result<Vec<ScopeChangeRow>> {
    let now = tx.now();
    // A subtask comes with the task above it: it is noted, and nobody has to decide on it.
    let is_decided = |task: &TaskRecord| task.is_subtask;
    let rows = entered.into_iter().map(|(sprint, task)| ScopeChangeRow {
        id: tx.mint(),
        project_id: context.project.id,
        sprint_id: sprint,
        task_id: task.id,
        status: if is_decided(&task) { ScopeChangeStatus::Accepted } else { ScopeChangeStatus::Pending },
        goal_impact: String::new(),
        added_by: Some(context.caller.id),
        added_at: now,
        decided_by: None,
        decided_at: is_decided(&task).then_some(now),
        story_points: task.story_points,
        item_name: task.name,
        server_version: 1,
    });
    let rows: Vec<ScopeChangeRow> = rows.collect();
    if rows.is_empty() {
        return Ok(rows);
    }
    let number = tx.next_change_number(Some(context.project.id.0)).await?;
    tx.insert_each(rows.iter().map(|row| (row, column("change_number", number))).collect()).await?;
    let changes = rows.iter().map(|row| change(context, row, ChangeKind::Created).whole(row));
    tx.record_each(changes.collect()).await?;
    Ok(rows)
}

fn change(context: &WriteContext, row: &ScopeChangeRow, kind: ChangeKind) -> Change {
    let (project, program) = (Some(context.project.id), context.project.program_id);
    let change = Change::of("scope_change", row.id, kind, context.caller.id);
    Change { project, program, version: row.server_version, ..change }
}

/// What nobody has decided on of some tasks.
async fn pending_of(db: &dyn Read, tasks: &[TaskId]) -> Result<Vec<ScopeChangeRow>> {
    if tasks.is_empty() {
        return Ok(Vec::new());
    }
    let columns = ScopeChangeRow::select_list("c");
    let select = format!(
        "SELECT {columns} FROM sprint_scope_changes c
         WHERE c.task_id IN (:tasks) AND c.status = 'pending' AND c.deletion_id IS NULL ORDER BY c.id"
    );
    db.all(sql!(select, tasks = list(tasks.iter().copied()))).await
}

/// What nobody has decided on in a sprint, of tasks that are there.
pub async fn pending_in(db: &dyn Read, sprint: SprintId) -> Result<Vec<ScopeChangeRow>> {
    let columns = ScopeChangeRow::select_list("c");
    let select = format!(
        "SELECT {columns} FROM sprint_scope_changes c JOIN tasks t ON t.id = c.task_id AND t.deletion_id IS NULL
         WHERE c.sprint_id = :sprint AND c.status = 'pending' AND c.deletion_id IS NULL ORDER BY c.added_at, c.id"
    );
    db.all(sql!(select, sprint = sprint)).await
}

/// What came into sprints with some tasks, the earliest first.
pub async fn of_tasks(db: &dyn Read, tasks: &[TaskId]) -> Result<Vec<ScopeChangeRow>> {
    if tasks.is_empty() {
        return Ok(Vec::new());
    }
    let columns = ScopeChangeRow::select_list("c");
    let select = format!(
        "SELECT {columns} FROM sprint_scope_changes c WHERE c.task_id IN (:tasks) AND c.deletion_id IS NULL
         ORDER BY c.added_at, c.id"
    );
    db.all(sql!(select, tasks = list(tasks.iter().copied()))).await
}
