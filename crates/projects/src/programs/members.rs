//! The members of programs: what is shown and asked of them beside what members of projects are.
//! The routes, and everything that is decided, are in `crate::members`.

use chrono::{DateTime, Utc};
use planwright_domain::Role;
use planwright_domain::access::may;
use planwright_domain::ids::{MembershipId, ProgramId, UserId};
use planwright_plan::containers::members::ProgramMember;
use planwright_plan::people::UserSummary;
use planwright_store::Read;
use planwright_web::input::Name;
use planwright_web::{Actor, ApiResult, body};
use schemars::JsonSchema;
use serde::Serialize;

use crate::members::{MemberChange, ShownMember, ShowsMembers, Summaries};

/// A membership of a program.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProgramMembershipRead {
    /// Its id.
    pub id: MembershipId,
    /// The version. It rises by 1 with every change.
    pub server_version: i64,
    /// The program.
    pub program: ProgramId,
    /// Who it is.
    pub user: UserId,
    /// The same person in short form.
    pub user_detail: Option<UserSummary>,
    /// The rank.
    pub role: Role,
    /// Its name.
    pub role_label: &'static str,
    /// The title of the person in this program.
    pub role_title: String,
    /// Since when.
    pub joined_at: DateTime<Utc>,
    /// When the rank last changed.
    pub role_changed_at: Option<DateTime<Utc>>,
}

body! {
    /// A person to add.
    pub struct ProgramMembershipWriteRequest;
    /// A new rank or title for a member.
    pub struct PatchedProgramMembershipWriteRequest;
    required {
        /// The person. Cannot be changed later.
        user: UserId,
    }
    optional {
        /// The rank, below your own; Team Member unless said otherwise. Only an Owner may change it.
        role: Role,
        /// The title of the person in this program.
        role_title: Name<0, 50>,
    }
}

impl From<PatchedProgramMembershipWriteRequest> for MemberChange {
    fn from(request: PatchedProgramMembershipWriteRequest) -> Self {
        let title = request.role_title.given().map(String::from);
        Self { user: request.user, role: request.role, title }
    }
}

impl ShowsMembers for ProgramId {
    const NAME: &'static str = "program";
    const ALL: &'static str = "/api/v1/programs/{program_pk}/members/";
    const ONE: &'static str = "/api/v1/programs/{program_pk}/members/{id}/";
    const SUMMARIES: Summaries =
        Summaries { list: "The members of a program.", change: "Change the rank or the title of a member." };

    type Read = may::ReadProgram;
    type Manage = may::ManageProgramMembers;
    type Change = may::EditProgram;
    type Changed = PatchedProgramMembershipWriteRequest;
    type Shown = ProgramMembershipRead;

    async fn default_role(self, _: &dyn Read) -> ApiResult<Role> {
        Ok(Role::Member)
    }

    fn entitle(member: &mut ProgramMember, title: String) {
        member.role_title = title;
    }

    async fn shown(
        self,
        _: &dyn Read,
        _: &Actor,
        rows: Vec<ShownMember<Self>>,
    ) -> ApiResult<Vec<ProgramMembershipRead>> {
        let shown = rows.into_iter().map(|ShownMember { row, person }| ProgramMembershipRead {
            id: row.id,
            server_version: row.server_version,
            program: row.program_id,
            user: row.user_id,
            user_detail: person,
            role: row.role,
            role_label: row.role.program_label(),
            joined_at: row.joined_at,
            role_changed_at: row.role_changed_at,
            role_title: row.role_title,
        });
        Ok(shown.collect())
    }
}
