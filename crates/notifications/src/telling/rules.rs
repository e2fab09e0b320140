//! What an event means for people: which task it is about, who is concerned, and what they are told.

use std::collections::{HashMap, HashSet};

use chrono::{DateTime, Utc};
use planwright_domain::Role;
use planwright_domain::events::WebhookEvent;
use planwright_domain::ids::{CommentId, MentionId, NotificationId, ProjectId, TaskId, UserId};
use planwright_domain::words::{NotificationKind, Word};
use planwright_store::outbox::Waiting;
use serde_json::Value as Json;
use uuid::Uuid;

use super::queries::{MemberRow, MentionedRow, TaskRow};
use crate::kinds::{Concerned, KINDS, Kind};

/// An event that a kind of notification tells of.
#[derive(Debug)]
pub struct News {
    /// The kind.
    pub kind: &'static Kind,
    /// The event.
    pub event: Uuid,
    /// When it happened.
    pub at: DateTime<Utc>,
    /// Who did it.
    pub actor: Option<UserId>,
    /// The task.
    pub task: TaskId,
    /// The comment, if it is about one.
    pub comment: Option<CommentId>,
    /// Whose task it was then.
    pub assignee: Option<UserId>,
}

/// What is known about the news.
#[derive(Debug, Default)]
pub struct Facts {
    /// The tasks that are not deleted.
    pub tasks: HashMap<TaskId, TaskRow>,
    /// The people who see the projects.
    pub members: Vec<MemberRow>,
    /// The mentions in the comments, without those by a group that the person has muted.
    pub mentions: Vec<MentionedRow>,
    /// The comments that are not deleted.
    pub comments: HashSet<CommentId>,
    /// What those who did it are called.
    pub names: HashMap<UserId, String>,
}

/// What one person is told.
#[derive(Debug)]
pub struct Told {
    /// The person.
    pub recipient: UserId,
    /// What it is.
    pub kind: NotificationKind,
    /// What they are told of once.
    pub occasion: String,
    /// The project of the task.
    pub project: ProjectId,
    /// The task.
    pub task: TaskId,
    /// The comment, if it is about one.
    pub comment: Option<CommentId>,
    /// The mention, if it is one.
    pub mention: Option<MentionId>,
    /// What happened, in a sentence.
    pub body: String,
}

/// The same with how the person wants to hear of it.
#[derive(Debug)]
pub struct Chosen {
    /// Its id.
    pub id: NotificationId,
    /// What the person is told.
    pub row: Told,
    /// Whether it is in their list.
    pub is_listed: bool,
    /// Whether they get a mail.
    pub is_mailed: bool,
}

/// The news among events, oldest first.
pub fn news(events: &[Waiting]) -> Vec<News> {
    let hooks = events.iter().filter(|event| event.channel == "webhook");
    let mut found = Vec::new();
    let mut last_of_task: HashMap<TaskId, WebhookEvent> = HashMap::new();
    for event in hooks {
        let Some(name) = WebhookEvent::parse(&event.name) else { continue };
        let Some(task) = id(&event.payload, "id").map(TaskId) else { continue };
        let before = last_of_task.insert(task, name);
        if follows_assignment(name, before) {
            continue;
        }
        let (at, actor) = (event.at, event.actor_id);
        let comment = id(&event.payload, "comment_id").map(CommentId);
        let kinds = KINDS.iter().filter(|kind| kind.events.contains(&name));
        let assignee = id(&event.payload, "assignee").map(UserId);
        found.extend(kinds.map(|kind| News { kind, event: event.id, at, actor, task, comment, assignee }));
    }
    found
}

/// Whether an event tells of new dates in the write that assigned the task: the assignee hears of the task then, and not of
/// its dates as well.
fn follows_assignment(name: WebhookEvent, before: Option<WebhookEvent>) -> bool {
    let is_assignment =
        matches!(before, Some(WebhookEvent::TaskAssigned | WebhookEvent::TaskAssigneeChanged));
    name == WebhookEvent::TaskDueDateChanged && is_assignment
}

fn id(payload: &Json, field: &str) -> Option<Uuid> {
    payload[field].as_str()?.parse().ok()
}

/// The news of tasks that are still there. A change of a task is only worth telling if it blocked the task, and an assignment
/// only to those whose task it still is.
pub fn worth_telling(news: Vec<News>, tasks: &HashMap<TaskId, TaskRow>) -> Vec<News> {
    let is_worth = |one: &News| match (tasks.get(&one.task), one.kind.kind) {
        (None, _) => false,
        (Some(task), NotificationKind::TaskBlocked) => task.blocked_since == Some(one.at),
        // Somebody else may have got the task since.
        (Some(task), _) if one.kind.concerned == Concerned::Assignee => {
            task.assignee_id.is_some() && task.assignee_id == one.assignee
        }
        (Some(_), _) => true,
    };
    news.into_iter().filter(is_worth).collect()
}

/// What people are told: those who are concerned, see the project, and did not do it themselves.
pub fn told(news: &[News], facts: &Facts) -> Vec<Told> {
    let mut rows = Vec::new();
    for one in news {
        let Some(task) = facts.tasks.get(&one.task) else { continue };
        if one.comment.is_some_and(|comment| !facts.comments.contains(&comment)) {
            continue;
        }
        let sees = |person: &UserId| {
            facts.members.iter().any(|row| row.project_id == task.project_id && row.user_id == *person)
        };
        for (recipient, mention) in concerned(one, task, facts) {
            if one.actor != Some(recipient) && sees(&recipient) {
                rows.push(row(one, task, recipient, mention, facts));
            }
        }
    }
    rows
}

fn row(one: &News, task: &TaskRow, recipient: UserId, mention: Option<MentionId>, facts: &Facts) -> Told {
    let who = one.actor.and_then(|actor| facts.names.get(&actor)).map_or("Somebody", String::as_str);
    Told {
        recipient,
        kind: one.kind.kind,
        occasion: occasion(one, mention),
        project: task.project_id,
        task: one.task,
        comment: one.comment,
        mention,
        body: sentence(one.kind.kind, who),
    }
}

/// What a person is told of once: a mention, a comment, that a task is blocked since a time, otherwise the event.
fn occasion(one: &News, mention: Option<MentionId>) -> String {
    match (mention, one.comment, one.kind.kind) {
        (Some(mention), ..) => mention.to_string(),
        (None, Some(comment), _) => comment.to_string(),
        (None, None, NotificationKind::TaskBlocked) => format!("{} {}", one.task, one.at.timestamp_micros()),
        (None, None, _) => one.event.to_string(),
    }
}

/// Why a task is blocked is for its assignee alone, so no sentence says it.
fn sentence(kind: NotificationKind, who: &str) -> String {
    match kind {
        NotificationKind::MentionIndividual => format!("{who} mentioned you in a comment."),
        NotificationKind::MentionGroup => format!("{who} mentioned a group in which you are."),
        NotificationKind::TaskAssigned => format!("{who} assigned the task to you."),
        NotificationKind::TaskDueDateChanged => format!("{who} changed the dates of the task."),
        NotificationKind::CommentOnMyTask => format!("{who} wrote a comment."),
        NotificationKind::TaskBlocked => format!("{who} noted that the task is blocked."),
    }
}

/// Who is concerned, each with their mention.
fn concerned(one: &News, task: &TaskRow, facts: &Facts) -> Vec<(UserId, Option<MentionId>)> {
    let assignee = || task.assignee_id.map(|id| (id, None)).into_iter();
    let mentions = || facts.mentions.iter().filter(|row| Some(row.comment_id) == one.comment);
    let by = |is_by_group: bool| {
        mentions()
            .filter(move |row| row.group_key.is_some() == is_by_group)
            .map(|row| (row.mentioned_id, Some(row.id)))
    };
    match one.kind.concerned {
        Concerned::MentionedByName => by(false).collect(),
        Concerned::MentionedByGroup => by(true).collect(),
        Concerned::Assignee => assignee().collect(),
        Concerned::AssigneeUnlessMentioned => {
            assignee().filter(|(id, _)| mentions().all(|row| row.mentioned_id != *id)).collect()
        }
        Concerned::AssigneeAndManagers => {
            let manages = |row: &&MemberRow| {
                row.project_id == task.project_id
                    && row.role.rank() >= Role::ProjectManager.rank()
                    && Some(row.user_id) != task.assignee_id
            };
            assignee().chain(facts.members.iter().filter(manages).map(|row| (row.user_id, None))).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn at() -> DateTime<Utc> {
        "2026-01-05T08:00:00Z".parse().unwrap()
    }

    fn uuid(number: u128) -> Uuid {
        Uuid::from_u128(number)
    }

    fn event(name: WebhookEvent, actor: u128) -> Waiting {
        Waiting {
            id: uuid(90),
            at: at(),
            actor_id: Some(UserId(uuid(actor))),
            channel: "webhook".to_owned(),
            name: name.as_str().to_owned(),
            project_id: Some(ProjectId(uuid(50))),
            program_id: None,
            payload: json!({"id": uuid(60), "comment_id": uuid(70), "assignee": uuid(1)}),
        }
    }

    /// Person 1 is assigned the task, person 2 manages the project, person 3 is a member, person 4 is gone.
    fn facts(mentioned: &[(u128, Option<&str>)]) -> Facts {
        let (task_id, project_id) = (TaskId(uuid(60)), ProjectId(uuid(50)));
        let task = TaskRow {
            id: task_id,
            project_id,
            assignee_id: Some(UserId(uuid(1))),
            blocked_since: Some(at()),
        };
        let member = |(id, role)| MemberRow { project_id, user_id: UserId(uuid(id)), role };
        let mention = |(id, group): &(u128, Option<&str>)| MentionedRow {
            id: MentionId(uuid(80 + id)),
            comment_id: CommentId(uuid(70)),
            mentioned_id: UserId(uuid(*id)),
            group_key: group.map(str::to_owned),
        };
        Facts {
            tasks: HashMap::from([(task_id, task)]),
            members: [(1, Role::Member), (2, Role::ProjectManager), (3, Role::Member)].map(member).to_vec(),
            mentions: mentioned.iter().map(mention).collect(),
            comments: HashSet::from([CommentId(uuid(70))]),
            names: HashMap::from([(UserId(uuid(2)), "Ona".to_owned())]),
        }
    }

    fn heard(events: &[Waiting], facts: &Facts) -> Vec<(u128, &'static str)> {
        let news = worth_telling(news(events), &facts.tasks);
        told(&news, facts).iter().map(|row| (row.recipient.0.as_u128(), row.kind.as_str())).collect()
    }

    #[test]
    fn an_assignee_hears_of_the_task_and_nobody_hears_of_what_they_did() {
        let assigned = |actor| [event(WebhookEvent::TaskAssigned, actor)];
        assert_eq!(heard(&assigned(2), &facts(&[])), [(1, "task.assigned")]);
        assert_eq!(heard(&assigned(1), &facts(&[])), []);
    }

    #[test]
    fn whoever_was_assigned_the_task_for_a_moment_hears_nothing() {
        let mut earlier = event(WebhookEvent::TaskAssigned, 2);
        earlier.payload["assignee"] = json!(uuid(3));
        assert_eq!(heard(&[earlier], &facts(&[])), []);
    }

    #[test]
    fn dates_that_come_with_an_assignment_are_not_told_by_themselves() {
        let both = [event(WebhookEvent::TaskAssigned, 2), event(WebhookEvent::TaskDueDateChanged, 2)];
        assert_eq!(heard(&both, &facts(&[])), [(1, "task.assigned")]);
        let dates = [event(WebhookEvent::TaskUpdated, 2), event(WebhookEvent::TaskDueDateChanged, 2)];
        assert!(heard(&dates, &facts(&[])).contains(&(1, "task.due_date_changed")));
    }

    #[test]
    fn a_mention_wins_over_the_comment_and_people_who_are_gone_hear_nothing() {
        let said = [event(WebhookEvent::CommentCreated, 2), event(WebhookEvent::TaskMentioned, 2)];
        assert_eq!(heard(&said, &facts(&[])), [(1, "comment_on_my_task")]);
        let mentioned = facts(&[(1, None), (3, Some("crew")), (4, None)]);
        assert_eq!(heard(&said, &mentioned), [(1, "mention_individual"), (3, "mention_group")]);
        let deleted = Facts { comments: HashSet::new(), ..mentioned };
        assert_eq!(heard(&said, &deleted), []);
    }

    #[test]
    fn a_block_is_told_to_assignee_and_managers_when_it_begins() {
        let changed = [event(WebhookEvent::TaskUpdated, 3)];
        assert_eq!(heard(&changed, &facts(&[])), [(1, "task.blocked"), (2, "task.blocked")]);
        let mut earlier = facts(&[]);
        earlier.tasks.values_mut().for_each(|task| task.blocked_since = None);
        assert_eq!(heard(&changed, &earlier), []);
    }
}
