//! Every statement about relations; what a caller reads is tied to their membership.
//! Those that go and come back with their tasks are written in `plan/src/tasks/write/relations.rs`.

use std::collections::HashSet;

use planwright_domain::ids::TaskId;
use planwright_domain::words::RelationKind;
use planwright_store::value::list;
use planwright_store::{Read, Record, Result, sql};
use planwright_web::Actor;
use uuid::Uuid;

use super::model::{RelationFilter, RelationRow};

/// The relations of tasks in projects that the caller sees, narrowed by a filter, oldest first.
pub async fn visible(db: &dyn Read, actor: &Actor, filter: &RelationFilter) -> Result<Vec<RelationRow>> {
    let select = format!(
        "SELECT {} FROM task_relations r
         JOIN tasks a ON a.id = r.source_id AND a.deletion_id IS NULL
         JOIN tasks b ON b.id = r.target_id AND b.deletion_id IS NULL
         WHERE r.deletion_id IS NULL AND EXISTS (SELECT 1 FROM projects x
             WHERE (x.id = a.project_id OR x.id = b.project_id)",
        RelationRow::select_list("r")
    );
    let narrowed = actor
        .in_visible_projects(sql!(select), "x.id")
        .push(")")
        .when("AND (r.source_id = :task OR r.target_id = :task)", "task", filter.task.as_given().copied())
        .when("AND a.project_id = :project", "project", filter.project.as_given().copied())
        .when("AND r.relation_type = :type", "type", filter.relation_type.as_given().copied());
    db.all(narrowed.push(" ORDER BY r.created_at, r.id")).await
}

/// Those of some relations that cross projects.
pub async fn crossing(db: &dyn Read, rows: &[RelationRow]) -> Result<HashSet<Uuid>> {
    let select = "SELECT r.id FROM task_relations r
         JOIN tasks a ON a.id = r.source_id JOIN tasks b ON b.id = r.target_id
         WHERE r.id IN (:ids) AND a.project_id <> b.project_id";
    let ids = list(rows.iter().map(|row| row.id));
    Ok(db.scalars(sql!(select, ids = ids)).await?.into_iter().collect())
}

/// Whether there is such a relation already; that two tasks belong together is the same from either side.
pub async fn exists(db: &dyn Read, source: TaskId, target: TaskId, kind: RelationKind) -> Result<bool> {
    let select = "SELECT COUNT(*) FROM task_relations
         WHERE deletion_id IS NULL AND relation_type = :type
           AND ((source_id = :source AND target_id = :target)
             OR (:symmetric AND source_id = :target AND target_id = :source))";
    let symmetric = kind == RelationKind::RelatesTo;
    let count = sql!(select, type = kind, source = source, target = target, symmetric = symmetric);
    Ok(db.count(count).await? > 0)
}
