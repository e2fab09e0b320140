-- The calendar library, the one workspace row with its settings, and how far its members are available.
CREATE TABLE calendars (
    id UUID NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    working_days BIGINT NOT NULL,
    hours_per_day DOUBLE PRECISION NOT NULL,
    timezone TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    deletion_id UUID
);
CREATE INDEX ix_calendars_name ON calendars (name, id);

CREATE TABLE calendar_exceptions (
    id UUID NOT NULL PRIMARY KEY,
    calendar_id UUID NOT NULL REFERENCES calendars (id),
    exc_start DATE NOT NULL,
    exc_end DATE NOT NULL,
    description TEXT NOT NULL,
    working BOOLEAN NOT NULL
);
CREATE INDEX ix_calendar_exceptions_start ON calendar_exceptions (calendar_id, exc_start, id);

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

-- A member without a row is fully available.
CREATE TABLE member_availability (
    user_id UUID NOT NULL PRIMARY KEY REFERENCES users (id),
    percent BIGINT NOT NULL,
    effective_from DATE,
    effective_to DATE,
    notes TEXT NOT NULL
);
