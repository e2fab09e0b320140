//! Every statement about projects themselves.
//! Creation, deletion and restore are commands of `plan`.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};
use planwright_domain::Role;
use planwright_domain::ids::{ProgramId, ProjectId, TaskId, UserId};
use planwright_domain::words::ConstraintType;
use planwright_plan::containers::ProjectRow;
use planwright_plan::schedule::lock_with_linked;
use planwright_store::dialect::{contains, pattern};
use planwright_store::value::list;
use planwright_store::{Read, Record, Result, Sql, Tx, row, sql};
use planwright_web::Actor;
use serde_json::Value as Json;

use super::model::Facets;

/// The live projects that the caller belongs to, whose name contains the text.
pub fn visible(db: &dyn Read, caller: &Actor, search: Option<&str>, ungrouped: Option<bool>) -> Sql {
    let named = format!("AND {}", contains(db.engine(), "p.name", "search"));
    let from = caller.in_visible_projects(sql!("FROM projects p WHERE p.deletion_id IS NULL"), "p.id");
    let from = match ungrouped {
        None => from,
        Some(true) => from.push(" AND p.program_id IS NULL AND p.archived_at IS NULL"),
        Some(false) => from.push(" AND p.program_id IS NOT NULL"),
    };
    from.when(&named, "search", search.map(pattern))
}

/// The live projects of a program that somebody may know of.
pub async fn of_program(db: &dyn Read, program: ProgramId, actor: &Actor) -> Result<Vec<ProjectRow>> {
    let columns = ProjectRow::select_list("p");
    let select =
        format!("SELECT {columns} FROM projects p WHERE p.program_id = :program AND p.deletion_id IS NULL");
    let known = actor.knowing_projects(sql!(select, program = program));
    db.all(known.push(" ORDER BY p.start_date, p.name, p.id")).await
}

/// Several live projects of a program that a person may know of, in the order of their ids, held until the end of the transaction.
pub async fn some_to_change(
    tx: &mut Tx,
    actor: &Actor,
    program: ProgramId,
    ids: Vec<ProjectId>,
) -> Result<Vec<ProjectRow>> {
    lock_with_linked(tx, ids.clone()).await?;
    let select = format!(
        "SELECT {} FROM projects p
         WHERE p.program_id = :program AND p.id IN (:ids) AND p.deletion_id IS NULL",
        ProjectRow::select_list("p")
    );
    tx.all(actor.knowing_projects(sql!(select, program = program, ids = list(ids))).push(" ORDER BY p.id"))
        .await
}

row! {
    struct Counted { project_id: ProjectId, members: i64 }
}

/// How many people belong to each of several projects.
pub async fn member_counts(
    db: &dyn Read,
    projects: impl IntoIterator<Item = ProjectId>,
) -> Result<HashMap<ProjectId, i64>> {
    let select = "SELECT project_id, COUNT(*) AS members FROM project_members
         WHERE project_id IN (:projects) AND deletion_id IS NULL GROUP BY project_id";
    let counted: Vec<Counted> = db.all(sql!(select, projects = list(projects))).await?;
    Ok(counted.into_iter().map(|row| (row.project_id, row.members)).collect())
}

/// The ranks somebody has in several projects.
pub async fn roles_in(
    db: &dyn Read,
    person: UserId,
    projects: impl IntoIterator<Item = ProjectId>,
) -> Result<HashMap<ProjectId, Role>> {
    let select = "SELECT project_id, role FROM project_members
         WHERE user_id = :person AND project_id IN (:projects) AND deletion_id IS NULL";
    let roles: Vec<(ProjectId, Role)> =
        db.all(sql!(select, person = person, projects = list(projects))).await?;
    Ok(roles.into_iter().collect())
}

/// Which of several projects somebody pinned.
pub async fn pinned(
    db: &dyn Read,
    person: UserId,
    projects: impl IntoIterator<Item = ProjectId>,
) -> Result<HashSet<ProjectId>> {
    let select = "SELECT object_id FROM pins
         WHERE user_id = :person AND kind = 'project' AND object_id IN (:projects)";
    let pinned: Vec<ProjectId> = db.scalars(sql!(select, person = person, projects = list(projects))).await?;
    Ok(pinned.into_iter().collect())
}

row! {
    /// What only a project's own page shows.
    pub struct Aside {
        pub unresolved: i64,
        pub recalculated_at: Option<DateTime<Utc>>,
        pub conflicts: Option<Json>,
        pub program_name: Option<String>,
        pub program_code: Option<String>,
    }
}

/// What only a project's own page shows.
pub async fn aside(db: &dyn Read, project: ProjectId) -> Result<Aside> {
    db.one(sql!(
        "SELECT (SELECT COUNT(*) FROM tasks t
                 WHERE t.project_id = p.id AND t.deletion_id IS NULL AND t.assignee_id IS NOT NULL
                   AND t.assignee_id NOT IN (SELECT m.user_id FROM project_members m
                                             WHERE m.project_id = p.id AND m.deletion_id IS NULL)) AS unresolved,
            s.computed_at AS recalculated_at, s.conflicts, g.name AS program_name, g.code AS program_code
         FROM projects p
         LEFT JOIN project_schedule s ON s.project_id = p.id
         LEFT JOIN programs g ON g.id = p.program_id
         WHERE p.id = :project",
        project = project
    ))
    .await
}

/// The names and constraints of some tasks.
pub async fn constrained(
    db: &dyn Read,
    tasks: &[TaskId],
) -> Result<Vec<(TaskId, String, Option<ConstraintType>)>> {
    let select = "SELECT id, name, constraint_type FROM tasks WHERE id IN (:ids) AND deletion_id IS NULL";
    db.all(sql!(select, ids = list(tasks.iter().copied()))).await
}

/// The roles somebody holds on a project's default team.
pub async fn facets(db: &dyn Read, project: ProjectId, person: UserId) -> Result<Facets> {
    let select = "SELECT m.is_scrum_master, m.is_product_owner
         FROM team_members m JOIN teams t ON t.id = m.team_id
         WHERE t.project_id = :project AND t.is_default = TRUE AND m.user_id = :person";
    let held: Option<(bool, bool)> = db.maybe(sql!(select, project = project, person = person)).await?;
    let (is_scrum_master, is_product_owner) = held.unwrap_or_default();
    Ok(Facets { is_scrum_master, is_product_owner })
}

/// Somebody's rank in a program that is still open.
pub async fn open_program_role(db: &dyn Read, program: ProgramId, person: UserId) -> Result<Option<Role>> {
    let select = "SELECT m.role FROM program_members m JOIN programs p ON p.id = m.program_id
         WHERE p.id = :program AND p.deletion_id IS NULL AND p.closed_at IS NULL
           AND m.user_id = :person AND m.deletion_id IS NULL";
    db.scalar(sql!(select, program = program, person = person)).await
}
