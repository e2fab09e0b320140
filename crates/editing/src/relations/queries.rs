//! Every statement about relations; what a caller reads is tied to their membership.
//! Those that go and come back with their tasks are written in `plan/src/tasks/write/relations.rs`.

use planwright_domain::ids::{DeletionId, TaskId, UserId};
use planwright_domain::words::RelationKind;
use planwright_store::{Read, Result, Tx, sql};
use uuid::Uuid;

use super::model::{RelationFilter, RelationRow};

const VISIBLE: &str = "SELECT r.id, r.source_id, r.target_id, a.project_id AS source_project_id,
        b.project_id AS target_project_id, r.relation_type, r.note, r.created_by, r.created_at, r.server_version
     FROM task_relations r
     JOIN tasks a ON a.id = r.source_id AND a.deletion_id IS NULL
     JOIN tasks b ON b.id = r.target_id AND b.deletion_id IS NULL
     WHERE r.deletion_id IS NULL AND EXISTS (
         SELECT 1 FROM project_members m JOIN projects p ON p.id = m.project_id AND p.deletion_id IS NULL
         WHERE m.user_id = :me AND m.deletion_id IS NULL AND m.project_id IN (a.project_id, b.project_id))";

/// The relations that the caller sees, narrowed by a filter, oldest first.
pub async fn visible(db: &impl Read, me: UserId, filter: &RelationFilter) -> Result<Vec<RelationRow>> {
    let narrowed = sql!(VISIBLE, me = me)
        .when("AND (r.source_id = :task OR r.target_id = :task)", "task", filter.task.as_given().copied())
        .when("AND a.project_id = :project", "project", filter.project.as_given().copied())
        .when("AND r.relation_type = :type", "type", filter.relation_type.as_given().copied());
    db.all(narrowed.push(" ORDER BY r.created_at, r.id")).await
}

/// One relation, if the caller sees it.
pub async fn find(db: &impl Read, me: UserId, id: Uuid) -> Result<Option<RelationRow>> {
    db.maybe(sql!(format!("{VISIBLE} AND r.id = :id"), me = me, id = id)).await
}

/// Whether there is such a relation already; that two tasks belong together is the same from either side.
pub async fn exists(db: &impl Read, source: TaskId, target: TaskId, kind: RelationKind) -> Result<bool> {
    let select = "SELECT COUNT(*) FROM task_relations
         WHERE deletion_id IS NULL AND relation_type = :type
           AND ((source_id = :source AND target_id = :target)
             OR (:symmetric AND source_id = :target AND target_id = :source))";
    let symmetric = kind == RelationKind::RelatesTo;
    let count = sql!(select, type = kind, source = source, target = target, symmetric = symmetric);
    Ok(db.count(count).await? > 0)
}

/// Adds a relation.
pub async fn insert(tx: &mut Tx, row: &RelationRow) -> Result<()> {
    tx.run(sql!(
        "INSERT INTO task_relations (id, source_id, target_id, relation_type, note, created_by, created_at,
            server_version)
         VALUES (:id, :source, :target, :type, :note, :by, :at, :version)",
        id = row.id,
        source = row.source_id,
        target = row.target_id,
        type = row.relation_type,
        note = &row.note,
        by = row.created_by,
        at = row.created_at,
        version = row.server_version,
    ))
    .await
    .map(drop)
}

/// Writes the note of a relation and raises its version.
pub async fn update(tx: &mut Tx, row: &RelationRow) -> Result<()> {
    let statement =
        "UPDATE task_relations SET note = :note, server_version = server_version + 1 WHERE id = :id";
    tx.run(sql!(statement, note = &row.note, id = row.id)).await.map(drop)
}

/// Marks a relation as taken by an act of deletion.
pub async fn delete(tx: &mut Tx, deletion: DeletionId, id: Uuid) -> Result<()> {
    let statement = "UPDATE task_relations SET deletion_id = :deletion, server_version = server_version + 1
         WHERE id = :id";
    tx.run(sql!(statement, deletion = deletion, id = id)).await.map(drop)
}
