-- The board of a project, its saved views, and the fields that a project adds to its tasks.

-- The columns of the board of a project. A project without a row has the default columns.
CREATE TABLE board_configs (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID NOT NULL REFERENCES projects (id),
    columns TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    change_number BIGINT NOT NULL
);
CREATE UNIQUE INDEX uq_board_configs_project_id ON board_configs (project_id);

-- Views of the board, saved under a name.
CREATE TABLE board_views (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID NOT NULL REFERENCES projects (id),
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    config TEXT NOT NULL,
    created_by UUID REFERENCES users (id),
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    change_number BIGINT NOT NULL,
    deletion_id UUID
);
CREATE UNIQUE INDEX uq_board_views_project_id_name_key ON board_views (project_id, name_key) WHERE deletion_id IS NULL;

-- Fields that the people of a project add to its tasks.
CREATE TABLE custom_fields (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID NOT NULL REFERENCES projects (id),
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    field_type TEXT NOT NULL,
    is_required BOOLEAN NOT NULL,
    options TEXT NOT NULL,
    place BIGINT NOT NULL,
    show_on_card BOOLEAN NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    change_number BIGINT NOT NULL,
    deletion_id UUID
);
CREATE UNIQUE INDEX uq_custom_fields_project_id_name_key ON custom_fields (project_id, name_key)
    WHERE deletion_id IS NULL;

-- The values of tasks in those fields, as JSON. Numbers and other values are stored a second time in a form that can be
-- compared.
CREATE TABLE custom_field_values (
    task_id UUID NOT NULL REFERENCES tasks (id),
    field_id UUID NOT NULL REFERENCES custom_fields (id),
    value TEXT NOT NULL,
    as_number DOUBLE PRECISION,
    as_text TEXT,
    PRIMARY KEY (task_id, field_id)
);
-- The value is not in the index: a long text does not fit.
CREATE INDEX ix_custom_field_values_field ON custom_field_values (field_id);
