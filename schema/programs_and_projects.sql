-- Programs and projects, their members and their teams.

-- Programs. A setting without a value is that of the workspace.
CREATE TABLE programs (
    id UUID NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    code TEXT NOT NULL,
    methodology TEXT NOT NULL,
    health TEXT NOT NULL,
    visibility TEXT NOT NULL,
    target_date DATE,
    color TEXT,
    lead_id UUID REFERENCES users (id),
    calendar_id UUID REFERENCES calendars (id),
    risk_slip_propagation TEXT NOT NULL,
    risk_escalation_days BIGINT NOT NULL,
    rollup_enabled_kpis TEXT,
    rollup_aggregation_policy TEXT NOT NULL,
    public_sharing BOOLEAN,
    allow_guests BOOLEAN,
    mc_history_enabled BOOLEAN,
    mc_history_retention_cap BIGINT,
    mc_history_attribution_audience TEXT,
    attachments_enabled BOOLEAN,
    allowed_attachment_types TEXT,
    mcp_enabled BOOLEAN,
    estimation_scale TEXT,
    sprint_picker_ready_only_default BOOLEAN,
    task_duration_change_percent_policy TEXT,
    iteration_label TEXT,
    is_sample BOOLEAN NOT NULL,
    closed_at TIMESTAMPTZ,
    closed_by UUID REFERENCES users (id),
    created_by UUID REFERENCES users (id),
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    deletion_id UUID,
    change_number BIGINT NOT NULL DEFAULT 1
);
CREATE INDEX ix_programs_code ON programs (code);
CREATE INDEX ix_programs_name ON programs (name, id);

CREATE TABLE program_members (
    id UUID NOT NULL PRIMARY KEY,
    program_id UUID NOT NULL REFERENCES programs (id),
    user_id UUID NOT NULL REFERENCES users (id),
    role BIGINT NOT NULL,
    role_title TEXT NOT NULL,
    joined_at TIMESTAMPTZ NOT NULL,
    role_changed_at TIMESTAMPTZ,
    server_version BIGINT NOT NULL,
    deletion_id UUID,
    change_number BIGINT NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX uq_program_members_program_id_user_id ON program_members (program_id, user_id) WHERE deletion_id IS NULL;
CREATE UNIQUE INDEX uq_program_members_owner ON program_members (program_id) WHERE role = 400 AND deletion_id IS NULL;
CREATE INDEX ix_program_members_user ON program_members (user_id);
CREATE INDEX ix_program_members_change ON program_members (program_id, change_number);

-- Projects. A setting without a value is that of the program, or of the workspace.
CREATE TABLE projects (
    id UUID NOT NULL PRIMARY KEY,
    program_id UUID REFERENCES programs (id),
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    code TEXT NOT NULL,
    start_date DATE NOT NULL,
    status_date DATE,
    calendar_id UUID REFERENCES calendars (id),
    lag_calendar TEXT NOT NULL,
    health TEXT NOT NULL,
    visibility TEXT NOT NULL,
    timezone TEXT NOT NULL,
    default_view TEXT NOT NULL,
    lead_id UUID REFERENCES users (id),
    estimation_mode TEXT NOT NULL,
    methodology TEXT,
    board_cadence TEXT NOT NULL,
    stale_task_threshold_days BIGINT NOT NULL,
    end_date_shift_threshold_days BIGINT NOT NULL,
    prioritization_model TEXT NOT NULL,
    default_member_role BIGINT NOT NULL,
    public_sharing BOOLEAN,
    allow_guests BOOLEAN,
    mc_history_enabled BOOLEAN,
    mc_history_retention_cap BIGINT,
    mc_history_attribution_audience TEXT,
    attachments_enabled BOOLEAN,
    allowed_attachment_types TEXT,
    mcp_enabled BOOLEAN,
    estimation_scale TEXT,
    sprint_picker_ready_only_default BOOLEAN,
    task_duration_change_percent_policy TEXT,
    iteration_label TEXT,
    show_reporting BOOLEAN,
    show_time_tracking BOOLEAN,
    show_baselines BOOLEAN,
    show_monte_carlo BOOLEAN,
    lifecycle TEXT NOT NULL,
    draft_started_at TIMESTAMPTZ,
    is_sample BOOLEAN NOT NULL,
    archived_at TIMESTAMPTZ,
    archived_by UUID REFERENCES users (id),
    created_by UUID REFERENCES users (id),
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    short_id_counter BIGINT NOT NULL,
    change_counter BIGINT NOT NULL,
    server_version BIGINT NOT NULL,
    deletion_id UUID,
    change_number BIGINT NOT NULL DEFAULT 1
);
CREATE INDEX ix_projects_start ON projects (start_date, name, id);
CREATE INDEX ix_projects_calendar ON projects (calendar_id);
CREATE INDEX ix_projects_program ON projects (program_id);

CREATE TABLE project_members (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID NOT NULL REFERENCES projects (id),
    user_id UUID NOT NULL REFERENCES users (id),
    role BIGINT NOT NULL,
    joined_at TIMESTAMPTZ NOT NULL,
    role_changed_at TIMESTAMPTZ,
    server_version BIGINT NOT NULL,
    deletion_id UUID,
    change_number BIGINT NOT NULL DEFAULT 1,
    -- The role that somebody gave; groups give the rest. `role` is the highest of both.
    direct_role BIGINT
);
CREATE UNIQUE INDEX uq_project_members_project_id_user_id ON project_members (project_id, user_id) WHERE deletion_id IS NULL;
CREATE UNIQUE INDEX uq_project_members_owner ON project_members (project_id) WHERE role = 400 AND deletion_id IS NULL;
CREATE INDEX ix_project_members_user ON project_members (user_id);
CREATE INDEX ix_project_members_change ON project_members (project_id, change_number);

-- Calendars that narrow the calendar of a project: the days off of all of them add up.
CREATE TABLE project_calendar_layers (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID NOT NULL REFERENCES projects (id),
    calendar_id UUID NOT NULL REFERENCES calendars (id),
    role TEXT NOT NULL,
    sort_order BIGINT NOT NULL
);
CREATE UNIQUE INDEX uq_project_calendar_layers_project_id_calendar_id
    ON project_calendar_layers (project_id, calendar_id);
CREATE INDEX ix_project_calendar_layers_calendar ON project_calendar_layers (calendar_id);

CREATE TABLE teams (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID NOT NULL REFERENCES projects (id),
    short_id TEXT NOT NULL,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    is_default BOOLEAN NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    change_number BIGINT NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX uq_teams_project_id_short_id ON teams (project_id, short_id);

CREATE TABLE team_members (
    id UUID NOT NULL PRIMARY KEY,
    team_id UUID NOT NULL REFERENCES teams (id),
    user_id UUID NOT NULL REFERENCES users (id),
    role TEXT NOT NULL,
    is_scrum_master BOOLEAN NOT NULL,
    is_product_owner BOOLEAN NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    change_number BIGINT NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX uq_team_members_team_id_user_id ON team_members (team_id, user_id);
CREATE INDEX ix_team_members_user ON team_members (user_id);

-- The programs and projects that people have pinned.
CREATE TABLE pins (
    user_id UUID NOT NULL REFERENCES users (id),
    kind TEXT NOT NULL,
    object_id UUID NOT NULL,
    pinned_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (user_id, kind, object_id)
);

-- When a person last looked at a project.
CREATE TABLE project_visits (
    user_id UUID NOT NULL REFERENCES users (id),
    project_id UUID NOT NULL REFERENCES projects (id),
    visited_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (user_id, project_id)
);
CREATE INDEX ix_project_visits_user ON project_visits (user_id, visited_at);
