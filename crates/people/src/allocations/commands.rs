//! Changes of allocations that several routes share.
//! Each raises the version of its task, because the task shows its allocations.

use planwright_domain::ids::{ProjectId, ResourceId, TaskId};
use planwright_plan::edit::Edit;
use planwright_plan::tasks::write::{self, TaskRecord};
use planwright_store::record::find_live;
use planwright_web::{ApiError, ApiResult};
use serde_json::json;

use super::model::AllocationRow;
use crate::roster;
use crate::roster::model::RosterRow;

/// Notes on a task that its allocation of a resource has changed, in hundredths of a capacity.
pub async fn note(
    edit: &mut Edit,
    task: TaskId,
    resource: ResourceId,
    [old, new]: [Option<i64>; 2],
) -> ApiResult<()> {
    let row: TaskRecord = find_live(edit, task.0).await?.ok_or_else(ApiError::not_found)?;
    let side = |units: Option<i64>| json!(units.map(|units| json!({ "resource": resource, "units": units })));
    write::update_facet(edit, &row, row.clone(), "assignments", [side(old), side(new)]).await.map(drop)
}

/// Takes allocations off their tasks.
pub async fn remove_all(edit: &mut Edit, allocations: &[AllocationRow]) -> ApiResult<()> {
    for row in allocations {
        edit.delete(row).await?;
        note(edit, row.task_id, row.resource_id, [Some(row.units), None]).await?;
    }
    Ok(())
}

/// Puts a resource on the roster of a project unless it is there.
pub async fn enrol(edit: &mut Edit, project: ProjectId, resource: ResourceId) -> ApiResult<()> {
    if roster::queries::on_roster(edit, project, &[resource]).await?.contains(&resource) {
        return Ok(());
    }
    let row = RosterRow::fresh(edit.mint(), project, resource, edit.now());
    edit.create(&row).await
}
