-- What surrounds a plan and travels with it: labels, sprints, resources, allocations, risks, baselines, relations.
CREATE TABLE labels (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID NOT NULL REFERENCES projects (id),
    name TEXT NOT NULL,
    color TEXT NOT NULL,
    position BIGINT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    deletion_id UUID
);
CREATE UNIQUE INDEX uq_labels_project_id_name ON labels (project_id, name) WHERE deletion_id IS NULL;

CREATE TABLE task_labels (
    task_id UUID NOT NULL REFERENCES tasks (id),
    label_id UUID NOT NULL REFERENCES labels (id),
    PRIMARY KEY (task_id, label_id)
);
CREATE INDEX ix_task_labels_label ON task_labels (label_id);

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
    deletion_id UUID
);
CREATE INDEX ix_sprints_project ON sprints (project_id, start_date, id);

CREATE TABLE resources (
    id UUID NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    email TEXT NOT NULL,
    job_role TEXT NOT NULL,
    max_units BIGINT NOT NULL,
    calendar_id UUID REFERENCES calendars (id),
    user_id UUID REFERENCES users (id),
    created_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    deletion_id UUID
);
CREATE INDEX ix_resources_user ON resources (user_id);
CREATE INDEX ix_resources_name ON resources (name, id);

CREATE TABLE project_resources (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID NOT NULL REFERENCES projects (id),
    resource_id UUID NOT NULL REFERENCES resources (id),
    created_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    deletion_id UUID
);
CREATE UNIQUE INDEX uq_project_resources_project_id_resource_id
    ON project_resources (project_id, resource_id) WHERE deletion_id IS NULL;

-- Units are hundredths of a full-time capacity: 100 is one person.
CREATE TABLE task_resources (
    id UUID NOT NULL PRIMARY KEY,
    task_id UUID NOT NULL REFERENCES tasks (id),
    resource_id UUID NOT NULL REFERENCES resources (id),
    units BIGINT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    deletion_id UUID
);
CREATE UNIQUE INDEX uq_task_resources_task_id_resource_id
    ON task_resources (task_id, resource_id) WHERE deletion_id IS NULL;
CREATE INDEX ix_task_resources_resource ON task_resources (resource_id);

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
    deletion_id UUID
);
CREATE INDEX ix_risks_project ON risks (project_id, created_at, id);

CREATE TABLE risk_tasks (
    risk_id UUID NOT NULL REFERENCES risks (id),
    task_id UUID NOT NULL REFERENCES tasks (id),
    PRIMARY KEY (risk_id, task_id)
);
CREATE INDEX ix_risk_tasks_task ON risk_tasks (task_id);

CREATE TABLE baselines (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID NOT NULL REFERENCES projects (id),
    name TEXT NOT NULL,
    is_active BOOLEAN NOT NULL,
    created_by UUID REFERENCES users (id),
    created_at TIMESTAMPTZ NOT NULL,
    deletion_id UUID
);
CREATE UNIQUE INDEX uq_baselines_project_id_name ON baselines (project_id, name) WHERE deletion_id IS NULL;

CREATE TABLE baseline_tasks (
    baseline_id UUID NOT NULL REFERENCES baselines (id),
    task_id UUID NOT NULL REFERENCES tasks (id),
    start_date DATE,
    finish_date DATE,
    duration BIGINT,
    story_points BIGINT,
    PRIMARY KEY (baseline_id, task_id)
);
CREATE INDEX ix_baseline_tasks_task ON baseline_tasks (task_id);

CREATE TABLE task_relations (
    id UUID NOT NULL PRIMARY KEY,
    source_id UUID NOT NULL REFERENCES tasks (id),
    target_id UUID NOT NULL REFERENCES tasks (id),
    relation_type TEXT NOT NULL,
    note TEXT NOT NULL,
    created_by UUID REFERENCES users (id),
    created_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    deletion_id UUID
);
CREATE INDEX ix_task_relations_source ON task_relations (source_id);
CREATE INDEX ix_task_relations_target ON task_relations (target_id);

CREATE TABLE pins (
    user_id UUID NOT NULL REFERENCES users (id),
    kind TEXT NOT NULL,
    object_id UUID NOT NULL,
    pinned_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (user_id, kind, object_id)
);
