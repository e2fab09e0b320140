//! Groups of the workspace on the wire and in storage.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{GroupId, ProjectId, UserId};
use planwright_domain::{Role, person};
use planwright_store::record::OnDelete;
use planwright_store::{record, row, tracked};
use planwright_web::input::{LongText, Name, Patch};
use planwright_web::scope::Workspace;
use planwright_web::{Resource, body, input};
use schemars::JsonSchema;
use serde::Serialize;

record! {
    /// A group as it is stored.
    pub struct GroupRow in workspace_groups {
        #[serde(skip)]
        pub id: GroupId,
        pub name: String,
        /// The name without regard to case, unique in the workspace.
        #[serde(skip)]
        pub name_key: String,
        pub description: String,
        #[serde(rename = "lead")]
        pub lead_id: Option<UserId>,
        #[serde(skip)]
        pub created_at: DateTime<Utc>,
        #[serde(skip)]
        pub server_version: i64,
    }
}

// A deleted group cannot be restored: the places that it gave are gone.
tracked! {
    GroupRow as "group" {
        const ON_DELETE: OnDelete = OnDelete::Remove;
    }
}

impl GroupRow {
    /// An empty group, before anything is said of it.
    pub fn fresh(id: GroupId, now: DateTime<Utc>) -> Self {
        Self {
            id,
            name: String::new(),
            name_key: String::new(),
            description: String::new(),
            lead_id: None,
            created_at: now,
            server_version: 1,
        }
    }
}

impl Resource for GroupRow {
    type Container = Workspace;

    fn container(&self) -> Workspace {
        Workspace
    }
}

row! {
    /// Somebody in a group.
    pub struct GroupMemberRow {
        pub group_id: GroupId,
        pub id: UserId,
        pub username: String,
        pub first_name: String,
        pub last_name: String,
    }
}

row! {
    /// A project in which a group gives a place.
    pub struct GroupProjectRow {
        pub group_id: GroupId,
        pub id: ProjectId,
        pub name: String,
        pub role: Role,
    }
}

/// Somebody in a group.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct GroupMember {
    pub id: UserId,
    /// The full name. If it is not known, the user name.
    pub name: String,
    /// Two letters of it.
    pub initials: String,
    /// The background colour of these letters.
    pub color: String,
}

impl From<GroupMemberRow> for GroupMember {
    fn from(row: GroupMemberRow) -> Self {
        let name = person::display_name(&row.first_name, &row.last_name, &row.username);
        let (initials, color) = (person::initials(&name), person::color(row.id).to_owned());
        Self { id: row.id, name, initials, color }
    }
}

/// A project in which a group gives its members a place.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct GroupProjectLink {
    pub id: ProjectId,
    pub name: String,
    /// The rank that the group gives there.
    pub role: Role,
    /// Its name.
    pub role_label: &'static str,
}

impl From<GroupProjectRow> for GroupProjectLink {
    fn from(row: GroupProjectRow) -> Self {
        Self { id: row.id, name: row.name, role: row.role, role_label: row.role.project_label() }
    }
}

/// A group of people who get places in projects together.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Group {
    pub id: GroupId,
    pub name: String,
    pub description: String,
    /// The initials of the lead.
    pub lead: Option<String>,
    /// Who leads the group. A lead need not be a member and gets no rights.
    pub lead_user_id: Option<UserId>,
    /// The number of members.
    pub member_count: usize,
    /// The members by name.
    pub members: Vec<GroupMember>,
    /// The projects by name. Callers who do not administer the workspace see those in which they are members.
    pub projects: Vec<GroupProjectLink>,
    /// The version. It rises by 1 with every change.
    pub server_version: i64,
}

body! {
    /// A new group.
    pub struct GroupWriteRequest;
    /// What of a group is to change.
    pub struct PatchedGroupWriteRequest;
    required {
        /// The name, unique without regard to case.
        name: Name<1, 120>,
    }
    optional {
        description: LongText<0, 2000>,
        /// Who leads the group.
        lead: Option<UserId>,
    }
}

input! {
    /// Who comes into a group.
    pub struct GroupMemberAddRequest {
        pub user: UserId,
    }
}

input! {
    /// A project in which a group is to give a place.
    pub struct GroupProjectWriteRequest {
        pub project: ProjectId,
        /// The rank that the group gives there, below Owner. The default is 100.
        pub role: Patch<Role>,
    }
}

input! {
    /// The rank that a group is to give in a project.
    pub struct GroupProjectRankRequest {
        /// The rank, below Owner. The default is 100.
        pub role: Patch<Role>,
    }
}
