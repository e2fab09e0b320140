//! Typed identifiers: every id on the wire is a UUID, and mixing up two kinds of them does not compile.
//! Minting is in `clock.rs`, since a new id needs the time and randomness.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Declares an id type over a UUID.
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Serialize, Deserialize, JsonSchema)]
        #[serde(transparent)]
        #[schemars(inline)]
        pub struct $name(pub Uuid);

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }

        impl From<Uuid> for $name {
            fn from(id: Uuid) -> Self {
                Self(id)
            }
        }

        impl From<$name> for Uuid {
            fn from(id: $name) -> Uuid {
                id.0
            }
        }

        impl std::str::FromStr for $name {
            type Err = uuid::Error;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                text.parse().map(Self)
            }
        }
    )*

    /// Calls a macro with the name of every id; storage and input use it to learn them all in one line.
    #[macro_export]
    macro_rules! with_every_id {
        ($callback:ident) => { $callback! { $($name),* } };
    }
    };
}

ids! {
    /// A person who can sign in.
    UserId;
    /// A container of related projects.
    ProgramId;
    /// A project: one plan with its members.
    ProjectId;
    /// A row of a plan: task, phase, milestone or epic.
    TaskId;
    /// A link between two tasks.
    DependencyId;
    /// A working-time calendar of the workspace library.
    CalendarId;
    /// One exception of a calendar.
    ExceptionId;
    /// A membership row of a project or program.
    MembershipId;
    /// A project's team.
    TeamId;
    /// A label of a project.
    LabelId;
    /// A sprint.
    SprintId;
    /// Work that was added to a running sprint, or taken out of it.
    ScopeChangeId;
    /// What became of a task in a sprint that is over.
    SprintOutcomeId;
    /// A request to close a sprint.
    CloseRequestId;
    /// A proposal to let more people see the figures of a team.
    CeilingProposalId;
    /// A duration that the velocity of a team suggests for a task.
    VelocitySuggestionId;
    /// The forecast of a milestone that was taken when a sprint closed.
    MilestoneForecastId;
    /// The columns of the board of a project.
    BoardConfigId;
    /// A way to look at a board, kept under a name.
    BoardViewId;
    /// A field that a project adds to its tasks.
    CustomFieldId;
    /// What somebody said on a task.
    CommentId;
    /// How somebody reacted to a comment.
    ReactionId;
    /// That somebody was mentioned in a comment.
    MentionId;
    /// What somebody wrote down on a task.
    NoteId;
    /// An address that somebody put on a task.
    TaskLinkId;
    /// What merge requests do to the tasks of a project.
    GitAutomationId;
    /// A secret with which a person is known at another provider.
    CredentialId;
    /// The tracker of a person.
    ConnectionId;
    /// What is open for a person in their tracker.
    ExternalItemId;
    /// A file or address on a task.
    AttachmentId;
    /// Something that a person is told.
    NotificationId;
    /// Whether the Viewers of a project read its decisions.
    DecisionPolicyId;
    /// A person outside who follows a program.
    StakeholderId;
    /// People who are mentioned by one name.
    MentionGroupId;
    /// People who get places in projects together.
    GroupId;
    /// An invitation into the workspace.
    InviteId;
    /// A risk of the register.
    RiskId;
    /// What somebody said about a risk.
    RiskCommentId;
    /// What is said about the gates between the phases of a program.
    PhaseGateConfigId;
    /// A person, machine or room that work is assigned to.
    ResourceId;
    /// An allocation of a resource to a task.
    AssignmentId;
    /// A resource on the roster of a project.
    RosterEntryId;
    /// A skill of the catalogue.
    SkillId;
    /// A skill that a resource has.
    ResourceSkillId;
    /// A skill that a task requires.
    RequirementId;
    /// A frozen copy of the plan's dates.
    BaselineId;
    /// A personal, project or program API token.
    TokenId;
    /// A sign-in session: one family of refresh tokens.
    SessionId;
    /// A provider of identities that people sign in with.
    SsoProviderId;
    /// A passkey of a person.
    PasskeyId;
    /// Who a person is at such a provider.
    SsoIdentityId;
    /// One act of deletion; everything it took carries it, and a restore brings back exactly that.
    DeletionId;
    /// A queued unit of work.
    JobId;
    /// A queued recalculation.
    TaskRunId;
    /// A recurrence rule of a task.
    RecurrenceRuleId;
    /// A write of many rows at once that can be taken back.
    OperationId;
    /// A subscription of another service.
    WebhookId;
    /// A delivery of a webhook.
    DeliveryId;
    /// Minutes that somebody spent on a task on a day.
    TimeEntryId;
    /// A running timer.
    TimerId;
    /// A week that somebody has submitted.
    TimesheetId;
    /// A criterion by which a task counts as done.
    CriterionId;
    /// A suggestion that somebody takes a task.
    SuggestionId;
    /// An item of a program backlog.
    BacklogItemId;
    /// A ceremony that the teams of a program hold.
    CeremonyId;
    /// A round of planning poker.
    PokerSessionId;
    /// The retrospective of a sprint.
    RetroId;
    /// What a retrospective wants done.
    RetroActionId;
    /// A note on the board of a retrospective.
    RetroItemId;
    /// How somebody felt in a sprint.
    PulseId;
    /// A public link to a picture of a project.
    ShareLinkId;
    /// An address at which calendar programs read for a person.
    CalendarFeedId;
}
