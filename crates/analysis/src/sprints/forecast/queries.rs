//! Every statement of the forecast of open work.

use chrono::NaiveDate;
use planwright_domain::ids::ProjectId;
use planwright_store::{Read, Result, sql};

use super::rules::OpenWork;
use crate::sprints::queries::board;

/// The tasks of a board that are open: no phases, no epics, no subtasks, no milestones.
pub async fn open_work(db: &dyn Read, project: ProjectId) -> Result<OpenWork> {
    let board = board();
    let select = format!(
        "SELECT CAST(COALESCE(SUM(COALESCE(t.remaining_points, t.story_points, 0)), 0) AS BIGINT) AS points,
            COUNT(*) AS tasks,
            CAST(COALESCE(SUM(CASE WHEN t.delivery_mode = 'kanban' THEN 1 ELSE 0 END), 0) AS BIGINT) AS kanban
         {board} AND t.status <> 'COMPLETE'"
    );
    db.one(sql!(select, project = project)).await
}

/// The days since one on which tasks of a board were completed, one for each task.
pub async fn finishes(db: &dyn Read, project: ProjectId, since: NaiveDate) -> Result<Vec<NaiveDate>> {
    let board = board();
    let select =
        format!("SELECT t.actual_finish {board} AND t.status = 'COMPLETE' AND t.actual_finish >= :since");
    db.scalars(sql!(select, project = project, since = since)).await
}
