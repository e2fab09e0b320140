//! Every statement about rosters; single rows are read and written through items and edits.

use std::collections::HashSet;

use planwright_domain::ids::{ProjectId, ResourceId};
use planwright_store::value::list;
use planwright_store::{Read, Record, Result, Sql, sql};
use planwright_web::Actor;

use super::model::{KeepingTask, RosterRow};
use crate::allocations::model::AllocationRow;

/// The columns of a place on a roster.
pub fn columns() -> String {
    format!("SELECT {}", RosterRow::select_list("x"))
}

/// The rosters of projects that the caller sees, or that of one.
pub fn listed(actor: &Actor, project: Option<ProjectId>) -> Sql {
    let all = sql!(
        "FROM project_resources x JOIN resources r ON r.id = x.resource_id AND r.deletion_id IS NULL
         WHERE x.deletion_id IS NULL"
    );
    let of_one = all.when("AND x.project_id = :project", "project", project);
    actor.in_visible_projects(of_one, "x.project_id")
}

/// Those of some resources that are on the roster of a project.
pub async fn on_roster(
    db: &dyn Read,
    project: ProjectId,
    resources: &[ResourceId],
) -> Result<HashSet<ResourceId>> {
    let select = "SELECT resource_id FROM project_resources
         WHERE project_id = :project AND deletion_id IS NULL AND resource_id IN (:resources)";
    let ids = list(resources.iter().copied());
    Ok(db.scalars(sql!(select, project = project, resources = ids)).await?.into_iter().collect())
}

const KEEPING: &str = "FROM task_resources a JOIN tasks t ON t.id = a.task_id AND t.deletion_id IS NULL
    WHERE a.resource_id = :resource AND a.deletion_id IS NULL AND t.project_id = :project";

/// The live tasks of a project that a resource is allocated to, by name.
pub async fn keeping(db: &dyn Read, project: ProjectId, resource: ResourceId) -> Result<Vec<KeepingTask>> {
    let select = format!("SELECT t.id, t.name {KEEPING} ORDER BY t.name, t.id");
    db.all(sql!(select, resource = resource, project = project)).await
}

/// The live allocations of a resource in a project.
pub async fn allocations(
    db: &dyn Read,
    project: ProjectId,
    resource: ResourceId,
) -> Result<Vec<AllocationRow>> {
    let columns = AllocationRow::select_list("a");
    let select = format!("SELECT {columns} {KEEPING} ORDER BY a.id");
    db.all(sql!(select, resource = resource, project = project)).await
}
