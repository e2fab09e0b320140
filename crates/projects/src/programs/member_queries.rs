//! Every statement that reads who belongs to a program.
//! Adding, changing and removing members are commands of `plan`.

use chrono::{DateTime, Utc};
use planwright_domain::Role;
use planwright_domain::ids::{MembershipId, ProgramId, UserId};
use planwright_store::{Read, Result, row, sql};

row! {
    /// A membership as it is stored.
    pub(super) struct MemberRow {
        pub(super) id: MembershipId,
        pub(super) program_id: ProgramId,
        pub(super) user_id: UserId,
        pub(super) role: Role,
        pub(super) role_title: String,
        pub(super) joined_at: DateTime<Utc>,
        pub(super) role_changed_at: Option<DateTime<Utc>>,
        pub(super) server_version: i64,
    }
}

const LIVE: &str =
    "SELECT m.id, m.program_id, m.user_id, m.role, m.role_title, m.joined_at, m.role_changed_at,
        m.server_version
     FROM program_members m JOIN users u ON u.id = m.user_id
     WHERE m.program_id = :program AND m.deletion_id IS NULL";

/// The members of a program by name, or one person's row.
pub(super) async fn members_of(
    db: &impl Read,
    program: ProgramId,
    only: Option<UserId>,
) -> Result<Vec<MemberRow>> {
    let members = sql!(LIVE, program = program).when("AND m.user_id = :only", "only", only);
    db.all(members.push(" ORDER BY u.username, m.id")).await
}

/// One membership of a program.
pub(super) async fn find_member(
    db: &impl Read,
    program: ProgramId,
    id: MembershipId,
) -> Result<Option<MemberRow>> {
    db.maybe(sql!(LIVE, program = program).when("AND m.id = :id", "id", Some(id))).await
}
