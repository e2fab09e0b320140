//! What a place on a roster may look like, and when it may not go: pure decisions over rows and requests.

use planwright_plan::tasks::rules::units_text;
use planwright_web::{ApiError, ApiResult};
use serde_json::json;

use super::model::{KeepingTask, PatchedProjectResourceRequest, ProjectResource, RosterRow};
use crate::catalog::model::Resource;
use planwright_plan::tasks::of_task::stays;

/// How many tasks a refusal names.
const NAMED_TASKS: usize = 10;

/// How many names of tasks a refusal gives as an example.
const SAMPLE: usize = 5;

/// The row with the wanted fields changed.
///
/// # Errors
/// 400 when another project or resource is asked for.
pub fn changed(mut row: RosterRow, request: PatchedProjectResourceRequest) -> ApiResult<RosterRow> {
    stays("project", &row.project_id, request.project.as_given())?;
    stays("resource", &row.resource_id, request.resource.as_given())?;
    request.role_title.write_to(&mut row.role_title);
    if let Some(units) = request.units_override.given() {
        row.units_override = units.map(i64::from);
    }
    request.notes.write_to(&mut row.notes);
    Ok(row)
}

/// A row with its resource, on the wire.
pub fn shown(row: RosterRow, resource: Resource) -> ProjectResource {
    let own = row.units_override.map(units_text);
    ProjectResource {
        id: row.id,
        server_version: row.server_version,
        project: row.project_id,
        resource: row.resource_id,
        role_title: row.role_title,
        effective_max_units: own.clone().unwrap_or_else(|| resource.max_units.clone()),
        units_override: own,
        notes: row.notes,
        resource_detail: resource,
    }
}

/// The refusal to let a resource go that tasks are allocated to.
pub fn has_assignments(tasks: &[KeepingTask]) -> ApiError {
    let affected: Vec<_> =
        tasks.iter().take(NAMED_TASKS).map(|task| json!({ "id": task.id, "name": task.name })).collect();
    let names: Vec<_> = tasks.iter().take(SAMPLE).map(|task| task.name.clone()).collect();
    ApiError::conflict("The resource is allocated to tasks of the project.")
        .with_code("has_assignments")
        .with("affected_tasks", affected)
        .with("task_names", names)
        .with("assignment_count", tasks.len())
}

#[cfg(test)]
mod tests {
    use planwright_domain::ids::TaskId;
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_refusal_names_ten_tasks_gives_five_names_and_counts_all() {
        let task = |at: u128| KeepingTask { id: TaskId(Uuid::from_u128(at)), name: at.to_string() };
        let refusal = has_assignments(&(1..=12).map(task).collect::<Vec<_>>());
        let body = refusal.body();
        assert_eq!(body["affected_tasks"].as_array().map(Vec::len), Some(10));
        assert_eq!(body["task_names"], json!(["1", "2", "3", "4", "5"]));
        assert_eq!(body["assignment_count"], 12);
    }
}
