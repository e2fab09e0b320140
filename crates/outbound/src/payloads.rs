//! The keys of every event. Emitters and both pages of the documentation are compared with this list. Values are not
//! described here, and an event without a row in the matches below does not compile.

use planwright_domain::events::{SocketEvent, WebhookEvent};
use planwright_domain::words::Word;
use planwright_store::outbox::Waiting;

/// The keys of a payload.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Keys {
    /// The keys that are always there.
    pub always: Vec<&'static str>,
    /// The keys that may be there.
    pub sometimes: Vec<&'static str>,
}

const TASK: [&str; 10] = [
    "id",
    "project",
    "name",
    "status",
    "duration",
    "assignee",
    "planned_start",
    "actual_start",
    "actual_finish",
    "source",
];

/// What the payload of a task has besides when a machine pushed it.
const OF_MACHINES: [&str; 1] = ["short_id"];
const SPRINT: [&str; 11] = [
    "id",
    "project",
    "name",
    "goal",
    "state",
    "start_date",
    "finish_date",
    "activated_at",
    "committed_points",
    "committed_task_count",
    "source",
];
/// The critical path of a recalculation: the whole path, its changes, or both.
const CRITICAL_PATH: [&str; 4] =
    ["critical_path", "critical_path_added", "critical_path_removed", "critical_path_truncated"];
/// How far a milestone is; nothing when no sprint aims at it any more.
const ROLLUP: [&str; 7] = [
    "percent_complete",
    "rollup_basis",
    "variance_days",
    "sprint_scope_changed",
    "scope_change_sprint_id",
    "binding_drifted",
    "sprint_count",
];
const RISK: [&str; 11] = [
    "id",
    "project",
    "short_id",
    "title",
    "status",
    "probability",
    "impact",
    "severity",
    "category",
    "owner",
    "source",
];

/// The payload of a webhook.
pub fn of_webhook(event: WebhookEvent) -> Keys {
    use WebhookEvent as Is;
    match event {
        Is::TaskCreated | Is::TaskDeleted => or(&TASK, &OF_MACHINES),
        Is::TaskUpdated => or(&[&TASK[..], &["changed_fields"]].concat(), &OF_MACHINES),
        Is::TaskAssigned | Is::TaskAssigneeChanged => {
            or(&[&TASK[..], &["previous_assignee"]].concat(), &OF_MACHINES)
        }
        Is::TaskMentioned => with(&TASK, &["comment_id", "mention_count"]),
        Is::TaskDueDateChanged => or(&[&TASK[..], &["previous_planned_start"]].concat(), &OF_MACHINES),
        Is::DependencyCreated => with(&["id", "predecessor", "successor", "dep_type", "lag"], &[]),
        Is::DependencyDeleted => with(&["id"], &[]),
        Is::ScheduleRecalculated => or(&["project", "project_finish", "status_date"], &CRITICAL_PATH),
        Is::ProjectCreated => with(&["id", "name", "start_date"], &[]),
        Is::SprintActivated => with(&SPRINT, &[]),
        Is::SprintClosed => with(
            &SPRINT,
            &["closed_at", "velocity_suppressed", "completed_points", "completed_task_count", "goal_outcome"],
        ),
        Is::SprintScopeChanged => with(
            &["id", "sprint", "project", "task", "item_name", "status", "goal_impact", "added_at", "source"],
            &[],
        ),
        Is::RiskOpened | Is::RiskEscalated | Is::RiskClosed => with(&RISK, &[]),
        Is::BaselineCaptured => {
            with(&["id", "project", "name", "has_cpm_dates", "task_count", "created_by", "source"], &[])
        }
        Is::CommentCreated => with(&TASK, &["comment_id", "author", "author_display", "created_at"]),
    }
}

/// The payload of an event on a channel. The default is the id of the row.
#[expect(clippy::too_many_lines, reason = "the table is easier to read in one piece")]
pub fn of_socket(event: SocketEvent) -> Keys {
    use SocketEvent as Is;
    match event {
        Is::TaskUpdated => with(&["id", "changed_fields", "version", "actor_id", "ts"], &[]),
        Is::TaskDurationChanged => with(
            &[
                "task_id",
                "old_duration",
                "new_duration",
                "percent_complete_at_change",
                "percent_complete_after",
                "policy_applied",
            ],
            &[],
        ),
        Is::TaskDatesUpdated => or(&["count"], &["tasks", "truncated"]),
        Is::TasksReordered | Is::TasksRestructured | Is::PhasesReordered | Is::QueueReordered => {
            with(&[], &[])
        }
        Is::SlipConflictsUpdated => with(&[], &[]),
        Is::TasksBulkMutated => or(&["task_ids"], &["count", "truncated"]),
        Is::TaskLinkCreated | Is::TaskLinkUpdated | Is::TaskLinkDeleted => with(&["id", "task_id"], &[]),
        Is::CpmComplete => or(&["project_finish", "status_date"], &CRITICAL_PATH),
        Is::CpmError => or(&["error"], &["faults"]),
        Is::TaskRunStarted => with(&["task_run_id", "task_name", "project_id"], &[]),
        Is::TaskRunProgress => with(&["task_run_id", "pct", "msg"], &[]),
        Is::TaskRunCompleted => with(&["task_run_id", "result_summary"], &[]),
        Is::TaskRunFailed => with(&["task_run_id", "error_detail"], &[]),
        Is::TaskRunCancelled => with(&["task_run_id"], &[]),
        Is::RisksImported => with(&["count", "ids"], &[]),
        Is::SprintReranked => with(&["project_id", "sprint_id"], &[]),
        Is::SprintRetroUpdated | Is::DemoReordered => with(&["sprint_id"], &[]),
        Is::SprintScopeChanged => with(&["sprint_id", "task_id"], &[]),
        Is::MilestoneRollupUpdated => or(&["milestone_id"], &ROLLUP),
        Is::MilestoneForecastUpdated => or(
            &["milestone_id", "cpm_finish", "p50", "p80", "confidence", "unmodeled_dependency"],
            &["binding_drifted"],
        ),
        Is::CeilingProposalOpened | Is::CeilingProposalResolved => with(&["id", "signal"], &[]),
        Is::PokerSessionUpdated => with(&["id", "task_id", "state"], &[]),
        Is::DemoToggled => with(&["id", "sprint_id", "demo_ready"], &[]),
        Is::DemoPresenterSet => with(&["id", "sprint_id", "presenter"], &[]),
        Is::ReviewNoteSet => with(&["id", "sprint_id", "note"], &[]),
        Is::FlaggedForBacklog => with(&["id", "sprint_id", "task_id"], &[]),
        Is::BacklogReranked => with(&["project_id"], &[]),
        Is::RetroItemCreated => with(&["id", "retro_id", "sprint_id", "column", "author_id"], &[]),
        Is::RetroItemMoved => with(&["id", "retro_id", "column"], &[]),
        Is::RetroItemUpdated | Is::RetroItemDeleted => with(&["id", "retro_id"], &[]),
        Is::TaskCommentCreated => or(&["id", "task_id", "parent_id"], &["external_recipient_count"]),
        Is::TaskCommentUpdated | Is::TaskCommentDeleted => with(&["id", "task_id", "parent_id"], &[]),
        Is::TaskCommentAckChanged => with(&["comment_id", "task_id"], &[]),
        Is::TaskCommentReactionAdded | Is::TaskCommentReactionRemoved => {
            with(&["id", "comment_id", "task_id"], &[])
        }
        Is::TaskAttachmentCreated | Is::TaskAttachmentDeleted => with(&["id", "task_id"], &[]),
        Is::TaskNoteCreated | Is::TaskNoteUpdated | Is::TaskNoteDeleted => with(&["id", "task_id"], &[]),
        Is::TaskNotePinned => with(&["id", "task_id", "pinned"], &[]),
        Is::TaskNoteDecisionToggled => with(&["id", "task_id", "decision"], &[]),
        Is::CommentCreated => with(&["risk_id", "id"], &[]),
        Is::RosterChanged => with(&["resource_id"], &[]),
        Is::AssignmentCreated | Is::AssignmentUpdated | Is::AssignmentDeleted => {
            with(&["id", "task_id"], &[])
        }
        Is::TeamMemberChanged => {
            with(&["membership_id", "user_id", "team_id", "role", "is_scrum_master", "is_product_owner"], &[])
        }
        Is::BoardConfigUpdated => with(&["columns"], &[]),
        Is::ProjectCustomFieldsUpdated => with(&["id", "action"], &[]),
        Is::MemberAdded | Is::MemberRoleChanged => with(&["membership_id", "user_id", "role"], &[]),
        Is::MemberRemoved => with(&["membership_id", "user_id"], &[]),
        Is::MentionGroupChanged => or(&["group_id", "change"], &["scope", "program_id"]),
        Is::ProjectTransferred | Is::ProgramSponsorshipTransferred => with(&["id", "new_owner_id"], &[]),
        Is::ProgramSplit => with(&["id", "sub_program_ids"], &[]),
        Is::SuggestionCreated => with(&["task_id", "suggestion_id", "suggested_user_id"], &[]),
        Is::SuggestionDeclined | Is::SuggestionRevoked => with(&["id", "task_id"], &[]),
        Is::ApiTokenMinted | Is::ApiTokenRevoked => with(&["token_prefix", "name"], &[]),
        Is::WorkshopStarted | Is::WorkshopEnded => with(&["session_id"], &[]),
        Is::PresenceUpdate => with(&["user_id", "display_name", "task_id", "field"], &[]),
        Is::PresenceJoin | Is::PresenceLeave => with(&["user_id", "display_name"], &[]),
        Is::TaskCreated | Is::TaskDeleted | Is::TaskRestored => with(&["id"], &[]),
        Is::DependencyCreated | Is::DependencyUpdated | Is::DependencyDeleted => with(&["id"], &[]),
        Is::DependencyAccepted | Is::DependencyRejected => with(&["id"], &[]),
        Is::TaskRelationCreated | Is::TaskRelationUpdated | Is::TaskRelationDeleted => with(&["id"], &[]),
        Is::BaselineCreated | Is::BaselineActivated | Is::BaselineDeleted => with(&["id"], &[]),
        Is::RiskCreated | Is::RiskUpdated | Is::RiskDeleted => with(&["id"], &[]),
        Is::LabelCreated | Is::LabelUpdated | Is::LabelDeleted => with(&["id"], &[]),
        Is::SprintCreated | Is::SprintUpdated | Is::SprintDeleted => with(&["id"], &[]),
        Is::SprintActivated | Is::SprintCancelled | Is::SprintClosed => with(&["id"], &[]),
        Is::BoardViewCreated | Is::BoardViewUpdated | Is::BoardViewDeleted => with(&["id"], &[]),
        Is::ProjectCreated | Is::ProjectUpdated | Is::ProjectArchived => with(&["id"], &[]),
        Is::ProjectUnarchived | Is::ProjectRestored | Is::ProjectDeleted => with(&["id"], &[]),
        Is::ProjectHardDeleted | Is::ProjectCalendarChanged => with(&["id"], &[]),
        Is::ProgramClosed | Is::ProgramReopened | Is::ProgramDeleted => with(&["id"], &[]),
        Is::SlipConflictAcknowledged => with(&["id"], &[]),
    }
}

/// All of both lists, always.
fn with(some: &[&'static str], more: &[&'static str]) -> Keys {
    Keys { always: [some, more].concat(), sometimes: Vec::new() }
}

fn or(always: &[&'static str], sometimes: &[&'static str]) -> Keys {
    Keys { always: always.to_vec(), sometimes: sometimes.to_vec() }
}

/// The errors of an event: an unknown name, a missing key, or an unknown key.
pub fn check(event: &Waiting) -> Result<(), String> {
    let keys = match event.channel.as_str() {
        "webhook" => WebhookEvent::parse(&event.name).map(of_webhook),
        _ => SocketEvent::parse(&event.name).map(of_socket),
    };
    let keys = keys.ok_or_else(|| format!("{} is not an event of the registry", event.name))?;
    let carried =
        event.payload.as_object().ok_or_else(|| format!("the payload of {} is not an object", event.name))?;
    if let Some(missing) = keys.always.iter().find(|key| !carried.contains_key(**key)) {
        return Err(format!("the payload of {} lacks {missing}: {}", event.name, event.payload));
    }
    let is_known = |key: &str| keys.always.contains(&key) || keys.sometimes.contains(&key);
    match carried.keys().find(|key| !is_known(key)) {
        Some(unknown) => Err(format!("the payload of {} has the undeclared field {unknown}", event.name)),
        None => Ok(()),
    }
}
