//! The one table of what people are told: by which event, who is concerned, and how they are told if they chose nothing.
//! Nothing is decided elsewhere about one kind alone.

use planwright_domain::events::{SocketEvent, WebhookEvent};
use planwright_domain::words::{NotificationCategory, NotificationChannel, NotificationKind, Word};
use planwright_store::outbox::Event::{self, Socket, Webhook};

/// Who is concerned by an event. Whoever caused it is never told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Concerned {
    /// Those whom the comment mentions by name.
    MentionedByName,
    /// Those whom the comment mentions by a group that they have not muted.
    MentionedByGroup,
    /// The assignee of the task.
    Assignee,
    /// The assignee of the task, if the comment does not mention them.
    AssigneeUnlessMentioned,
    /// The assignee of the task, the Project Managers and the Owners.
    AssigneeAndManagers,
    /// The Project Managers and the Owners.
    Managers,
    /// Everybody who sees the project.
    Members,
    /// Those of the default team of the project.
    Team,
    /// Those who do a task of the project.
    Doers,
    /// Those who asked for a digest.
    Subscribers,
}

/// A row of the table.
#[derive(Debug)]
pub struct Kind {
    /// What people are told.
    pub kind: NotificationKind,
    /// The events that tell of it; none for what a job finds out.
    pub events: &'static [Event],
    /// Who is concerned.
    pub concerned: Concerned,
    /// By which the list is filtered.
    pub category: NotificationCategory,
    /// Whether it is in the list of those who chose nothing.
    pub in_app: bool,
    /// Whether those who chose nothing get a mail.
    pub email: bool,
    /// Whether a mail is sent to people who do not want to be disturbed.
    pub disturbs: bool,
    /// The row in the project preferences that also decides about it.
    pub project_event: Option<&'static str>,
    /// The beginning of the subject.
    pub title: &'static str,
}

/// All kinds. New ones are added at the end: the places of the rows are the ids of the preferences.
pub const KINDS: [Kind; 18] = [
    Kind {
        kind: NotificationKind::MentionIndividual,
        events: &[Webhook(WebhookEvent::TaskMentioned)],
        concerned: Concerned::MentionedByName,
        category: NotificationCategory::Mentions,
        in_app: true,
        email: false,
        disturbs: false,
        project_event: Some("comment_mention"),
        title: "You were mentioned",
    },
    Kind {
        kind: NotificationKind::MentionGroup,
        events: &[Webhook(WebhookEvent::TaskMentioned)],
        concerned: Concerned::MentionedByGroup,
        category: NotificationCategory::Mentions,
        in_app: true,
        email: false,
        disturbs: false,
        project_event: Some("comment_mention"),
        title: "Your group was mentioned",
    },
    Kind {
        kind: NotificationKind::TaskAssigned,
        events: &[Webhook(WebhookEvent::TaskAssigned), Webhook(WebhookEvent::TaskAssigneeChanged)],
        concerned: Concerned::Assignee,
        category: NotificationCategory::Tasks,
        in_app: true,
        email: false,
        disturbs: false,
        project_event: Some("task_assigned"),
        title: "A task was assigned to you",
    },
    Kind {
        kind: NotificationKind::TaskDueDateChanged,
        events: &[Webhook(WebhookEvent::TaskDueDateChanged)],
        concerned: Concerned::Assignee,
        category: NotificationCategory::Tasks,
        in_app: true,
        email: false,
        disturbs: false,
        project_event: None,
        title: "The dates of your task have changed",
    },
    Kind {
        kind: NotificationKind::CommentOnMyTask,
        events: &[Webhook(WebhookEvent::CommentCreated)],
        concerned: Concerned::AssigneeUnlessMentioned,
        category: NotificationCategory::Tasks,
        in_app: true,
        email: false,
        disturbs: false,
        project_event: None,
        title: "There is a comment on your task",
    },
    Kind {
        kind: NotificationKind::TaskBlocked,
        events: &[Webhook(WebhookEvent::TaskCreated), Webhook(WebhookEvent::TaskUpdated)],
        concerned: Concerned::AssigneeAndManagers,
        category: NotificationCategory::Tasks,
        in_app: true,
        email: false,
        disturbs: true,
        project_event: Some("status_change"),
        title: "A task is blocked",
    },
    Kind {
        kind: NotificationKind::MilestoneForecastShifted,
        events: &[Socket(SocketEvent::MilestoneForecastUpdated)],
        concerned: Concerned::AssigneeAndManagers,
        category: NotificationCategory::Signals,
        in_app: true,
        email: true,
        disturbs: true,
        project_event: Some("milestone_reached"),
        title: "The forecast of a milestone has shifted",
    },
    Kind {
        kind: NotificationKind::SprintTaskRescheduled,
        events: &[Webhook(WebhookEvent::TaskDueDateChanged)],
        concerned: Concerned::Managers,
        category: NotificationCategory::Tasks,
        in_app: true,
        email: false,
        disturbs: false,
        project_event: None,
        title: "A task of a running sprint was rescheduled",
    },
    Kind {
        kind: NotificationKind::CeilingProposalOpened,
        events: &[Socket(SocketEvent::CeilingProposalOpened)],
        concerned: Concerned::Team,
        category: NotificationCategory::Signals,
        in_app: true,
        email: false,
        disturbs: true,
        project_event: None,
        title: "Your vote is needed",
    },
    Kind {
        kind: NotificationKind::CeilingProposalResolved,
        events: &[Socket(SocketEvent::CeilingProposalResolved)],
        concerned: Concerned::Team,
        category: NotificationCategory::Signals,
        in_app: true,
        email: false,
        disturbs: true,
        project_event: None,
        title: "A vote of your team is over",
    },
    Kind {
        kind: NotificationKind::ProjectDeleted,
        events: &[Socket(SocketEvent::ProjectDeleted)],
        concerned: Concerned::Members,
        category: NotificationCategory::Project,
        in_app: true,
        email: false,
        disturbs: false,
        project_event: None,
        title: "A project was deleted",
    },
    Kind {
        kind: NotificationKind::TaskStale,
        events: &[],
        concerned: Concerned::Assignee,
        category: NotificationCategory::Tasks,
        in_app: true,
        email: false,
        disturbs: false,
        project_event: Some("task_overdue"),
        title: "Nothing has changed for some time",
    },
    Kind {
        kind: NotificationKind::TaskMovedSprint,
        events: &[Socket(SocketEvent::TaskUpdated)],
        concerned: Concerned::Assignee,
        category: NotificationCategory::Tasks,
        in_app: true,
        email: false,
        disturbs: false,
        project_event: None,
        title: "Your task is in another sprint",
    },
    Kind {
        kind: NotificationKind::SprintMembershipChanged,
        events: &[Socket(SocketEvent::TaskUpdated)],
        concerned: Concerned::Managers,
        category: NotificationCategory::Project,
        in_app: true,
        email: false,
        disturbs: false,
        project_event: None,
        title: "The tasks of a running sprint have changed",
    },
    Kind {
        kind: NotificationKind::ProjectEndDateShifted,
        events: &[Webhook(WebhookEvent::ScheduleRecalculated)],
        concerned: Concerned::Managers,
        category: NotificationCategory::Project,
        in_app: true,
        email: false,
        disturbs: false,
        project_event: None,
        title: "The end of a project has shifted",
    },
    Kind {
        kind: NotificationKind::PlanAmended,
        events: &[Socket(SocketEvent::BaselineActivated)],
        concerned: Concerned::Doers,
        category: NotificationCategory::Project,
        in_app: true,
        email: false,
        disturbs: false,
        project_event: None,
        title: "The plan was committed",
    },
    Kind {
        kind: NotificationKind::ProgramHealthDigest,
        events: &[],
        concerned: Concerned::Subscribers,
        category: NotificationCategory::Digests,
        in_app: false,
        email: false,
        disturbs: false,
        project_event: None,
        title: "The health of a program",
    },
    Kind {
        kind: NotificationKind::ResourceOverallocationDigest,
        events: &[],
        concerned: Concerned::Subscribers,
        category: NotificationCategory::Digests,
        in_app: false,
        email: false,
        disturbs: false,
        project_event: None,
        title: "Who has more work than time",
    },
];

impl Kind {
    /// The row of a kind.
    pub fn of(kind: NotificationKind) -> &'static Self {
        &KINDS[kind as usize]
    }

    /// Whether somebody who chose nothing is told in this way.
    pub fn usually(&self, channel: NotificationChannel) -> bool {
        match channel {
            NotificationChannel::InApp => self.in_app,
            NotificationChannel::Email => self.email,
        }
    }
}

/// Every kind with every channel, in the order of the ids of preferences, which begin with 1.
pub fn ways() -> impl Iterator<Item = (&'static Kind, NotificationChannel)> {
    KINDS.iter().flat_map(|row| NotificationChannel::ALL.iter().map(move |channel| (row, *channel)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_its_row_at_its_place() {
        assert_eq!(KINDS.len(), NotificationKind::ALL.len());
        for kind in NotificationKind::ALL {
            assert_eq!(Kind::of(*kind).kind, *kind);
        }
    }
}
