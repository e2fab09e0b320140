//! The news among events: which kinds of notification an event may lead to, and what the event says itself.

use std::collections::HashMap;

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::events::{SocketEvent, WebhookEvent};
use planwright_domain::ids::{CommentId, ProjectId, TaskId, UserId};
use planwright_domain::words::Word;
use planwright_store::outbox::{Event, Waiting};
use serde_json::Value as Json;
use uuid::Uuid;

use crate::kinds::{KINDS, Kind};

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
    /// The project.
    pub project: ProjectId,
    /// The task; none for what concerns the project as a whole.
    pub task: Option<TaskId>,
    /// The comment, if it is about one.
    pub comment: Option<CommentId>,
    /// Whose task it was then.
    pub assignee: Option<UserId>,
    /// The finish of the project, if it was recalculated.
    pub finish: Option<NaiveDate>,
}

/// The news among events, oldest first.
pub fn news(events: &[Waiting]) -> Vec<News> {
    let mut found = Vec::new();
    let mut last_of_task: HashMap<TaskId, Event> = HashMap::new();
    for waiting in events {
        let (Some(event), Some(project)) = (event_of(waiting), waiting.project_id) else { continue };
        let task = task_of(event, &waiting.payload);
        if let Some(task) = task.filter(|_| matches!(event, Event::Webhook(_))) {
            let before = last_of_task.insert(task, event);
            if follows_assignment(event, before) {
                continue;
            }
        }
        if event == Event::Socket(SocketEvent::TaskUpdated) && !changes_sprint(&waiting.payload) {
            continue;
        }
        let kinds = KINDS.iter().filter(|kind| kind.events.contains(&event));
        found.extend(kinds.map(|kind| News {
            kind,
            event: waiting.id,
            at: waiting.at,
            actor: waiting.actor_id,
            project,
            task,
            comment: id(&waiting.payload, "comment_id").map(CommentId),
            assignee: id(&waiting.payload, "assignee").map(UserId),
            finish: waiting.payload["project_finish"].as_str().and_then(|text| text.parse().ok()),
        }));
    }
    found
}

fn event_of(waiting: &Waiting) -> Option<Event> {
    match waiting.channel.as_str() {
        "webhook" => WebhookEvent::parse(&waiting.name).map(Event::Webhook),
        _ => SocketEvent::parse(&waiting.name).map(Event::Socket),
    }
}

/// The task of an event; none for an event that is about something else.
fn task_of(event: Event, payload: &Json) -> Option<TaskId> {
    let field = match event {
        Event::Webhook(WebhookEvent::ScheduleRecalculated) => return None,
        Event::Socket(SocketEvent::TaskUpdated) | Event::Webhook(_) => "id",
        Event::Socket(SocketEvent::MilestoneForecastUpdated) => "milestone_id",
        Event::Socket(_) => return None,
    };
    id(payload, field).map(TaskId)
}

fn changes_sprint(payload: &Json) -> bool {
    payload["changed_fields"].as_array().is_some_and(|fields| fields.iter().any(|field| field == "sprint"))
}

/// Whether an event tells of new dates in the write that assigned the task: the assignee hears of the task then, and not of
/// its dates as well.
fn follows_assignment(event: Event, before: Option<Event>) -> bool {
    let is_assignment = matches!(
        before,
        Some(Event::Webhook(WebhookEvent::TaskAssigned | WebhookEvent::TaskAssigneeChanged))
    );
    event == Event::Webhook(WebhookEvent::TaskDueDateChanged) && is_assignment
}

fn id(payload: &Json, field: &str) -> Option<Uuid> {
    payload[field].as_str()?.parse().ok()
}
