-- What may go wrong: who noted it, and what people say about it.
ALTER TABLE risks ADD COLUMN description TEXT NOT NULL DEFAULT '';
ALTER TABLE risks ADD COLUMN created_by UUID REFERENCES users (id);
ALTER TABLE risks ADD COLUMN updated_at TIMESTAMPTZ;
UPDATE risks SET updated_at = created_at;
CREATE INDEX ix_risks_short_id ON risks (project_id, short_id);

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

-- What a baseline keeps besides planned dates: the calendar in force when it was taken, and what was done by then.
ALTER TABLE baselines ADD COLUMN calendar_id UUID REFERENCES calendars (id);
ALTER TABLE baselines ADD COLUMN working_days BIGINT;
ALTER TABLE baselines ADD COLUMN hours_per_day DOUBLE PRECISION;
ALTER TABLE baseline_tasks ADD COLUMN task_name TEXT;
ALTER TABLE baseline_tasks ADD COLUMN actual_start DATE;
ALTER TABLE baseline_tasks ADD COLUMN actual_finish DATE;

-- When a person looked at a project last.
CREATE TABLE project_visits (
    user_id UUID NOT NULL REFERENCES users (id),
    project_id UUID NOT NULL REFERENCES projects (id),
    visited_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (user_id, project_id)
);
CREATE INDEX ix_project_visits_user ON project_visits (user_id, visited_at);

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

-- A long text does not fit into an index.
DROP INDEX ix_custom_field_values_field;
CREATE INDEX ix_custom_field_values_field ON custom_field_values (field_id);
