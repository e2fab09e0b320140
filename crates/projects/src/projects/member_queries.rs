//! Every statement that reads who belongs to a project.
//! Adding, changing and removing members are commands of `plan`.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use planwright_domain::Role;
use planwright_domain::ids::{MembershipId, ProjectId, UserId};
use planwright_store::value::list;
use planwright_store::{Read, Result, row, sql};

row! {
    /// A membership as it is stored.
    pub(super) struct MemberRow {
        pub(super) id: MembershipId,
        pub(super) project_id: ProjectId,
        pub(super) user_id: UserId,
        pub(super) role: Role,
        pub(super) joined_at: DateTime<Utc>,
        pub(super) role_changed_at: Option<DateTime<Utc>>,
        pub(super) server_version: i64,
    }
}

const LIVE: &str =
    "SELECT m.id, m.project_id, m.user_id, m.role, m.joined_at, m.role_changed_at, m.server_version
     FROM project_members m JOIN users u ON u.id = m.user_id
     WHERE m.project_id = :project AND m.deletion_id IS NULL";

/// The members of a project by name, or one person's row.
pub(super) async fn members_of(
    db: &impl Read,
    project: ProjectId,
    only: Option<UserId>,
) -> Result<Vec<MemberRow>> {
    let members = sql!(LIVE, project = project).when("AND m.user_id = :only", "only", only);
    db.all(members.push(" ORDER BY u.username, m.id")).await
}

/// One membership of a project.
pub(super) async fn find_member(
    db: &impl Read,
    project: ProjectId,
    id: MembershipId,
) -> Result<Option<MemberRow>> {
    db.maybe(sql!(LIVE, project = project).when("AND m.id = :id", "id", Some(id))).await
}

/// The names of the other live projects that the caller owns and that each of several people belongs to.
pub(super) async fn elsewhere(
    db: &impl Read,
    caller: UserId,
    project: ProjectId,
    people: impl IntoIterator<Item = UserId>,
) -> Result<HashMap<UserId, Vec<String>>> {
    let select = "SELECT m.user_id, p.name
         FROM project_members m
         JOIN projects p ON p.id = m.project_id AND p.deletion_id IS NULL AND p.archived_at IS NULL
         JOIN project_members mine ON mine.project_id = p.id AND mine.deletion_id IS NULL
         WHERE mine.user_id = :caller AND mine.role = :owner AND m.deletion_id IS NULL
           AND m.user_id IN (:people) AND p.id <> :project
         ORDER BY p.name, p.id";
    let rows: Vec<(UserId, String)> = db
        .all(sql!(select, caller = caller, owner = Role::Owner, people = list(people), project = project))
        .await?;
    let mut names: HashMap<UserId, Vec<String>> = HashMap::new();
    for (person, name) in rows {
        names.entry(person).or_default().push(name);
    }
    Ok(names)
}
