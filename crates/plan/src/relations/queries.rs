//! Every statement about relations; what a caller reads is tied to their membership.

use std::collections::{BTreeMap, HashSet};

use planwright_domain::ids::{DeletionId, TaskId, UserId};
use planwright_domain::words::{RelationKind, Word};
use planwright_store::value::list;
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

const ANY: &str = "SELECT r.id, r.source_id, r.target_id, a.project_id AS source_project_id,
        b.project_id AS target_project_id, r.relation_type, r.note, r.created_by, r.created_at, r.server_version
     FROM task_relations r JOIN tasks a ON a.id = r.source_id JOIN tasks b ON b.id = r.target_id";

/// The most rows that one statement names.
const MOST_NAMED: usize = 4096;

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

/// The live relations of tasks, whoever asks.
pub(super) async fn of_tasks(db: &impl Read, tasks: &[TaskId]) -> Result<Vec<RelationRow>> {
    let mut found: BTreeMap<Uuid, RelationRow> = BTreeMap::new();
    let live = "WHERE r.deletion_id IS NULL AND (r.source_id IN (:tasks) OR r.target_id IN (:tasks))";
    for some in tasks.chunks(MOST_NAMED) {
        let rows: Vec<RelationRow> =
            db.all(sql!(format!("{ANY} {live}"), tasks = list(some.iter().copied()))).await?;
        found.extend(rows.into_iter().map(|row| (row.id, row)));
    }
    Ok(found.into_values().collect())
}

/// Marks relations as taken, each by its act.
pub(super) async fn take(tx: &mut Tx, relations: &[(Uuid, DeletionId)]) -> Result<()> {
    let statement = "UPDATE task_relations SET deletion_id = :deletion, server_version = server_version + 1
         WHERE id = :id";
    let statements = relations.iter().map(|(id, act)| sql!(statement, deletion = *act, id = *id));
    tx.run_each(statements.collect()).await.map(drop)
}

/// The relations that may come back with tasks: an act took them, or one that was taken back before and they waited for
/// these tasks; both ends are there, and nobody related them anew.
pub(super) async fn lost(db: &impl Read, act: DeletionId, tasks: &[TaskId]) -> Result<Vec<RelationRow>> {
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
        format!("{ANY} {fits}"),
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

/// Brings relations back.
pub(super) async fn give(tx: &mut Tx, relations: &[RelationRow]) -> Result<()> {
    let statement = "UPDATE task_relations SET deletion_id = NULL, server_version = server_version + 1
         WHERE id = :id";
    let statements = relations.iter().map(|row| sql!(statement, id = row.id));
    tx.run_each(statements.collect()).await.map(drop)
}
