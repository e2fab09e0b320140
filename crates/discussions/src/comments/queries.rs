//! Every statement about comments; single comments are read and written through items and edits.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{CommentId, MentionGroupId, ProjectId, ReactionId, TaskId, UserId};
use planwright_domain::words::Emoji;
use planwright_domain::{Role, person};
use planwright_store::dialect::{contains, pattern};
use planwright_store::record::select_list;
use planwright_store::{Read, Result, Sql, ToValue, Tx, row, sql};
use planwright_web::visible::project_is_open_to;
use uuid::Uuid;

use super::mentions::{Audience, Group, Person, Resolved};
use super::model::{CommentAcknowledgement, CommentRow, ReactionRow, ShownCommentRow};

const WITH_PEOPLE: &str = "FROM task_comments c JOIN users u ON u.id = c.author_id
     LEFT JOIN users d ON d.id = c.deleted_by";

/// The columns of a comment for the eyes of `:me`.
pub fn columns() -> String {
    format!(
        "SELECT {}, u.username, u.first_name, u.last_name, d.username AS deleter_username,
            d.first_name AS deleter_first_name, d.last_name AS deleter_last_name,
            (SELECT COUNT(*) FROM comment_acknowledgements a WHERE a.comment_id = c.id) AS acknowledged_count,
            (SELECT COUNT(*) FROM comment_reactions r WHERE r.comment_id = c.id) AS reaction_count,
            EXISTS (SELECT 1 FROM comment_acknowledgements a WHERE a.comment_id = c.id AND a.user_id = :me)
                AS has_my_acknowledgement,
            (SELECT r.id FROM comment_reactions r WHERE r.comment_id = c.id AND r.user_id = :me
             ORDER BY r.created_at, r.id LIMIT 1) AS my_reaction_id",
        select_list::<CommentRow>("c")
    )
}

/// The comments of a task whose text contains the words, deleted ones too.
pub fn of_task(db: &dyn Read, task: TaskId, me: UserId, search: Option<&str>) -> Sql {
    let found = format!("AND c.deleted_at IS NULL AND {}", contains(db.engine(), "c.body", "search"));
    let from = format!("{WITH_PEOPLE} WHERE c.task_id = :task AND c.deletion_id IS NULL");
    sql!(from, task = task, me = me).when(&found, "search", search.map(pattern))
}

/// One comment for the eyes of somebody.
pub async fn one(db: &dyn Read, id: CommentId, me: UserId) -> Result<ShownCommentRow> {
    db.one(sql!(format!("{} {WITH_PEOPLE} WHERE c.id = :id", columns()), id = id, me = me)).await
}

/// How many comments a task has, deleted ones too.
pub async fn count(db: &dyn Read, task: TaskId) -> Result<i64> {
    let select = "SELECT COUNT(*) FROM task_comments WHERE task_id = :task AND deletion_id IS NULL";
    db.count(sql!(select, task = task)).await
}

/// The comment that is answered, if it is one of that task.
pub async fn parent(db: &dyn Read, task: TaskId, parent: CommentId) -> Result<Option<CommentRow>> {
    let columns = select_list::<CommentRow>("c");
    let select = format!(
        "SELECT {columns} FROM task_comments c
         WHERE c.id = :parent AND c.task_id = :task AND c.deletion_id IS NULL"
    );
    db.maybe(sql!(select, parent = parent, task = task)).await
}

row! {
    struct PersonRow {
        id: UserId,
        username: String,
        in_project: Option<Role>,
        in_program: Option<Role>,
        is_in_sprint: bool,
    }
}

row! {
    struct GroupRow { id: MentionGroupId, name_key: String, is_of_program: bool, user_id: Option<UserId>, is_muted: bool }
}

/// Everybody who can be mentioned in a project, and its groups and those of its program.
pub async fn audience(db: &dyn Read, project: ProjectId) -> Result<Audience> {
    let is_open = project_is_open_to("u", "p");
    let people = format!(
        "SELECT u.id, u.username, m.role AS in_project, g.role AS in_program, EXISTS (
                SELECT 1 FROM tasks t JOIN sprints s ON s.id = t.sprint_id AND s.state = 'ACTIVE' AND s.deletion_id IS NULL
                WHERE t.project_id = :project AND t.assignee_id = u.id AND t.deletion_id IS NULL) AS is_in_sprint
         FROM projects p JOIN users u ON u.is_active
         LEFT JOIN project_members m ON m.project_id = p.id AND m.user_id = u.id AND m.deletion_id IS NULL
         LEFT JOIN program_members g ON g.program_id = p.program_id AND g.user_id = u.id AND g.deletion_id IS NULL
         WHERE p.id = :project AND (m.id IS NOT NULL OR g.id IS NOT NULL) AND {is_open}"
    );
    let people: Vec<PersonRow> = db.all(sql!(people, project = project)).await?;
    let groups = "SELECT g.id, g.name_key, g.program_id IS NOT NULL AS is_of_program, x.user_id,
            EXISTS (SELECT 1 FROM mention_group_mutes q WHERE q.group_id = g.id AND q.user_id = x.user_id) AS is_muted
         FROM mention_groups g LEFT JOIN mention_group_members x ON x.group_id = g.id
         WHERE g.deletion_id IS NULL AND (g.project_id = :project
            OR g.program_id = (SELECT p.program_id FROM projects p WHERE p.id = :project))
         ORDER BY g.id";
    let rows: Vec<GroupRow> = db.all(sql!(groups, project = project)).await?;
    let mut groups: Vec<Group> = Vec::new();
    for row in rows {
        if groups.last().is_none_or(|last| last.id != row.id) {
            let (id, name_key, is_of_program) = (row.id, row.name_key, row.is_of_program);
            let (members, muted) = Default::default();
            groups.push(Group { id, name_key, is_of_program, members, muted });
        }
        if let (Some(group), Some(user)) = (groups.last_mut(), row.user_id) {
            group.members.insert(user);
            group.muted.extend(row.is_muted.then_some(user));
        }
    }
    let people = people.into_iter().map(|row| {
        let PersonRow { id, username, in_project, in_program, is_in_sprint } = row;
        Person { id, username, in_project, in_program, is_in_sprint }
    });
    Ok(Audience { people: people.collect(), groups, author_manages: false })
}

/// The people whom a comment mentions already.
pub async fn mentioned(db: &dyn Read, comment: CommentId) -> Result<Vec<(UserId, bool)>> {
    let select = "SELECT mentioned_id, is_muted FROM mentions WHERE comment_id = :comment";
    db.all(sql!(select, comment = comment)).await
}

/// How many people somebody has mentioned since a moment.
pub async fn mentioned_since(db: &dyn Read, mentioner: UserId, since: DateTime<Utc>) -> Result<i64> {
    let select = "SELECT COUNT(*) FROM mentions WHERE mentioner_id = :mentioner AND created_at > :since";
    db.count(sql!(select, mentioner = mentioner, since = since)).await
}

/// Notes whom a comment mentions.
pub async fn mention(tx: &mut Tx, comment: &CommentRow, resolved: &Resolved) -> Result<()> {
    let insert =
        "INSERT INTO mentions (id, project_id, task_id, comment_id, mentioner_id, mentioned_id, group_key,
            is_muted, created_at)
         VALUES (:id, :project, :task, :comment, :mentioner, :mentioned, :group, :muted, :now)
         ON CONFLICT (comment_id, mentioned_id) DO UPDATE SET group_key = excluded.group_key,
            is_muted = excluded.is_muted, created_at = excluded.created_at";
    let now = tx.now();
    let rows: Vec<_> = resolved
        .reached
        .iter()
        .map(|(user, (group, reached))| {
            vec![
                ("id", tx.mint::<Uuid>().to_value()),
                ("project", comment.project_id.to_value()),
                ("task", comment.task_id.to_value()),
                ("comment", comment.id.to_value()),
                ("mentioner", comment.author_id.to_value()),
                ("mentioned", user.to_value()),
                ("group", group.to_value()),
                ("muted", reached.is_muted.to_value()),
                ("now", now.to_value()),
            ]
        })
        .collect();
    tx.run_rows(insert, rows).await.map(drop)
}

/// The name of a person, as webhooks tell it.
pub async fn display_name(db: &dyn Read, user: UserId) -> Result<String> {
    let select = "SELECT first_name, last_name, username FROM users WHERE id = :user";
    let (first, last, username): (String, String, String) = db.one(sql!(select, user = user)).await?;
    Ok(person::display_name(&first, &last, &username))
}

/// Notes that somebody has seen a comment, once; whether it was new.
pub async fn acknowledge(tx: &mut Tx, comment: CommentId, user: UserId) -> Result<bool> {
    let insert = sql!(
        "INSERT INTO comment_acknowledgements (id, comment_id, user_id, created_at)
         VALUES (:id, :comment, :user, :now) ON CONFLICT (comment_id, user_id) DO NOTHING",
        id = tx.mint::<Uuid>(),
        comment = comment,
        user = user,
        now = tx.now()
    );
    Ok(tx.run(insert).await? > 0)
}

/// That somebody has seen a comment.
pub async fn acknowledgement(
    db: &dyn Read,
    comment: CommentId,
    user: UserId,
) -> Result<CommentAcknowledgement> {
    let select = "SELECT id, user_id AS \"user\", created_at FROM comment_acknowledgements
         WHERE comment_id = :comment AND user_id = :user";
    db.one(sql!(select, comment = comment, user = user)).await
}

/// Takes back that somebody has seen a comment; whether there was something to take back.
pub async fn unacknowledge(tx: &mut Tx, comment: CommentId, user: UserId) -> Result<bool> {
    let delete = "DELETE FROM comment_acknowledgements WHERE comment_id = :comment AND user_id = :user";
    Ok(tx.run(sql!(delete, comment = comment, user = user)).await? > 0)
}

/// Notes a reaction, once; whether it was new.
pub async fn react(tx: &mut Tx, comment: CommentId, user: UserId, emoji: Emoji) -> Result<bool> {
    let insert = sql!(
        "INSERT INTO comment_reactions (id, comment_id, user_id, emoji, created_at)
         VALUES (:id, :comment, :user, :emoji, :now) ON CONFLICT (comment_id, user_id, emoji) DO NOTHING",
        id = tx.mint::<ReactionId>(),
        comment = comment,
        user = user,
        emoji = emoji,
        now = tx.now()
    );
    Ok(tx.run(insert).await? > 0)
}

/// A reaction of somebody.
pub async fn reaction(db: &dyn Read, comment: CommentId, user: UserId, emoji: Emoji) -> Result<ReactionRow> {
    let select =
        "SELECT r.id, r.emoji, r.created_at, u.id AS author_id, u.username, u.first_name, u.last_name
         FROM comment_reactions r JOIN users u ON u.id = r.user_id
         WHERE r.comment_id = :comment AND r.user_id = :user AND r.emoji = :emoji";
    db.one(sql!(select, comment = comment, user = user, emoji = emoji)).await
}

/// Takes back a reaction of somebody; whether there was one.
pub async fn unreact(tx: &mut Tx, comment: CommentId, user: UserId, reaction: ReactionId) -> Result<bool> {
    let delete = "DELETE FROM comment_reactions WHERE id = :id AND comment_id = :comment AND user_id = :user";
    Ok(tx.run(sql!(delete, id = reaction, comment = comment, user = user)).await? > 0)
}
