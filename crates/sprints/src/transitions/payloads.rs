//! What other services are sent when a sprint begins or closes. What was completed is told only where it is for everybody.

use planwright_plan::sprints::{SprintRow, VelocityGate};
use serde_json::{Value as Json, json};

/// A sprint that begins.
pub fn activated(row: &SprintRow, source: &str) -> Json {
    json!({
        "id": row.id,
        "project": row.project_id,
        "name": row.name,
        "goal": row.goal,
        "state": row.state,
        "start_date": row.start_date,
        "finish_date": row.finish_date,
        "activated_at": row.activated_at,
        "committed_points": row.committed_points,
        "committed_task_count": row.committed_task_count,
        "source": source,
    })
}

/// A sprint that closes; `public` is the gate as everybody finds it.
pub fn closed(row: &SprintRow, source: &str, public: VelocityGate) -> Json {
    let mut body = activated(row, source);
    body["closed_at"] = json!(row.closed_at);
    body["velocity_suppressed"] = json!(!public.is_open);
    body["completed_points"] = json!(public.lets(row.completed_points));
    body["completed_task_count"] = json!(public.lets(row.completed_task_count));
    body["goal_outcome"] = json!(public.lets(row.goal_outcome));
    body
}
