//! Relations that go with their tasks and come back with them.
//! Those that people write and delete one by one are in `routes.rs`.

use std::collections::HashMap;

use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{DeletionId, ProjectId, TaskId, UserId};
use planwright_domain::words::ChangeKind;
use planwright_store::history::Change;
use planwright_store::outbox::{Event, Message};
use planwright_store::{Result, Tx};
use serde_json::json;
use uuid::Uuid;

use super::model::RelationRow;
use super::queries;
use crate::dependencies::queries::programs_of;

/// Takes the relations of tasks, each by the act that takes its source, else its target; the board of `quiet` is told
/// by whoever writes the whole batch.
pub async fn take(
    tx: &mut Tx,
    actor: UserId,
    tasks: &[(TaskId, DeletionId)],
    quiet: Option<ProjectId>,
) -> Result<()> {
    let acts: HashMap<TaskId, DeletionId> = tasks.iter().copied().collect();
    let ids: Vec<TaskId> = tasks.iter().map(|(id, _)| *id).collect();
    let going = queries::of_tasks(tx, &ids).await?;
    let act_of = |row: &RelationRow| acts.get(&row.source_id).or_else(|| acts.get(&row.target_id)).copied();
    let taken: Vec<(Uuid, DeletionId)> =
        going.iter().filter_map(|row| Some((row.id, act_of(row)?))).collect();
    queries::take(tx, &taken).await?;
    tell(tx, actor, ChangeKind::Deleted, &going, quiet).await
}

/// Brings back the relations that an act took with tasks, or that waited for them.
pub async fn give(tx: &mut Tx, actor: UserId, act: DeletionId, tasks: &[TaskId]) -> Result<()> {
    let back = queries::lost(tx, act, tasks).await?;
    queries::give(tx, &back).await?;
    tell(tx, actor, ChangeKind::Restored, &back, None).await
}

/// Writes the history of relations that went or came back, and tells the projects of both ends.
async fn tell(
    tx: &mut Tx,
    actor: UserId,
    kind: ChangeKind,
    rows: &[RelationRow],
    quiet: Option<ProjectId>,
) -> Result<()> {
    let ends = |row: &RelationRow| [row.source_project_id, row.target_project_id];
    let programs = programs_of(tx, rows.iter().flat_map(ends).collect()).await?;
    let program = |project: &ProjectId| programs.get(project).copied().flatten();
    let event = Event::Socket(match kind {
        ChangeKind::Deleted => SocketEvent::TaskRelationDeleted,
        _ => SocketEvent::TaskRelationCreated,
    });
    let (mut changes, mut messages) = (Vec::with_capacity(rows.len()), Vec::new());
    for row in rows {
        let (source, version) = (row.source_project_id, row.server_version + 1);
        let change = Change::of("task_relation", row.id, kind, actor);
        changes.push(Change { project: Some(source), program: program(&source), version, ..change });
        let places = ends(row).into_iter().take(if row.crosses() { 2 } else { 1 });
        messages.extend(places.filter(|place| quiet != Some(*place)).map(|place| Message {
            event,
            project: Some(place),
            program: program(&place),
            payload: json!({ "id": row.id }).into(),
        }));
    }
    tx.record_each(changes).await?;
    tx.emit_each(messages).await
}
