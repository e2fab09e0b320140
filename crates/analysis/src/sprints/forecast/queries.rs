//! Every statement of the forecast of open work.

use chrono::NaiveDate;
use planwright_domain::ids::ProjectId;
use planwright_store::{Read, Result, sql};

use super::rules::{OpenWork, PastSprint};

/// The last sprints of a project that count, the newest first.
pub async fn past_sprints(db: &impl Read, project: ProjectId, most: i64) -> Result<Vec<PastSprint>> {
    let select = "SELECT s.start_date, s.finish_date, s.completed_points AS points FROM sprints s
         WHERE s.project_id = :project AND s.deletion_id IS NULL AND s.state = 'COMPLETED'
           AND s.completed_points IS NOT NULL AND NOT s.exclude_from_velocity
         ORDER BY COALESCE(s.closed_at, s.created_at) DESC, s.finish_date DESC, s.id DESC LIMIT :most";
    db.all(sql!(select, project = project, most = most)).await
}

/// The tasks of a board that are open: no phases, no epics, no subtasks, no milestones.
pub async fn open_work(db: &impl Read, project: ProjectId) -> Result<OpenWork> {
    let select = "SELECT
            CAST(COALESCE(SUM(COALESCE(t.remaining_points, t.story_points, 0)), 0) AS BIGINT) AS points,
            COUNT(*) AS tasks,
            CAST(COALESCE(SUM(CASE WHEN t.delivery_mode = 'kanban' THEN 1 ELSE 0 END), 0) AS BIGINT) AS kanban
         FROM tasks t LEFT JOIN task_schedule s ON s.task_id = t.id
         WHERE t.project_id = :project AND t.deletion_id IS NULL AND t.status <> 'COMPLETE' AND t.type <> 'epic'
           AND NOT t.is_subtask AND NOT t.is_milestone AND NOT COALESCE(s.is_phase, FALSE)";
    db.one(sql!(select, project = project)).await
}

/// The days since one on which tasks of a board were completed, one for each task.
pub async fn finishes(db: &impl Read, project: ProjectId, since: NaiveDate) -> Result<Vec<NaiveDate>> {
    let select = "SELECT t.actual_finish FROM tasks t LEFT JOIN task_schedule s ON s.task_id = t.id
         WHERE t.project_id = :project AND t.deletion_id IS NULL AND t.status = 'COMPLETE' AND t.type <> 'epic'
           AND NOT t.is_subtask AND NOT t.is_milestone AND NOT COALESCE(s.is_phase, FALSE)
           AND t.actual_finish >= :since";
    db.scalars(sql!(select, project = project, since = since)).await
}
