//! The routes of groups: for projects and, with the same handlers, for programs.

use std::collections::HashSet;

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::{MentionGroupId, UserId};
use planwright_plan::containers;
use planwright_plan::edit::{self, Edit};
use planwright_plan::people::in_short;
use planwright_store::Read;
use planwright_web::version::{Precondition, Versioned};
use planwright_web::{
    Actor, ApiError, ApiResult, App, Body, ContainerScope, Created, IgnoredBody, Item, Json, NoContent,
    Paging, Routes, says,
};
use serde_json::{Map, json};

use super::model::*;
use super::{queries, rules};

/// The routes of this file.
pub fn table() -> Routes {
    let of_project = [
        "/api/v1/projects/{project_pk}/mention-groups/",
        "/api/v1/projects/{project_pk}/mention-groups/{id}/",
        "/api/v1/projects/{project_pk}/mention-groups/{id}/add-member/",
        "/api/v1/projects/{project_pk}/mention-groups/{id}/remove-member/",
        "/api/v1/projects/{project_pk}/mention-groups/{id}/mute/",
        "/api/v1/projects/{project_pk}/mention-groups/{id}/unmute/",
    ];
    let of_program = [
        "/api/v1/programs/{program_pk}/mention-groups/",
        "/api/v1/programs/{program_pk}/mention-groups/{id}/",
        "/api/v1/programs/{program_pk}/mention-groups/{id}/add-member/",
        "/api/v1/programs/{program_pk}/mention-groups/{id}/remove-member/",
        "/api/v1/programs/{program_pk}/mention-groups/{id}/mute/",
        "/api/v1/programs/{program_pk}/mention-groups/{id}/unmute/",
    ];
    of::<InProject>(of_project).and(of::<InProgram>(of_program))
}

fn of<H: Home>([all, one, add_member, remove_member, muted, unmuted]: [&'static str; 6]) -> Routes {
    Routes::new()
        .get(all, list::<H>, says("The groups that can be mentioned, by name."))
        .post(all, create::<H>, says("Make a group that can be mentioned."))
        .get(one, show::<H>, says("One group."))
        .patch(one, update::<H>, says("Change a group."))
        .delete(one, delete::<H>, says("Delete a group."))
        .post(add_member, add::<H>, says("Put somebody into a group."))
        .post(remove_member, remove::<H>, says("Take somebody out of a group."))
        .post(muted, mute::<H>, says("Do not be told when a group is mentioned."))
        .post(unmuted, unmute::<H>, says("Be told again when a group is mentioned."))
}

type Seen = Item<GroupRow, may::ReadContainer>;
type Managed<H> = Item<GroupRow, <H as Home>::Manage>;
type Filled<H> = Item<GroupRow, <H as Home>::Fill>;

async fn list<H: Home>(
    State(app): State<App>,
    scope: ContainerScope<may::ReadContainer>,
    paging: Paging,
) -> ApiResult<Json<Vec<H::Shown>>> {
    let rows = queries::of_home(&app.db, scope.container, paging.search.as_deref()).await?;
    Ok(Json(shown::<H>(&app.db, rows, &scope.actor).await?))
}

async fn create<H: Home>(
    State(app): State<App>,
    scope: ContainerScope<H::Manage>,
    Body(request): Body<UserDefinedMentionGroupWriteRequest>,
) -> ApiResult<Created<H::Shown>> {
    let mut edit = Edit::locked(&app, &scope).await?;
    let others = queries::of_home(&edit, scope.container, None).await?;
    if others.len() >= rules::MOST {
        return Err(ApiError::bad_request(format!("There are at most {} groups.", rules::MOST)));
    }
    let fresh = GroupRow::fresh(edit.mint(), scope.container, edit.now());
    let row = rules::changed(fresh, request.into(), &others)?;
    edit.create(&row).await?;
    tell(&mut edit, &row, "created").await?;
    let answer = one::<H>(&edit, row, &scope.actor).await?;
    edit.commit().await?;
    Ok(Created(answer))
}

async fn show<H: Home>(State(app): State<App>, item: Seen) -> ApiResult<Versioned<H::Shown>> {
    let version = item.row.server_version;
    Ok(Versioned::new(version, one::<H>(&app.db, item.row, &item.scope.actor).await?))
}

async fn update<H: Home>(
    State(app): State<App>,
    item: Managed<H>,
    expected: Precondition,
    Body(request): Body<PatchedUserDefinedMentionGroupWriteRequest>,
) -> ApiResult<Versioned<H::Shown>> {
    let (mut edit, before) = edit::open_within(&app, item, expected).await?;
    let others = queries::of_home(&edit, row_home(&before), None).await?;
    let after = rules::changed(before.clone(), request, &others)?;
    let written = edit.update(&before, after).await?;
    tell(&mut edit, &written.row, "updated").await?;
    let answer = one::<H>(&edit, written.row.clone(), &edit.grant.actor).await?;
    edit.commit().await?;
    Ok(written.shown(|_| answer))
}

async fn delete<H: Home>(
    State(app): State<App>,
    item: Managed<H>,
    expected: Precondition,
) -> ApiResult<NoContent> {
    let (mut edit, row) = edit::open_within(&app, item, expected).await?;
    edit.delete(&row).await?;
    tell(&mut edit, &row, "deleted").await?;
    edit.commit().await?;
    Ok(NoContent)
}

async fn add<H: Home>(
    State(app): State<App>,
    item: Filled<H>,
    Body(request): Body<MentionGroupAddMemberRequestRequest>,
) -> ApiResult<Json<H::Shown>> {
    let (mut edit, row) = edit::open(&app, item, Precondition::default()).await?;
    if !queries::is_member(&edit, row_home(&row), request.user).await? {
        return Err(ApiError::invalid_field("user", "Must be a member."));
    }
    let is_new = queries::add(&mut edit, row.id, request.user).await?;
    filled::<H>(edit, row, is_new, [None, Some(request.user)]).await
}

async fn remove<H: Home>(
    State(app): State<App>,
    item: Filled<H>,
    Body(request): Body<MentionGroupAddMemberRequestRequest>,
) -> ApiResult<Json<H::Shown>> {
    let (mut edit, row) = edit::open(&app, item, Precondition::default()).await?;
    let was_there = queries::remove(&mut edit, row.id, request.user).await?;
    filled::<H>(edit, row, was_there, [Some(request.user), None]).await
}

async fn mute<H: Home>(State(app): State<App>, item: Seen, _: IgnoredBody) -> ApiResult<Json<H::Shown>> {
    let (mut edit, row) = edit::open(&app, item, Precondition::default()).await?;
    let me = edit.grant.actor.id;
    queries::mute(&mut edit, row.id, me).await?;
    finished::<H>(edit, row).await
}

async fn unmute<H: Home>(State(app): State<App>, item: Seen, _: IgnoredBody) -> ApiResult<Json<H::Shown>> {
    let (mut edit, row) = edit::open(&app, item, Precondition::default()).await?;
    let me = edit.grant.actor.id;
    queries::unmute(&mut edit, row.id, me).await?;
    finished::<H>(edit, row).await
}

/// Notes who came into a group or left it.
async fn filled<H: Home>(
    mut edit: Edit,
    row: GroupRow,
    is_changed: bool,
    sides: [Option<UserId>; 2],
) -> ApiResult<Json<H::Shown>> {
    let row = match is_changed {
        true => {
            let row = edit.touch(&row, Map::from_iter([("members".to_owned(), json!(sides))])).await?;
            tell(&mut edit, &row, "members").await?;
            row
        }
        false => row,
    };
    finished::<H>(edit, row).await
}

async fn finished<H: Home>(edit: Edit, row: GroupRow) -> ApiResult<Json<H::Shown>> {
    let answer = one::<H>(&edit, row, &edit.grant.actor).await?;
    edit.commit().await?;
    Ok(Json(answer))
}

async fn tell(edit: &mut Edit, row: &GroupRow, change: &str) -> ApiResult<()> {
    let mut told = json!({ "group_id": row.id, "change": change });
    if let Some(program) = row.program_id {
        told["scope"] = json!("program");
        told["program_id"] = json!(program);
        return Ok(containers::program::tell(edit, program, SocketEvent::MentionGroupChanged, told).await?);
    }
    Ok(edit.announce(SocketEvent::MentionGroupChanged, told).await?)
}

fn row_home(row: &GroupRow) -> planwright_web::ProjectOrProgram {
    planwright_web::ProjectOrProgram::of_columns(row.project_id, row.program_id)
}

async fn one<H: Home>(db: &dyn Read, row: GroupRow, me: &Actor) -> ApiResult<H::Shown> {
    let mut all = shown::<H>(db, vec![row], me).await?;
    all.pop().ok_or_else(ApiError::not_found)
}

/// Groups with their members, for the eyes of somebody.
async fn shown<H: Home>(db: &dyn Read, rows: Vec<GroupRow>, me: &Actor) -> ApiResult<Vec<H::Shown>> {
    let ids: Vec<MentionGroupId> = rows.iter().map(|row| row.id).collect();
    let members = queries::members(db, &ids).await?;
    let people = in_short(db, me, members.iter().map(|member| member.user_id)).await?;
    let muted: HashSet<_> = queries::muted(db, &ids, me.id).await?.into_iter().collect();
    let group = |row: GroupRow| {
        let own = members.iter().filter(|member| member.group_id == row.id);
        let own: Vec<_> = own.filter_map(|member| people.get(&member.user_id).cloned()).collect();
        let home = row_home(&row);
        let shown = ShownGroup {
            id: row.id,
            server_version: row.server_version,
            name: row.name,
            description: row.description,
            email_default_on: row.email_default_on,
            member_count: own.len(),
            members: own,
            muted_by_me: muted.contains(&row.id),
        };
        H::shown(home, shown)
    };
    Ok(rows.into_iter().map(group).collect())
}
