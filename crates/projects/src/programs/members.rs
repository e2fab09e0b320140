//! `/api/v1/programs/{program_pk}/members/`: who belongs to a program, with which rank and title.
//! Ownership changes hands only by a transfer; a place in a program gives none in its projects.

use axum::extract::State;
use chrono::{DateTime, Utc};
use planwright_domain::Role;
use planwright_domain::access::may;
use planwright_domain::ids::{MembershipId, ProgramId, UserId};
use planwright_plan::containers::add_program_member;
use planwright_plan::containers::hold_program;
use planwright_plan::containers::members::{
    ProgramMember, program_member, remove_program_member, set_program_role,
};
use planwright_store::{Read, StoreError};
use planwright_web::input::{Name, Patch};
use planwright_web::{
    Actor, ApiError, ApiResult, App, Body, Created, Json, NoContent, Page, Paging, Path, Problems,
    ProgramScope, Query, Routes, input, says,
};
use schemars::JsonSchema;
use serde::Serialize;

use super::member_queries::{self, MemberRow};
use crate::people::{self, UserSummary};
use crate::projects::members::MemberFilter;

const ALL: &str = "/api/v1/programs/{program_pk}/members/";
const ONE: &str = "/api/v1/programs/{program_pk}/members/{id}/";

/// The unique key that refuses to put somebody into a program twice.
const ONCE_EACH: &str = "uq_program_members_program_id_user_id";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(ALL, list, says("The members of a program."))
        .post(ALL, create, says("Add a member."))
        .get(ONE, show, says("One member."))
        .patch(ONE, update, says("Give a member another rank or title."))
        .delete(ONE, delete, says("Remove a member, or leave."))
}

/// A membership of a program.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProgramMembershipRead {
    /// Its id.
    pub id: MembershipId,
    /// Rises with every change.
    pub server_version: i64,
    /// The program.
    pub program: ProgramId,
    /// Who it is.
    pub user: UserId,
    /// The same in short.
    pub user_detail: Option<UserSummary>,
    /// The rank.
    pub role: Role,
    /// Its name.
    pub role_label: &'static str,
    /// What they are called in this program.
    pub role_title: String,
    /// Since when.
    pub joined_at: DateTime<Utc>,
    /// When the rank last changed.
    pub role_changed_at: Option<DateTime<Utc>>,
}

input! {
    /// Somebody to be added.
    pub struct ProgramMembershipWriteRequest {
        /// Who it is.
        pub user: UserId,
        /// The rank, below your own; without one, Team Member.
        pub role: Patch<Role>,
        /// What they are called in this program.
        pub role_title: Patch<Name<0, 50>>,
    }
}

input! {
    /// Another rank or title for a member.
    pub struct PatchedProgramMembershipWriteRequest {
        /// Who it is; it cannot be changed.
        pub user: Patch<UserId>,
        /// The rank, below your own; only an Owner may change it.
        pub role: Patch<Role>,
        /// What they are called in this program.
        pub role_title: Patch<Name<0, 50>>,
    }
}

async fn list(
    State(app): State<App>,
    scope: ProgramScope<may::ReadProgram>,
    paging: Paging,
    Query(filter): Query<MemberFilter>,
) -> ApiResult<Page<ProgramMembershipRead>> {
    let only = filter.only_self.then_some(scope.actor.id);
    let rows = member_queries::members_of(&app.db, scope.program, only).await?;
    paging.slice(shown(&app.db, &scope.actor, rows).await?)
}

async fn show(
    State(app): State<App>,
    scope: ProgramScope<may::ReadProgram>,
    Path(id): Path<MembershipId>,
) -> ApiResult<Json<ProgramMembershipRead>> {
    Ok(Json(one(&app.db, &scope.actor, scope.program, id).await?))
}

async fn create(
    State(app): State<App>,
    scope: ProgramScope<may::ManageProgramMembers>,
    Body(request): Body<ProgramMembershipWriteRequest>,
) -> ApiResult<Created<ProgramMembershipRead>> {
    let mut tx = app.db.begin().await?;
    let scope = hold_program(&mut tx, &scope).await?;
    let role = validated_new(&tx, &scope, &request).await?;
    let title = request.role_title.as_given().map_or("", |title| title.as_str());
    let added = add_program_member(&mut tx, scope.actor.id, scope.program, request.user, role, title).await;
    let id = added.map_err(refuse_twice)?;
    let member = one(&tx, &scope.actor, scope.program, id).await?;
    tx.commit().await?;
    Ok(Created(member))
}

async fn update(
    State(app): State<App>,
    scope: ProgramScope<may::EditProgram>,
    Path(id): Path<MembershipId>,
    Body(request): Body<PatchedProgramMembershipWriteRequest>,
) -> ApiResult<Json<ProgramMembershipRead>> {
    let mut tx = app.db.begin().await?;
    let scope = hold_program(&mut tx, &scope).await?;
    let member = found(&tx, scope.program, id).await?;
    let role = validated_change(&scope, &member, &request)?;
    let title = request.role_title.as_given().map_or(member.role_title.as_str(), |title| title.as_str());
    set_program_role(&mut tx, scope.actor.id, &member, role, title).await?;
    let member = one(&tx, &scope.actor, scope.program, id).await?;
    tx.commit().await?;
    Ok(Json(member))
}

async fn delete(
    State(app): State<App>,
    scope: ProgramScope<may::ReadProgram>,
    Path(id): Path<MembershipId>,
) -> ApiResult<NoContent> {
    let mut tx = app.db.begin().await?;
    let scope = hold_program(&mut tx, &scope).await?;
    let member = found(&tx, scope.program, id).await?;
    if member.user_id != scope.actor.id {
        ProgramScope::<may::ManageProgramMembers>::of(&tx, &scope.actor, scope.program).await?;
    }
    keep_an_owner(&scope.actor, &member)?;
    remove_program_member(&mut tx, scope.actor.id, &member).await?;
    tx.commit().await?;
    Ok(NoContent)
}

/// The rank a new member gets, if the request is right.
async fn validated_new(
    db: &impl Read,
    scope: &ProgramScope<may::ManageProgramMembers>,
    request: &ProgramMembershipWriteRequest,
) -> ApiResult<Role> {
    let role = request.role.as_given().copied().unwrap_or(Role::Member);
    let mut problems = Problems::default();
    if !people::is_active(db, request.user).await? {
        problems.say("user", "There is no such person, or they can no longer sign in.");
    }
    check_grant(scope.role, role, &mut problems);
    problems.check()?;
    Ok(role)
}

/// The rank a member gets, if the request is right; who only manages the program changes titles, not ranks.
fn validated_change(
    scope: &ProgramScope<may::EditProgram>,
    member: &ProgramMember,
    request: &PatchedProgramMembershipWriteRequest,
) -> ApiResult<Role> {
    let mut problems = Problems::default();
    if request.user.as_given().is_some_and(|user| *user != member.user_id) {
        problems.say("user", "A membership cannot pass to another person.");
    }
    let role = request.role.as_given().copied().unwrap_or(member.role);
    if role == member.role {
        problems.check()?;
        return Ok(role);
    }
    if scope.role < Role::Owner {
        return Err(ApiError::forbidden("Only the Owner may change ranks."));
    }
    check_grant(scope.role, role, &mut problems);
    problems.check()?;
    keep_an_owner(&scope.actor, member)?;
    Ok(role)
}

/// Nobody grants what they have themselves, so that ownership changes hands in one way only.
fn check_grant(own: Role, granted: Role, problems: &mut Problems) {
    if granted >= own {
        problems.say("role", "You can only grant a rank below your own.");
    }
}

/// A program has one Owner at any time, who stays until the program is handed over.
fn keep_an_owner(caller: &Actor, member: &ProgramMember) -> ApiResult<()> {
    if member.role < Role::Owner {
        return Ok(());
    }
    Err(ApiError::bad_request(match member.user_id == caller.id {
        true => "The last Owner cannot step down; hand the program over first.",
        false => "An Owner cannot be removed or demoted by somebody else.",
    }))
}

fn refuse_twice(error: StoreError) -> ApiError {
    match error.is_duplicate_of(ONCE_EACH) {
        true => ApiError::conflict("This person is a member of the program already."),
        false => error.into(),
    }
}

async fn found(db: &impl Read, program: ProgramId, id: MembershipId) -> ApiResult<ProgramMember> {
    let row = member_queries::find_member(db, program, id).await?.ok_or_else(ApiError::not_found)?;
    program_member(db, program, row.user_id).await?.ok_or_else(ApiError::not_found)
}

async fn one(
    db: &impl Read,
    caller: &Actor,
    program: ProgramId,
    id: MembershipId,
) -> ApiResult<ProgramMembershipRead> {
    let row = member_queries::find_member(db, program, id).await?.ok_or_else(ApiError::not_found)?;
    shown(db, caller, vec![row]).await?.pop().ok_or_else(ApiError::not_found)
}

async fn shown(
    db: &impl Read,
    caller: &Actor,
    rows: Vec<MemberRow>,
) -> ApiResult<Vec<ProgramMembershipRead>> {
    let ids: Vec<UserId> = rows.iter().map(|row| row.user_id).collect();
    let mut people = people::in_short(db, caller, ids).await?;
    let shown = rows.into_iter().map(|row| ProgramMembershipRead {
        id: row.id,
        server_version: row.server_version,
        program: row.program_id,
        user: row.user_id,
        user_detail: people.remove(&row.user_id),
        role: row.role,
        role_label: row.role.program_label(),
        role_title: row.role_title,
        joined_at: row.joined_at,
        role_changed_at: row.role_changed_at,
    });
    Ok(shown.collect())
}
