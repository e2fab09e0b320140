//! What writing a comment does besides its row: mentions, and the events that tell of it.

use chrono::Duration;
use planwright_domain::Role;
use planwright_domain::events::WebhookEvent;
use planwright_domain::words::ChangeKind;
use planwright_plan::Edit;
use planwright_plan::mentions::names;
use planwright_plan::tasks::write::TaskRecord;
use planwright_plan::tasks::write::announce::webhook_body;
use planwright_web::limits::Limit;
use planwright_web::{ApiError, ApiResult, App};
use serde_json::json;

use super::mentions::{self, Resolved};
use super::model::{CommentRow, event};
use super::queries;

/// Whom a text reaches, without those whom the comment has reached already.
///
/// # Errors
/// 400 that names what cannot be mentioned; 429 when the author has mentioned too many people.
pub async fn resolve(app: &App, edit: &mut Edit, row: &CommentRow) -> ApiResult<Resolved> {
    let names = names(&row.body);
    if names.is_empty() {
        return Ok(Resolved::default());
    }
    let mut audience = queries::audience(edit, row.project_id).await?;
    audience.author_manages = edit.grant.role.rank() >= Role::ProjectManager.rank();
    let mut resolved = mentions::resolve(&names, &audience, row.author_id);
    if !resolved.unknown.is_empty() || !resolved.refused_groups.is_empty() {
        return Err(ApiError::bad_request("Some of the names behind an @ cannot be mentioned here.")
            .with_code("mention_resolution_failed")
            .with("skipped_users", json!(resolved.unknown))
            .with("skipped_groups", json!(resolved.refused_groups)));
    }
    for (known, was_muted) in queries::mentioned(edit, row.id).await? {
        // Whoever was mentioned by a group that they muted, and is named now, is told after all.
        let is_news = was_muted && resolved.reached.get(&known).is_some_and(|(_, reached)| !reached.is_muted);
        if !is_news {
            resolved.reached.remove(&known);
        }
    }
    refuse_too_many(app, edit, row, resolved.reached.len()).await?;
    Ok(resolved)
}

/// Refuses to mention more people than the limits allow. They count people, not comments. Comments of one author wait for
/// each other here, or two of them would share what is left.
async fn refuse_too_many(app: &App, edit: &mut Edit, row: &CommentRow, reached: usize) -> ApiResult<()> {
    if app.rates.off || reached == 0 {
        return Ok(());
    }
    edit.lock_rows("users", [row.author_id.0]).await?;
    for limit in [Limit::MentionHour, Limit::MentionDay] {
        let limit = app.rates.row(limit);
        if reached as i64 > i64::from(limit.most) {
            let most = limit.most;
            let detail = format!("This mentions {reached} people. One comment may mention at most {most}.");
            return Err(ApiError::bad_request(detail).with_code("too_many_mentions"));
        }
        let since = edit.now() - Duration::seconds(i64::from(limit.window_seconds));
        let before = queries::mentioned_since(edit, row.author_id, since).await?;
        if before + reached as i64 > i64::from(limit.most) {
            return Err(ApiError::throttled_by(&limit, i64::from(limit.most) - before));
        }
    }
    Ok(())
}

/// Notes whom a comment mentions, and tells of it.
pub async fn mention(
    edit: &mut Edit,
    task: &TaskRecord,
    row: &CommentRow,
    resolved: &Resolved,
) -> ApiResult<()> {
    if resolved.reached.is_empty() {
        return Ok(());
    }
    queries::mention(edit, row, resolved).await?;
    let mut body = webhook_body(task, &edit.grant.actor.source);
    body["comment_id"] = json!(row.id);
    body["mention_count"] = json!(resolved.reached.len());
    Ok(edit.hook(WebhookEvent::TaskMentioned, body).await?)
}

/// Tells of a new comment. What it says is not told.
pub async fn tell_created(edit: &mut Edit, task: &TaskRecord, row: &CommentRow) -> ApiResult<()> {
    let mut body = webhook_body(task, &edit.grant.actor.source);
    body["comment_id"] = json!(row.id);
    body["author"] = json!(row.author_id);
    body["author_display"] = json!(queries::display_name(&**edit, row.author_id).await?);
    body["created_at"] = json!(row.created_at);
    edit.hook(WebhookEvent::CommentCreated, body).await?;
    tell(edit, row, ChangeKind::Created).await
}

/// Tells those who look at the project of a comment.
pub async fn tell(edit: &mut Edit, row: &CommentRow, kind: ChangeKind) -> ApiResult<()> {
    let mut told = row.told();
    if kind == ChangeKind::Created {
        told["external_recipient_count"] = json!(0);
    }
    Ok(edit.announce(event(kind), told).await?)
}
