-- Recalculations as people read them, and what is kept of forecasts, guardrails and recurring work.
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

-- The newest simulation of a project, whoever ran it; recorded ones are in simulations.
CREATE TABLE latest_simulations (
    project_id UUID NOT NULL PRIMARY KEY REFERENCES projects (id),
    taken_at TIMESTAMPTZ NOT NULL,
    result TEXT NOT NULL
);

CREATE TABLE forecast_snapshots (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID NOT NULL REFERENCES projects (id),
    captured_at TIMESTAMPTZ NOT NULL,
    triggered_by TEXT NOT NULL,
    cpm_finish DATE,
    total_float_days BIGINT,
    mc_p50_finish DATE,
    mc_p80_finish DATE,
    mc_p95_finish DATE,
    mc_iterations BIGINT,
    task_count BIGINT NOT NULL,
    completed_task_count BIGINT NOT NULL
);
CREATE INDEX ix_forecast_snapshots_project ON forecast_snapshots (project_id, captured_at, id);

-- A project without a row has the policy that all begin with.
CREATE TABLE guardrail_policies (
    project_id UUID NOT NULL PRIMARY KEY REFERENCES projects (id),
    levels TEXT NOT NULL,
    policy_source TEXT NOT NULL,
    source_label TEXT NOT NULL,
    acknowledged_by_team BOOLEAN NOT NULL,
    server_version BIGINT NOT NULL
);

CREATE TABLE recurrence_rules (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID NOT NULL REFERENCES projects (id),
    task_id UUID NOT NULL REFERENCES tasks (id),
    frequency TEXT NOT NULL,
    every BIGINT NOT NULL,
    weekdays BIGINT NOT NULL,
    day_of_month BIGINT,
    time_of_day TEXT NOT NULL,
    timezone TEXT NOT NULL,
    end_type TEXT NOT NULL,
    end_date DATE,
    end_count BIGINT,
    inherit_assignee BOOLEAN NOT NULL,
    inherit_subtasks BOOLEAN NOT NULL,
    inherit_attachments BOOLEAN NOT NULL,
    inherit_morning_notification BOOLEAN NOT NULL,
    begun_on DATE NOT NULL,
    generated_through DATE,
    occurrence_count BIGINT NOT NULL,
    changed_at_counter BIGINT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    deletion_id UUID
);
CREATE UNIQUE INDEX uq_recurrence_rules_task_id ON recurrence_rules (task_id) WHERE deletion_id IS NULL;
CREATE INDEX ix_recurrence_rules_project ON recurrence_rules (project_id, id);

-- Which task a rule made for which day; the template is kept so that a new rule on it repeats no day.
CREATE TABLE recurrence_occurrences (
    rule_id UUID NOT NULL REFERENCES recurrence_rules (id),
    on_date DATE NOT NULL,
    template_id UUID NOT NULL REFERENCES tasks (id),
    task_id UUID NOT NULL REFERENCES tasks (id),
    PRIMARY KEY (rule_id, on_date)
);
CREATE INDEX ix_recurrence_occurrences_template ON recurrence_occurrences (template_id, on_date);
CREATE INDEX ix_recurrence_occurrences_task ON recurrence_occurrences (task_id);
