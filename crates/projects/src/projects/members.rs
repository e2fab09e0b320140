//! The members of projects: what is shown and asked of them beside what members of programs are.
//! The routes, and everything that is decided, are in `crate::members`.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use planwright_domain::Role;
use planwright_domain::access::may;
use planwright_domain::ids::{MembershipId, ProjectId, UserId};
use planwright_plan::containers::ProjectRow;
use planwright_plan::containers::members::ProjectMember;
use planwright_plan::people::UserSummary;
use planwright_store::value::list;
use planwright_store::{Read, Result, sql};
use planwright_web::{Actor, ApiError, ApiResult, Resource, body};
use schemars::JsonSchema;
use serde::Serialize;

use crate::members::{MemberChange, ShownMember, ShowsMembers, Summaries};

/// A membership of a project.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProjectMembershipRead {
    /// Its id.
    pub id: MembershipId,
    /// The version. It rises by 1 with every change.
    pub server_version: i64,
    /// The project.
    pub project: ProjectId,
    /// Who it is.
    pub user: UserId,
    /// The same person in short form.
    pub user_detail: Option<UserSummary>,
    /// The rank.
    pub role: Role,
    /// Its name.
    pub role_label: &'static str,
    /// The rank that was given directly. Null if only groups of the workspace give the place.
    pub direct_role: Option<Role>,
    /// Since when.
    pub joined_at: DateTime<Utc>,
    /// When the rank last changed.
    pub role_changed_at: Option<DateTime<Utc>>,
    /// The number of your other projects in which this person is a member. Only projects that you own are counted.
    pub other_active_project_count: i64,
    /// The names of these projects.
    pub other_active_project_names: Vec<String>,
}

body! {
    /// A person to add.
    pub struct ProjectMembershipWriteRequest;
    /// A new rank for a member.
    pub struct PatchedProjectMembershipWriteRequest;
    required {
        /// The person. Cannot be changed later.
        user: UserId,
    }
    optional {
        /// The rank, below your own; the project's default unless said otherwise.
        role: Role,
    }
}

impl From<PatchedProjectMembershipWriteRequest> for MemberChange {
    fn from(request: PatchedProjectMembershipWriteRequest) -> Self {
        Self { user: request.user, role: request.role, title: None }
    }
}

impl ShowsMembers for ProjectId {
    const NAME: &'static str = "project";
    const ALL: &'static str = "/api/v1/projects/{project_pk}/members/";
    const ONE: &'static str = "/api/v1/projects/{project_pk}/members/{id}/";
    const SUMMARIES: Summaries =
        Summaries { list: "The members of a project.", change: "Change the rank of a member." };

    type Read = may::ReadProject;
    type Manage = may::ManageProjectMembers;
    type Change = may::ManageProjectMembers;
    type Changed = PatchedProjectMembershipWriteRequest;
    type Shown = ProjectMembershipRead;

    async fn default_role(self, db: &dyn Read) -> ApiResult<Role> {
        let project = ProjectRow::find(db, self.0).await?.ok_or_else(ApiError::not_found)?;
        Ok(project.written.default_member_role)
    }

    fn entitle(_: &mut ProjectMember, _: String) {}

    async fn shown(
        self,
        db: &dyn Read,
        caller: &Actor,
        rows: Vec<ShownMember<Self>>,
    ) -> ApiResult<Vec<ProjectMembershipRead>> {
        let mut names = elsewhere(db, caller.id, self, rows.iter().map(|shown| shown.row.user_id)).await?;
        let shown = rows.into_iter().map(|ShownMember { row, person }| {
            let elsewhere = names.remove(&row.user_id).unwrap_or_default();
            ProjectMembershipRead {
                id: row.id,
                server_version: row.server_version,
                project: row.project_id,
                user: row.user_id,
                user_detail: person,
                role: row.role,
                role_label: row.role.project_label(),
                direct_role: row.direct_role,
                joined_at: row.joined_at,
                role_changed_at: row.role_changed_at,
                other_active_project_count: elsewhere.len() as i64,
                other_active_project_names: elsewhere,
            }
        });
        Ok(shown.collect())
    }
}

/// The names of the other live projects that the caller owns and that each of several people belongs to.
async fn elsewhere(
    db: &dyn Read,
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
