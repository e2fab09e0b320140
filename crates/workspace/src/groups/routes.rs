//! `/api/v1/workspace/groups/`: list, create, show, change and delete groups, and say who is in and in which projects
//! they give a place.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::ids::{ProjectId, UserId};
use planwright_plan::edit::{self, Edit};
use planwright_store::page::Key;
use planwright_store::record::select_list;
use planwright_web::item::Parent;
use planwright_web::paging::Orderings;
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{
    ApiResult, App, Body, Created, IgnoredBody, Item, NoContent, OpenBody, Page, Paging, Path, Routes,
    WorkspaceScope, says,
};

use super::commands;
use super::model::*;
use super::queries;
use crate::Administrator;

const ALL: &str = "/api/v1/workspace/groups/";
const ONE: &str = "/api/v1/workspace/groups/{group_id}/";
const MEMBERS: &str = "/api/v1/workspace/groups/{group_id}/members/";
const MEMBER: &str = "/api/v1/workspace/groups/{group_id}/members/{user_id}/";
const PROJECTS: &str = "/api/v1/workspace/groups/{group_id}/projects/";
const PROJECT: &str = "/api/v1/workspace/groups/{group_id}/projects/{project_id}/";

const ORDERINGS: Orderings = &[("name", "g.name_key"), ("created_at", "g.created_at")];

/// A group that an administrator changes.
/// Handlers ask for an administrator before the group, so that others learn nothing.
type Managed = Item<GroupRow, may::AdministerWorkspace>;
type ManagedParent = Parent<GroupRow, may::AdministerWorkspace>;

/// The routes of this file.
pub(super) fn table() -> Routes {
    Routes::new()
        .get(ALL, list, says("List the groups by name.").orderings(ORDERINGS).members_only())
        .post(ALL, create, says("Create a group."))
        .get(ONE, show, says("Get one group.").members_only())
        .patch(ONE, update, says("Change the name, description or lead of a group."))
        .delete(ONE, delete, says("Delete a group. Places in projects that only it gives end."))
        .post(MEMBERS, add, says("Put somebody into a group. They get a place in its projects."))
        .delete(MEMBERS, remove_all, says("Take everybody out of a group.").on_many())
        .post(MEMBER, add_named, says("Put the named person into a group."))
        .delete(MEMBER, remove, says("Take somebody out of a group."))
        .post(
            PROJECTS,
            link,
            says("Give the members of a group a place in a project, or another rank there."),
        )
        .delete(PROJECTS, unlink_all, says("End all places in projects that a group gives.").on_many())
        .post(PROJECT, link_named, says("Give the members of a group a place in the named project."))
        .delete(PROJECT, unlink, says("End the places that a group gives in a project."))
}

async fn list(
    State(app): State<App>,
    scope: WorkspaceScope<may::ReadWorkspace>,
    paging: Paging,
) -> ApiResult<Page<Group>> {
    let keys = paging.keys(ORDERINGS, &[Key::ascending("g.name_key")], "g.id")?;
    let from = queries::all(&app.db, paging.search.as_deref());
    let select = format!("SELECT {}", select_list::<GroupRow>("g"));
    let slice = paging.slice_of::<GroupRow>(&app.db, &select, from.into(), "g.id", &keys).await?;
    let shown = commands::shown(&app.db, slice.rows, &scope.actor).await?;
    Ok(paging.envelope(slice.count, shown))
}

async fn create(
    State(app): State<App>,
    administrator: Administrator,
    Body(request): Body<GroupWriteRequest>,
) -> ApiResult<Created<Group>> {
    let mut edit = Edit::begin(&app, &administrator).await?;
    let fresh = GroupRow::fresh(edit.mint(), edit.now());
    let row = commands::wanted(&edit, fresh, request.into()).await?;
    edit.create(&row).await?;
    let shown = commands::one(&edit, row, &edit.grant.actor).await?;
    edit.commit().await?;
    Ok(Created(shown))
}

async fn show(
    State(app): State<App>,
    item: Item<GroupRow, may::ReadWorkspace>,
) -> ApiResult<Versioned<Group>> {
    let version = item.row.server_version;
    Ok(Versioned::new(version, commands::one(&app.db, item.row, &item.scope.actor).await?))
}

async fn update(
    State(app): State<App>,
    _: Administrator,
    item: Managed,
    expected: Precondition,
    Body(request): Body<PatchedGroupWriteRequest>,
) -> ApiResult<Versioned<Group>> {
    let (mut edit, before) = edit::open(&app, item, expected).await?;
    let after = commands::wanted(&edit, before.clone(), request).await?;
    let written = edit.update(&before, after).await?;
    let shown = commands::one(&edit, written.row.clone(), &edit.grant.actor).await?;
    edit.commit().await?;
    Ok(written.shown(|_| shown))
}

async fn delete(
    State(app): State<App>,
    _: Administrator,
    item: Managed,
    expected: Precondition,
) -> ApiResult<NoContent> {
    let (edit, row) = edit::open(&app, item, expected).await?;
    commands::delete(edit, row).await?;
    Ok(NoContent)
}

async fn add(
    State(app): State<App>,
    _: Administrator,
    item: Managed,
    Body(request): Body<GroupMemberAddRequest>,
) -> ApiResult<Created<Group>> {
    let (edit, row) = edit::open(&app, item, Precondition::default()).await?;
    commands::add_member(edit, row, request.user).await.map(Created)
}

async fn add_named(
    State(app): State<App>,
    _: Administrator,
    Parent(item): ManagedParent,
    Path(user): Path<UserId>,
    _: IgnoredBody,
) -> ApiResult<Created<Group>> {
    let (edit, row) = edit::open(&app, item, Precondition::default()).await?;
    commands::add_member(edit, row, user).await.map(Created)
}

async fn remove(
    State(app): State<App>,
    _: Administrator,
    Parent(item): ManagedParent,
    Path(user): Path<UserId>,
) -> ApiResult<NoContent> {
    let (edit, row) = edit::open(&app, item, Precondition::default()).await?;
    commands::remove_members(edit, row, Some(user)).await?;
    Ok(NoContent)
}

async fn remove_all(State(app): State<App>, _: Administrator, item: Managed) -> ApiResult<NoContent> {
    let (edit, row) = edit::open(&app, item, Precondition::default()).await?;
    commands::remove_members(edit, row, None).await?;
    Ok(NoContent)
}

async fn link(
    State(app): State<App>,
    _: Administrator,
    item: Managed,
    Body(request): Body<GroupProjectWriteRequest>,
) -> ApiResult<Created<Group>> {
    let (edit, row) = edit::open(&app, item, Precondition::default()).await?;
    commands::link(edit, row, request.project, request.role).await.map(Created)
}

async fn link_named(
    State(app): State<App>,
    _: Administrator,
    Parent(item): ManagedParent,
    Path(project): Path<ProjectId>,
    OpenBody(request): OpenBody<GroupProjectRankRequest>,
) -> ApiResult<Created<Group>> {
    let (edit, row) = edit::open(&app, item, Precondition::default()).await?;
    commands::link(edit, row, project, request.role).await.map(Created)
}

async fn unlink(
    State(app): State<App>,
    _: Administrator,
    Parent(item): ManagedParent,
    Path(project): Path<ProjectId>,
) -> ApiResult<NoContent> {
    let (edit, row) = edit::open(&app, item, Precondition::default()).await?;
    commands::unlink(edit, row, Some(project)).await?;
    Ok(NoContent)
}

async fn unlink_all(State(app): State<App>, _: Administrator, item: Managed) -> ApiResult<NoContent> {
    let (edit, row) = edit::open(&app, item, Precondition::default()).await?;
    commands::unlink(edit, row, None).await?;
    Ok(NoContent)
}
