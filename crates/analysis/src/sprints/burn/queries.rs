//! Every statement about how a project burns.

use chrono::NaiveDate;
use planwright_domain::ids::ProjectId;
use planwright_domain::words::BurnMetric;
use planwright_plan::schedule::network::date;
use planwright_store::{Read, Result, sql};

use super::rules::{BurnMove, BurnTask};
use crate::sprints::queries::board;

/// The tasks of a board as they are now.
pub async fn tasks(db: &dyn Read, project: ProjectId) -> Result<Vec<BurnTask>> {
    let board = board();
    let select = format!(
        "SELECT t.id, t.status, COALESCE(t.story_points, 0) AS points,
            COALESCE(t.remaining_points, t.story_points, 0) AS remaining, t.created_at, t.actual_start, t.actual_finish
         {board}"
    );
    db.all(sql!(select, project = project)).await
}

/// The moves of all tasks of a project, in order of time.
pub async fn moves(db: &dyn Read, project: ProjectId) -> Result<Vec<BurnMove>> {
    let select = "SELECT x.task_id, x.at, x.old_status, x.new_status,
            COALESCE(x.old_points, 0) AS old_points, COALESCE(x.new_points, 0) AS new_points,
            COALESCE(x.old_remaining, 0) AS old_remaining, COALESCE(x.new_remaining, 0) AS new_remaining
         FROM task_transitions x WHERE x.project_id = :project ORDER BY x.at, x.id";
    db.all(sql!(select, project = project)).await
}

/// The computed finish of a project.
pub async fn computed_finish(db: &dyn Read, project: ProjectId) -> Result<Option<NaiveDate>> {
    let select = "SELECT finish_day FROM project_schedule WHERE project_id = :project";
    let finish: Option<Option<i32>> = db.scalar(sql!(select, project = project)).await?;
    Ok(finish.flatten().and_then(date))
}

/// The last day and the amount of each task of a board in the active baseline; nothing without one.
pub async fn baseline(
    db: &dyn Read,
    project: ProjectId,
    metric: BurnMetric,
) -> Result<Option<Vec<(NaiveDate, i64)>>> {
    let board = board();
    let active = "SELECT COUNT(*) FROM baselines
         WHERE project_id = :project AND is_active AND deletion_id IS NULL";
    if db.count(sql!(active, project = project)).await? == 0 {
        return Ok(None);
    }
    let amount = match metric {
        BurnMetric::Tasks => "CAST(1 AS BIGINT)",
        BurnMetric::Points => "COALESCE(x.story_points, 0)",
    };
    let select = format!(
        "SELECT x.finish_date, {amount} AS amount
         FROM baseline_tasks x JOIN baselines a ON a.id = x.baseline_id AND a.is_active AND a.deletion_id IS NULL
         WHERE a.project_id = :project AND x.finish_date IS NOT NULL AND x.task_id IN (SELECT t.id {board})"
    );
    Ok(Some(db.all(sql!(select, project = project)).await?))
}
