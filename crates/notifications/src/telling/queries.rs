//! Every statement behind telling people. Each reads for all news at once.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};
use planwright_domain::ids::{CommentId, MentionId, ProjectId, TaskId, UserId};
use planwright_domain::{Role, person};
use planwright_store::value::list;
use planwright_store::{Read, Result, ToValue, Tx, row, sql};

use super::rules::{Chosen, News};
use crate::kinds::Kind;

row! {
    /// What is known of a task.
    pub struct TaskRow {
        pub id: TaskId,
        pub project_id: ProjectId,
        pub assignee_id: Option<UserId>,
        pub blocked_since: Option<DateTime<Utc>>,
    }
}

row! {
    /// Somebody who sees a project.
    pub struct MemberRow { pub project_id: ProjectId, pub user_id: UserId, pub role: Role }
}

row! {
    /// A mention that its person hears of.
    pub struct MentionedRow {
        pub id: MentionId,
        pub comment_id: CommentId,
        pub mentioned_id: UserId,
        pub group_key: Option<String>,
    }
}

fn comments(news: &[News]) -> Vec<CommentId> {
    let comments: HashSet<CommentId> = news.iter().filter_map(|one| one.comment).collect();
    comments.into_iter().collect()
}

/// The tasks of the news, without deleted ones.
pub async fn tasks(db: &impl Read, news: &[News]) -> Result<HashMap<TaskId, TaskRow>> {
    let tasks: HashSet<TaskId> = news.iter().map(|one| one.task).collect();
    let select = "SELECT id, project_id, assignee_id, blocked_since FROM tasks
         WHERE id IN (:tasks) AND deletion_id IS NULL";
    let rows: Vec<TaskRow> = db.all(sql!(select, tasks = list(tasks))).await?;
    Ok(rows.into_iter().map(|row| (row.id, row)).collect())
}

/// The people who see the projects of the news.
pub async fn members(db: &impl Read, news: &[News]) -> Result<Vec<MemberRow>> {
    let tasks: HashSet<TaskId> = news.iter().map(|one| one.task).collect();
    let select = "SELECT m.project_id, m.user_id, m.role FROM project_members m
         JOIN projects p ON p.id = m.project_id AND p.deletion_id IS NULL
         JOIN users u ON u.id = m.user_id AND u.is_active
         WHERE m.deletion_id IS NULL AND m.project_id IN (SELECT t.project_id FROM tasks t WHERE t.id IN (:tasks))
         ORDER BY m.user_id";
    db.all(sql!(select, tasks = list(tasks))).await
}

/// The mentions in the comments of the news, without those by a group that the person has muted.
pub async fn mentions(db: &impl Read, news: &[News]) -> Result<Vec<MentionedRow>> {
    let comments = comments(news);
    if comments.is_empty() {
        return Ok(Vec::new());
    }
    let select = "SELECT id, comment_id, mentioned_id, group_key FROM mentions
         WHERE comment_id IN (:comments) AND NOT is_muted ORDER BY id";
    db.all(sql!(select, comments = list(comments))).await
}

/// The comments of the news that are not deleted.
pub async fn live_comments(db: &impl Read, news: &[News]) -> Result<HashSet<CommentId>> {
    let comments = comments(news);
    if comments.is_empty() {
        return Ok(HashSet::new());
    }
    let select = "SELECT id FROM task_comments
         WHERE id IN (:comments) AND deleted_at IS NULL AND deletion_id IS NULL";
    Ok(db.scalars(sql!(select, comments = list(comments))).await?.into_iter().collect())
}

/// What those who made the news are called.
pub async fn names(db: &impl Read, news: &[News]) -> Result<HashMap<UserId, String>> {
    let actors: HashSet<UserId> = news.iter().filter_map(|one| one.actor).collect();
    let select = "SELECT id, first_name, last_name, username FROM users WHERE id IN (:actors)";
    let rows: Vec<(UserId, String, String, String)> = db.all(sql!(select, actors = list(actors))).await?;
    let name = |(id, first, last, username): (UserId, String, String, String)| {
        (id, person::display_name(&first, &last, &username))
    };
    Ok(rows.into_iter().map(name).collect())
}

/// Writes what people are told. Who was told of the same occasion before is not told again.
pub async fn insert(tx: &mut Tx, rows: &[Chosen]) -> Result<()> {
    let insert = "INSERT INTO notifications (id, recipient_id, kind, category, occasion, project_id, task_id, comment_id,
            mention_id, body, is_listed, is_archived, created_at)
         VALUES (:id, :recipient, :kind, :category, :occasion, :project, :task, :comment, :mention, :body, :listed,
            :archived, :now)
         ON CONFLICT (recipient_id, kind, occasion) DO NOTHING";
    let now = tx.now();
    let values = |Chosen { id, row, is_listed, .. }: &Chosen| {
        vec![
            ("id", id.to_value()),
            ("recipient", row.recipient.to_value()),
            ("kind", row.kind.to_value()),
            ("category", Kind::of(row.kind).category.to_value()),
            ("occasion", row.occasion.as_str().to_value()),
            ("project", row.project.to_value()),
            ("task", row.task.to_value()),
            ("comment", row.comment.to_value()),
            ("mention", row.mention.to_value()),
            ("body", row.body.as_str().to_value()),
            ("listed", is_listed.to_value()),
            ("archived", false.to_value()),
            ("now", now.to_value()),
        ]
    };
    let values: Vec<_> = rows.iter().map(values).collect();
    tx.run_rows(insert, values.into_iter()).await.map(drop)
}
