//! Notifications on the wire and in storage. Names and texts are empty in a project that the recipient sees no more.

use chrono::{DateTime, Utc};
use planwright_domain::ids::{CommentId, MentionId, NotificationId, ProjectId, TaskId, UserId};
use planwright_domain::person;
use planwright_domain::words::{MentionScope, NotificationCategory, NotificationKind, SnoozePreset};
use planwright_store::row;
use planwright_web::input;
use planwright_web::input::Patch;
use schemars::JsonSchema;
use serde::Serialize;

use crate::kinds::Kind;

/// So many characters of a comment are shown.
const SNIPPET: usize = 200;

row! {
    /// What the recipient decides about a notification.
    #[derive(PartialEq)]
    pub struct MarksRow {
        pub id: NotificationId,
        pub is_archived: bool,
        pub snoozed_until: Option<DateTime<Utc>>,
        pub read_at: Option<DateTime<Utc>>,
    }
}

row! {
    /// A notification with what it is about.
    pub struct ShownRow {
        recipient_id: UserId,
        kind: NotificationKind,
        category: NotificationCategory,
        project_id: Option<ProjectId>,
        task_id: Option<TaskId>,
        name: Option<String>,
        body: String,
        comment_body: Option<String>,
        is_seen: bool,
        created_at: DateTime<Utc>,
    }
    and marks: MarksRow
    and mention: Option<MentionRow>
}

row! {
    /// A mention with both people.
    struct MentionRow {
        mention_id: MentionId,
        group_key: Option<String>,
        comment_id: CommentId,
        mentioned_at: DateTime<Utc>,
        by_id: UserId,
        by_username: String,
        by_first_name: String,
        by_last_name: String,
        of_id: UserId,
        of_username: String,
        of_first_name: String,
        of_last_name: String,
    }
}

/// A person, as a mention names them.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct MentionAuthor {
    pub id: UserId,
    pub username: String,
    pub display_name: String,
}

/// That somebody was mentioned in a comment.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Mention {
    pub id: MentionId,
    pub mentioner: MentionAuthor,
    pub mentioned_user: MentionAuthor,
    /// The group by which they were mentioned. Empty if they were mentioned by name.
    pub mentioned_group_key: String,
    /// Always `project_visible`.
    pub scope: MentionScope,
    pub task_comment: Option<CommentId>,
    pub created_at: DateTime<Utc>,
}

/// What the caller was told. If they do not see the project any more, or if the task is in the trash, there are no names and
/// no texts in it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Notification {
    pub id: NotificationId,
    /// Always the caller.
    pub recipient: UserId,
    /// The mention that it tells of. Null for all others.
    pub mention: Option<Mention>,
    pub event_type: NotificationKind,
    /// What happened, and the name of the task, the project or the program.
    pub subject: String,
    /// What happened, in a sentence or two.
    pub body: String,
    /// The project. Null for what concerns a program.
    pub project: Option<ProjectId>,
    pub is_read: bool,
    pub is_archived: bool,
    /// The list leaves it out until then.
    pub snoozed_until: Option<DateTime<Utc>>,
    pub category: NotificationCategory,
    pub created_at: DateTime<Utc>,
    pub read_at: Option<DateTime<Utc>>,
    /// The first 200 characters of the comment. Empty if there is none or it was deleted.
    pub snippet: String,
    /// The task. Null for what concerns a project or a program as a whole.
    pub task_id: Option<TaskId>,
}

impl From<MentionRow> for Mention {
    fn from(row: MentionRow) -> Self {
        let named = |id, username: String, first: &str, last: &str| {
            let display_name = person::display_name(first, last, &username);
            MentionAuthor { id, username, display_name }
        };
        Self {
            id: row.mention_id,
            mentioner: named(row.by_id, row.by_username, &row.by_first_name, &row.by_last_name),
            mentioned_user: named(row.of_id, row.of_username, &row.of_first_name, &row.of_last_name),
            mentioned_group_key: row.group_key.unwrap_or_default(),
            scope: MentionScope::ProjectVisible,
            task_comment: Some(row.comment_id),
            created_at: row.mentioned_at,
        }
    }
}

impl From<ShownRow> for Notification {
    fn from(row: ShownRow) -> Self {
        let is_seen = row.is_seen;
        let title = Kind::of(row.kind).title;
        let comment = row.comment_body.filter(|_| is_seen).unwrap_or_default();
        Self {
            id: row.marks.id,
            recipient: row.recipient_id,
            mention: row.mention.filter(|_| is_seen).map(Mention::from),
            event_type: row.kind,
            subject: match row.name.filter(|_| is_seen) {
                Some(name) => format!("{title}: {name}"),
                None => title.to_owned(),
            },
            body: if is_seen { row.body } else { String::new() },
            project: row.project_id,
            is_read: row.marks.read_at.is_some(),
            is_archived: row.marks.is_archived,
            snoozed_until: row.marks.snoozed_until,
            category: row.category,
            created_at: row.created_at,
            read_at: row.marks.read_at,
            snippet: comment.chars().take(SNIPPET).collect(),
            task_id: row.task_id.filter(|_| is_seen),
        }
    }
}

input! {
    /// Which notifications to show.
    pub struct NotificationFilter {
        /// Whether only those that are not read are shown.
        pub unread_only: Patch<bool>,
        /// Whether the archived ones are shown instead of the others.
        pub archived: Patch<bool>,
        /// Whether those that are put off now are shown instead of the others.
        pub snoozed: Patch<bool>,
        /// Only those of this category.
        pub category: Patch<NotificationCategory>,
    }
}

input! {
    /// What the caller does with a notification.
    pub struct PatchedNotificationRequest {
        pub is_read: Patch<bool>,
        pub is_archived: Patch<bool>,
    }
}

input! {
    /// For how long a notification is put off: one of both fields.
    pub struct SnoozeRequest {
        /// `tomorrow` is nine o'clock in the time zone of the caller.
        pub preset: Patch<SnoozePreset>,
        /// The time at which it comes back. Null brings it back at once.
        pub until: Patch<Option<DateTime<Utc>>>,
    }
}

/// How many notifications were marked.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct MarkAllReadResult {
    pub updated: i64,
}
