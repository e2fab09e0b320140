//! The routes of the list of notifications. Every one of them is about the caller's own.

use axum::RequestPartsExt;
use axum::extract::{FromRequestParts, State};
use http::request::Parts;
use planwright_domain::ids::NotificationId;
use planwright_plan::edit::Edit;
use planwright_store::Read;
use planwright_store::page::Key;
use planwright_web::describe::Describe;
use planwright_web::paging::Orderings;
use planwright_web::{
    Actor, ApiError, ApiResult, App, Body, IgnoredBody, Json, Page, Paging, Path, Query, Routes, says,
};

use super::model::*;
use super::{queries, rules};
use crate::times;

const ALL: &str = "/api/v1/me/notifications/";
const ONE: &str = "/api/v1/me/notifications/{id}/";
const SNOOZE: &str = "/api/v1/me/notifications/{id}/snooze/";
const MARK_ALL: &str = "/api/v1/me/notifications/mark-all-read/";
const ORDERINGS: Orderings = &[("created_at", "n.created_at")];

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .get(ALL, list, says("What you were told, the newest first.").orderings(ORDERINGS))
        .get(ONE, show, says("One thing that you were told."))
        .patch(ONE, mark, says("Mark a notification as read or archived, or take the mark off."))
        .post(SNOOZE, snooze, says("Put a notification off, or bring it back."))
        .post(MARK_ALL, mark_all, says("Mark everything that you were told as read."))
}

/// The notification of the caller that the path names; 404 if it is not theirs.
pub struct Own {
    actor: Actor,
    id: NotificationId,
}

impl FromRequestParts<App> for Own {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> ApiResult<Self> {
        let Path(id) = parts.extract_with_state::<Path<NotificationId>, App>(app).await?;
        let actor = Actor::from_request_parts(parts, app).await?;
        match queries::marks(&app.db, actor.id, id).await? {
            Some(_) => Ok(Self { actor, id }),
            None => Err(ApiError::not_found()),
        }
    }
}

impl Describe for Own {}

async fn list(
    State(app): State<App>,
    actor: Actor,
    paging: Paging,
    Query(filter): Query<NotificationFilter>,
) -> ApiResult<Page<Notification>> {
    let keys = paging.keys(ORDERINGS, &[Key::descending("n.created_at")], "n.id")?;
    let from = queries::listed(&app.db, actor.id, app.clock.now(), filter, paging.search.as_deref());
    paging.fetch::<ShownRow, _>(&app.db, &queries::columns(), from, "n.id", &keys, Notification::from).await
}

async fn show(State(app): State<App>, own: Own) -> ApiResult<Json<Notification>> {
    shown(&app.db, &own).await
}

async fn mark(
    State(app): State<App>,
    own: Own,
    Body(request): Body<PatchedNotificationRequest>,
) -> ApiResult<Json<Notification>> {
    let (mut edit, before) = open(&app, &own).await?;
    let after = rules::marked(before, request, edit.now());
    queries::mark(&mut edit, own.actor.id, &after).await?;
    let notification = shown(&edit, &own).await?;
    edit.commit().await?;
    Ok(notification)
}

async fn snooze(
    State(app): State<App>,
    own: Own,
    Body(request): Body<SnoozeRequest>,
) -> ApiResult<Json<Notification>> {
    let (mut edit, before) = open(&app, &own).await?;
    let zone = times::zone(&queries::zone(&edit, own.actor.id).await?);
    let snoozed_until = rules::until(request, edit.now(), zone)?;
    queries::mark(&mut edit, own.actor.id, &MarksRow { snoozed_until, ..before }).await?;
    let notification = shown(&edit, &own).await?;
    edit.commit().await?;
    Ok(notification)
}

async fn mark_all(
    State(app): State<App>,
    actor: Actor,
    _: IgnoredBody,
) -> ApiResult<Json<MarkAllReadResult>> {
    let mut edit = Edit::locked(&app, &actor).await?;
    let updated = queries::mark_all_read(&mut edit, actor.id).await?;
    edit.commit().await?;
    Ok(Json(MarkAllReadResult { updated: i64::try_from(updated).unwrap_or(i64::MAX) }))
}

/// Begins a change of a notification of the caller, and reads its marks again under the lock.
async fn open(app: &App, own: &Own) -> ApiResult<(Edit, MarksRow)> {
    let edit = Edit::locked(app, &own.actor).await?;
    let marks = queries::marks(&edit, own.actor.id, own.id).await?.ok_or_else(ApiError::not_found)?;
    Ok((edit, marks))
}

async fn shown(db: &dyn Read, own: &Own) -> ApiResult<Json<Notification>> {
    let row = queries::one(db, own.actor.id, own.id).await?.ok_or_else(ApiError::not_found)?;
    Ok(Json(row.into()))
}
