-- The settings of the workspace, its groups, its audit log, and how long old rows are kept.

-- The settings of the workspace: one row.
CREATE TABLE workspace (
    id BIGINT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    subdomain TEXT NOT NULL,
    timezone TEXT NOT NULL,
    fiscal_year_start_month BIGINT NOT NULL,
    fiscal_year_start_day BIGINT NOT NULL,
    work_week TEXT NOT NULL,
    default_project_view TEXT NOT NULL,
    allow_guests BOOLEAN NOT NULL,
    public_sharing BOOLEAN NOT NULL,
    public_sharing_override_policy TEXT NOT NULL,
    iteration_label TEXT NOT NULL,
    iteration_label_override_policy TEXT NOT NULL,
    mc_history_enabled BOOLEAN NOT NULL,
    mc_history_retention_cap BIGINT NOT NULL,
    mc_history_attribution_audience TEXT NOT NULL,
    mc_history_override_policy TEXT NOT NULL,
    methodology TEXT NOT NULL,
    methodology_override_policy TEXT NOT NULL,
    task_duration_change_percent_policy TEXT NOT NULL,
    task_duration_change_percent_override_policy TEXT NOT NULL,
    estimation_scale TEXT NOT NULL,
    sprint_picker_ready_only_default BOOLEAN NOT NULL,
    attachments_enabled BOOLEAN NOT NULL,
    allowed_attachment_types TEXT NOT NULL,
    attachments_override_policy TEXT NOT NULL,
    mcp_enabled BOOLEAN NOT NULL,
    calendar_id UUID REFERENCES calendars (id),
    calendar_override_policy TEXT NOT NULL,
    feedback_enabled BOOLEAN NOT NULL,
    feedback_url TEXT NOT NULL,
    server_version BIGINT NOT NULL
);
INSERT INTO workspace VALUES (
    1, 'Workspace', '', 'UTC', 1, 1, '[true,true,true,true,true,false,false]', 'board', TRUE, FALSE, 'suggest',
    'Sprint', 'suggest', TRUE, 100, 'admin_owner', 'suggest', 'HYBRID', 'suggest', 'keep', 'suggest', 'fibonacci',
    TRUE, TRUE,
    '["application/pdf","application/vnd.openxmlformats-officedocument.spreadsheetml.sheet","application/vnd.openxmlformats-officedocument.wordprocessingml.document","image/jpeg","image/png","image/webp","text/csv"]',
    'suggest', TRUE, NULL, 'suggest', FALSE, '', 1
);

-- The logo of the workspace as Base64: one row at most.
CREATE TABLE workspace_logo (
    id BIGINT NOT NULL PRIMARY KEY,
    media_type TEXT NOT NULL,
    content TEXT NOT NULL,
    etag TEXT NOT NULL,
    uploaded_at TIMESTAMPTZ NOT NULL
);

-- Mail settings of an administrator, which replace those of the environment: one row at most. The password is sealed
-- with the id 1.
CREATE TABLE mail_settings (
    id BIGINT NOT NULL PRIMARY KEY,
    transport_mode TEXT NOT NULL,
    host TEXT NOT NULL,
    port BIGINT NOT NULL,
    security TEXT NOT NULL,
    username TEXT NOT NULL,
    password_sealed TEXT,
    from_name TEXT NOT NULL,
    from_email TEXT NOT NULL,
    reply_to TEXT NOT NULL,
    dkim_selector TEXT NOT NULL,
    max_recipients BIGINT NOT NULL,
    throttle_per_min BIGINT NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    change_number BIGINT NOT NULL
);

-- How much of their time members work. A member without a row is fully available.
CREATE TABLE member_availability (
    user_id UUID NOT NULL PRIMARY KEY REFERENCES users (id),
    percent BIGINT NOT NULL,
    effective_from DATE,
    effective_to DATE,
    notes TEXT NOT NULL
);

-- Groups of people.
CREATE TABLE workspace_groups (
    id UUID NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    description TEXT NOT NULL,
    lead_id UUID REFERENCES users (id),
    created_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    change_number BIGINT NOT NULL
);
CREATE UNIQUE INDEX uq_workspace_groups_name_key ON workspace_groups (name_key);

CREATE TABLE workspace_group_members (
    group_id UUID NOT NULL REFERENCES workspace_groups (id),
    user_id UUID NOT NULL REFERENCES users (id),
    PRIMARY KEY (group_id, user_id)
);
CREATE INDEX ix_workspace_group_members_user ON workspace_group_members (user_id);

-- The projects in which a group gives its members a role.
CREATE TABLE workspace_group_projects (
    group_id UUID NOT NULL REFERENCES workspace_groups (id),
    project_id UUID NOT NULL REFERENCES projects (id),
    role BIGINT NOT NULL,
    PRIMARY KEY (group_id, project_id)
);
CREATE INDEX ix_workspace_group_projects_project ON workspace_group_projects (project_id);

-- The audit log. A line is written in the transaction of what it describes, and never changes.
CREATE TABLE audit_events (
    id UUID NOT NULL PRIMARY KEY,
    event_type TEXT NOT NULL,
    actor_id UUID,
    target_type TEXT NOT NULL,
    target_id UUID,
    target_label TEXT NOT NULL,
    metadata TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX ix_audit_events_newest ON audit_events (created_at, id);
CREATE INDEX ix_audit_events_type ON audit_events (event_type, created_at, id);
CREATE INDEX ix_audit_events_actor ON audit_events (actor_id, created_at, id);

-- How long rows are kept. A policy without a row has its default.
CREATE TABLE retention_policies (
    key TEXT NOT NULL PRIMARY KEY,
    value BIGINT NOT NULL,
    enabled BOOLEAN NOT NULL
);

-- When old rows are deleted: one row.
CREATE TABLE retention_schedule (
    id BIGINT NOT NULL PRIMARY KEY,
    frequency TEXT NOT NULL,
    time_of_day_utc TEXT NOT NULL,
    day_of_week BIGINT,
    on_failure TEXT NOT NULL,
    last_run_at TIMESTAMPTZ
);
INSERT INTO retention_schedule VALUES (1, 'daily', '03:00:00', NULL, 'continue', NULL);

-- Deletions of old rows, and what they did.
CREATE TABLE purge_runs (
    id UUID NOT NULL PRIMARY KEY,
    started_at TIMESTAMPTZ NOT NULL,
    finished_at TIMESTAMPTZ,
    run_trigger TEXT NOT NULL,
    state TEXT NOT NULL,
    tables TEXT NOT NULL,
    rows_deleted BIGINT NOT NULL,
    error TEXT NOT NULL
);
CREATE INDEX ix_purge_runs_newest ON purge_runs (started_at, id);
