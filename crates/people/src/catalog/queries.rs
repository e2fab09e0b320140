//! Every statement about the catalogue; single live rows are read and written through items and edits.

use std::collections::HashMap;

use planwright_domain::access::{self, Action};
use planwright_domain::ids::{CalendarId, ProgramId, ProjectId, ResourceId, UserId};
use planwright_store::dialect::{contains, pattern};
use planwright_store::value::list;
use planwright_store::{Read, Record, Result, Sql, Tx, sql};
use planwright_web::Actor;

use super::model::{EverRow, Reader, Resource, ResourceFilter, ResourceRow, SeenRow};
use crate::skills::queries::skills_of;

/// Whether a resource stands for the caller `:me`: it is linked to them, or to nobody and has their e-mail address.
pub const IS_ME: &str = "COALESCE(r.user_id = :me, r.email <> '' AND lower(r.email) =
    (SELECT lower(u.email) FROM users u WHERE u.id = :me), FALSE)";

/// The columns of a resource with what the caller `:me` is to it.
pub fn seen() -> String {
    let columns = ResourceRow::select_list("r");
    format!("SELECT {IS_ME} AS is_me, r.deletion_id IS NOT NULL AS is_deleted, {columns}")
}

/// The resources that a list shows to its reader.
pub fn listed(db: &dyn Read, reader: &Reader, filter: &ResourceFilter, search: Option<&str>) -> Sql {
    let edits = access::allows(Action::EditResources, reader.role);
    let with_deleted = edits && filter.include_deleted.as_given() == Some(&true);
    let live = if with_deleted { "TRUE" } else { "r.deletion_id IS NULL" };
    let by_name = contains(db.engine(), "r.name", "search");
    let by_email = contains(db.engine(), "r.email", "search");
    let found = if edits { format!("AND ({by_name} OR {by_email})") } else { format!("AND {by_name}") };
    let all = sql!(format!("FROM resources r WHERE {live}"), me = reader.actor.id);
    let found = all.when(&found, "search", search.map(pattern));
    match filter.exclude_project.as_given() {
        None => found,
        Some(project) => {
            let on_roster = " AND NOT EXISTS (SELECT 1 FROM project_resources x
                 WHERE x.resource_id = r.id AND x.deletion_id IS NULL AND x.project_id = :excluded";
            let excluding = found.push(on_roster).bind("excluded", *project);
            reader.actor.in_visible_projects(excluding, "x.project_id").push(")")
        }
    }
}

/// Some resources as their reader may see them, by id; those that were deleted too.
pub async fn shown(
    db: &dyn Read,
    reader: &Reader,
    ids: &[ResourceId],
) -> Result<HashMap<ResourceId, Resource>> {
    let select = format!("{} FROM resources r WHERE r.id IN (:ids)", seen());
    let rows: Vec<SeenRow> =
        db.all(sql!(select, ids = list(ids.iter().copied()), me = reader.actor.id)).await?;
    let mut skills = skills_of(db, ids).await?;
    let shown = |row: SeenRow| {
        let own = skills.remove(&row.resource.id).unwrap_or_default();
        (row.resource.id, Resource::seen(row, own, reader))
    };
    Ok(rows.into_iter().map(shown).collect())
}

/// A resource that is, or once was, in the catalogue.
pub async fn ever(db: &dyn Read, id: ResourceId) -> Result<Option<EverRow>> {
    let columns = ResourceRow::select_list("r");
    db.maybe(sql!(format!("SELECT r.deletion_id, {columns} FROM resources r WHERE r.id = :id"), id = id))
        .await
}

/// The same as it stands once it is locked.
pub async fn ever_locked(tx: &mut Tx, id: ResourceId) -> Result<Option<EverRow>> {
    tx.lock_rows("resources", [id.0]).await?;
    ever(tx, id).await
}

/// Whether a calendar is in the library.
pub async fn calendar_exists(db: &dyn Read, id: CalendarId) -> Result<bool> {
    let count = "SELECT COUNT(*) FROM calendars WHERE id = :id AND deletion_id IS NULL";
    Ok(db.count(sql!(count, id = id)).await? > 0)
}

/// Whether somebody has an account.
pub async fn user_exists(db: &dyn Read, id: UserId) -> Result<bool> {
    Ok(db.count(sql!("SELECT COUNT(*) FROM users WHERE id = :id", id = id)).await? > 0)
}

/// The live projects that have a resource on their roster, with their programs.
pub async fn projects_with(
    db: &dyn Read,
    resource: ResourceId,
) -> Result<Vec<(ProjectId, Option<ProgramId>)>> {
    let select = "SELECT p.id, p.program_id FROM project_resources x
         JOIN projects p ON p.id = x.project_id AND p.deletion_id IS NULL
         WHERE x.resource_id = :resource AND x.deletion_id IS NULL ORDER BY p.id";
    db.all(sql!(select, resource = resource)).await
}

/// The columns of a task that a resource is allocated to.
pub const ASSIGNMENT: &str = "SELECT a.id, t.id AS task_id, t.name AS task_name, p.id AS project_id,
    p.name AS project_name, a.units,
    CASE WHEN s.is_phase THEN COALESCE(s.rolled_status, t.status) ELSE t.status END AS status,
    CASE WHEN s.is_phase THEN COALESCE(s.rolled_percent, t.percent_complete) ELSE t.percent_complete END
        AS percent_complete";

/// The tasks that a resource is allocated to, in all projects.
pub fn assignments(db: &dyn Read, actor: &Actor, resource: ResourceId, search: Option<&str>) -> Sql {
    let named = format!("AND {}", contains(db.engine(), "t.name", "search"));
    let from = sql!(
        "FROM task_resources a JOIN tasks t ON t.id = a.task_id AND t.deletion_id IS NULL
         JOIN projects p ON p.id = t.project_id AND p.deletion_id IS NULL
         LEFT JOIN task_schedule s ON s.task_id = t.id
         WHERE a.resource_id = :resource AND a.deletion_id IS NULL",
        resource = resource
    );
    let from = match actor.may(Action::AdministerWorkspace, actor.workspace_role) {
        true => from,
        false => actor.knowing_projects(from),
    };
    from.when(&named, "search", search.map(pattern))
}
