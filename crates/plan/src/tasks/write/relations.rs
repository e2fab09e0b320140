//! Relations that go with their tasks and come back with them.
//! Those that people write and delete one by one are in the room `editing`.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{DeletionId, ProjectId, TaskId, UserId};
use planwright_domain::words::{ChangeKind, RelationKind, Word};
use planwright_store::history::Change;
use planwright_store::outbox::{Event, Message};
use planwright_store::value::list;
use planwright_store::{Read, Result, Tx, row, sql};
use serde_json::json;
use uuid::Uuid;

use crate::dependencies::queries::programs_of;

const RELATION: &str = "SELECT r.id, r.source_id, r.target_id, a.project_id AS source_project_id,
        b.project_id AS target_project_id, r.relation_type, r.server_version
     FROM task_relations r JOIN tasks a ON a.id = r.source_id JOIN tasks b ON b.id = r.target_id";

/// The most rows that one statement names.
const MOST_NAMED: usize = 4096;

row! {
    /// A relation with the projects of its ends.
    struct RelationRow {
        id: Uuid,
        source_id: TaskId,
        target_id: TaskId,
        source_project_id: ProjectId,
        target_project_id: ProjectId,
        relation_type: RelationKind,
        server_version: i64,
    }
}

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
    let going = of_tasks(tx, &ids).await?;
    let act_of = |row: &RelationRow| acts.get(&row.source_id).or_else(|| acts.get(&row.target_id)).copied();
    let taken: Vec<(&RelationRow, Option<DeletionId>)> =
        going.iter().filter_map(|row| Some((row, Some(act_of(row)?)))).collect();
    mark(tx, &taken).await?;
    tell(tx, actor, ChangeKind::Deleted, &going, quiet).await
}

/// Brings back the relations that an act took with tasks, or that waited for them.
pub async fn give(tx: &mut Tx, actor: UserId, act: DeletionId, tasks: &[TaskId]) -> Result<()> {
    let back = lost(tx, act, tasks).await?;
    let given: Vec<(&RelationRow, Option<DeletionId>)> = back.iter().map(|row| (row, None)).collect();
    mark(tx, &given).await?;
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
        let places = ends(row).into_iter().take(if source == row.target_project_id { 1 } else { 2 });
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

/// The live relations of tasks, whoever asks.
async fn of_tasks(db: &dyn Read, tasks: &[TaskId]) -> Result<Vec<RelationRow>> {
    let mut found: BTreeMap<Uuid, RelationRow> = BTreeMap::new();
    let live = "WHERE r.deletion_id IS NULL AND (r.source_id IN (:tasks) OR r.target_id IN (:tasks))";
    for some in tasks.chunks(MOST_NAMED) {
        let rows: Vec<RelationRow> =
            db.all(sql!(format!("{RELATION} {live}"), tasks = list(some.iter().copied()))).await?;
        found.extend(rows.into_iter().map(|row| (row.id, row)));
    }
    Ok(found.into_values().collect())
}

/// Marks relations as taken, each by its act, or as there again if none is given.
async fn mark(tx: &mut Tx, relations: &[(&RelationRow, Option<DeletionId>)]) -> Result<()> {
    let numbers = numbers(tx, relations.iter().map(|(row, _)| *row)).await?;
    let statement = "UPDATE task_relations SET deletion_id = :deletion, server_version = server_version + 1,
            change_number = COALESCE(:number, change_number)
         WHERE id = :id";
    let statements = relations.iter().map(|(row, act)| {
        let number = numbers.get(&row.source_project_id).copied();
        sql!(statement, deletion = *act, number = number, id = row.id)
    });
    tx.run_each(statements.collect()).await.map(drop)
}

/// The numbers of a change of these rows, by the project. Offline clients have no relations of two projects, so these get
/// none, and no counter of a project that is not locked is taken.
async fn numbers(tx: &mut Tx, rows: impl Iterator<Item = &RelationRow>) -> Result<BTreeMap<ProjectId, i64>> {
    let within = rows.filter(|row| row.source_project_id == row.target_project_id);
    let projects: BTreeSet<ProjectId> = within.map(|row| row.source_project_id).collect();
    let mut numbers = BTreeMap::new();
    for project in projects {
        numbers.insert(project, tx.next_change_number(Some(project.0)).await?);
    }
    Ok(numbers)
}

/// The relations that may come back with tasks: an act took them, or one that was taken back before and they waited for
/// these tasks; both ends are there, and nobody related them anew.
async fn lost(db: &dyn Read, act: DeletionId, tasks: &[TaskId]) -> Result<Vec<RelationRow>> {
    let fits = "WHERE (r.deletion_id = :act OR ((r.source_id IN (:tasks) OR r.target_id IN (:tasks))
                AND r.deletion_id IN (SELECT x.id FROM deletions x
                    WHERE x.entity = 'task' AND x.restored_at IS NOT NULL)))
           AND a.deletion_id IS NULL AND b.deletion_id IS NULL
           AND NOT EXISTS (SELECT 1 FROM task_relations o
                WHERE o.deletion_id IS NULL AND o.relation_type = r.relation_type
                  AND ((o.source_id = r.source_id AND o.target_id = r.target_id)
                    OR (r.relation_type = :symmetric AND o.source_id = r.target_id AND o.target_id = r.source_id)))
         ORDER BY r.id DESC";
    let select = sql!(
        format!("{RELATION} {fits}"),
        act = act,
        tasks = list(tasks.iter().copied()),
        symmetric = RelationKind::RelatesTo
    );
    let mut rows: Vec<RelationRow> = db.all(select).await?;
    let mut kept = HashSet::new();
    rows.retain(|row| {
        let (one, other) = (row.source_id, row.target_id);
        let is_turned = row.relation_type == RelationKind::RelatesTo && one > other;
        kept.insert((if is_turned { (other, one) } else { (one, other) }, row.relation_type.as_str()))
    });
    Ok(rows)
}
