//! Members of the workspace on the wire and in storage.
//! Who may change whom is in `rules.rs`.

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::ids::UserId;
use planwright_domain::words::MemberStatus;
use planwright_domain::{Role, person};
use planwright_store::record::{Numbered, OnDelete};
use planwright_store::{record, row, tracked};
use planwright_web::input::{Int, LongText, Patch};
use planwright_web::scope::Workspace;
use planwright_web::{Resource, input};
use schemars::JsonSchema;
use serde::Serialize;

row! {
    /// A member as they are stored.
    pub struct MemberRow {
        pub id: UserId,
        pub username: String,
        pub first_name: String,
        pub last_name: String,
        pub email: String,
        pub is_active: bool,
        pub workspace_role: Role,
        pub status: MemberStatus,
        pub last_login_at: Option<DateTime<Utc>>,
        pub project_count: i64,
        pub uses_sso: bool,
        pub has_second_factor: bool,
        pub availability_percent: i64,
        pub availability_effective_from: Option<NaiveDate>,
        pub availability_effective_to: Option<NaiveDate>,
        pub availability_notes: String,
        pub server_version: i64,
    }
}

record! {
    /// What the workspace decides about a person.
    pub struct StandingRow in users {
        pub id: UserId,
        pub is_active: bool,
        pub workspace_role: Role,
        pub status: MemberStatus,
        pub server_version: i64,
    }
}

tracked! {
    StandingRow as "user" {
        const ON_DELETE: OnDelete = OnDelete::Remove;
        const NUMBERED: Numbered = Numbered::Nowhere;
    }
}

impl Resource for StandingRow {
    type Container = Workspace;

    fn container(&self) -> Workspace {
        Workspace
    }
}

impl MemberRow {
    /// What of it the workspace decides.
    pub fn decided(&self) -> StandingRow {
        StandingRow {
            id: self.id,
            is_active: self.is_active,
            workspace_role: self.workspace_role,
            status: self.status,
            server_version: self.server_version,
        }
    }

    /// The status in force: a person who may not sign in is deactivated, whatever else is written.
    pub fn standing(&self) -> MemberStatus {
        if self.is_active { self.status } else { MemberStatus::Deactivated }
    }

    /// Whether this is an Owner who may act as one.
    pub fn is_acting_owner(&self) -> bool {
        self.workspace_role == Role::Owner && self.standing() == MemberStatus::Active
    }
}

/// A member of the workspace.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct WorkspaceMember {
    /// Their id.
    pub id: UserId,
    /// The full name. If it is not known, the user name.
    pub name: String,
    /// Two letters of it.
    pub initials: String,
    /// The background colour of these letters.
    pub color: String,
    /// The e-mail address. It may be empty.
    pub email: String,
    /// Their rank in words.
    pub role: String,
    /// Their rank.
    pub role_value: Role,
    /// The names of the groups they are in.
    pub groups: Vec<String>,
    /// The number of projects in which the person is a member.
    pub project_count: i64,
    /// When they signed in last.
    pub last_active: Option<DateTime<Utc>>,
    /// The status of the account.
    pub status: MemberStatus,
    /// The share of their time that is available, in percent.
    pub availability_percent: i64,
    /// The first day on which this availability applies. Null means no first day.
    pub availability_effective_from: Option<NaiveDate>,
    /// The last day on which this availability applies. Null means no last day.
    pub availability_effective_to: Option<NaiveDate>,
    /// A note on the availability.
    pub availability_notes: String,
    /// Whether the person uses single sign-on.
    pub sso: bool,
    /// Whether the person uses a second factor.
    pub two_fa: bool,
}

impl WorkspaceMember {
    /// A member with the names of their groups.
    pub fn of(row: MemberRow, groups: Vec<String>) -> Self {
        let name = person::display_name(&row.first_name, &row.last_name, &row.username);
        Self {
            id: row.id,
            initials: person::initials(&name),
            color: person::color(row.id).to_owned(),
            role: row.workspace_role.workspace_label().to_owned(),
            role_value: row.workspace_role,
            groups,
            project_count: row.project_count,
            last_active: row.last_login_at,
            status: row.standing(),
            availability_percent: row.availability_percent,
            availability_effective_from: row.availability_effective_from,
            availability_effective_to: row.availability_effective_to,
            availability_notes: row.availability_notes,
            sso: row.uses_sso,
            two_fa: row.has_second_factor,
            email: row.email,
            name,
        }
    }
}

input! {
    /// The changes of a member. At least one field is required.
    pub struct PatchedWorkspaceMemberUpdateRequest {
        /// The rank: 100 Member, 300 Admin, 400 Owner; below one's own.
        pub role: Patch<Role>,
        /// The status of the account.
        pub status: Patch<MemberStatus>,
        /// The share of their time that is available, in percent.
        pub availability_percent: Patch<Int<0, 100>>,
        /// The first day on which this availability applies.
        pub availability_effective_from: Patch<Option<NaiveDate>>,
        /// The last day on which this availability applies.
        pub availability_effective_to: Patch<Option<NaiveDate>>,
        /// A note on the availability.
        pub availability_notes: Patch<LongText<0, 2000>>,
    }
}

impl PatchedWorkspaceMemberUpdateRequest {
    /// The request that somebody should no longer act.
    pub fn deactivating() -> Self {
        Self {
            role: Patch::Absent,
            status: Patch::Set(MemberStatus::Deactivated),
            availability_percent: Patch::Absent,
            availability_effective_from: Patch::Absent,
            availability_effective_to: Patch::Absent,
            availability_notes: Patch::Absent,
        }
    }

    /// Whether it says anything about rank or status.
    pub fn concerns_standing(&self) -> bool {
        self.role.is_given() || self.status.is_given()
    }

    /// Whether it says anything about availability.
    pub fn concerns_availability(&self) -> bool {
        self.availability_percent.is_given()
            || self.availability_effective_from.is_given()
            || self.availability_effective_to.is_given()
            || self.availability_notes.is_given()
    }
}
