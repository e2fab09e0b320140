//! `/api/v1/projects/{project_pk}/members/`: who belongs to a project, and with which rank.
//! Ownership changes hands only by a transfer; the default team follows by itself.

use std::borrow::Cow;

use axum::extract::State;
use chrono::{DateTime, Utc};
use planwright_domain::Role;
use planwright_domain::access::may;
use planwright_domain::ids::{MembershipId, ProjectId, UserId};
use planwright_plan::containers::add_project_member;
use planwright_plan::containers::hold_project;
use planwright_plan::containers::members::{
    ProjectMember, project_member, remove_project_member, set_project_role,
};
use planwright_store::{Read, StoreError, Tx};
use planwright_web::input::{Patch, Problems, take};
use planwright_web::schema::{self, JsonObject};
use planwright_web::{
    Actor, ApiError, ApiResult, App, Body, Created, Input, Json, NoContent, Page, Paging, Path, ProjectScope,
    Query, Routes, input, says,
};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;

use super::member_queries::{self, MemberRow};
use super::queries;
use crate::people::{self, UserSummary};

const ALL: &str = "/api/v1/projects/{project_pk}/members/";
const ONE: &str = "/api/v1/projects/{project_pk}/members/{id}/";

/// The unique key that refuses to put somebody into a project twice.
const ONCE_EACH: &str = "uq_project_members_project_id_user_id";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(ALL, list, says("The members of a project."))
        .post(ALL, create, says("Add a member."))
        .get(ONE, show, says("One member."))
        .patch(ONE, update, says("Give a member another rank."))
        .delete(ONE, delete, says("Remove a member, or leave."))
}

/// A membership of a project.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ProjectMembershipRead {
    /// Its id.
    pub id: MembershipId,
    /// Rises with every change.
    pub server_version: i64,
    /// The project.
    pub project: ProjectId,
    /// Who it is.
    pub user: UserId,
    /// The same in short.
    pub user_detail: Option<UserSummary>,
    /// The rank.
    pub role: Role,
    /// Its name.
    pub role_label: &'static str,
    /// Since when.
    pub joined_at: DateTime<Utc>,
    /// When the rank last changed.
    pub role_changed_at: Option<DateTime<Utc>>,
    /// In how many other projects of yours they are; only those you own are counted.
    pub other_active_project_count: i64,
    /// The names of those.
    pub other_active_project_names: Vec<String>,
}

input! {
    /// Somebody to be added.
    pub struct ProjectMembershipWriteRequest {
        /// Who it is.
        pub user: UserId,
        /// The rank, below your own; without one, the project's default.
        pub role: Patch<Role>,
    }
}

input! {
    /// Another rank for a member.
    pub struct PatchedProjectMembershipWriteRequest {
        /// Who it is; it cannot be changed.
        pub user: Patch<UserId>,
        /// The rank, below your own.
        pub role: Patch<Role>,
    }
}

/// Which members to list.
#[derive(Clone, Copy, Debug)]
pub struct MemberFilter {
    /// Whether only the caller's own row is wanted.
    pub only_self: bool,
}

// Written by hand, since a field cannot be called `self` in Rust.
impl Input for MemberFilter {
    fn read(object: &JsonObject) -> Result<Self, Problems> {
        let mut problems = Problems::default();
        match take::<Patch<bool>>(object, "self", &mut problems) {
            Some(only) => Ok(Self { only_self: only.given().unwrap_or(false) }),
            None => Err(problems),
        }
    }
}

impl JsonSchema for MemberFilter {
    fn schema_name() -> Cow<'static, str> {
        "MemberFilter".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let only_self =
            ("self", "Whether only your own row is wanted.", false, generator.subschema_for::<bool>());
        schema::object("Which members to list.", vec![only_self])
    }
}

async fn list(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
    paging: Paging,
    Query(filter): Query<MemberFilter>,
) -> ApiResult<Page<ProjectMembershipRead>> {
    let only = filter.only_self.then_some(scope.actor.id);
    let rows = member_queries::members_of(&app.db, scope.project, only).await?;
    paging.slice(shown(&app.db, &scope.actor, scope.project, rows).await?)
}

async fn show(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
    Path(id): Path<MembershipId>,
) -> ApiResult<Json<ProjectMembershipRead>> {
    Ok(Json(one(&app.db, &scope.actor, scope.project, id).await?))
}

async fn create(
    State(app): State<App>,
    scope: ProjectScope<may::ManageProjectMembers>,
    Body(request): Body<ProjectMembershipWriteRequest>,
) -> ApiResult<Created<ProjectMembershipRead>> {
    let mut tx = app.db.begin().await?;
    let scope = hold_project(&mut tx, &scope).await?;
    let role = validated_new(&tx, &scope, &request).await?;
    let added = add_project_member(&mut tx, scope.actor.id, scope.project, request.user, role).await;
    let id = added.map_err(refuse_twice)?;
    let member = one(&tx, &scope.actor, scope.project, id).await?;
    tx.commit().await?;
    Ok(Created(member))
}

async fn update(
    State(app): State<App>,
    scope: ProjectScope<may::ManageProjectMembers>,
    Path(id): Path<MembershipId>,
    Body(request): Body<PatchedProjectMembershipWriteRequest>,
) -> ApiResult<Json<ProjectMembershipRead>> {
    let mut tx = app.db.begin().await?;
    let scope = hold_project(&mut tx, &scope).await?;
    let member = found(&tx, scope.project, id).await?;
    let role = validated_change(&scope, &member, &request)?;
    set_project_role(&mut tx, scope.actor.id, &member, role).await?;
    let member = one(&tx, &scope.actor, scope.project, id).await?;
    tx.commit().await?;
    Ok(Json(member))
}

async fn delete(
    State(app): State<App>,
    scope: ProjectScope<may::ReadProject>,
    Path(id): Path<MembershipId>,
) -> ApiResult<NoContent> {
    let mut tx = app.db.begin().await?;
    let scope = hold_project(&mut tx, &scope).await?;
    let member = found(&tx, scope.project, id).await?;
    if member.user_id != scope.actor.id {
        ProjectScope::<may::ManageProjectMembers>::of(&tx, &scope.actor, scope.project).await?;
    }
    keep_an_owner(&scope.actor, &member)?;
    remove_project_member(&mut tx, scope.actor.id, &member).await?;
    tx.commit().await?;
    Ok(NoContent)
}

/// The rank a new member gets, if the request is right.
async fn validated_new(
    tx: &Tx,
    scope: &ProjectScope<may::ManageProjectMembers>,
    request: &ProjectMembershipWriteRequest,
) -> ApiResult<Role> {
    let project = queries::find(tx, scope.project).await?.ok_or_else(ApiError::not_found)?;
    let role = request.role.as_given().copied().unwrap_or(project.written.default_member_role);
    let mut problems = Problems::default();
    if !people::is_active(tx, request.user).await? {
        problems.say("user", "There is no such person, or they can no longer sign in.");
    }
    check_grant(scope.role, role, &mut problems);
    problems.check()?;
    Ok(role)
}

/// The rank a member gets, if the request is right.
fn validated_change(
    scope: &ProjectScope<may::ManageProjectMembers>,
    member: &ProjectMember,
    request: &PatchedProjectMembershipWriteRequest,
) -> ApiResult<Role> {
    let mut problems = Problems::default();
    if request.user.as_given().is_some_and(|user| *user != member.user_id) {
        problems.say("user", "A membership cannot pass to another person.");
    }
    let role = request.role.as_given().copied().unwrap_or(member.role);
    if role != member.role {
        check_grant(scope.role, role, &mut problems);
    }
    problems.check()?;
    if role != member.role {
        keep_an_owner(&scope.actor, member)?;
    }
    Ok(role)
}

/// Nobody grants what they have themselves, so that ownership changes hands in one way only.
fn check_grant(own: Role, granted: Role, problems: &mut Problems) {
    if granted >= own {
        problems.say("role", "You can only grant a rank below your own.");
    }
}

/// A project has one Owner at any time, who stays until the project is handed over.
fn keep_an_owner(caller: &Actor, member: &ProjectMember) -> ApiResult<()> {
    if member.role < Role::Owner {
        return Ok(());
    }
    Err(ApiError::bad_request(match member.user_id == caller.id {
        true => "The last Owner cannot step down; hand the project over first.",
        false => "An Owner cannot be removed or demoted by somebody else.",
    }))
}

fn refuse_twice(error: StoreError) -> ApiError {
    match error.is_duplicate_of(ONCE_EACH) {
        true => ApiError::conflict("This person is a member of the project already."),
        false => error.into(),
    }
}

async fn found(db: &impl Read, project: ProjectId, id: MembershipId) -> ApiResult<ProjectMember> {
    let row = member_queries::find_member(db, project, id).await?.ok_or_else(ApiError::not_found)?;
    project_member(db, project, row.user_id).await?.ok_or_else(ApiError::not_found)
}

async fn one(
    db: &impl Read,
    caller: &Actor,
    project: ProjectId,
    id: MembershipId,
) -> ApiResult<ProjectMembershipRead> {
    let row = member_queries::find_member(db, project, id).await?.ok_or_else(ApiError::not_found)?;
    shown(db, caller, project, vec![row]).await?.pop().ok_or_else(ApiError::not_found)
}

async fn shown(
    db: &impl Read,
    caller: &Actor,
    project: ProjectId,
    rows: Vec<MemberRow>,
) -> ApiResult<Vec<ProjectMembershipRead>> {
    let ids: Vec<UserId> = rows.iter().map(|row| row.user_id).collect();
    let mut names = member_queries::elsewhere(db, caller.id, project, ids.clone()).await?;
    let mut people = people::in_short(db, caller, ids).await?;
    let shown = rows.into_iter().map(|row| {
        let elsewhere = names.remove(&row.user_id).unwrap_or_default();
        ProjectMembershipRead {
            id: row.id,
            server_version: row.server_version,
            project: row.project_id,
            user: row.user_id,
            user_detail: people.remove(&row.user_id),
            role: row.role,
            role_label: row.role.project_label(),
            joined_at: row.joined_at,
            role_changed_at: row.role_changed_at,
            other_active_project_count: elsewhere.len() as i64,
            other_active_project_names: elsewhere,
        }
    });
    Ok(shown.collect())
}
