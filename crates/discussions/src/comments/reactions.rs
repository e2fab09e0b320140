//! `…/comments/{id}/acknowledge/` and `…/comments/{comment_pk}/reactions/`: that somebody has seen a comment, and how they
//! react to it.

use axum::extract::State;
use planwright_domain::access::may;
use planwright_domain::events::SocketEvent;
use planwright_domain::ids::ReactionId;
use planwright_domain::words::{Emoji, Word};
use planwright_plan::edit;
use planwright_plan::edit::Edit;
use planwright_web::version::Precondition;
use planwright_web::{
    ApiError, ApiResult, App, Body, Created, Either, IgnoredBody, Item, Json, NoContent, Parent, Path,
    Routes, says,
};
use serde_json::json;

use super::model::*;
use super::queries;
use super::routes::refuse_deleted;

const SEEN: &str = "/api/v1/projects/{project_pk}/tasks/{task_pk}/comments/{id}/acknowledge/";
const ALL: &str = "/api/v1/projects/{project_pk}/tasks/{task_pk}/comments/{comment_pk}/reactions/";
const ONE: &str = "/api/v1/projects/{project_pk}/tasks/{task_pk}/comments/{comment_pk}/reactions/{id}/";

/// The routes of this file.
pub fn table() -> Routes {
    Routes::new()
        .post(SEEN, acknowledge, says("Say that you have seen a comment."))
        .delete(SEEN, unacknowledge, says("Take back that you have seen a comment."))
        .post(ALL, react, says("React to a comment."))
        .delete(ONE, unreact, says("Take back your reaction to a comment."))
}

type Spoken = Item<CommentRow, may::TakePart>;

async fn acknowledge(
    State(app): State<App>,
    item: Spoken,
    _: IgnoredBody,
) -> ApiResult<Json<CommentAcknowledgement>> {
    let (mut edit, row) = edit::open(&app, item, Precondition::default()).await?;
    refuse_deleted(&row)?;
    let me = edit.grant.actor.id;
    if queries::acknowledge(&mut edit, row.id, me).await? {
        tell_seen(&mut edit, &row).await?;
    }
    let shown = queries::acknowledgement(&edit, row.id, me).await?;
    edit.commit().await?;
    Ok(Json(shown))
}

async fn unacknowledge(State(app): State<App>, item: Spoken) -> ApiResult<Json<AcknowledgementDeleted>> {
    let (mut edit, row) = edit::open(&app, item, Precondition::default()).await?;
    let me = edit.grant.actor.id;
    if !queries::unacknowledge(&mut edit, row.id, me).await? {
        return Err(ApiError::not_found());
    }
    tell_seen(&mut edit, &row).await?;
    edit.commit().await?;
    Ok(Json(AcknowledgementDeleted { deleted: true }))
}

async fn react(
    State(app): State<App>,
    item: Spoken,
    Body(request): Body<CommentReactionRequest>,
) -> ApiResult<Either<Created<CommentReaction>, Json<CommentReaction>>> {
    let (mut edit, row) = edit::open(&app, item, Precondition::default()).await?;
    refuse_deleted(&row)?;
    let unknown = || ApiError::invalid_field("emoji", "Use one of 👍 👎 😄 🎉 😕 ❤️ 🚀 👀.");
    let emoji = Emoji::parse(request.emoji.as_str()).ok_or_else(unknown)?;
    let me = edit.grant.actor.id;
    let is_new = queries::react(&mut edit, row.id, me, emoji).await?;
    let reaction = queries::reaction(&edit, row.id, me, emoji).await?;
    if !is_new {
        return Ok(Either::That(Json(reaction.into())));
    }
    tell_reaction(&mut edit, SocketEvent::TaskCommentReactionAdded, &row, reaction.id).await?;
    edit.commit().await?;
    Ok(Either::This(Created(reaction.into())))
}

async fn unreact(
    State(app): State<App>,
    Parent(item): Parent<CommentRow, may::TakePart>,
    Path(reaction): Path<ReactionId>,
) -> ApiResult<NoContent> {
    let (mut edit, row) = edit::open(&app, item, Precondition::default()).await?;
    let me = edit.grant.actor.id;
    if !queries::unreact(&mut edit, row.id, me, reaction).await? {
        return Err(ApiError::not_found());
    }
    tell_reaction(&mut edit, SocketEvent::TaskCommentReactionRemoved, &row, reaction).await?;
    edit.commit().await?;
    Ok(NoContent)
}

async fn tell_seen(edit: &mut Edit, row: &CommentRow) -> ApiResult<()> {
    let told = json!({ "comment_id": row.id, "task_id": row.task_id });
    Ok(edit.announce(SocketEvent::TaskCommentAckChanged, told).await?)
}

async fn tell_reaction(
    edit: &mut Edit,
    event: SocketEvent,
    row: &CommentRow,
    reaction: ReactionId,
) -> ApiResult<()> {
    let told = json!({ "id": reaction, "comment_id": row.id, "task_id": row.task_id });
    Ok(edit.announce(event, told).await?)
}
