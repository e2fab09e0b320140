-- Sprints: their scope, their outcomes, who sees the figures of a team, and conflicts with links from other projects.

CREATE TABLE sprints (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID NOT NULL REFERENCES projects (id),
    short_id TEXT NOT NULL,
    name TEXT NOT NULL,
    goal TEXT NOT NULL,
    notes TEXT NOT NULL,
    state TEXT NOT NULL,
    start_date DATE NOT NULL,
    finish_date DATE NOT NULL,
    committed_points BIGINT,
    completed_points BIGINT,
    capacity_points BIGINT,
    goal_outcome TEXT,
    target_milestone_id UUID REFERENCES tasks (id),
    created_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    deletion_id UUID,
    change_number BIGINT NOT NULL DEFAULT 1,
    wip_limit BIGINT,
    exclude_from_velocity BOOLEAN NOT NULL DEFAULT FALSE,
    committed_task_count BIGINT,
    completed_task_count BIGINT,
    milestone_bound_by UUID REFERENCES users (id),
    milestone_bound_at TIMESTAMPTZ,
    binding_committed_snapshot BIGINT,
    -- The day from which finished work counts: the planned start, or the activation if that is earlier.
    begun_on DATE,
    activated_at TIMESTAMPTZ,
    closed_at TIMESTAMPTZ,
    created_by UUID REFERENCES users (id),
    updated_at TIMESTAMPTZ
);
CREATE INDEX ix_sprints_project ON sprints (project_id, start_date, id);
CREATE INDEX ix_sprints_active ON sprints (project_id) WHERE state = 'ACTIVE' AND deletion_id IS NULL;
CREATE INDEX ix_sprints_change ON sprints (project_id, change_number);
CREATE INDEX ix_sprints_target ON sprints (target_milestone_id) WHERE target_milestone_id IS NOT NULL;

-- Work that came into a sprint after its start, with the points that the task had then.
CREATE TABLE sprint_scope_changes (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID NOT NULL REFERENCES projects (id),
    sprint_id UUID NOT NULL REFERENCES sprints (id),
    task_id UUID NOT NULL REFERENCES tasks (id),
    item_name TEXT NOT NULL,
    story_points BIGINT,
    goal_impact TEXT NOT NULL,
    status TEXT NOT NULL,
    added_by UUID REFERENCES users (id),
    added_at TIMESTAMPTZ NOT NULL,
    decided_by UUID REFERENCES users (id),
    decided_at TIMESTAMPTZ,
    server_version BIGINT NOT NULL,
    change_number BIGINT NOT NULL,
    deletion_id UUID
);
CREATE INDEX ix_sprint_scope_changes_sprint ON sprint_scope_changes (sprint_id, added_at, id);
CREATE INDEX ix_sprint_scope_changes_task ON sprint_scope_changes (task_id, added_at, id);
CREATE UNIQUE INDEX uq_sprint_scope_changes_task_id ON sprint_scope_changes (task_id)
    WHERE status = 'pending' AND deletion_id IS NULL;

-- The outcome of every task of a closed sprint, as it was when the sprint closed.
CREATE TABLE sprint_task_outcomes (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID NOT NULL REFERENCES projects (id),
    sprint_id UUID NOT NULL REFERENCES sprints (id),
    task_id UUID REFERENCES tasks (id),
    task_short_id TEXT NOT NULL,
    task_title TEXT NOT NULL,
    story_points BIGINT,
    final_status TEXT NOT NULL,
    disposition TEXT NOT NULL,
    next_sprint_id UUID REFERENCES sprints (id),
    was_pending BOOLEAN NOT NULL,
    backfilled BOOLEAN NOT NULL,
    demo_ready BOOLEAN NOT NULL,
    demo_order BIGINT,
    presenter TEXT NOT NULL,
    review_note TEXT NOT NULL,
    flagged_to_backlog_task_id UUID REFERENCES tasks (id),
    created_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    change_number BIGINT NOT NULL,
    deletion_id UUID
);
CREATE UNIQUE INDEX uq_sprint_task_outcomes_sprint_id_task_id ON sprint_task_outcomes (sprint_id, task_id);
CREATE INDEX ix_sprint_task_outcomes_task ON sprint_task_outcomes (task_id);
CREATE INDEX ix_sprint_task_outcomes_next ON sprint_task_outcomes (next_sprint_id) WHERE next_sprint_id IS NOT NULL;

-- Requests to close a sprint, each with the time when it was done.
CREATE TABLE sprint_close_requests (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID NOT NULL REFERENCES projects (id),
    sprint_id UUID NOT NULL REFERENCES sprints (id),
    requested_by UUID REFERENCES users (id),
    requested_at TIMESTAMPTZ NOT NULL,
    completed_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX ix_sprint_close_requests_sprint ON sprint_close_requests (sprint_id, requested_at);

-- The tasks that were in a sprint when it was deleted, so that a restore puts them back.
CREATE TABLE deleted_sprint_tasks (
    deletion_id UUID NOT NULL REFERENCES deletions (id),
    task_id UUID NOT NULL REFERENCES tasks (id),
    PRIMARY KEY (deletion_id, task_id)
);

-- Tasks of a running sprint that a link from another project pushes past the end of the sprint.
CREATE TABLE slip_conflicts (
    id UUID NOT NULL PRIMARY KEY,
    sprint_id UUID NOT NULL REFERENCES sprints (id),
    task_id UUID NOT NULL REFERENCES tasks (id),
    project_id UUID NOT NULL REFERENCES projects (id),
    dependency_id UUID REFERENCES dependencies (id),
    upstream_task_id UUID REFERENCES tasks (id),
    pushed_to DATE NOT NULL,
    detected_at TIMESTAMPTZ NOT NULL,
    re_slip_count BIGINT NOT NULL,
    resolution TEXT NOT NULL,
    resolved_at TIMESTAMPTZ,
    acknowledged_by UUID REFERENCES users (id),
    acknowledged_at TIMESTAMPTZ,
    change_number BIGINT NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX uq_slip_conflicts_sprint_id_task_id ON slip_conflicts (sprint_id, task_id);
CREATE INDEX ix_slip_conflicts_project ON slip_conflicts (project_id, detected_at, id);
CREATE INDEX ix_slip_conflicts_task ON slip_conflicts (task_id);
CREATE INDEX ix_slip_conflicts_open ON slip_conflicts (project_id) WHERE resolution = 'unresolved';

-- Who sees which figure of a team, and the `ceiling` up to which the team lets that be widened. A project without a row has
-- the default.
CREATE TABLE signal_audiences (
    project_id UUID NOT NULL REFERENCES projects (id),
    signal TEXT NOT NULL,
    audience TEXT NOT NULL,
    ceiling TEXT NOT NULL,
    PRIMARY KEY (project_id, signal)
);

-- Proposals to raise a ceiling, on which the team votes.
CREATE TABLE ceiling_proposals (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID NOT NULL REFERENCES projects (id),
    signal TEXT NOT NULL,
    from_ceiling TEXT NOT NULL,
    to_ceiling TEXT NOT NULL,
    status TEXT NOT NULL,
    proposed_by UUID REFERENCES users (id),
    created_at TIMESTAMPTZ NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL,
    resolved_at TIMESTAMPTZ,
    server_version BIGINT NOT NULL,
    change_number BIGINT NOT NULL
);
CREATE INDEX ix_ceiling_proposals_project ON ceiling_proposals (project_id, created_at, id);
CREATE UNIQUE INDEX uq_ceiling_proposals_project_id_signal ON ceiling_proposals (project_id, signal)
    WHERE status = 'open';

CREATE TABLE ceiling_votes (
    proposal_id UUID NOT NULL REFERENCES ceiling_proposals (id),
    voter_id UUID NOT NULL REFERENCES users (id),
    choice TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (proposal_id, voter_id)
);

-- Durations that the velocity of a team suggests. The velocity is in thousandths of a point per working day.
CREATE TABLE velocity_suggestions (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID NOT NULL REFERENCES projects (id),
    task_id UUID NOT NULL REFERENCES tasks (id),
    sprint_id UUID NOT NULL REFERENCES sprints (id),
    suggested_duration BIGINT NOT NULL,
    team_velocity_per_day BIGINT NOT NULL,
    flag_for_review BOOLEAN NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    accepted_at TIMESTAMPTZ,
    accepted_by UUID REFERENCES users (id),
    dismissed_at TIMESTAMPTZ,
    dismissed_by UUID REFERENCES users (id),
    server_version BIGINT NOT NULL,
    change_number BIGINT NOT NULL,
    deletion_id UUID
);
CREATE UNIQUE INDEX uq_velocity_suggestions_task_id_sprint_id ON velocity_suggestions (task_id, sprint_id);
CREATE INDEX ix_velocity_suggestions_sprint ON velocity_suggestions (sprint_id);
CREATE INDEX ix_velocity_suggestions_project ON velocity_suggestions (project_id, created_at, id);

-- When a milestone that sprints aim at would be reached, as forecast when a sprint closed.
CREATE TABLE milestone_forecasts (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID NOT NULL REFERENCES projects (id),
    milestone_id UUID NOT NULL REFERENCES tasks (id),
    sprint_id UUID NOT NULL REFERENCES sprints (id),
    cpm_finish DATE,
    p50 DATE,
    p80 DATE,
    p95 DATE,
    velocity_low BIGINT,
    velocity_high BIGINT,
    confidence TEXT NOT NULL,
    unmodeled_dependency BOOLEAN NOT NULL,
    binding_drifted BOOLEAN NOT NULL,
    taken_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX ix_milestone_forecasts_milestone ON milestone_forecasts (milestone_id, taken_at, id);
CREATE INDEX ix_milestone_forecasts_project ON milestone_forecasts (project_id, taken_at, id);
