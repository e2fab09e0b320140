//! `/api/v1/workspace/members/`: list, update, deactivate.
//! Deactivating shuts somebody out at once; what they could sign in with is revoked by a job of the accounts area.

use axum::extract::State;
use planwright_domain::access::{self, Action, may};
use planwright_domain::ids::UserId;
use planwright_domain::words::{ChangeKind, MemberStatus};
use planwright_jobs::offboarding::{self, Offboarding};
use planwright_store::history::Change;
use planwright_store::{Tx, Value};
use planwright_web::envelope::CursorPage;
use planwright_web::{
    ApiError, ApiResult, App, Body, CursorPaging, Json, NoContent, Path, Routes, WorkspaceScope, says,
};

use super::model::{MemberRow, PatchedWorkspaceMemberUpdateRequest, WorkspaceMember};
use super::{queries, rules};
use crate::Administrator;

const ALL: &str = "/api/v1/workspace/members/";
const ONE: &str = "/api/v1/workspace/members/{user_id}/";

/// The list that cursors belong to.
const LIST: &str = "workspace-members";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(ALL, list, says("The members of the workspace; whoever does not administer it sees themselves."))
        .patch(ONE, update, says("Change the rank, status or availability of a member."))
        .delete(ONE, deactivate, says("Deactivate a member."))
}

async fn list(
    State(app): State<App>,
    scope: WorkspaceScope<may::ReadWorkspace>,
    paging: CursorPaging,
) -> ApiResult<CursorPage<WorkspaceMember>> {
    let sees_all = access::allows(Action::AdministerWorkspace, scope.actor.workspace_role);
    let only = (!sees_all).then_some(scope.actor.id);
    let rows = queries::list(&app.db, only, place(&paging)?, paging.size).await?;
    let keys = |row: &MemberRow| vec![row.username.clone(), row.id.to_string()];
    Ok(paging.envelope(LIST, rows, keys, WorkspaceMember::from))
}

/// Where the page begins: behind a user name and an id.
fn place(paging: &CursorPaging) -> ApiResult<Option<(Value, Value)>> {
    let Some(keys) = paging.after(LIST, 2)? else { return Ok(None) };
    let id: UserId = keys[1].parse().map_err(|_| ApiError::invalid_field("cursor", "Invalid cursor."))?;
    Ok(Some((Value::Text(keys[0].clone()), Value::Uuid(id.0))))
}

async fn update(
    State(app): State<App>,
    administrator: Administrator,
    Path(id): Path<UserId>,
    Body(request): Body<PatchedWorkspaceMemberUpdateRequest>,
) -> ApiResult<Json<WorkspaceMember>> {
    let mut tx = app.db.begin().await?;
    let before = queries::find(&tx, id).await?.ok_or_else(ApiError::not_found)?;
    let other_owners = queries::acting_owners_besides(&tx, id).await?;
    let after = rules::changed(&administrator.actor, &before, other_owners, request)?;
    write(&mut tx, &administrator, &before, &after).await?;
    tx.commit().await?;
    Ok(Json(after.into()))
}

async fn deactivate(
    state: State<App>,
    administrator: Administrator,
    id: Path<UserId>,
) -> ApiResult<NoContent> {
    let request = PatchedWorkspaceMemberUpdateRequest::deactivating();
    update(state, administrator, id, Body(request)).await?;
    Ok(NoContent)
}

/// Writes what differs, if anything does.
async fn write(
    tx: &mut Tx,
    administrator: &Administrator,
    before: &MemberRow,
    after: &MemberRow,
) -> ApiResult<()> {
    let actor = administrator.actor.id;
    let change = Change::of("user", after.id, ChangeKind::Updated, actor)
        .between(&WorkspaceMember::from(before.clone()), &WorkspaceMember::from(after.clone()));
    if change.fields.is_empty() {
        return Ok(());
    }
    if !queries::update(tx, administrator, after).await? {
        return Err(ApiError::conflict("Somebody else changed this member meanwhile."));
    }
    queries::keep_availability(tx, administrator, after).await?;
    tx.record(Change { version: after.server_version + 1, ..change }).await?;
    let was_let_in = before.standing() != MemberStatus::Deactivated;
    if was_let_in && after.standing() == MemberStatus::Deactivated {
        offboarding::request(tx, &Offboarding { user: after.id, actor }).await?;
    }
    Ok(())
}
