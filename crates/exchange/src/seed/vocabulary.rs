//! The closed word lists of seed documents, each an enum that knows its spelling. The first word of a list is the
//! one that holds when the key is absent.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A closed list of words.
pub trait Word: Copy + Eq + Default + std::fmt::Debug + 'static {
    /// Every member, the default first.
    const ALL: &'static [Self];

    /// How the word is spelled in a document.
    fn as_str(self) -> &'static str;

    /// The member with this spelling.
    fn named(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|word| word.as_str() == text)
    }
}

macro_rules! words {
    ($($(#[$doc:meta])* $name:ident { $first:ident = $first_text:literal $(, $variant:ident = $text:literal)* $(,)? })+) => {$(
        $(#[$doc])*
        #[allow(missing_docs, reason = "the spelling beside each variant says it all")]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
        pub enum $name { #[default] $first $(, $variant)* }

        impl Word for $name {
            const ALL: &'static [Self] = &[Self::$first $(, Self::$variant)*];

            fn as_str(self) -> &'static str {
                match self { Self::$first => $first_text $(, Self::$variant => $text)* }
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                Self::named(&text).ok_or_else(|| D::Error::custom(format!("{text:?} is not a word of the list")))
            }
        }
    )+};
}

words! {
    /// How a program or project is run.
    Methodology { Hybrid = "HYBRID", Waterfall = "WATERFALL", Agile = "AGILE" }
    /// What an account may do in the program.
    AccountRole { Member = "MEMBER", Viewer = "VIEWER", Scheduler = "SCHEDULER", Admin = "ADMIN", Owner = "OWNER" }
    /// The page a project opens on.
    DefaultView { Schedule = "SCHEDULE", Board = "BOARD", Table = "TABLE", Overview = "OVERVIEW" }
    /// Who may set three-point estimates.
    EstimationMode { Open = "open", SuggestApprove = "suggest_approve", PmOnly = "pm_only" }
    /// Which calendar counts the days of a lag; see [`Project::lag_calendar`](super::model::Project).
    LagCalendar { Elapsed = "elapsed", Successor = "successor", Predecessor = "predecessor", Project = "project" }
    /// The colour of a label.
    LabelColor {
        Slate = "slate", Teal = "teal", Purple = "purple", Blue = "blue", Rose = "rose", Amber = "amber",
        Green = "green", Cyan = "cyan",
    }
    /// What kind of work a row is.
    TaskKind {
        Task = "task", Epic = "epic", Story = "story", Bug = "bug", Spike = "spike", TechDebt = "tech_debt",
    }
    /// Where a row stands.
    TaskStatus {
        NotStarted = "NOT_STARTED", Backlog = "BACKLOG", InProgress = "IN_PROGRESS", Review = "REVIEW",
        OnHold = "ON_HOLD", Complete = "COMPLETE",
    }
    /// How ready a backlog item is.
    Readiness { Idea = "idea", Refine = "refine", Ready = "ready" }
    /// How a row is governed.
    GovernanceClass { Flow = "flow", Gated = "gated", Hybrid = "hybrid" }
    /// How a row is delivered.
    DeliveryMode { Waterfall = "waterfall", Scrum = "scrum", Kanban = "kanban", Milestone = "milestone" }
    /// How two tasks relate without constraining each other's dates.
    RelationKind { RelatesTo = "relates_to", Blocks = "blocks", Duplicates = "duplicates" }
    /// Which ends of two tasks a dependency ties together.
    DependencyKind { FinishStart = "FS", StartStart = "SS", FinishFinish = "FF", StartFinish = "SF" }
    /// A limit of a row's dates.
    ConstraintKind {
        StartNoEarlierThan = "SNET", StartNoLaterThan = "SNLT", FinishNoEarlierThan = "FNET",
        FinishNoLaterThan = "FNLT", MustStartOn = "MSO", MustFinishOn = "MFO", StartOn = "START_ON",
        FinishOn = "FINISH_ON", AsLateAsPossible = "ALAP",
    }
    /// Where a sprint stands.
    SprintState { Planned = "PLANNED", Active = "ACTIVE", Completed = "COMPLETED", Cancelled = "CANCELLED" }
    /// Where a risk stands.
    RiskStatus {
        Open = "OPEN", Mitigating = "MITIGATING", Resolved = "RESOLVED", Accepted = "ACCEPTED", Closed = "CLOSED",
    }
    /// Where a risk comes from.
    RiskCategory {
        Technical = "TECHNICAL", External = "EXTERNAL", Organizational = "ORGANIZATIONAL",
        ProjectManagement = "PROJECT_MANAGEMENT",
    }
    /// What is done about a risk.
    RiskResponse { Mitigate = "MITIGATE", Avoid = "AVOID", Transfer = "TRANSFER", Accept = "ACCEPT" }
    /// How a sprint goal ended.
    GoalOutcome { Met = "MET", Partial = "PARTIAL", Missed = "MISSED" }
    /// What an export leaves out because its reader may not see it.
    Withheld { BlockedReasons = "blocked_reasons", Velocity = "velocity" }
    /// What an event of the history was.
    EventAction {
        TaskStatus = "task.status", TaskAssign = "task.assign", TaskEstimate = "task.estimate",
        TaskPoints = "task.points", TaskComment = "task.comment", TaskCriterionMet = "task.ac_met",
        SprintActivate = "sprint.activate", SprintClose = "sprint.close",
        SprintScopeInject = "sprint.scope_inject", SprintScopeResolve = "sprint.scope_resolve",
        BaselineCapture = "baseline.capture", RiskStatus = "risk.status", RetroAction = "retro.action",
        RetroPromote = "retro.promote",
    }
}
