//! What is told of a write: its row in the history, its webhooks, what the board hears.
//! Everything goes into the transaction of the write; delivery comes later.

use std::collections::HashMap;

use planwright_domain::events::{SocketEvent, WebhookEvent};
use planwright_domain::ids::{ProgramId, ProjectId, ResourceId, TaskId, UserId};
use planwright_domain::words::ChangeKind;
use planwright_store::history::Change;
use planwright_store::outbox::{Event, Message};
use planwright_store::{Result, Tx};
use serde_json::{Map, Value as Json, json};

use super::context::Caller;
use super::queries;
use super::record::TaskRecord;
use super::validate::{Owner, PlannedWrite};
use crate::dependencies::queries::{LinkRow, programs_of};

/// Who hears of single rows on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Board {
    /// Each row is told by itself.
    EachRow,
    /// One event tells of the whole batch; whoever writes it emits it.
    OneForAll,
}

/// What a change is told to, and by whom it was made.
#[derive(Clone, Copy, Debug)]
pub struct Announcer<'a> {
    /// The project.
    pub project: ProjectId,
    /// Its program.
    pub program: Option<ProgramId>,
    /// Who did it.
    pub caller: &'a Caller,
    /// Who hears of single rows on the board.
    pub board: Board,
}

/// The fields of a task that a webhook carries.
pub fn webhook_body(row: &TaskRecord, source: &str) -> Json {
    json!({
        "id": row.id,
        "project": row.project_id,
        "name": row.name,
        "status": row.status,
        "duration": row.duration,
        "assignee": row.assignee_id,
        "planned_start": row.planned_start,
        "actual_start": row.actual_start,
        "actual_finish": row.actual_finish,
        "source": source,
    })
}

/// What a webhook tells of a task that has changed: its fields, and the names of those that changed.
pub fn naming(mut body: Json, changed: &[&str]) -> Json {
    body["changed_fields"] = json!(changed);
    body
}

/// The names of the fields that a write changes.
fn changed_fields<'a>(row: &PlannedWrite, fields: &'a Map<String, Json>) -> Vec<&'a str> {
    let names = fields.keys().map(String::as_str);
    let names = names.filter(|field| !matches!(*field, "position" | "amend_reason"));
    names.chain((!row.owners.is_empty()).then_some("assignments")).collect()
}

impl Announcer<'_> {
    /// Tells of rows that were created or changed.
    pub async fn written(&self, tx: &mut Tx, rows: &[PlannedWrite]) -> Result<()> {
        let mut changes = Vec::with_capacity(rows.len());
        let mut events = Vec::new();
        for row in rows {
            let change = self.change_of(row);
            let changed = changed_fields(row, &change.fields);
            self.hooks(row, &changed, &mut events);
            self.board(tx, row, &changed, &mut events);
            changes.push(change);
        }
        tx.record_each(changes).await?;
        self.emit(tx, events).await
    }

    async fn emit(&self, tx: &mut Tx, events: Vec<(Event, Json)>) -> Result<()> {
        let (project, program) = (Some(self.project), self.program);
        let message =
            |(event, payload): (Event, Json)| Message { event, project, program, payload: payload.into() };
        tx.emit_each(events.into_iter().map(message).collect()).await
    }

    fn change(&self, id: TaskId, kind: ChangeKind, version: i64, fields: Map<String, Json>) -> Change {
        let actor: UserId = self.caller.id;
        let (project, program) = (Some(self.project), self.program);
        Change { project, program, version, fields, ..Change::of("task", id, kind, actor) }
    }

    fn change_of(&self, row: &PlannedWrite) -> Change {
        let kind = if row.is_new { ChangeKind::Created } else { ChangeKind::Updated };
        let change = self.change(row.after.id, kind, row.after.server_version, Map::new());
        let mut change = match row.is_new {
            true => change.between(&Map::new(), &row.after),
            false => change.between(&row.before, &row.after),
        };
        if let Some(reason) = &row.amend_reason {
            change.fields.insert("amend_reason".to_owned(), json!([null, reason]));
        }
        change
    }

    /// The fields of a task that a webhook carries. What machines push is known by its number as well (facts-platform, 7).
    fn body_of(&self, row: &TaskRecord) -> Json {
        let mut body = webhook_body(row, &self.caller.source);
        if self.caller.is_machine {
            body["short_id"] = json!(row.short_id);
        }
        body
    }

    fn hooks(&self, row: &PlannedWrite, changed: &[&str], events: &mut Vec<(Event, Json)>) {
        let body = self.body_of(&row.after);
        let before = if row.is_new { None } else { row.before.assignee_id };
        let with_previous = || {
            let mut body = body.clone();
            body["previous_assignee"] = json!(before);
            body
        };
        events.push(match row.is_new {
            true => (Event::Webhook(WebhookEvent::TaskCreated), body.clone()),
            false => (Event::Webhook(WebhookEvent::TaskUpdated), naming(body.clone(), changed)),
        });
        match (before, row.after.assignee_id) {
            (None, Some(_)) => events.push((Event::Webhook(WebhookEvent::TaskAssigned), with_previous())),
            (Some(old), Some(new)) if old != new => {
                events.push((Event::Webhook(WebhookEvent::TaskAssigneeChanged), with_previous()));
            }
            _ => {}
        }
        if row.moves_due_date {
            let mut body = body;
            let before = if row.is_new { None } else { row.before.planned_start };
            body["previous_planned_start"] = json!(before);
            events.push((Event::Webhook(WebhookEvent::TaskDueDateChanged), body));
        }
    }

    fn board(&self, tx: &Tx, row: &PlannedWrite, changed: &[&str], events: &mut Vec<(Event, Json)>) {
        if self.board == Board::OneForAll {
            return;
        }
        let id = row.after.id;
        if row.is_new {
            return events.push((Event::Socket(SocketEvent::TaskCreated), json!({ "id": id })));
        }
        let told = json!({
            "id": id,
            "changed_fields": changed,
            "version": row.after.server_version,
            "actor_id": self.caller.id,
            "ts": tx.now(),
        });
        events.push((Event::Socket(SocketEvent::TaskUpdated), told));
        if let Some(event) = &row.duration_event {
            let told = json!({
                "task_id": id,
                "old_duration": event.old_duration,
                "new_duration": event.new_duration,
                "percent_complete_at_change": event.percent_complete_at_change,
                "percent_complete_after": event.percent_complete_after,
                "policy_applied": event.policy,
            });
            events.push((Event::Socket(SocketEvent::TaskDurationChanged), told));
        }
    }

    /// Notes rows that moved below another because the one above them went or came back: id, version, old and new parent.
    pub async fn moved(
        &self,
        tx: &mut Tx,
        rows: &[(TaskId, i64, Option<TaskId>, Option<TaskId>)],
    ) -> Result<()> {
        let changes = rows.iter().map(|(id, version, from, to)| {
            let fields = Map::from_iter([("parent_id".to_owned(), json!([from, to]))]);
            self.change(*id, ChangeKind::Updated, *version, fields)
        });
        tx.record_each(changes.collect()).await
    }

    /// Tells of allocations that were made or changed; `before` are those that were there, in hundredths.
    pub async fn allocated(
        &self,
        tx: &mut Tx,
        before: &HashMap<(TaskId, ResourceId), i64>,
        owners: &[(TaskId, Owner)],
    ) -> Result<()> {
        if owners.is_empty() {
            return Ok(());
        }
        let rows =
            queries::allocations(tx, &owners.iter().map(|(task, _)| *task).collect::<Vec<_>>()).await?;
        let (mut changes, mut events) = (Vec::new(), Vec::new());
        for (task, owner) in owners {
            let Some(row) = rows.get(&(*task, owner.resource)) else { continue };
            let old = before.get(&(*task, owner.resource)).copied();
            if old == Some(owner.units) {
                continue;
            }
            let (kind, event) = match old {
                None => (ChangeKind::Created, SocketEvent::AssignmentCreated),
                Some(_) => (ChangeKind::Updated, SocketEvent::AssignmentUpdated),
            };
            let fields = Map::from_iter([("units".to_owned(), json!([old, owner.units]))]);
            let (project, program, version) = (Some(self.project), self.program, row.server_version);
            let of = Change::of("task_resource", row.id, kind, self.caller.id);
            changes.push(Change { project, program, version, fields, ..of });
            if self.board == Board::EachRow {
                events.push((Event::Socket(event), json!({ "id": row.id, "task_id": task })));
            }
        }
        tx.record_each(changes).await?;
        self.emit(tx, events).await
    }

    /// Tells of rows that were deleted, with their versions after it.
    pub async fn deleted(&self, tx: &mut Tx, rows: &[TaskRecord]) -> Result<()> {
        let change =
            |row: &TaskRecord| self.change(row.id, ChangeKind::Deleted, row.server_version + 1, Map::new());
        tx.record_each(rows.iter().map(change).collect()).await?;
        let mut events = Vec::new();
        for row in rows {
            let body = self.body_of(row);
            events.push((Event::Webhook(WebhookEvent::TaskDeleted), body));
            if self.board == Board::EachRow {
                events.push((Event::Socket(SocketEvent::TaskDeleted), json!({ "id": row.id })));
            }
        }
        self.emit(tx, events).await
    }

    /// The project whose board hears of the batch and not of single rows.
    pub fn quiet(&self) -> Option<ProjectId> {
        (self.board == Board::OneForAll).then_some(self.project)
    }

    /// Tells of rows that came back, with their versions after it; the board hears of the first alone.
    pub async fn restored(&self, tx: &mut Tx, rows: &[TaskRecord]) -> Result<()> {
        let change =
            |row: &TaskRecord| self.change(row.id, ChangeKind::Restored, row.server_version, Map::new());
        tx.record_each(rows.iter().map(change).collect()).await?;
        let Some(root) = rows.first() else { return Ok(()) };
        let told = json!({ "id": root.id });
        let event = Event::Socket(SocketEvent::TaskRestored);
        tx.emit(event, Some(self.project), self.program, told).await
    }
}

/// Tells the board of all rows of a batch that differ from before, at once.
pub async fn tell_all(
    tx: &mut Tx,
    project: ProjectId,
    program: Option<ProgramId>,
    changed: &[TaskId],
) -> Result<()> {
    if changed.is_empty() {
        return Ok(());
    }
    let event = Event::Socket(SocketEvent::TasksBulkMutated);
    tx.emit(event, Some(project), program, json!({ "task_ids": changed })).await
}

/// Tells of links that went or came back with what they tie, to the projects at both ends: on their boards, except for the
/// one that hears of a whole batch, and to subscriptions, of which those of a program hear it once.
pub async fn links(
    tx: &mut Tx,
    actor: UserId,
    kind: ChangeKind,
    links: &[LinkRow],
    quiet: Option<ProjectId>,
) -> Result<()> {
    let programs = programs_of(tx, links.iter().flat_map(LinkRow::projects).collect()).await?;
    let program = |project: ProjectId| programs.get(&project).copied().flatten();
    let (hook, socket) = match kind {
        ChangeKind::Deleted => (WebhookEvent::DependencyDeleted, SocketEvent::DependencyDeleted),
        _ => (WebhookEvent::DependencyCreated, SocketEvent::DependencyCreated),
    };
    let (mut changes, mut messages) = (Vec::with_capacity(links.len()), Vec::new());
    for link in links {
        let [from, to] = link.projects();
        let fields = json!({
            "predecessor": link.predecessor_id, "successor": link.successor_id, "dep_type": link.dep_type, "lag": link.lag,
        });
        let change = Change::of("dependency", link.id, kind, actor).whole(&fields);
        let version = link.server_version + 1;
        changes.push(Change { project: Some(to), program: program(to), version, ..change });
        let told = match kind {
            ChangeKind::Deleted => json!({ "id": link.id }),
            _ => json!({
                "id": link.id, "predecessor": link.predecessor_id, "successor": link.successor_id,
                "dep_type": link.dep_type, "lag": link.lag,
            }),
        };
        for place in [to, from].into_iter().take(if from == to { 1 } else { 2 }) {
            let (event, project) = (Event::Webhook(hook), Some(place));
            let heard = program(place).filter(|heard| place == to || program(to) != Some(*heard));
            messages.push(Message { event, project, program: heard, payload: told.clone().into() });
            if quiet != project {
                let (event, payload) = (Event::Socket(socket), json!({ "id": link.id }));
                messages.push(Message { event, project, program: program(place), payload: payload.into() });
            }
        }
    }
    tx.record_each(changes).await?;
    tx.emit_each(messages).await
}
