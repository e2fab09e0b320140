//! Every statement that reads links.
//! The caller's membership is part of each, so a link between foreign projects is never found.

use std::collections::HashMap;

use planwright_domain::ids::{DependencyId, TaskId, UserId};
use planwright_store::value::list;
use planwright_store::{Read, Result, Sql, sql};

use super::model::{CardRow, DependencyFilter, DependencyRow};

/// The select list of a [`DependencyRow`].
pub const COLUMNS: &str = "SELECT d.id, d.predecessor_id, d.successor_id, d.predecessor_project_id,
    d.successor_project_id, d.dep_type, d.lag, d.pending_acceptance, d.accepted_by, d.accepted_at, d.is_driving,
    d.server_version";

const VISIBLE: &str = "FROM dependencies d
    JOIN tasks a ON a.id = d.predecessor_id AND a.deletion_id IS NULL
    JOIN tasks b ON b.id = d.successor_id AND b.deletion_id IS NULL
    WHERE d.deletion_id IS NULL AND EXISTS (
        SELECT 1 FROM project_members m JOIN projects p ON p.id = m.project_id AND p.deletion_id IS NULL
        WHERE m.user_id = :me AND m.deletion_id IS NULL
          AND m.project_id IN (d.predecessor_project_id, d.successor_project_id))";

/// The links that the caller sees, narrowed by a filter.
pub fn visible(me: UserId, filter: &DependencyFilter) -> Sql {
    sql!(VISIBLE, me = me)
        .when("AND d.predecessor_project_id = :project", "project", filter.project.as_given().copied())
        .when("AND d.dep_type = :type", "type", filter.dep_type.as_given().copied())
        .when(
            "AND (d.predecessor_id = :task OR d.successor_id = :task)",
            "task",
            filter.task.as_given().copied(),
        )
        .when(
            "AND d.successor_project_id = :pending AND d.pending_acceptance",
            "pending",
            filter.pending_for_project.as_given().copied(),
        )
}

/// One link, if the caller sees it.
pub async fn find(db: &impl Read, me: UserId, id: DependencyId) -> Result<Option<DependencyRow>> {
    db.maybe(sql!(format!("{COLUMNS} {VISIBLE} AND d.id = :id"), me = me, id = id)).await
}

/// Cards of tasks.
pub async fn cards(db: &impl Read, tasks: &[TaskId]) -> Result<HashMap<TaskId, CardRow>> {
    let select = "SELECT t.id, t.name, t.short_id, t.project_id, p.name AS project_name, t.is_milestone,
            s.early_start, s.early_finish, s.is_critical
         FROM tasks t JOIN projects p ON p.id = t.project_id LEFT JOIN task_schedule s ON s.task_id = t.id
         WHERE t.id IN (:tasks)";
    let rows: Vec<CardRow> = db.all(sql!(select, tasks = list(tasks.iter().copied()))).await?;
    Ok(rows.into_iter().map(|row| (row.id, row)).collect())
}
