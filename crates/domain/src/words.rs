//! The closed lists of words on the wire and in storage, each an enum that knows its spelling.
//! No rule lives here: what a word leads to is decided where it is used.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A closed list of words.
pub trait Word: Sized + Copy + 'static {
    /// Every word, in the order people expect.
    const ALL: &'static [Self];

    /// The spelling on the wire and in storage.
    fn as_str(self) -> &'static str;

    /// The word of that exact spelling.
    fn parse(text: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|word| word.as_str() == text)
    }
}

/// Declares an enum whose variants carry their spelling, and in brackets the one that holds where nobody says anything.
macro_rules! words {
    ($($(#[$doc:meta])* $name:ident $(($usual:ident))? { $($variant:ident = $text:literal),+ $(,)? })*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
            #[allow(missing_docs)]
            pub enum $name { $($variant),+ }

            impl Word for $name {
                const ALL: &'static [Self] = &[$(Self::$variant),+];

                fn as_str(self) -> &'static str {
                    match self { $(Self::$variant => $text),+ }
                }
            }

            $(impl Default for $name {
                fn default() -> Self {
                    Self::$usual
                }
            })?

            impl Serialize for $name {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.serialize_str(self.as_str())
                }
            }

            impl<'de> Deserialize<'de> for $name {
                fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    let text = String::deserialize(deserializer)?;
                    Self::parse(&text).ok_or_else(|| {
                        serde::de::Error::custom(format!("\"{text}\" is not a valid choice."))
                    })
                }
            }

            #[schemars::for_document]
            impl schemars::JsonSchema for $name {
                fn schema_name() -> std::borrow::Cow<'static, str> {
                    stringify!($name).into()
                }

                fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
                    schemars::json_schema!({ "type": "string", "enum": [$($text),+] })
                }
            }
        )*

        /// Calls a macro with the name of every word list; storage uses it to learn them all in one line.
        #[macro_export]
        macro_rules! with_every_word {
            ($callback:ident) => { $callback! { $($name),* } };
        }
    };
}

words! {
    /// Why a plan is recalculated.
    RunReason {
        TaskChange = "task_change",
        DependencyChange = "dependency_change",
        CalendarChange = "calendar_change",
        CrossProjectDependency = "cross_project_dependency",
        SprintClosed = "sprint_closed",
        Manual = "manual",
    }
    /// Where a task stands. There is no transition matrix; phases compute theirs.
    TaskStatus(NotStarted) { Backlog = "BACKLOG", NotStarted = "NOT_STARTED", InProgress = "IN_PROGRESS", Review = "REVIEW", OnHold = "ON_HOLD", Complete = "COMPLETE" }
    /// Where a sprint stands against the straight line from its commitment to nothing.
    BurnStatus { NoData = "no_data", Ahead = "ahead", OnTrack = "on_track", Behind = "behind" }
    /// Whether a task is held up by something or was put on hold.
    BlockKind { Impediment = "impediment", Paused = "paused" }
    /// Whether a forecast of open work can be made.
    SprintForecastStatus { Ready = "ready", WarmingUp = "warming_up", InsufficientFlowHistory = "insufficient_flow_history" }
    /// What a forecast of open work draws from: the points of sprints or the tasks of weeks.
    ForecastSource { Velocity = "velocity", Throughput = "throughput" }
    /// What the forecast of a milestone is made from.
    MilestoneBasis { MonteCarlo = "monte_carlo", VelocityBand = "velocity_band" }
    /// What a chart of a project shows: what is left, what is done, or both.
    BurnChart { Burndown = "burndown", Burnup = "burnup", Combined = "combined" }
    /// What such a chart counts.
    BurnMetric { Tasks = "tasks", Points = "points" }
    /// How much of the hours of a team a sprint asks for.
    CapacityLabel { OnTrack = "on_track", AtRisk = "at_risk", OverCapacity = "over_capacity" }
    /// How a running sprint does.
    SprintHealthBand { OnTrack = "on_track", AtRisk = "at_risk", OffTrack = "off_track" }
    /// What a field that a project adds to its tasks holds.
    FieldType { Text = "TEXT", Number = "NUMBER", Date = "DATE", SingleSelect = "SINGLE_SELECT", MultiSelect = "MULTI_SELECT", User = "USER", Boolean = "BOOLEAN" }
    /// How full a column of a board is.
    ColumnBreach { Ok = "ok", At = "at", Over = "over" }
    /// What happened on a board.
    BoardEventType { TaskCreated = "task_created", TaskUpdated = "task_updated", TaskDeleted = "task_deleted", EnteredSprint = "entered_sprint", ExitedSprint = "exited_sprint", MovedSprint = "moved_sprint", CommentAdded = "comment_added" }
    /// What the cards of a board are sorted by.
    BoardSort { Priority = "priority", StartDate = "start_date", PercentComplete = "percent_complete" }
    /// Which figures of earned value a board shows.
    EarnedValueMode { Off = "off", Spi = "spi", Cpi = "cpi", Both = "both" }
    /// How urgent the cards are that a board shows.
    PriorityBand { High = "high", Medium = "medium", Low = "low", Unranked = "unranked" }
    /// When the cards are due that a board shows.
    DueBand { Overdue = "overdue", ThisWeek = "this_week" }
    /// How somebody reacts to a comment.
    Emoji { ThumbsUp = "👍", ThumbsDown = "👎", Smile = "😄", Party = "🎉", Confused = "😕", Heart = "❤️", Rocket = "🚀", Eyes = "👀" }
    /// Whose page a link leads to.
    LinkProvider { Gitlab = "gitlab", Github = "github", GoogleDrive = "google_drive", Dropbox = "dropbox", Box = "box", Onedrive = "onedrive", Generic = "generic" }
    /// How far the work is that the page of a link shows.
    LinkStatus { Open = "open", Draft = "draft", Merged = "merged", Closed = "closed", Unknown = "unknown" }
    /// What the page of a link is.
    PreviewType { Document = "document", Spreadsheet = "spreadsheet", Presentation = "presentation", Image = "image", Pdf = "pdf", Folder = "folder", File = "file" }
    /// What kind of row a task is.
    TaskType(Task) { Epic = "epic", Story = "story", Task = "task", Bug = "bug", Spike = "spike", TechDebt = "tech_debt" }
    /// How far a backlog row has been refined.
    Readiness(Idea) { Idea = "idea", Refine = "refine", Ready = "ready" }
    /// How strictly changes to a task are governed.
    GovernanceClass { Gated = "gated", Flow = "flow", Hybrid = "hybrid" }
    /// How the work of a task is delivered; `milestone` goes with duration 0.
    DeliveryMode { Waterfall = "waterfall", Scrum = "scrum", Kanban = "kanban", Milestone = "milestone" }
    /// Whether suggested estimates have been approved.
    EstimateStatus { Pending = "pending", Accepted = "accepted" }
    /// What blocks a task.
    BlockerType { Dependency = "dependency", Resource = "resource", Vendor = "vendor", Decision = "decision", Other = "other" }
    /// Whether a row is work, a container of work, or a milestone.
    StructureRole { Work = "work", Container = "container", Milestone = "milestone" }
    /// The unit a duration is shown in; it is stored in working days.
    DurationUnit { Days = "days", Hours = "hours" }
    /// Who may set estimates.
    EstimationMode(Open) { Open = "open", SuggestApprove = "suggest_approve", PmOnly = "pm_only" }
    /// A person's verdict, or AUTO to compute it.
    Health { Auto = "AUTO", OnTrack = "ON_TRACK", AtRisk = "AT_RISK", Critical = "CRITICAL" }
    /// Who may find a project or program.
    Visibility { Workspace = "WORKSPACE", Private = "PRIVATE" }
    /// The first view.
    DefaultView { Schedule = "SCHEDULE", Board = "BOARD", Table = "TABLE", Overview = "OVERVIEW" }
    /// How a project is run.
    Methodology(Hybrid) { Waterfall = "WATERFALL", Agile = "AGILE", Hybrid = "HYBRID" }
    /// Whether a board works in sprints or continuously.
    BoardCadence { Sprint = "sprint", Continuous = "continuous" }
    /// What a duration change does to percent complete.
    PercentPolicy { Keep = "keep", Prorate = "prorate", Confirm = "confirm" }
    /// The scale story points are picked from.
    EstimationScale { Fibonacci = "fibonacci", Linear = "linear", Tshirt = "tshirt" }
    /// The formula that scores a backlog.
    PrioritizationModel { None = "none", Wsjf = "wsjf", Rice = "rice", ValueEffort = "value_effort" }
    /// Who may see who ran a simulation.
    AttributionAudience { AdminOwner = "admin_owner", SchedulerPlus = "scheduler_plus", None = "none" }
    /// Whether a plan is a draft or committed.
    Lifecycle { Draft = "draft", Active = "active" }
    /// Which ends of two tasks a link ties together.
    DependencyType(FinishToStart) { FinishToStart = "FS", StartToStart = "SS", FinishToFinish = "FF", StartToFinish = "SF" }
    /// A dated limit of a task, or the wish to be late: start or finish no earlier or later than a date, must start or finish
    /// on it, start or finish on it unless logic says later, as late as possible.
    ConstraintType { StartNoEarlierThan = "SNET", StartNoLaterThan = "SNLT", FinishNoEarlierThan = "FNET", FinishNoLaterThan = "FNLT", MustStartOn = "MSO", MustFinishOn = "MFO", StartOn = "START_ON", FinishOn = "FINISH_ON", AsLateAsPossible = "ALAP" }
    /// What of a row is not kept: a limit of its start, a limit of its finish, its deadline, or the logic before it, against which a date won.
    ScheduleConflictKind { Start = "start", Finish = "finish", Deadline = "deadline", Logic = "logic" }
    /// The calendar that a link's lag is counted on; `elapsed` is calendar days, then snapped.
    LagCalendar { Successor = "successor", Predecessor = "predecessor", Project = "project", Elapsed = "elapsed" }
    /// What wrote a task row first.
    SourceKind { Hand = "hand", Template = "template", SeedImport = "seed_import", CsvImport = "csv_import", MsprojectImport = "msproject_import", JiraImport = "jira_import", Paste = "paste", PrimaveraImport = "primavera_import" }
    /// What happens if a task slips because of another project.
    SlipPropagation { None = "none", Warn = "warn", Block = "block" }
    /// How project figures become a program figure.
    AggregationPolicy { Worst = "worst", Average = "average", WeightedByBudget = "weighted_by_budget", TaskWeighted = "task_weighted" }
    /// Whether lower scopes may override a workspace setting.
    OverridePolicy { Inherit = "inherit", Suggest = "suggest", Enforce = "enforce" }
    /// Where a sprint stands.
    SprintState(Planned) { Planned = "PLANNED", Active = "ACTIVE", Completed = "COMPLETED", Cancelled = "CANCELLED" }
    /// Whether work that was added to a running sprint belongs to it.
    ScopeChangeStatus { Pending = "pending", Accepted = "accepted", Rejected = "rejected" }
    /// What became of a task when its sprint closed.
    SprintTaskDisposition { Completed = "completed", Carried = "carried", Dropped = "dropped" }
    /// What becomes of undecided scope changes when a sprint closes.
    PendingDisposition { Carry = "carry", Reject = "reject" }
    /// Whether a sprint of a cadence is there already.
    CadenceRowStatus { New = "new", Exists = "exists", Created = "created" }
    /// What a hint on the capacity of a sprint is taken from.
    CapacityHintBasis { VelocityAverage = "velocity_average", NoHistory = "no_history" }
    /// Whether the date of a milestone is known or forecast.
    MilestoneSlipBasis { Actual = "actual", Forecast = "forecast" }
    /// What the progress of a milestone is counted in.
    RollupBasis { Points = "points", Tasks = "tasks", None = "none" }
    /// A figure of a team that not everybody sees.
    Signal { Velocity = "velocity", ThroughputRollup = "throughput_rollup", Pulse = "pulse", FlowMetrics = "flow_metrics" }
    /// How far a figure of a team is seen: by the team, its Scrum Master too, the managers too, everybody.
    SignalAudience { Team = "team", TeamSm = "team_sm", TeamSmPm = "team_sm_pm", ProgramShared = "program_shared" }
    /// Where a proposal to raise a ceiling stands.
    CeilingProposalStatus { Open = "open", Ratified = "ratified", Rejected = "rejected", Expired = "expired", Superseded = "superseded" }
    /// How somebody votes on a proposal.
    BallotChoice { Approve = "approve", Reject = "reject" }
    /// How sure the forecast of a milestone is.
    ForecastConfidence { High = "high", Medium = "medium", Low = "low" }
    /// Where a risk stands.
    RiskStatus(Open) { Open = "OPEN", Mitigating = "MITIGATING", Resolved = "RESOLVED", Accepted = "ACCEPTED", Closed = "CLOSED" }
    /// Where a risk comes from.
    RiskCategory { Technical = "TECHNICAL", External = "EXTERNAL", Organizational = "ORGANIZATIONAL", ProjectManagement = "PROJECT_MANAGEMENT" }
    /// What is done about a risk.
    RiskResponse { Avoid = "AVOID", Mitigate = "MITIGATE", Transfer = "TRANSFER", Accept = "ACCEPT" }
    /// The colours of a label.
    LabelColor(Slate) { Slate = "slate", Teal = "teal", Purple = "purple", Blue = "blue", Rose = "rose", Amber = "amber", Green = "green", Cyan = "cyan" }
    /// What kind of capacity a resource is.
    ResourceKind { Person = "person", Contractor = "contractor", Equipment = "equipment" }
    /// How well the skills of a resource fit what a task asks for.
    SkillFit { Exact = "exact", Partial = "partial", Missing = "missing" }
    /// How much of the capacity of a day is used.
    LoadBand { OnTrack = "on-track", AtRisk = "at-risk", Critical = "critical" }
    /// By what a heat map puts its rows together.
    HeatmapGrouping { None = "none", Project = "project", Role = "role" }
    /// What an answer to an allocation warns of.
    AllocationWarningCode { ResourceOverallocated = "resource_overallocated", SkillMismatch = "skill_mismatch" }
    /// What an informational relation between tasks says.
    RelationKind(RelatesTo) { RelatesTo = "relates_to", Blocks = "blocks", Duplicates = "duplicates" }
    /// Whether a task still runs past its sprint because of another project.
    SlipResolution { Unresolved = "unresolved", AutoResolved = "auto_resolved" }
    /// Where an import, export or other run stands.
    RunStatus { Pending = "pending", Running = "running", Success = "success", Failed = "failed" }
    /// The kind of a file that brings a plan into a project.
    FileImportKind { Csv = "csv", MsProject = "msproject", Primavera = "primavera", Jira = "jira" }
    /// Where the import of a file stands.
    FileImportStatus { Pending = "pending", Dispatched = "dispatched", Done = "done", Dead = "dead", Undone = "undone" }
    /// Who a template is for.
    TemplateKind { Workspace = "workspace", Community = "community", Personal = "personal" }
    /// Where the application of a template stands.
    TemplateApplicationStatus { Pending = "pending", Running = "running", Success = "success", Failed = "failed", Undone = "undone" }
    /// Where a queued recalculation stands.
    TaskRunStatus { Pending = "pending", Running = "running", Success = "success", Failed = "failed", Cancelled = "cancelled" }
    /// What made somebody write down a forecast.
    ForecastTrigger { Recompute = "recompute", Scheduled = "scheduled", Manual = "manual" }
    /// A rule about what belongs into a sprint.
    Guardrail { SummaryInSprint = "summary_in_sprint", PhaseInSprint = "phase_in_sprint", TaskOutsideSprintWindow = "task_outside_sprint_window", RecurringInSprint = "recurring_in_sprint", SubtasksSplit = "subtasks_split" }
    /// What happens when a guardrail is met.
    GuardrailLevel { Warn = "warn", Block = "block" }
    /// Who set the guardrails of a project.
    PolicySource { Owner = "owner", External = "external" }
    /// How often recurring work comes back.
    RecurrenceFrequency { Daily = "DAILY", Weekly = "WEEKLY", Monthly = "MONTHLY", Custom = "CUSTOM" }
    /// When recurring work ends.
    RecurrenceEnd { Never = "NEVER", OnDate = "ON_DATE", AfterN = "AFTER_N" }
    /// A computed value of a task that can be explained.
    ExplainedQuantity { EarlyStart = "early_start", EarlyFinish = "early_finish", LateStart = "late_start", LateFinish = "late_finish", TotalFloat = "total_float", FreeFloat = "free_float", ScheduledStart = "scheduled_start", P50 = "p50", P80 = "p80", P95 = "p95" }
    /// Where a job of the dead-letter list stands.
    FailedTaskStatus { PendingRetry = "pending_retry", Dead = "dead", Dismissed = "dismissed", Retried = "retried" }
    /// Whether a person may act in the workspace.
    MemberStatus { Active = "active", Guest = "guest", Deactivated = "deactivated" }
    /// What became of an invitation.
    InviteStatus { Pending = "pending", Accepted = "accepted", Revoked = "revoked", Expired = "expired", Failed = "failed" }
    /// What a line of the audit tells.
    AuditKind {
        MemberAdded = "member_added",
        MemberRemoved = "member_removed",
        MemberRoleChanged = "member_role_changed",
        MemberStatusChanged = "member_status_changed",
        OwnershipTransferred = "ownership_transferred",
        PasswordChanged = "password_changed",
        SignedIn = "signed_in",
        SignInRefused = "sign_in_refused",
        SignedOut = "signed_out",
        SessionEnded = "session_ended",
        SessionReused = "session_reused",
        TokenMinted = "token_minted",
        TokenRevoked = "token_revoked",
        CredentialSaved = "credential_saved",
        CredentialRemoved = "credential_removed",
        IdentityLinked = "identity_linked",
        SecondFactorChanged = "second_factor_changed",
        SignInConfirmed = "sign_in_confirmed",
        SignInPolicyChanged = "sign_in_policy_changed",
        GitAutomationChanged = "git_automation_changed",
        InviteSent = "invite_sent",
        InviteChanged = "invite_changed",
        GroupCreated = "group_created",
        GroupChanged = "group_changed",
        GroupDeleted = "group_deleted",
        ProjectCreated = "project_created",
        ProjectDeleted = "project_deleted",
        ProjectRestored = "project_restored",
        ProjectAccessChanged = "project_access_changed",
        ProgramCreated = "program_created",
        ProgramDeleted = "program_deleted",
        ProgramAccessChanged = "program_access_changed",
        SsoProviderCreated = "sso_provider_created",
        SsoProviderChanged = "sso_provider_changed",
        SsoProviderDeleted = "sso_provider_deleted",
        WebhookCreated = "webhook_created",
        WebhookChanged = "webhook_changed",
        WebhookDeleted = "webhook_deleted",
        TemplatePublished = "template_published",
        WorkspaceSettingsChanged = "workspace_settings_changed",
        WorkspaceDeleted = "workspace_deleted",
        WorkspaceExportTriggered = "workspace_export_triggered",
        ExportTriggered = "export_triggered",
        ExportDownloaded = "export_downloaded",
        AuditExported = "audit_exported",
        EmailSettingsChanged = "email_settings_changed",
        RetentionChanged = "retention_changed",
        PurgeStarted = "purge_started",
        ShareLinkCreated = "share_link_created",
        ShareLinkRevoked = "share_link_revoked",
        CalendarFeedCreated = "calendar_feed_created", CalendarFeedRevoked = "calendar_feed_revoked",
    }
    /// What a public link shows.
    SharedContent { Board = "board", Schedule = "schedule" }
    /// What a calendar feed shows.
    FeedContent { Milestones = "milestones", MyTasks = "my_tasks" }
    /// How mail leaves.
    MailTransport { Smtp = "smtp", Cloud = "cloud", Sendgrid = "sendgrid", Ses = "ses" }
    /// How the connection to a mail server is encrypted.
    MailSecurity { Tls = "tls", None = "none", Ssl = "ssl" }
    /// How well a name is prepared for mail.
    MailVerdict { Pass = "pass", Warn = "warn", Fail = "fail" }
    /// How often old rows are deleted.
    PurgeFrequency { Daily = "daily", Weekly = "weekly", Off = "off" }
    /// What a deletion of old rows does after a failure.
    PurgeOnFailure { Continue = "continue", Stop = "stop" }
    /// Why a deletion of old rows began.
    PurgeTrigger { Scheduled = "scheduled", Manual = "manual", DryRun = "dry_run" }
    /// What became of a deletion of old rows.
    PurgeState { Running = "running", Ok = "ok", Partial = "partial", Failed = "failed" }
    /// What is kept for a time that can be set.
    RetentionKey {
        History = "HISTORY_RETENTION_DAYS",
        TaskRuns = "TASK_RUN_RETENTION_DAYS",
        Webhooks = "SVC_WEBHOOK_RETENTION_DAYS",
        Imports = "SVC_IMPORT_RETENTION_DAYS",
        SyncBatches = "SVC_SYNC_BATCH_RETENTION_HOURS",
        DeletedProjects = "SVC_PROJECT_SOFT_DELETE_RETENTION_DAYS",
        Audit = "SVC_AUDIT_RETENTION_DAYS",
        Notifications = "SVC_NOTIFICATION_RETENTION_DAYS",
    }
    /// The unit of a time for which rows are kept.
    RetentionUnit { Days = "days", Hours = "hours" }
    /// What a personal token may do.
    TokenScope { LegacyFull = "legacy:full", McpRead = "mcp:read" }
    /// What happened to a token.
    TokenEvent { Minted = "minted", Revoked = "revoked", Used = "used" }
    /// What waits for its second step: a sign-in, a sign-in with a passkey, a new passkey.
    ChallengeKind { SignIn = "sign_in", Passkey = "passkey", NewPasskey = "new_passkey" }
    /// What happened to a sign-in.
    SignInEvent { SignedIn = "signed_in", Refused = "refused", SignedOut = "signed_out", Ended = "ended", Reused = "reused" }
    /// The page that opens after sign-in.
    DefaultLanding { Auto = "auto", MyWork = "my_work", ProjectOverview = "project_overview", Portfolio = "portfolio" }
    /// The hat a person wears in the client.
    RoleContext { Pm = "pm", ScrumMaster = "scrum_master", Unified = "unified" }
    /// How dates are shown to a person.
    DateFormat { Auto = "auto", Iso = "iso", Us = "us", Eu = "eu" }
    /// Which scope supplied the calendar in force.
    CalendarSource { Project = "project", Program = "program", Workspace = "workspace", System = "system" }
    /// What a calendar is to a project it applies to.
    CalendarLayer { Project = "project", Holidays = "holidays", Workspace = "workspace" }
    /// A rank within a team.
    TeamRole { Member = "member", Admin = "admin" }
    /// How a sprint's goal ended.
    GoalOutcome { Met = "MET", Partial = "PARTIAL", Missed = "MISSED" }
    /// What a row of a batch asks for.
    BatchOp { Create = "create", Update = "update", Delete = "delete" }
    /// What became of a row of a batch.
    BatchOutcome { Created = "created", Updated = "updated", Unchanged = "unchanged", Deleted = "deleted" }
    /// Which write of many rows can be taken back.
    BatchKind { PasteMany = "paste_many", CascadeClassification = "cascade_classification", Split = "split" }
    /// Whether such a write still stands.
    BatchStatus { Active = "active", Undone = "undone" }
    /// The shape of what a subscription is sent.
    WebhookFormat { Generic = "generic", Slack = "slack" }
    /// Where a delivery to a subscription stands.
    WebhookDeliveryStatus { Pending = "pending", Success = "success", Failed = "failed" }
    /// How logged minutes came to be.
    TimeEntrySource { Manual = "manual", Timer = "timer" }
    /// How often a ceremony of a program is held.
    CeremonyCadence { Weekly = "weekly", Biweekly = "biweekly", Monthly = "monthly", OnMilestone = "on_milestone" }
    /// Where a round of planning poker stands.
    PokerState { Open = "open", Revealed = "revealed", Committed = "committed", Cancelled = "cancelled" }
    /// Who reads a retrospective besides the team.
    RetroVisibility { TeamOnly = "team_only", Project = "project", Org = "org" }
    /// The columns of the board of a retrospective.
    RetroColumn { WentWell = "went_well", ToImprove = "to_improve", Ideas = "ideas" }
    /// Whether a retrospective is shown as a whole or counted.
    RetroKind { Full = "full", Summary = "summary" }
    /// What keeps a backlog item from being ready.
    ReadinessBlocker { Unestimated = "unestimated", NoAcceptanceCriteria = "no_acceptance_criteria", AcceptanceCriteriaUnmet = "acceptance_criteria_unmet" }
    /// Where a suggestion that somebody takes a task stands.
    SuggestionState { Pending = "pending", Accepted = "accepted", Declined = "declined", Revoked = "revoked" }
    /// What kind of work an item of a program backlog is.
    BacklogItemType { Epic = "epic", Feature = "feature", Story = "story", Task = "task", Bug = "bug", Spike = "spike", Chore = "chore" }
    /// Where an item of a program backlog stands.
    BacklogItemStatus { Proposed = "proposed", Pulled = "pulled", Archived = "archived" }
    /// What a person is told.
    NotificationKind {
        MentionIndividual = "mention_individual",
        MentionGroup = "mention_group",
        TaskAssigned = "task.assigned",
        TaskDueDateChanged = "task.due_date_changed",
        CommentOnMyTask = "comment_on_my_task",
        TaskBlocked = "task.blocked",
        MilestoneForecastShifted = "milestone.forecast_shifted",
        SprintTaskRescheduled = "sprint.task_rescheduled",
        CeilingProposalOpened = "signal.ceiling_proposal_opened",
        CeilingProposalResolved = "signal.ceiling_proposal_resolved",
        ProjectDeleted = "project.deleted",
        TaskStale = "task.stale",
        TaskMovedSprint = "task.moved_sprint",
        SprintMembershipChanged = "sprint.membership_changed",
        ProjectEndDateShifted = "project.end_date_shifted",
        PlanAmended = "plan.amended",
        ProgramHealthDigest = "program.health_digest",
        ResourceOverallocationDigest = "resource.overallocation_digest",
    }
    /// Where an analysis of what drives a finish stands.
    DriverAnalysisStatus { Pending = "pending", Completed = "completed", Failed = "failed" }
    /// What moves a finish.
    DriverKind { Risk = "risk", Task = "task" }
    /// By which a list of notifications is filtered.
    NotificationCategory { Mentions = "mentions", Tasks = "tasks", Signals = "signals", Project = "project", Digests = "digests" }
    /// A way to tell a person something.
    NotificationChannel { InApp = "in_app", Email = "email" }
    /// A set of preferences that is chosen at once.
    NotificationPreset { SignalOnly = "signal_only", Everything = "everything" }
    /// For how long a notification is put off.
    SnoozePreset { OneHour = "1h", ThreeHours = "3h", Tomorrow = "tomorrow" }
    /// Who may read a mention.
    MentionScope { ProjectVisible = "project_visible", TeamOnly = "team_only", Private = "private" }
    /// A provider at which people have credentials.
    CredentialProvider { Github = "github", Gitlab = "gitlab", Gitea = "gitea", GoogleDrive = "google_drive", Dropbox = "dropbox", Box = "box", Onedrive = "onedrive" }
    /// Who runs a tracker: its maker, or somebody else.
    Deployment { Cloud = "cloud", Server = "server" }
    /// How a connection to a tracker stands.
    ConnectionStatus { Connected = "connected", NotConnected = "not_connected", AuthFailed = "auth_failed", InvalidFilter = "invalid_filter" }
    /// Where something of another system is on a board.
    DisplayBucket { Todo = "todo", InProgress = "in_progress", Done = "done" }
    /// A forge that tells of merge requests.
    GitProvider { Github = "github", Gitlab = "gitlab", Gitea = "gitea" }
    /// What became of what a forge told.
    GitOutcome {
        MalformedPayload = "malformed_payload",
        Ignored = "ignored",
        Draft = "draft",
        Duplicate = "duplicate",
        NoUrl = "no_url",
        NoLink = "no_link",
        NoopForwardOnly = "noop_forward_only",
        OpenedReview = "opened_review",
        MergedComplete = "merged_complete",
    }
    /// Why a forge was not listened to.
    GitRefusal {
        AutomationDisabled = "automation_disabled",
        NoSecret = "no_secret",
        UnknownProvider = "unknown_provider",
        SecretUnreadable = "secret_unreadable",
        BadSignature = "bad_signature",
    }
    /// What happened to a row.
    ChangeKind { Created = "created", Updated = "updated", Deleted = "deleted", Restored = "restored" }
    /// What happened to a row, as the feed of changes says it; a row that came back was created.
    ChangelogKind { Created = "created", Updated = "updated", Deleted = "deleted" }
    /// What an account may do in the program.
    AccountRole(Member) { Member = "MEMBER", Viewer = "VIEWER", Scheduler = "SCHEDULER", Admin = "ADMIN", Owner = "OWNER" }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_reads_back_as_itself_and_nothing_else_does() {
        for status in TaskStatus::ALL {
            assert_eq!(TaskStatus::parse(status.as_str()), Some(*status));
        }
        assert_eq!(TaskStatus::parse("complete"), None);
    }
}
