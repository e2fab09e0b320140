//! Every statement by which people read and acknowledge slip conflicts, tied to their membership of the threatened project.
//! What a recalculation looks at and writes is in `plan/src/schedule/slip_conflicts/`.

use planwright_domain::ids::UserId;
use planwright_store::{Read, Result, Sql, Tx, sql};
use planwright_web::Actor;
use uuid::Uuid;

use super::model::{ConflictFilter, ConflictRow};

/// The select list of a [`ConflictRow`].
pub const COLUMNS: &str = "SELECT c.id, c.sprint_id, s.name AS sprint_name, s.finish_date AS sprint_finish_date,
    c.task_id, t.name AS task_name, t.short_id AS task_short_id, c.project_id, p.program_id, c.dependency_id,
    c.upstream_task_id, c.pushed_to, c.detected_at, c.re_slip_count, c.resolution, c.resolved_at, c.acknowledged_by,
    u.first_name, u.last_name, u.username, c.acknowledged_at";

const VISIBLE: &str = "FROM slip_conflicts c
    JOIN projects p ON p.id = c.project_id AND p.deletion_id IS NULL
    JOIN sprints s ON s.id = c.sprint_id AND s.deletion_id IS NULL
    JOIN tasks t ON t.id = c.task_id AND t.deletion_id IS NULL
    LEFT JOIN users u ON u.id = c.acknowledged_by
    WHERE TRUE";

/// The conflicts that the caller sees, narrowed by a filter.
pub fn visible(actor: &Actor, filter: &ConflictFilter) -> Sql {
    let visible = actor
        .in_visible_projects(sql!(VISIBLE), "c.project_id")
        .when("AND p.program_id = :program", "program", filter.program.as_given().copied())
        .when("AND c.project_id = :project", "project", filter.project.as_given().copied())
        .when("AND c.sprint_id = :sprint", "sprint", filter.sprint.as_given().copied());
    match filter.open.as_given() {
        Some(true) => visible.push(" AND c.resolution = 'unresolved'"),
        _ => visible,
    }
}

/// One conflict, if the caller sees it.
pub async fn find(db: &dyn Read, actor: &Actor, id: Uuid) -> Result<Option<ConflictRow>> {
    let one = sql!(format!("{COLUMNS} {VISIBLE} AND c.id = :id"), id = id);
    db.maybe(actor.in_visible_projects(one, "c.project_id")).await
}

/// Notes who acknowledged a conflict.
pub async fn acknowledge(tx: &mut Tx, id: Uuid, by: UserId, number: i64) -> Result<()> {
    let now = tx.now();
    let statement = "UPDATE slip_conflicts SET acknowledged_by = :by, acknowledged_at = :now,
            change_number = :number WHERE id = :id";
    tx.run(sql!(statement, by = by, now = now, number = number, id = id)).await.map(drop)
}
