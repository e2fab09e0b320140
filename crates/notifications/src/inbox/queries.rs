//! Every statement about the list of a person. Each names the person, so that nobody else's rows are found.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{NotificationId, UserId};
use planwright_store::dialect::{contains, pattern};
use planwright_store::{Read, Result, Sql, Tx, sql};
use planwright_web::visible::{program_is_open_to, project_is_open_to};

use super::model::{MarksRow, NotificationFilter, ShownRow};

/// Whether the recipient sees what a notification is about: `m` and `v` are their memberships. Nobody sees a task that is in
/// the trash. That a project was deleted is seen by those who were in it.
const SEEN: &str =
    "((m.id IS NOT NULL OR v.id IS NOT NULL OR n.kind = 'project.deleted') AND t.deletion_id IS NULL)";

/// The columns of a notification with what it is about.
pub fn columns() -> String {
    format!(
        "SELECT n.id, n.is_archived, n.snoozed_until, n.read_at, n.recipient_id, n.kind, n.category,
    n.project_id, n.task_id,
    COALESCE(t.name, p.name, g.name) AS name, n.body, c.body AS comment_body,
    {SEEN} AS is_seen, n.created_at,
    e.id AS mention_id, e.group_key, e.comment_id, e.created_at AS mentioned_at,
    a.id AS by_id, a.username AS by_username, a.first_name AS by_first_name, a.last_name AS by_last_name,
    o.id AS of_id, o.username AS of_username, o.first_name AS of_first_name, o.last_name AS of_last_name"
    )
}

/// The notifications of `:me`, with the membership that lets them see what it is about.
fn of_person() -> String {
    let (in_project, in_program) = (project_is_open_to("r", "p"), program_is_open_to("r", "g"));
    format!(
        "FROM notifications n
     JOIN users r ON r.id = n.recipient_id
     LEFT JOIN tasks t ON t.id = n.task_id
     LEFT JOIN projects p ON p.id = n.project_id
     LEFT JOIN programs g ON g.id = n.program_id
     LEFT JOIN project_members m ON m.project_id = n.project_id AND m.user_id = n.recipient_id
        AND m.deletion_id IS NULL AND p.deletion_id IS NULL AND {in_project}
     LEFT JOIN program_members v ON v.program_id = n.program_id AND v.user_id = n.recipient_id
        AND v.deletion_id IS NULL AND g.deletion_id IS NULL AND {in_program}
     LEFT JOIN task_comments c ON c.id = n.comment_id AND c.deleted_at IS NULL AND c.deletion_id IS NULL
     LEFT JOIN mentions e ON e.id = n.mention_id
     LEFT JOIN users a ON a.id = e.mentioner_id
     LEFT JOIN users o ON o.id = e.mentioned_id
     WHERE n.recipient_id = :me AND n.is_listed"
    )
}

/// The list of a person. Without a filter it has what is neither archived nor put off.
pub fn listed(
    db: &dyn Read,
    me: UserId,
    now: DateTime<Utc>,
    filter: NotificationFilter,
    search: Option<&str>,
) -> Sql {
    let name = "COALESCE(t.name, p.name, g.name)";
    let found = format!("AND {SEEN} AND {}", contains(db.engine(), name, "search"));
    let snoozed = match filter.snoozed.given().unwrap_or(false) {
        true => " AND n.snoozed_until > :now",
        false => " AND (n.snoozed_until IS NULL OR n.snoozed_until <= :now)",
    };
    let unread = if filter.unread_only.given().unwrap_or(false) { " AND n.read_at IS NULL" } else { "" };
    let is_archived = filter.archived.given().unwrap_or(false);
    sql!(format!("{} AND n.is_archived = :archived", of_person()), me = me, archived = is_archived, now = now)
        .push(snoozed)
        .push(unread)
        .when("AND n.category = :category", "category", filter.category.given())
        .when(&found, "search", search.map(pattern))
}

/// One notification of a person.
pub async fn one(db: &dyn Read, me: UserId, id: NotificationId) -> Result<Option<ShownRow>> {
    db.maybe(sql!(format!("{} {} AND n.id = :id", columns(), of_person()), me = me, id = id)).await
}

/// What a person has decided about a notification.
pub async fn marks(db: &dyn Read, me: UserId, id: NotificationId) -> Result<Option<MarksRow>> {
    let select = "SELECT id, is_archived, snoozed_until, read_at FROM notifications
         WHERE id = :id AND recipient_id = :me AND is_listed";
    db.maybe(sql!(select, id = id, me = me)).await
}

/// Writes what a person has decided about a notification.
pub async fn mark(tx: &mut Tx, me: UserId, marks: &MarksRow) -> Result<()> {
    let update = "UPDATE notifications
         SET is_archived = :archived, snoozed_until = :snoozed_until, read_at = :read_at
         WHERE id = :id AND recipient_id = :me";
    let values = sql!(
        update,
        archived = marks.is_archived,
        snoozed_until = marks.snoozed_until,
        read_at = marks.read_at,
        id = marks.id,
        me = me
    );
    tx.run(values).await.map(drop)
}

/// Marks everything that a person was told as read; returns how many were not.
pub async fn mark_all_read(tx: &mut Tx, me: UserId) -> Result<u64> {
    let update = "UPDATE notifications SET read_at = :now
         WHERE recipient_id = :me AND is_listed AND read_at IS NULL";
    tx.run(sql!(update, now = tx.now(), me = me)).await
}

/// The time zone of a person's profile.
pub async fn zone(db: &dyn Read, me: UserId) -> Result<String> {
    Ok(db.scalar(sql!("SELECT timezone FROM users WHERE id = :me", me = me)).await?.unwrap_or_default())
}
