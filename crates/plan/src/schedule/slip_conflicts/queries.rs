//! Every statement by which a recalculation looks at slip conflicts and writes them.
//! The area `editing` has the statements for reading and acknowledging them.

use chrono::NaiveDate;
use planwright_domain::ids::{DependencyId, ProjectId, SprintId, TaskId};
use planwright_store::value::list;
use planwright_store::{Read, Result, Tx, row, sql};

use super::model::Conflict;

/// Whether conflicts may open, change or be resolved in any of the projects: looked up in indexes alone.
pub async fn may_concern(db: &dyn Read, projects: &[ProjectId]) -> Result<bool> {
    let select = "SELECT CASE WHEN EXISTS (
                SELECT 1 FROM slip_conflicts WHERE project_id IN (:projects) AND resolution = 'unresolved')
            OR (EXISTS (SELECT 1 FROM sprints
                        WHERE project_id IN (:projects) AND state = 'ACTIVE' AND deletion_id IS NULL)
                AND EXISTS (SELECT 1 FROM dependencies
                        WHERE successor_project_id IN (:projects) AND predecessor_project_id <> successor_project_id
                          AND deletion_id IS NULL AND NOT pending_acceptance))
         THEN 1 ELSE 0 END";
    Ok(db.count(sql!(select, projects = list(projects.iter().copied()))).await? > 0)
}

row! {
    /// A task that is committed to a running sprint, with the last day of both.
    pub struct Committed {
        pub sprint_id: SprintId,
        pub sprint_finish: NaiveDate,
        pub task_id: TaskId,
        pub project_id: ProjectId,
        pub early_finish: i32,
    }
}

/// The unfinished leaves in running sprints of the projects that have dates.
pub async fn committed(db: &dyn Read, projects: &[ProjectId]) -> Result<Vec<Committed>> {
    let select = "SELECT s.id AS sprint_id, s.finish_date AS sprint_finish, t.id AS task_id, t.project_id, d.early_finish
         FROM sprints s JOIN tasks t ON t.sprint_id = s.id AND t.deletion_id IS NULL AND t.status <> 'COMPLETE'
            AND NOT t.sprint_pending
         JOIN task_schedule d ON d.task_id = t.id AND d.early_finish IS NOT NULL AND NOT d.is_phase
         WHERE s.project_id IN (:projects) AND s.state = 'ACTIVE' AND s.deletion_id IS NULL ORDER BY s.id, t.id";
    db.all(sql!(select, projects = list(projects.iter().copied()))).await
}

row! {
    /// A link that holds between rows that have dates.
    pub struct Holding {
        pub id: DependencyId,
        pub predecessor_id: TaskId,
        pub successor_id: TaskId,
        pub crosses: bool,
    }
}

/// The links that hold within and between the projects.
pub async fn holding(db: &dyn Read, projects: &[ProjectId]) -> Result<Vec<Holding>> {
    let select = "SELECT l.id, l.predecessor_id, l.successor_id,
            l.predecessor_project_id <> l.successor_project_id AS crosses
         FROM dependencies l
         JOIN task_schedule a ON a.task_id = l.predecessor_id AND a.early_finish IS NOT NULL
         JOIN task_schedule b ON b.task_id = l.successor_id AND b.early_finish IS NOT NULL
         WHERE l.predecessor_project_id IN (:projects) AND l.successor_project_id IN (:projects)
           AND l.deletion_id IS NULL AND NOT l.pending_acceptance ORDER BY l.id";
    db.all(sql!(select, projects = list(projects.iter().copied()))).await
}

/// The unresolved conflicts of the projects, and every conflict of the tasks.
pub async fn known(db: &dyn Read, projects: &[ProjectId], tasks: Vec<TaskId>) -> Result<Vec<Conflict>> {
    let select =
        "SELECT id, sprint_id, task_id, project_id, dependency_id, upstream_task_id, pushed_to, detected_at,
            re_slip_count, resolution, resolved_at, acknowledged_by, acknowledged_at
         FROM slip_conflicts
         WHERE (project_id IN (:projects) AND resolution = 'unresolved') OR task_id IN (:tasks) ORDER BY id";
    db.all(sql!(select, projects = list(projects.iter().copied()), tasks = list(tasks))).await
}

/// Writes conflicts, those that are there already too.
pub async fn write(tx: &mut Tx, conflicts: &[Conflict]) -> Result<()> {
    let statements = conflicts.iter().map(|conflict| {
        sql!(
            "INSERT INTO slip_conflicts (id, sprint_id, task_id, project_id, dependency_id, upstream_task_id,
                pushed_to, detected_at, re_slip_count, resolution, resolved_at, acknowledged_by, acknowledged_at)
             VALUES (:id, :sprint, :task, :project, :dependency, :upstream, :pushed_to, :detected_at, :re_slips,
                :resolution, :resolved_at, :acknowledged_by, :acknowledged_at)
             ON CONFLICT (sprint_id, task_id) DO UPDATE SET dependency_id = excluded.dependency_id,
                upstream_task_id = excluded.upstream_task_id, pushed_to = excluded.pushed_to,
                detected_at = excluded.detected_at, re_slip_count = excluded.re_slip_count,
                resolution = excluded.resolution, resolved_at = excluded.resolved_at,
                acknowledged_by = excluded.acknowledged_by, acknowledged_at = excluded.acknowledged_at",
            id = conflict.id,
            sprint = conflict.sprint_id,
            task = conflict.task_id,
            project = conflict.project_id,
            dependency = conflict.dependency_id,
            upstream = conflict.upstream_task_id,
            pushed_to = conflict.pushed_to,
            detected_at = conflict.detected_at,
            re_slips = conflict.re_slip_count,
            resolution = conflict.resolution,
            resolved_at = conflict.resolved_at,
            acknowledged_by = conflict.acknowledged_by,
            acknowledged_at = conflict.acknowledged_at,
        )
    });
    tx.run_each(statements.collect()).await.map(drop)
}
