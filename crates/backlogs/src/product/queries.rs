//! Every statement about product backlogs; the rows themselves are read and written as tasks.

use planwright_domain::ids::{ProjectId, TaskId};
use planwright_domain::words::PrioritizationModel;
use planwright_store::value::list;
use planwright_store::{Read, Result, sql};

use super::model::BacklogRow;

/// A row that waits: in no sprint and not done, no part of another row and no phase. A plain task waits when its status or
/// its epic says so; the other kinds of work always do.
const WAITS: &str = "(t.sprint_id IS NULL AND t.status <> 'COMPLETE' AND t.type <> 'epic'
    AND NOT t.is_subtask AND NOT t.is_milestone AND NOT t.is_recurring
    AND (t.status = 'BACKLOG' OR t.type <> 'task' OR t.parent_epic_id IS NOT NULL)
    AND NOT EXISTS (SELECT 1 FROM tasks c
        WHERE c.parent_id = t.id AND c.deletion_id IS NULL AND NOT c.is_subtask))";

const OF_PROJECT: &str = "FROM tasks t WHERE t.project_id = :project AND t.deletion_id IS NULL";

const IN_ORDER: &str = "ORDER BY t.priority_rank ASC NULLS LAST, t.id";

/// The rows that wait and those below epics, in their order.
pub async fn rows(db: &dyn Read, project: ProjectId) -> Result<Vec<BacklogRow>> {
    let select = format!(
        "SELECT t.id, t.type, e.id AS epic_id, {WAITS} AS waits, t.status = 'COMPLETE' AS is_done, t.dor,
            t.story_points, COALESCE(k.criteria, 0) AS criteria, COALESCE(k.met, 0) AS criteria_met
         FROM tasks t
         LEFT JOIN tasks e ON e.id = t.parent_epic_id AND e.deletion_id IS NULL AND e.type = 'epic'
         LEFT JOIN (SELECT a.task_id, COUNT(*) AS criteria,
                        CAST(SUM(CASE WHEN a.met THEN 1 ELSE 0 END) AS BIGINT) AS met
                    FROM acceptance_criteria a
                    JOIN tasks o ON o.id = a.task_id AND o.project_id = :project
                    WHERE a.deletion_id IS NULL GROUP BY a.task_id) k ON k.task_id = t.id
         WHERE t.project_id = :project AND t.deletion_id IS NULL AND t.type <> 'epic' AND NOT t.is_subtask
            AND (e.id IS NOT NULL OR {WAITS}) {IN_ORDER}"
    );
    db.all(sql!(select, project = project)).await
}

/// The epics of a project, in their order.
pub async fn epics(db: &dyn Read, project: ProjectId) -> Result<Vec<TaskId>> {
    let select = format!("SELECT t.id {OF_PROJECT} AND t.type = 'epic' {IN_ORDER}");
    db.scalars(sql!(select, project = project)).await
}

/// The rows that wait, in their order, with their ranks.
pub async fn waiting(db: &dyn Read, project: ProjectId) -> Result<Vec<(TaskId, Option<i64>)>> {
    let select = format!("SELECT t.id, t.priority_rank {OF_PROJECT} AND {WAITS} {IN_ORDER}");
    db.all(sql!(select, project = project)).await
}

/// The rows that wait and the epics, in their order, with their ranks.
pub async fn shown(db: &dyn Read, project: ProjectId) -> Result<Vec<(TaskId, Option<i64>)>> {
    let select =
        format!("SELECT t.id, t.priority_rank {OF_PROJECT} AND (t.type = 'epic' OR {WAITS}) {IN_ORDER}");
    db.all(sql!(select, project = project)).await
}

/// Those of some rows that wait or are epics of a project, with their ranks.
pub async fn among(
    db: &dyn Read,
    project: ProjectId,
    ids: impl IntoIterator<Item = TaskId>,
) -> Result<Vec<(TaskId, Option<i64>)>> {
    let select = format!(
        "SELECT t.id, t.priority_rank {OF_PROJECT} AND t.id IN (:ids) AND (t.type = 'epic' OR {WAITS})"
    );
    db.all(sql!(select, project = project, ids = list(ids))).await
}

const RANKED: &str = "FROM tasks t WHERE t.project_id = :project AND t.deletion_id IS NULL
    AND t.priority_rank IS NOT NULL";

/// The next ranked rows of a project from a place on, that row included.
pub async fn ranked_from(
    db: &dyn Read,
    project: ProjectId,
    (rank, id): (i64, TaskId),
    most: i64,
) -> Result<Vec<(TaskId, i64)>> {
    let select = format!(
        "SELECT t.id, t.priority_rank {RANKED} AND (t.priority_rank > :rank OR (t.priority_rank = :rank AND t.id >= :id))
         ORDER BY t.priority_rank, t.id LIMIT :most"
    );
    db.all(sql!(select, project = project, rank = rank, id = id, most = most)).await
}

/// The last ranks before a place, nearest first.
pub async fn ranked_before(
    db: &dyn Read,
    project: ProjectId,
    (rank, id): (i64, TaskId),
    most: i64,
) -> Result<Vec<(TaskId, i64)>> {
    let select = format!(
        "SELECT t.id, t.priority_rank {RANKED} AND (t.priority_rank < :rank OR (t.priority_rank = :rank AND t.id < :id))
         ORDER BY t.priority_rank DESC, t.id DESC LIMIT :most"
    );
    db.all(sql!(select, project = project, rank = rank, id = id, most = most)).await
}

/// The capacity of the sprint that runs, or else of the next one.
pub async fn capacity(db: &dyn Read, project: ProjectId) -> Result<Option<i64>> {
    let select = "SELECT capacity_points FROM sprints
         WHERE project_id = :project AND deletion_id IS NULL AND state IN ('ACTIVE', 'PLANNED')
         ORDER BY CASE WHEN state = 'ACTIVE' THEN 0 ELSE 1 END, start_date, id LIMIT 1";
    Ok(db.scalar::<Option<i64>>(sql!(select, project = project)).await?.flatten())
}

/// The formula by which a project scores its backlog.
pub async fn model(db: &dyn Read, project: ProjectId) -> Result<PrioritizationModel> {
    let select = "SELECT prioritization_model FROM projects WHERE id = :project";
    Ok(db.scalar(sql!(select, project = project)).await?.unwrap_or(PrioritizationModel::None))
}
