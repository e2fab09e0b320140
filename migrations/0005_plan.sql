-- The plan: what people wrote of a task, what the engine computed of it, and the links between tasks.
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
    deletion_id UUID
);
CREATE INDEX ix_tasks_project ON tasks (project_id, id);
CREATE INDEX ix_tasks_parent ON tasks (parent_id, position);
CREATE UNIQUE INDEX uq_tasks_project_id_short_id ON tasks (project_id, short_id);
CREATE INDEX ix_tasks_parent_epic ON tasks (parent_epic_id);
CREATE INDEX ix_tasks_blocking_task ON tasks (blocking_task_id);
CREATE INDEX ix_tasks_sprint ON tasks (sprint_id);
CREATE INDEX ix_tasks_assignee ON tasks (assignee_id);

-- Days are counted from 1970-01-01; a recalculation rewrites only rows of this table.
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
    changed_at_counter BIGINT NOT NULL
);
CREATE INDEX ix_task_schedule_outline ON task_schedule (project_id, outline_order, task_id);
CREATE INDEX ix_task_schedule_early_start ON task_schedule (project_id, early_start);

CREATE TABLE project_schedule (
    project_id UUID NOT NULL PRIMARY KEY REFERENCES projects (id),
    computed_at TIMESTAMPTZ NOT NULL,
    start_day INTEGER,
    finish_day INTEGER,
    critical_path TEXT NOT NULL,
    faults TEXT NOT NULL,
    change_counter BIGINT NOT NULL
);

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
    deletion_id UUID
);
CREATE UNIQUE INDEX uq_dependencies_predecessor_id_successor_id_dep_type
    ON dependencies (predecessor_id, successor_id, dep_type) WHERE deletion_id IS NULL;
CREATE INDEX ix_dependencies_successor ON dependencies (successor_id);
CREATE INDEX ix_dependencies_predecessor_project ON dependencies (predecessor_project_id, id);
CREATE INDEX ix_dependencies_successor_project ON dependencies (successor_project_id);

CREATE TABLE simulations (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID NOT NULL REFERENCES projects (id),
    taken_at TIMESTAMPTZ NOT NULL,
    triggered_by UUID REFERENCES users (id),
    n_simulations BIGINT NOT NULL,
    seed TEXT NOT NULL,
    result TEXT NOT NULL
);
CREATE INDEX ix_simulations_project ON simulations (project_id, taken_at, id);
