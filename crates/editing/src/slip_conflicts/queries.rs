//! Every statement by which people read and acknowledge slip conflicts, tied to their membership of the threatened project.
//! What a recalculation looks at and writes is in `plan/src/schedule/slip_conflicts/`.

use planwright_domain::ids::{ProjectId, UserId};
use planwright_store::{Read, Result, Sql, Tx, sql};
use uuid::Uuid;

use super::model::{ConflictFilter, ConflictRow};

/// The select list of a [`ConflictRow`].
pub const COLUMNS: &str = "SELECT c.id, c.sprint_id, s.name AS sprint_name, s.finish_date AS sprint_finish_date,
    c.task_id, t.name AS task_name, t.short_id AS task_short_id, c.project_id, p.program_id, c.dependency_id,
    c.upstream_task_id, c.pushed_to, c.detected_at, c.re_slip_count, c.resolution, c.resolved_at, c.acknowledged_by,
    u.first_name, u.last_name, u.username, c.acknowledged_at";

const VISIBLE: &str = "FROM slip_conflicts c
    JOIN projects p ON p.id = c.project_id AND p.deletion_id IS NULL
    JOIN project_members m ON m.project_id = p.id AND m.user_id = :me AND m.deletion_id IS NULL
    JOIN sprints s ON s.id = c.sprint_id AND s.deletion_id IS NULL
    JOIN tasks t ON t.id = c.task_id AND t.deletion_id IS NULL
    LEFT JOIN users u ON u.id = c.acknowledged_by
    WHERE TRUE";

/// The conflicts that the caller sees, narrowed by a filter.
pub fn visible(me: UserId, filter: &ConflictFilter) -> Sql {
    let visible = sql!(VISIBLE, me = me)
        .when("AND p.program_id = :program", "program", filter.program.as_given().copied())
        .when("AND c.project_id = :project", "project", filter.project.as_given().copied())
        .when("AND c.sprint_id = :sprint", "sprint", filter.sprint.as_given().copied());
    match filter.open.as_given() {
        Some(true) => visible.push(" AND c.resolution = 'unresolved'"),
        _ => visible,
    }
}

/// One conflict, if the caller sees it.
pub async fn find(db: &impl Read, me: UserId, id: Uuid) -> Result<Option<ConflictRow>> {
    db.maybe(sql!(format!("{COLUMNS} {VISIBLE} AND c.id = :id"), me = me, id = id)).await
}

/// Whether a member is Scrum Master or Product Owner of a project.
pub async fn has_facet(db: &impl Read, project: ProjectId, person: UserId) -> Result<bool> {
    let select = "SELECT COUNT(*) FROM team_members x JOIN teams t ON t.id = x.team_id AND t.is_default
         WHERE t.project_id = :project AND x.user_id = :person AND (x.is_scrum_master OR x.is_product_owner)";
    Ok(db.count(sql!(select, project = project, person = person)).await? > 0)
}

/// Notes who acknowledged a conflict.
pub async fn acknowledge(tx: &mut Tx, id: Uuid, by: UserId) -> Result<()> {
    let now = tx.now();
    let statement = "UPDATE slip_conflicts SET acknowledged_by = :by, acknowledged_at = :now WHERE id = :id";
    tx.run(sql!(statement, by = by, now = now, id = id)).await.map(drop)
}
