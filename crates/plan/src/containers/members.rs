//! People entering, rising in and leaving projects and programs, with the default team that mirrors a project's members.
//! Who may grant which rank to whom is decided by the caller.

use planwright_domain::Role;
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{MembershipId, ProgramId, ProjectId, UserId};
use planwright_domain::words::{ChangeKind, TeamRole};
use planwright_store::history::Change;
use planwright_store::outbox::Event;
use planwright_store::{Read, Result, Tx, row};
use serde_json::{Map, Value as Json, json};

use super::queries;

row! {
    /// Somebody's place in a project.
    pub struct ProjectMember {
        /// The membership.
        pub id: MembershipId,
        /// The project.
        pub project_id: ProjectId,
        /// Its program.
        pub program_id: Option<ProgramId>,
        /// Who it is.
        pub user_id: UserId,
        /// Their rank.
        pub role: Role,
        /// The version of the membership.
        pub server_version: i64,
    }
}

row! {
    /// Somebody's place in a program.
    pub struct ProgramMember {
        /// The membership.
        pub id: MembershipId,
        /// The program.
        pub program_id: ProgramId,
        /// Who it is.
        pub user_id: UserId,
        /// Their rank.
        pub role: Role,
        /// What they are called there.
        pub role_title: String,
        /// The version of the membership.
        pub server_version: i64,
    }
}

/// A project and the program it is in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// The project.
    pub(super) project: ProjectId,
    /// Its program.
    pub(super) program: Option<ProgramId>,
}

/// Somebody's live place in a project.
pub async fn project_member(
    db: &impl Read,
    project: ProjectId,
    user: UserId,
) -> Result<Option<ProjectMember>> {
    queries::find_project_member(db, project, user).await
}

/// Somebody's live place in a program.
pub async fn program_member(
    db: &impl Read,
    program: ProgramId,
    user: UserId,
) -> Result<Option<ProgramMember>> {
    queries::find_program_member(db, program, user).await
}

/// Puts a person into a project. One who is in it already is `StoreError::Duplicate("uq_project_members_project_id_user_id")`.
pub async fn add_project_member(
    tx: &mut Tx,
    actor: UserId,
    project: ProjectId,
    user: UserId,
    role: Role,
) -> Result<MembershipId> {
    let place = Place { project, program: queries::program_of(tx, project).await? };
    let id = enter(tx, actor, place, user, role).await?;
    let told = json!({ "membership_id": id, "user_id": user, "role": role });
    tx.emit(Event::Socket(SocketEvent::MemberAdded), Some(project), place.program, told).await?;
    Ok(id)
}

/// The same without telling anybody, for the creator of a project that nobody can look at yet.
pub(super) async fn enter(
    tx: &mut Tx,
    actor: UserId,
    place: Place,
    user: UserId,
    role: Role,
) -> Result<MembershipId> {
    let id = queries::insert_project_member(tx, place.project, user, role).await?;
    mirror(tx, place.project, user, None, role).await?;
    let fields = Map::from_iter([change("user", Json::Null, user), change("role", Json::Null, role)]);
    let created = Change::of("project_member", id, ChangeKind::Created, actor);
    tx.record(Change { project: Some(place.project), program: place.program, fields, ..created }).await?;
    Ok(id)
}

/// Gives a member of a project another rank.
pub async fn set_project_role(tx: &mut Tx, actor: UserId, member: &ProjectMember, role: Role) -> Result<()> {
    if member.role == role {
        return Ok(());
    }
    queries::update_project_role(tx, member.id, role).await?;
    mirror(tx, member.project_id, member.user_id, Some(member.role), role).await?;
    let (project, program) = (Some(member.project_id), member.program_id);
    let fields = Map::from_iter([change("role", member.role, role)]);
    let version = member.server_version + 1;
    let updated = Change::of("project_member", member.id, ChangeKind::Updated, actor);
    tx.record(Change { project, program, version, fields, ..updated }).await?;
    let told = json!({ "membership_id": member.id, "user_id": member.user_id, "role": role });
    tx.emit(Event::Socket(SocketEvent::MemberRoleChanged), project, program, told).await
}

/// Takes a member out of a project and its teams; what is assigned to them stays assigned.
pub async fn remove_project_member(tx: &mut Tx, actor: UserId, member: &ProjectMember) -> Result<()> {
    let (project, program) = (Some(member.project_id), member.program_id);
    let deletion = tx.begin_deletion("project_member", member.id, Some(actor), project).await?;
    queries::delete_project_member(tx, member.id, deletion).await?;
    queries::leave_teams(tx, member.project_id, member.user_id).await?;
    let version = member.server_version + 1;
    let deleted = Change::of("project_member", member.id, ChangeKind::Deleted, actor);
    tx.record(Change { project, program, version, ..deleted }).await?;
    let told = json!({ "membership_id": member.id, "user_id": member.user_id });
    tx.emit(Event::Socket(SocketEvent::MemberRemoved), project, program, told).await
}

/// Puts a person into a program. One who is in it already is `StoreError::Duplicate("uq_program_members_program_id_user_id")`.
pub async fn add_program_member(
    tx: &mut Tx,
    actor: UserId,
    program: ProgramId,
    user: UserId,
    role: Role,
    role_title: &str,
) -> Result<MembershipId> {
    let id = queries::insert_program_member(tx, program, user, role, role_title).await?;
    let fields = Map::from_iter([change("user", Json::Null, user), change("role", Json::Null, role)]);
    let created = Change::of("program_member", id, ChangeKind::Created, actor);
    tx.record(Change { program: Some(program), fields, ..created }).await?;
    Ok(id)
}

/// Gives a member of a program another rank or title.
pub async fn set_program_role(
    tx: &mut Tx,
    actor: UserId,
    member: &ProgramMember,
    role: Role,
    role_title: &str,
) -> Result<()> {
    if member.role == role && member.role_title == role_title {
        return Ok(());
    }
    queries::update_program_role(tx, member.id, member.role, role, role_title).await?;
    let changes = [change("role", member.role, role), change("role_title", &member.role_title, role_title)];
    let fields = changes.into_iter().filter(|(_, sides)| sides[0] != sides[1]).collect();
    let (program, version) = (Some(member.program_id), member.server_version + 1);
    let updated = Change::of("program_member", member.id, ChangeKind::Updated, actor);
    tx.record(Change { program, version, fields, ..updated }).await
}

/// Takes a member out of a program; their places in its projects stay.
pub async fn remove_program_member(tx: &mut Tx, actor: UserId, member: &ProgramMember) -> Result<()> {
    let deletion = tx.begin_deletion("program_member", member.id, Some(actor), None).await?;
    queries::delete_program_member(tx, member.id, deletion).await?;
    let (program, version) = (Some(member.program_id), member.server_version + 1);
    let deleted = Change::of("program_member", member.id, ChangeKind::Deleted, actor);
    tx.record(Change { program, version, ..deleted }).await
}

/// Keeps the default team in step: members of rank Member and above are in it, and those who manage the project administer it.
async fn mirror(
    tx: &mut Tx,
    project: ProjectId,
    user: UserId,
    before: Option<Role>,
    after: Role,
) -> Result<()> {
    let manages = |role: Role| role >= Role::ProjectManager;
    if after < Role::Member {
        return queries::leave_teams(tx, project, user).await;
    }
    let rank = if manages(after) { TeamRole::Admin } else { TeamRole::Member };
    queries::enter_default_team(tx, project, user, rank).await?;
    let crossed = before.is_some_and(|before| manages(before) != manages(after));
    match crossed {
        true => queries::set_default_team_role(tx, project, user, rank).await,
        false => Ok(()),
    }
}

fn change(field: &str, before: impl serde::Serialize, after: impl serde::Serialize) -> (String, Json) {
    (field.to_owned(), json!([before, after]))
}
