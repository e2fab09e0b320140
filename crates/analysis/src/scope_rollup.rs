//! `/api/v1/tasks/{id}/scope/`: how much work stands below a task in story points, now and in the active baseline.
//! A row with rows below it is the sum of its leaves; a leaf is itself.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::ids::TaskId;
use planwright_store::{Read, Result, sql};
use planwright_web::{ApiResult, App, Item, Json, Routes, says};
use schemars::JsonSchema;
use serde::Serialize;

use planwright_plan::tasks::write::TaskRecord;

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new().get(
        "/api/v1/tasks/{id}/scope/",
        show,
        says("The story points of a task, now and in its baseline."),
    )
}

/// Story points of a task.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct TaskScopeRollup {
    /// The current number of points.
    pub current_scope: i64,
    /// The points in the active baseline. Null without a baseline.
    pub baselined_scope: Option<i64>,
    /// The points that were added since then. Negative if there are fewer.
    pub scope_delta: Option<i64>,
    /// Whether the project has an active baseline.
    pub has_baseline: bool,
}

async fn show(
    State(app): State<App>,
    item: Item<TaskRecord, may::ReadProject>,
) -> ApiResult<Json<TaskScopeRollup>> {
    let (current, kept, baselines) = points(&app.db, item.row.id).await?;
    let baselined_scope = (baselines > 0).then_some(kept);
    Ok(Json(TaskScopeRollup {
        current_scope: current,
        baselined_scope,
        scope_delta: baselined_scope.map(|kept| current - kept),
        has_baseline: baselines > 0,
    }))
}

/// Points of the leaves now, those of the leaves that the active baseline kept, deleted ones too, and how many active baselines
/// there are.
async fn points(db: &dyn Read, task: TaskId) -> Result<(i64, i64, i64)> {
    let select = "WITH RECURSIVE below (id) AS (
            SELECT id FROM tasks WHERE id = :task
            UNION SELECT t.id FROM tasks t JOIN below b ON t.parent_id = b.id WHERE t.deletion_id IS NULL),
         ever (id) AS (
            SELECT id FROM tasks WHERE id = :task UNION SELECT t.id FROM tasks t JOIN ever e ON t.parent_id = e.id),
         leaves (id) AS (SELECT b.id FROM below b WHERE NOT EXISTS (
            SELECT 1 FROM tasks c WHERE c.parent_id = b.id AND c.deletion_id IS NULL)),
         active (id) AS (SELECT a.id FROM baselines a JOIN tasks t ON t.project_id = a.project_id
            WHERE t.id = :task AND a.is_active AND a.deletion_id IS NULL)
         SELECT (SELECT CAST(COALESCE(SUM(t.story_points), 0) AS BIGINT)
                 FROM tasks t JOIN leaves l ON l.id = t.id) AS points,
            (SELECT CAST(COALESCE(SUM(x.story_points), 0) AS BIGINT) FROM baseline_tasks x
                JOIN ever e ON e.id = x.task_id JOIN active a ON a.id = x.baseline_id
                WHERE x.is_leaf = TRUE OR (x.is_leaf IS NULL AND x.task_id IN (SELECT id FROM leaves))) AS kept,
            (SELECT COUNT(*) FROM active) AS baselines";
    db.one(sql!(select, task = task)).await
}
