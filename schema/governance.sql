-- Risks, baselines and the gates of a program.

CREATE TABLE risks (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID NOT NULL REFERENCES projects (id),
    short_id TEXT NOT NULL,
    title TEXT NOT NULL,
    status TEXT NOT NULL,
    probability BIGINT NOT NULL,
    impact BIGINT NOT NULL,
    category TEXT,
    response TEXT,
    mitigation_due_date DATE,
    trigger_text TEXT NOT NULL,
    contingency TEXT NOT NULL,
    notes TEXT NOT NULL,
    owner_id UUID REFERENCES users (id),
    created_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    deletion_id UUID,
    change_number BIGINT NOT NULL DEFAULT 1,
    description TEXT NOT NULL DEFAULT '',
    created_by UUID REFERENCES users (id),
    updated_at TIMESTAMPTZ,
    -- How likely the risk is, and how many working days it would cost each task that it threatens, for the simulation.
    likelihood_percent BIGINT,
    delay_low_days BIGINT,
    delay_days BIGINT,
    delay_high_days BIGINT,
    -- Since when the risk has its severity, if not since its creation, and when it was escalated for that.
    severity_since TIMESTAMPTZ,
    escalated_at TIMESTAMPTZ
);
CREATE INDEX ix_risks_project ON risks (project_id, created_at, id);
CREATE INDEX ix_risks_change ON risks (project_id, change_number);
CREATE INDEX ix_risks_short_id ON risks (project_id, short_id);
CREATE INDEX ix_risks_open ON risks (created_at, id) WHERE status = 'OPEN' AND escalated_at IS NULL AND deletion_id IS NULL;

-- The tasks that a risk threatens.
CREATE TABLE risk_tasks (
    risk_id UUID NOT NULL REFERENCES risks (id),
    task_id UUID NOT NULL REFERENCES tasks (id),
    PRIMARY KEY (risk_id, task_id)
);
CREATE INDEX ix_risk_tasks_task ON risk_tasks (task_id);

CREATE TABLE risk_comments (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID NOT NULL REFERENCES projects (id),
    risk_id UUID NOT NULL REFERENCES risks (id),
    author_id UUID NOT NULL REFERENCES users (id),
    message TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    change_number BIGINT NOT NULL,
    deletion_id UUID
);
CREATE INDEX ix_risk_comments_risk ON risk_comments (risk_id, created_at, id);
CREATE INDEX ix_risk_comments_change ON risk_comments (project_id, change_number);

CREATE TABLE baselines (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID NOT NULL REFERENCES projects (id),
    name TEXT NOT NULL,
    is_active BOOLEAN NOT NULL,
    created_by UUID REFERENCES users (id),
    created_at TIMESTAMPTZ NOT NULL,
    deletion_id UUID,
    change_number BIGINT NOT NULL DEFAULT 1,
    server_version BIGINT NOT NULL DEFAULT 1,
    -- The calendar in force when the baseline was captured, with its days and hours.
    calendar_id UUID REFERENCES calendars (id),
    working_days BIGINT,
    hours_per_day DOUBLE PRECISION,
    -- Hundredths: the sum over its tasks.
    budget BIGINT
);
CREATE UNIQUE INDEX uq_baselines_project_id_name ON baselines (project_id, name) WHERE deletion_id IS NULL;

CREATE TABLE baseline_tasks (
    baseline_id UUID NOT NULL REFERENCES baselines (id),
    task_id UUID NOT NULL REFERENCES tasks (id),
    start_date DATE,
    finish_date DATE,
    duration BIGINT,
    story_points BIGINT,
    task_name TEXT,
    actual_start DATE,
    actual_finish DATE,
    -- Hundredths of what the task was to cost.
    budget BIGINT,
    -- Whether the row was work when the baseline was captured: no rows but subtasks below it, no subtask itself, and no
    -- template of a recurrence. A row that gets rows below it later keeps its promise.
    is_leaf BOOLEAN,
    PRIMARY KEY (baseline_id, task_id)
);
CREATE INDEX ix_baseline_tasks_task ON baseline_tasks (task_id);

-- What a baseline promised, added up by dates and calendar when it is captured, so that earned value need not join all
-- rows of a baseline with all tasks. It never changes: a later calendar of a task does not change the promise.
CREATE TABLE baseline_budgets (
    baseline_id UUID NOT NULL REFERENCES baselines (id),
    calendar_id UUID,
    start_date DATE NOT NULL,
    finish_date DATE NOT NULL,
    duration BIGINT NOT NULL,
    budget BIGINT
);
CREATE INDEX ix_baseline_budgets_baseline ON baseline_budgets (baseline_id);

-- Whether people are invited to the gates between the phases of a program.
CREATE TABLE phase_gate_configs (
    id UUID NOT NULL PRIMARY KEY,
    program_id UUID NOT NULL REFERENCES programs (id),
    enabled BOOLEAN NOT NULL,
    invite_template TEXT NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    change_number BIGINT NOT NULL
);
CREATE UNIQUE INDEX uq_phase_gate_configs_program_id ON phase_gate_configs (program_id);
