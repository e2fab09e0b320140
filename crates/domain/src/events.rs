//! The closed registry of events: what webhooks may carry and what sockets may broadcast.
//! A golden test freezes both lists; delivery lives elsewhere.

use crate::words::Word;

/// Declares an event list whose variants carry their names.
macro_rules! events {
    ($($(#[$doc:meta])* $name:ident { $($variant:ident = $text:literal),+ $(,)? })*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[allow(missing_docs)]
        pub enum $name { $($variant),+ }

        impl Word for $name {
            const ALL: &'static [Self] = &[$(Self::$variant),+];

            fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }
        }
    )*};
}

events! {
    /// What a webhook subscription can receive (contract 2, event catalog): a fixed cap of nineteen.
    WebhookEvent {
        TaskCreated = "task.created",
        TaskUpdated = "task.updated",
        TaskDeleted = "task.deleted",
        TaskAssigned = "task.assigned",
        TaskAssigneeChanged = "task.assignee_changed",
        TaskMentioned = "task.mentioned",
        TaskDueDateChanged = "task.due_date_changed",
        DependencyCreated = "dependency.created",
        DependencyDeleted = "dependency.deleted",
        ScheduleRecalculated = "schedule.recalculated",
        ProjectCreated = "project.created",
        SprintActivated = "sprint.activated",
        SprintClosed = "sprint.closed",
        SprintScopeChanged = "sprint.scope_changed",
        RiskOpened = "risk.opened",
        RiskEscalated = "risk.escalated",
        RiskClosed = "risk.closed",
        BaselineCaptured = "baseline.captured",
        CommentCreated = "comment.created",
    }
    /// What the real-time channel broadcasts (contract 2, board channel).
    SocketEvent {
        TaskCreated = "task_created",
        TaskUpdated = "task_updated",
        TaskDeleted = "task_deleted",
        TaskDurationChanged = "task_duration_changed",
        TaskDatesUpdated = "task_dates_updated",
        TaskRestored = "task_restored",
        TasksReordered = "tasks_reordered",
        TasksRestructured = "tasks_restructured",
        TasksBulkMutated = "tasks_bulk_mutated",
        DependencyCreated = "dependency_created",
        DependencyUpdated = "dependency_updated",
        DependencyDeleted = "dependency_deleted",
        DependencyAccepted = "dependency_accepted",
        DependencyRejected = "dependency_rejected",
        TaskRelationCreated = "task_relation_created",
        TaskRelationUpdated = "task_relation_updated",
        TaskRelationDeleted = "task_relation_deleted",
        TaskLinkCreated = "task_link_created",
        TaskLinkUpdated = "task_link_updated",
        TaskLinkDeleted = "task_link_deleted",
        CpmComplete = "cpm_complete",
        CpmError = "cpm_error",
        TaskRunStarted = "task_run_started",
        TaskRunProgress = "task_run_progress",
        TaskRunCompleted = "task_run_completed",
        TaskRunFailed = "task_run_failed",
        TaskRunCancelled = "task_run_cancelled",
        BaselineCreated = "baseline_created",
        BaselineActivated = "baseline_activated",
        BaselineDeleted = "baseline_deleted",
        RiskCreated = "risk_created",
        RiskUpdated = "risk_updated",
        RiskDeleted = "risk_deleted",
        RisksImported = "risks_imported",
        LabelCreated = "label_created",
        LabelUpdated = "label_updated",
        LabelDeleted = "label_deleted",
        SprintCreated = "sprint_created",
        SprintUpdated = "sprint_updated",
        SprintDeleted = "sprint_deleted",
        SprintActivated = "sprint_activated",
        SprintCancelled = "sprint_cancelled",
        SprintClosed = "sprint_closed",
        SprintReranked = "sprint_reranked",
        SprintRetroUpdated = "sprint_retro_updated",
        SprintScopeChanged = "sprint_scope_changed",
        MilestoneRollupUpdated = "milestone_rollup_updated",
        MilestoneForecastUpdated = "milestone_forecast_updated",
        CeilingProposalOpened = "ceiling_proposal_opened",
        CeilingProposalResolved = "ceiling_proposal_resolved",
        PokerSessionUpdated = "poker_session_updated",
        DemoToggled = "demo_toggled",
        DemoReordered = "demo_reordered",
        DemoPresenterSet = "demo_presenter_set",
        ReviewNoteSet = "review_note_set",
        FlaggedForBacklog = "flagged_for_backlog",
        BacklogReranked = "backlog_reranked",
        RetroItemCreated = "retro_item_created",
        RetroItemUpdated = "retro_item_updated",
        RetroItemMoved = "retro_item_moved",
        RetroItemDeleted = "retro_item_deleted",
        TaskCommentCreated = "task_comment_created",
        TaskCommentUpdated = "task_comment_updated",
        TaskCommentDeleted = "task_comment_deleted",
        TaskCommentAckChanged = "task_comment_ack_changed",
        TaskCommentReactionAdded = "task_comment_reaction_added",
        TaskCommentReactionRemoved = "task_comment_reaction_removed",
        TaskAttachmentCreated = "task_attachment_created",
        TaskAttachmentDeleted = "task_attachment_deleted",
        CommentCreated = "comment_created",
        TaskNoteCreated = "task_note_created",
        TaskNoteUpdated = "task_note_updated",
        TaskNoteDeleted = "task_note_deleted",
        TaskNotePinned = "task_note_pinned",
        TaskNoteDecisionToggled = "task_note_decision_toggled",
        RosterChanged = "roster_changed",
        AssignmentCreated = "assignment_created",
        AssignmentUpdated = "assignment_updated",
        AssignmentDeleted = "assignment_deleted",
        TeamMemberChanged = "team_member_changed",
        BoardConfigUpdated = "board_config_updated",
        BoardViewCreated = "board_view_created",
        BoardViewUpdated = "board_view_updated",
        BoardViewDeleted = "board_view_deleted",
        ProjectCustomFieldsUpdated = "project_custom_fields_updated",
        PhasesReordered = "phases_reordered",
        QueueReordered = "queue_reordered",
        MemberAdded = "member_added",
        MemberRoleChanged = "member_role_changed",
        MemberRemoved = "member_removed",
        MentionGroupChanged = "mention_group_changed",
        ProjectCreated = "project_created",
        ProjectUpdated = "project_updated",
        ProjectArchived = "project_archived",
        ProjectUnarchived = "project_unarchived",
        ProjectRestored = "project_restored",
        ProjectTransferred = "project_transferred",
        ProjectDeleted = "project_deleted",
        ProjectHardDeleted = "project_hard_deleted",
        ProgramClosed = "program_closed",
        ProgramReopened = "program_reopened",
        ProgramDeleted = "program_deleted",
        ProgramSplit = "program_split",
        ProgramSponsorshipTransferred = "program_sponsorship_transferred",
        SuggestionCreated = "suggestion_created",
        SuggestionDeclined = "suggestion_declined",
        SuggestionRevoked = "suggestion_revoked",
        ApiTokenMinted = "api_token_minted",
        ApiTokenRevoked = "api_token_revoked",
        WorkshopStarted = "workshop_started",
        WorkshopEnded = "workshop_ended",
        SlipConflictAcknowledged = "slip_conflict_acknowledged",
        SlipConflictsUpdated = "slip_conflicts_updated",
        PresenceJoin = "presence_join",
        PresenceLeave = "presence_leave",
        PresenceUpdate = "presence_update",
        ProjectCalendarChanged = "project_calendar_changed",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_webhook_catalog_holds_nineteen_types() {
        assert_eq!(WebhookEvent::ALL.len(), 19);
    }

    #[test]
    fn the_event_registry_is_the_golden_one() {
        let names = |list: Vec<&str>| list.join("\n");
        let webhooks = names(WebhookEvent::ALL.iter().map(|event| event.as_str()).collect());
        let sockets = names(SocketEvent::ALL.iter().map(|event| event.as_str()).collect());
        insta::assert_snapshot!(format!("# webhooks\n{webhooks}\n\n# sockets\n{sockets}\n"));
    }
}
