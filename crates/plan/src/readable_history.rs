//! Which recorded changes the members of a project may read, and which values of them only some. Pages of history and
//! archives follow the same lists.

/// The kinds of rows that the members of a project may read about; what an integration writes is its own affair.
pub const READABLE: [&str; 31] = [
    "project",
    "project_member",
    "task",
    "dependency",
    "task_relation",
    "label",
    "sprint",
    "scope_change",
    "sprint_task_outcome",
    "velocity_suggestion",
    "signal_privacy",
    "ceiling_proposal",
    "risk",
    "risk_comment",
    "baseline",
    "team",
    "team_member",
    "task_resource",
    "project_resource",
    "recurrence_rule",
    "guardrail_policy",
    "acceptance_criterion",
    "board_config",
    "board_view",
    "custom_field",
    "decision_policy",
    "mention_group",
    "task_comment",
    "task_note",
    "task_attachment",
    "task_link",
];

/// Fields whose values only some may read, so that history shows that they changed and nothing else.
pub const HIDDEN: [(&str, &str); 5] = [
    ("task", "blocked_reason"),
    ("sprint", "completed_points"),
    ("sprint", "completed_task_count"),
    ("task_comment", "body"),
    ("task_note", "body"),
];
