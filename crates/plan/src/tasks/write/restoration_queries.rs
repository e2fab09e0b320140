//! Every statement that brings tasks back with what their deletion took.
//! What is in the trash is listed by `deletion_queries.rs`.

use std::collections::HashSet;

use planwright_domain::ids::{DeletionId, DependencyId, ProjectId, TaskId};
use planwright_domain::words::DependencyType;
use planwright_store::value::list;
use planwright_store::{Read, Result, Tx, row, sql};

use super::queries::records;
use super::record::TaskRecord;
use crate::schedule::Turn;

/// A row and its drawer subtasks, the row first.
pub(super) async fn rows_of(db: &impl Read, root: TaskId) -> Result<Vec<TaskRecord>> {
    let select = "SELECT id FROM tasks
                  WHERE deletion_id IS NULL AND (id = :root OR (parent_id = :root AND is_subtask))";
    let ids: Vec<TaskId> = db.scalars(sql!(select, root = root)).await?;
    let mut rows = records(db, &ids).await?;
    rows.sort_by_key(|row| (row.id != root, row.position, row.id));
    Ok(rows)
}

/// Puts rows below another, where they stood in their order.
pub async fn move_below(
    tx: &mut Tx,
    turn: &Turn,
    project: ProjectId,
    rows: &[TaskId],
    parent: Option<TaskId>,
) -> Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    tx.run(sql!(
        "UPDATE tasks SET parent_id = :parent, server_version = server_version + 1, changed_at_counter = :counter
         WHERE id IN (:rows)",
        parent = parent,
        counter = turn.counter(project),
        rows = list(rows.iter().copied())
    ))
    .await
    .map(drop)
}

/// The rows that a deletion moved up and that nobody touched since.
pub(super) async fn moves_to_undo(
    db: &impl Read,
    act: DeletionId,
    parent: Option<TaskId>,
) -> Result<Vec<TaskId>> {
    let base = "SELECT t.id FROM deletion_moves m JOIN tasks t ON t.id = m.task_id AND t.deletion_id IS NULL
                WHERE m.act_id = :act AND t.server_version = m.server_version";
    let select = match parent {
        Some(parent) => sql!(format!("{base} AND t.parent_id = :parent"), act = act, parent = parent),
        None => sql!(format!("{base} AND t.parent_id IS NULL"), act = act),
    };
    db.scalars(select).await
}

/// The nearest live row above a deleted one.
pub(super) async fn nearest_live_ancestor(db: &impl Read, task: TaskId) -> Result<Option<TaskId>> {
    let above = "SELECT t.parent_id, COALESCE(p.deletion_id IS NULL, TRUE) FROM tasks t
                 LEFT JOIN tasks p ON p.id = t.parent_id WHERE t.id = :task";
    let mut at = task;
    loop {
        let (parent, is_live): (Option<TaskId>, bool) = db.one(sql!(above, task = at)).await?;
        match parent {
            Some(parent) if !is_live => at = parent,
            parent => return Ok(parent),
        }
    }
}

/// Brings back the rows that an act took; their ids.
pub(super) async fn give_rows(
    tx: &mut Tx,
    turn: &Turn,
    act: DeletionId,
    project: ProjectId,
) -> Result<Vec<TaskId>> {
    let rows = tx.scalars(sql!("SELECT id FROM tasks WHERE deletion_id = :act", act = act)).await?;
    let update = "UPDATE tasks SET deletion_id = NULL, server_version = server_version + 1,
                  changed_at_counter = :counter WHERE deletion_id = :act";
    tx.run(sql!(update, act = act, counter = turn.counter(project))).await?;
    Ok(rows)
}

row! {
    struct LostTie {
        id: DependencyId,
        predecessor_id: TaskId,
        successor_id: TaskId,
        dep_type: DependencyType,
        successor_project_id: ProjectId,
    }
}

/// Brings back the links that an act took with rows, and those of acts taken back before that waited for these rows:
/// where both ends are there, and no such link was made meanwhile.
pub(super) async fn give_links(tx: &mut Tx, turn: &Turn, act: DeletionId, rows: &[TaskId]) -> Result<()> {
    let select = "SELECT d.id, d.predecessor_id, d.successor_id, d.dep_type, d.successor_project_id
         FROM dependencies d
         WHERE (d.deletion_id = :act OR ((d.predecessor_id IN (:rows) OR d.successor_id IN (:rows))
                AND d.deletion_id IN (SELECT x.id FROM deletions x
                    WHERE x.entity = 'task' AND x.restored_at IS NOT NULL)))
           AND (SELECT COUNT(*) FROM tasks t JOIN projects p ON p.id = t.project_id AND p.deletion_id IS NULL
                WHERE t.id IN (d.predecessor_id, d.successor_id) AND t.deletion_id IS NULL) = 2
           AND NOT EXISTS (SELECT 1 FROM dependencies o WHERE o.predecessor_id = d.predecessor_id
                AND o.successor_id = d.successor_id AND o.dep_type = d.dep_type AND o.deletion_id IS NULL)
         ORDER BY d.id DESC";
    let ties: Vec<LostTie> = tx.all(sql!(select, act = act, rows = list(rows.iter().copied()))).await?;
    let mut given = HashSet::new();
    let statements = ties
        .into_iter()
        .filter(|tie| given.insert((tie.predecessor_id, tie.successor_id, tie.dep_type)))
        .map(|tie| {
            sql!(
                "UPDATE dependencies SET deletion_id = NULL, server_version = server_version + 1,
                    changed_at_counter = :counter
                 WHERE id = :id",
                counter = turn.counter(tie.successor_project_id),
                id = tie.id
            )
        })
        .collect();
    tx.run_each(statements).await.map(drop)
}

/// Brings back the relations that an act took and that have no double.
pub(super) async fn give_relations(tx: &mut Tx, act: DeletionId) -> Result<()> {
    let relations = "UPDATE task_relations SET deletion_id = NULL, server_version = server_version + 1
         WHERE deletion_id = :act
           AND (SELECT COUNT(*) FROM tasks t WHERE t.id IN (source_id, target_id) AND t.deletion_id IS NULL) = 2
           AND NOT EXISTS (SELECT 1 FROM task_relations o WHERE o.source_id = task_relations.source_id
                AND o.target_id = task_relations.target_id
                AND o.relation_type = task_relations.relation_type AND o.deletion_id IS NULL)";
    tx.run(sql!(relations, act = act)).await.map(drop)
}

/// Notes that an act was taken back.
pub(super) async fn close(tx: &mut Tx, act: DeletionId) -> Result<()> {
    let update = "UPDATE deletions SET restored_at = :now WHERE id = :act";
    tx.run(sql!(update, now = tx.now(), act = act)).await.map(drop)
}

/// Puts a row that came back below a row that is there.
pub(super) async fn put_below(
    tx: &mut Tx,
    turn: &Turn,
    project: ProjectId,
    task: TaskId,
    parent: Option<TaskId>,
) -> Result<()> {
    let update = "UPDATE tasks SET parent_id = :parent, changed_at_counter = :counter WHERE id = :task";
    tx.run(sql!(update, parent = parent, counter = turn.counter(project), task = task)).await.map(drop)
}
