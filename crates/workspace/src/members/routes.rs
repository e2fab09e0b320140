//! `/api/v1/workspace/members/`: list, update, deactivate.
//! Deactivating shuts somebody out at once; what they could sign in with is revoked by a job of the accounts area.

use axum::extract::State;
use planwright_domain::access::{Action, may};
use planwright_domain::ids::UserId;
use planwright_domain::words::{ChangeKind, MemberStatus};
use planwright_jobs::{offboarding, revoked};
use planwright_plan::edit;
use planwright_store::Value;
use planwright_web::envelope::CursorPage;
use planwright_web::version::Precondition;
use planwright_web::{
    ApiError, ApiResult, App, Body, CursorPaging, Item, Json, NoContent, Routes, WorkspaceScope, says,
};

use super::model::{MemberRow, PatchedWorkspaceMemberUpdateRequest, StandingRow, WorkspaceMember};
use super::{queries, rules};
use crate::Administrator;
use crate::groups::queries::names_of;

/// A member whom an administrator changes.
/// Handlers ask for an administrator before the member, so that nobody else learns which ids are members.
type Managed = Item<StandingRow, may::AdministerWorkspace>;

const ALL: &str = "/api/v1/workspace/members/";
const ONE: &str = "/api/v1/workspace/members/{user_id}/";

/// The list that cursors belong to.
const LIST: &str = "workspace-members";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(
            ALL,
            list,
            says("List the members of the workspace. Callers who do not administer it only see themselves."),
        )
        .patch(ONE, update, says("Change the rank, status or availability of a member."))
        .delete(ONE, deactivate, says("Deactivate a member."))
}

async fn list(
    State(app): State<App>,
    scope: WorkspaceScope<may::ReadWorkspace>,
    paging: CursorPaging,
) -> ApiResult<CursorPage<WorkspaceMember>> {
    let sees_all = scope.actor.may(Action::AdministerWorkspace, scope.actor.workspace_role);
    let only = (!sees_all).then_some(scope.actor.id);
    let rows = queries::list(&app.db, only, place(&paging)?, paging.size).await?;
    let keys = |row: &MemberRow| vec![row.username.clone(), row.id.to_string()];
    let mut groups = names_of(&app.db, rows.iter().map(|row| row.id)).await?;
    let show = |row: MemberRow| {
        let groups = groups.remove(&row.id).unwrap_or_default();
        WorkspaceMember::of(row, groups)
    };
    Ok(paging.envelope(LIST, rows, keys, show))
}

/// Where the page begins: behind a user name and an id.
fn place(paging: &CursorPaging) -> ApiResult<Option<(Value, Value)>> {
    let Some(keys) = paging.after(LIST, 2)? else { return Ok(None) };
    let id: UserId = keys[1].parse().map_err(|_| ApiError::invalid_field("cursor", "Invalid cursor."))?;
    Ok(Some((Value::Text(keys[0].clone()), Value::Uuid(id.0))))
}

async fn update(
    State(app): State<App>,
    _: Administrator,
    item: Managed,
    Body(request): Body<PatchedWorkspaceMemberUpdateRequest>,
) -> ApiResult<Json<WorkspaceMember>> {
    Ok(Json(change(app, item, request).await?))
}

async fn deactivate(State(app): State<App>, _: Administrator, item: Managed) -> ApiResult<NoContent> {
    change(app, item, PatchedWorkspaceMemberUpdateRequest::deactivating()).await?;
    Ok(NoContent)
}

/// Writes what differs, if anything does; whoever may not act any more is shut out everywhere.
async fn change(
    app: App,
    item: Managed,
    request: PatchedWorkspaceMemberUpdateRequest,
) -> ApiResult<WorkspaceMember> {
    let (mut edit, row) = edit::open(&app, item, Precondition::default()).await?;
    let before = queries::find(&edit, row.id).await?.ok_or_else(ApiError::not_found)?;
    let other_owners = queries::acting_owners_besides(&edit, row.id).await?;
    let after = rules::changed(&edit.grant.actor, &before, other_owners, request)?;
    let (was, is) = (before.standing(), after.standing());
    let is_shut_out = was != MemberStatus::Deactivated && is == MemberStatus::Deactivated;
    let is_let_in = was == MemberStatus::Deactivated && is != MemberStatus::Deactivated;
    let groups = names_of(&edit, [row.id]).await?.remove(&row.id).unwrap_or_default();
    let (told, shown) =
        (WorkspaceMember::of(before, groups.clone()), WorkspaceMember::of(after.clone(), groups));
    let fields = edit.change(&row, ChangeKind::Updated).between(&told, &shown).fields;
    if fields.is_empty() {
        return Ok(shown);
    }
    if is_let_in && offboarding::is_waiting(&edit, row.id).await? {
        let detail = "Their old sign-ins and tokens are still being ended. Try again in a moment.";
        return Err(ApiError::conflict(detail).with_code("offboarding_pending"));
    }
    edit.touch(&after.decided(), fields).await?;
    queries::keep_availability(&mut edit, &after).await?;
    if is_shut_out {
        let actor = edit.grant.actor.id;
        offboarding::request(&mut edit, row.id, actor).await?;
    }
    if is == MemberStatus::Guest && was != is {
        // Some projects have no guests: open channels to them are closed.
        revoked::announce(&mut edit, row.id).await?;
    }
    edit.commit().await?;
    Ok(shown)
}
