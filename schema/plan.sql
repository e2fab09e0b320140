-- The plan: tasks as people write them, the links between them, and the dates that a recalculation gives them.

CREATE TABLE tasks (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID NOT NULL REFERENCES projects (id),
    parent_id UUID REFERENCES tasks (id),
    position BIGINT NOT NULL,
    has_place BOOLEAN NOT NULL,
    short_id TEXT NOT NULL,
    name TEXT NOT NULL,
    notes TEXT NOT NULL,
    type TEXT NOT NULL,
    status TEXT NOT NULL,
    status_changed_at TIMESTAMPTZ,
    duration BIGINT NOT NULL,
    duration_unit TEXT NOT NULL,
    structure_role TEXT NOT NULL,
    percent_complete DOUBLE PRECISION NOT NULL,
    planned_start DATE,
    actual_start DATE,
    actual_finish DATE,
    is_milestone BOOLEAN NOT NULL,
    optimistic_duration BIGINT,
    most_likely_duration BIGINT,
    pessimistic_duration BIGINT,
    estimate_status TEXT,
    story_points BIGINT,
    remaining_points BIGINT,
    assignee_id UUID REFERENCES users (id),
    sprint_id UUID,
    sprint_rank BIGINT,
    priority_rank BIGINT,
    parent_epic_id UUID REFERENCES tasks (id),
    dor TEXT NOT NULL,
    governance_class TEXT NOT NULL,
    parent_governance_inherited BOOLEAN NOT NULL,
    delivery_mode TEXT NOT NULL,
    is_subtask BOOLEAN NOT NULL,
    is_recurring BOOLEAN NOT NULL,
    color TEXT,
    blocked_reason TEXT NOT NULL,
    blocker_type TEXT,
    blocking_task_id UUID REFERENCES tasks (id),
    blocked_since TIMESTAMPTZ,
    blocked_by_id UUID REFERENCES users (id),
    business_value BIGINT,
    time_criticality BIGINT,
    risk_reduction BIGINT,
    job_size BIGINT,
    reach BIGINT,
    impact DOUBLE PRECISION,
    confidence DOUBLE PRECISION,
    effort DOUBLE PRECISION,
    value BIGINT,
    effort_estimate DOUBLE PRECISION,
    source_kind TEXT NOT NULL,
    source_id UUID,
    source_version TEXT NOT NULL,
    seeded_at TIMESTAMPTZ,
    edited_at TIMESTAMPTZ,
    created_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    deletion_id UUID,
    -- The last change of the plan that wrote the row. Every change has a number, whether it is recalculated or not.
    change_number BIGINT NOT NULL DEFAULT 0,
    -- The dates that a row promises: a deadline, and one dated constraint.
    deadline DATE,
    constraint_type TEXT,
    constraint_date DATE,
    -- Whether the task came into a running sprint and nobody has decided on that yet.
    sprint_pending BOOLEAN NOT NULL DEFAULT FALSE,
    -- The calendar of the task, if it is not that of the project.
    calendar_id UUID REFERENCES calendars (id)
);
CREATE INDEX ix_tasks_project ON tasks (project_id, id);
CREATE INDEX ix_tasks_parent ON tasks (parent_id, position);
CREATE UNIQUE INDEX uq_tasks_project_id_short_id ON tasks (project_id, short_id);
CREATE INDEX ix_tasks_parent_epic ON tasks (parent_epic_id);
CREATE INDEX ix_tasks_blocking_task ON tasks (blocking_task_id);
CREATE INDEX ix_tasks_sprint ON tasks (sprint_id);
CREATE INDEX ix_tasks_assignee ON tasks (assignee_id);
CREATE INDEX ix_tasks_changed ON tasks (project_id, change_number);
-- The rows of an act of deletion are found by the act.
CREATE INDEX ix_tasks_deletion ON tasks (deletion_id) WHERE deletion_id IS NOT NULL;
-- The rows of a project that are not deleted are counted and listed by id more often than anything else.
CREATE INDEX ix_tasks_live ON tasks (project_id, deletion_id, id);
CREATE INDEX ix_tasks_dated ON tasks (project_id) WHERE deadline IS NOT NULL OR constraint_type IS NOT NULL;
-- The neighbours of a rank are found without reading the whole backlog.
CREATE INDEX ix_tasks_priority ON tasks (project_id, priority_rank, id)
    WHERE deletion_id IS NULL AND priority_rank IS NOT NULL;
-- A project has few milestones, and they are read without its other rows.
CREATE INDEX ix_tasks_milestones ON tasks (project_id) WHERE is_milestone AND deletion_id IS NULL;
CREATE INDEX ix_tasks_calendar ON tasks (calendar_id) WHERE calendar_id IS NOT NULL;
CREATE INDEX ix_tasks_calendar_of_project ON tasks (project_id, calendar_id) WHERE calendar_id IS NOT NULL;
-- Rows on which somebody has worked, or that have progress.
CREATE INDEX ix_tasks_begun ON tasks (project_id) WHERE actual_start IS NOT NULL OR percent_complete > 0;

-- Links between tasks. A link is deleted with the act of deletion of either task, and restored when both are back.
CREATE TABLE dependencies (
    id UUID NOT NULL PRIMARY KEY,
    predecessor_id UUID NOT NULL REFERENCES tasks (id),
    successor_id UUID NOT NULL REFERENCES tasks (id),
    predecessor_project_id UUID NOT NULL REFERENCES projects (id),
    successor_project_id UUID NOT NULL REFERENCES projects (id),
    dep_type TEXT NOT NULL,
    lag BIGINT NOT NULL,
    pending_acceptance BOOLEAN NOT NULL,
    accepted_by UUID REFERENCES users (id),
    accepted_at TIMESTAMPTZ,
    is_driving BOOLEAN NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    deletion_id UUID,
    change_number BIGINT NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX uq_dependencies_predecessor_id_successor_id_dep_type
    ON dependencies (predecessor_id, successor_id, dep_type) WHERE deletion_id IS NULL;
CREATE INDEX ix_dependencies_changed ON dependencies (successor_project_id, change_number);
CREATE INDEX ix_dependencies_deletion ON dependencies (deletion_id) WHERE deletion_id IS NOT NULL;
-- Lists count and order the links of the project of either end in these indexes alone; few links cross projects.
CREATE INDEX ix_dependencies_predecessor_project
    ON dependencies (predecessor_project_id, id, deletion_id, successor_project_id, dep_type);
CREATE INDEX ix_dependencies_successor_project ON dependencies (successor_project_id, id);
CREATE INDEX ix_dependencies_crossing
    ON dependencies (successor_project_id, deletion_id, id, predecessor_project_id, dep_type, pending_acceptance)
    WHERE predecessor_project_id <> successor_project_id;
-- The links into a task that are not deleted are found by this index alone.
CREATE INDEX ix_dependencies_successor ON dependencies (successor_id, deletion_id);

-- Relations between tasks that do not move dates.
CREATE TABLE task_relations (
    id UUID NOT NULL PRIMARY KEY,
    source_id UUID NOT NULL REFERENCES tasks (id),
    target_id UUID NOT NULL REFERENCES tasks (id),
    relation_type TEXT NOT NULL,
    note TEXT NOT NULL,
    created_by UUID REFERENCES users (id),
    created_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    deletion_id UUID,
    change_number BIGINT NOT NULL DEFAULT 1
);
CREATE INDEX ix_task_relations_source ON task_relations (source_id);
CREATE INDEX ix_task_relations_target ON task_relations (target_id);

CREATE TABLE labels (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID NOT NULL REFERENCES projects (id),
    name TEXT NOT NULL,
    color TEXT NOT NULL,
    position BIGINT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    deletion_id UUID,
    change_number BIGINT NOT NULL DEFAULT 1,
    -- Names are unique, ignoring case.
    name_key TEXT NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX uq_labels_project_id_name_key ON labels (project_id, name_key) WHERE deletion_id IS NULL;
CREATE INDEX ix_labels_change ON labels (project_id, change_number);

CREATE TABLE task_labels (
    task_id UUID NOT NULL REFERENCES tasks (id),
    label_id UUID NOT NULL REFERENCES labels (id),
    PRIMARY KEY (task_id, label_id)
);
CREATE INDEX ix_task_labels_label ON task_labels (label_id);

-- What a recalculation gives a task. A recalculation writes no other row of a task. Days are counted from 1970-01-01.
CREATE TABLE task_schedule (
    task_id UUID NOT NULL PRIMARY KEY REFERENCES tasks (id),
    project_id UUID NOT NULL REFERENCES projects (id),
    outline TEXT,
    outline_order TEXT,
    is_summary BOOLEAN NOT NULL,
    is_phase BOOLEAN NOT NULL,
    early_start INTEGER,
    early_finish INTEGER,
    late_start INTEGER,
    late_finish INTEGER,
    scheduled_start INTEGER,
    total_float INTEGER,
    free_float INTEGER,
    is_critical BOOLEAN,
    remaining_duration BIGINT,
    rolled_duration BIGINT,
    rolled_percent DOUBLE PRECISION,
    rolled_status TEXT,
    rolled_assignee_id UUID,
    rolled_optimistic BIGINT,
    rolled_most_likely BIGINT,
    rolled_pessimistic BIGINT,
    issue TEXT,
    change_number BIGINT NOT NULL
);
-- Early starts have no index: nearly every recalculation moves them, which would cost each row an entry on both engines
-- and would keep PostgreSQL from changing rows in place.
CREATE INDEX ix_task_schedule_outline ON task_schedule (project_id, outline_order, task_id);
-- Phases are few, and earned value asks for each row of a baseline whether it is a phase by now.
CREATE INDEX ix_task_schedule_phases ON task_schedule (project_id, task_id) WHERE is_phase;

-- What a recalculation gives a project.
CREATE TABLE project_schedule (
    project_id UUID NOT NULL PRIMARY KEY REFERENCES projects (id),
    computed_at TIMESTAMPTZ NOT NULL,
    start_day INTEGER,
    finish_day INTEGER,
    critical_path TEXT NOT NULL,
    faults TEXT NOT NULL,
    change_counter BIGINT NOT NULL,
    -- A node may cache a plan between two writes; the mark says whether the cache is what the last recalculation left.
    mark UUID,
    -- The promised dates that the last recalculation does not meet.
    conflicts TEXT NOT NULL DEFAULT '[]',
    -- Counts of the project by day, which therefore hold on every later day. They hold for one change of the plan and
    -- one active baseline; otherwise the rows are counted.
    standing TEXT,
    standing_at BIGINT,
    standing_baseline_id UUID
);

-- Recalculations, as people see them.
CREATE TABLE task_runs (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID NOT NULL REFERENCES projects (id),
    job_id UUID,
    reason TEXT NOT NULL,
    initiated_by UUID REFERENCES users (id),
    status TEXT NOT NULL,
    cancel_requested BOOLEAN NOT NULL,
    progress_pct BIGINT,
    progress_msg TEXT NOT NULL,
    result_summary TEXT,
    error_detail TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    started_at TIMESTAMPTZ,
    completed_at TIMESTAMPTZ
);
CREATE INDEX ix_task_runs_project ON task_runs (project_id, created_at, id);
CREATE INDEX ix_task_runs_age ON task_runs (created_at, id);
CREATE UNIQUE INDEX uq_task_runs_pending ON task_runs (project_id) WHERE status = 'pending';
CREATE UNIQUE INDEX uq_task_runs_running ON task_runs (project_id) WHERE status = 'running';

-- Changes of the progress of a task: its status, its sprint, its points. Burndowns and flow metrics read them. A row
-- never changes. The first row of a task has what the task was before; a task without rows has never changed.
CREATE TABLE task_transitions (
    id UUID NOT NULL PRIMARY KEY,
    task_id UUID NOT NULL REFERENCES tasks (id),
    project_id UUID NOT NULL REFERENCES projects (id),
    at TIMESTAMPTZ NOT NULL,
    actor_id UUID REFERENCES users (id),
    is_bulk BOOLEAN NOT NULL,
    old_status TEXT NOT NULL,
    new_status TEXT NOT NULL,
    old_sprint_id UUID,
    new_sprint_id UUID,
    old_points BIGINT,
    new_points BIGINT,
    old_remaining BIGINT,
    new_remaining BIGINT
);
CREATE INDEX ix_task_transitions_task ON task_transitions (task_id, at, id);
CREATE INDEX ix_task_transitions_project ON task_transitions (project_id, at, id);
CREATE INDEX ix_task_transitions_left ON task_transitions (old_sprint_id) WHERE old_sprint_id IS NOT NULL;

-- Changes of the duration of a task in progress, and what each did to the per cent complete.
CREATE TABLE duration_events (
    id UUID NOT NULL PRIMARY KEY,
    task_id UUID NOT NULL REFERENCES tasks (id),
    project_id UUID NOT NULL REFERENCES projects (id),
    old_duration BIGINT NOT NULL,
    new_duration BIGINT NOT NULL,
    percent_complete_at_change DOUBLE PRECISION NOT NULL,
    percent_complete_after DOUBLE PRECISION,
    policy_applied TEXT NOT NULL,
    actor_id UUID REFERENCES users (id),
    actor_name TEXT NOT NULL,
    sprint_id UUID,
    source TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX ix_duration_events_task ON duration_events (task_id, created_at, id);
CREATE INDEX ix_duration_events_sprint ON duration_events (sprint_id, created_at, id);

-- A project without a row has the default policy.
CREATE TABLE guardrail_policies (
    project_id UUID NOT NULL PRIMARY KEY REFERENCES projects (id),
    levels TEXT NOT NULL,
    policy_source TEXT NOT NULL,
    source_label TEXT NOT NULL,
    acknowledged_by_team BOOLEAN NOT NULL,
    server_version BIGINT NOT NULL,
    change_number BIGINT NOT NULL DEFAULT 1
);

-- Rows that moved up because the row above them was deleted. A restore moves them back, unless they were edited since.
CREATE TABLE deletion_moves (
    act_id UUID NOT NULL REFERENCES deletions (id),
    task_id UUID NOT NULL REFERENCES tasks (id),
    server_version BIGINT NOT NULL,
    was_subtask BOOLEAN NOT NULL,
    PRIMARY KEY (act_id, task_id)
);
