//! `/api/v1/workspace/invites/`: list, send, send again, revoke, accept.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_plan::edit;
use planwright_store::page::Key;
use planwright_web::limits::Limit;
use planwright_web::version::Precondition;
use planwright_web::{
    Accepted, ApiResult, App, Body, Created, IgnoredBody, Item, Json, NoContent, Page, Paging, Routes, says,
};

use super::commands::{self, Administrator};
use super::model::*;
use super::queries;

const ALL: &str = "/api/v1/workspace/invites/";
const ONE: &str = "/api/v1/workspace/invites/{invite_id}/";

type Managed = Item<InviteRow, may::AdministerWorkspace>;

/// The routes of this file.
pub(super) fn table() -> Routes {
    Routes::new()
        .get(ALL, list, says("List the invitations that wait for an answer, newest first."))
        .post(ALL, invite, says("Invite somebody by mail."))
        .delete(ONE, revoke, says("Revoke an invitation. A second request changes nothing."))
        .post(
            "/api/v1/workspace/invites/{invite_id}/resend/",
            resend,
            says("Send an invitation again, with a new link.").limit(Limit::InviteResend),
        )
        .post(
            "/api/v1/workspace/invites/resend-all/",
            resend_all,
            says("Send all invitations again that wait.").limit(Limit::InviteResend),
        )
        .post(
            "/api/v1/workspace/invites/accept/",
            accept,
            says("Accept an invitation with the token of its link.").public().limit(Limit::InvitesAccept),
        )
}

async fn list(State(app): State<App>, _: Administrator, paging: Paging) -> ApiResult<Page<WorkspaceInvite>> {
    let keys = [Key::descending("i.created_at"), Key::descending("i.id")];
    let now = app.clock.now();
    let show = |row: ListedInvite| WorkspaceInvite::of(row, now);
    paging.fetch(&app.db, queries::COLUMNS, queries::pending(), "i.id", &keys, show).await
}

async fn invite(
    State(app): State<App>,
    administrator: Administrator,
    Body(request): Body<WorkspaceInviteCreateRequest>,
) -> ApiResult<Created<WorkspaceInvite>> {
    let row = commands::invite(&app, administrator, request).await?;
    Ok(Created(WorkspaceInvite::of(row, app.clock.now())))
}

async fn revoke(State(app): State<App>, _: Administrator, item: Managed) -> ApiResult<NoContent> {
    let (edit, row) = edit::open(&app, item, Precondition::default()).await?;
    commands::revoke(edit, row).await?;
    Ok(NoContent)
}

async fn resend(
    State(app): State<App>,
    _: Administrator,
    item: Managed,
    _: IgnoredBody,
) -> ApiResult<Accepted<InviteQueued>> {
    let (mut edit, row) = edit::open(&app, item, Precondition::default()).await?;
    commands::resend(&app, &mut edit, row).await?;
    edit.commit().await?;
    Ok(Accepted(InviteQueued { queued: true }))
}

async fn resend_all(
    State(app): State<App>,
    administrator: Administrator,
    _: IgnoredBody,
) -> ApiResult<Accepted<InvitesRequeued>> {
    let requeued = commands::resend_all(&app, administrator).await?;
    Ok(Accepted(InvitesRequeued { requeued }))
}

async fn accept(
    State(app): State<App>,
    Body(request): Body<InviteAcceptRequest>,
) -> ApiResult<Json<InviteAccepted>> {
    commands::accept(&app, request).await.map(Json)
}
