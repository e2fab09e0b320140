-- Who does the work: resources, rosters, allocations and skills.

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
    deletion_id UUID,
    change_number BIGINT NOT NULL DEFAULT 1,
    -- `person`, `contractor` or `equipment`.
    kind TEXT NOT NULL DEFAULT 'person',
    -- Hundredths of the cost of an hour.
    hourly_rate BIGINT
);
CREATE INDEX ix_resources_user ON resources (user_id);
CREATE INDEX ix_resources_name ON resources (name, id);

-- The roster of a project.
CREATE TABLE project_resources (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID NOT NULL REFERENCES projects (id),
    resource_id UUID NOT NULL REFERENCES resources (id),
    created_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    deletion_id UUID,
    change_number BIGINT NOT NULL DEFAULT 1,
    role_title TEXT NOT NULL DEFAULT '',
    units_override BIGINT,
    notes TEXT NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX uq_project_resources_project_id_resource_id
    ON project_resources (project_id, resource_id) WHERE deletion_id IS NULL;
CREATE INDEX ix_project_resources_resource ON project_resources (resource_id);

-- Allocations. Units are hundredths of a full-time capacity: 100 is one person.
CREATE TABLE task_resources (
    id UUID NOT NULL PRIMARY KEY,
    task_id UUID NOT NULL REFERENCES tasks (id),
    resource_id UUID NOT NULL REFERENCES resources (id),
    units BIGINT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    deletion_id UUID,
    change_number BIGINT NOT NULL DEFAULT 1
);
CREATE UNIQUE INDEX uq_task_resources_task_id_resource_id
    ON task_resources (task_id, resource_id) WHERE deletion_id IS NULL;
CREATE INDEX ix_task_resources_resource ON task_resources (resource_id);

-- Names of skills are unique, ignoring case and blanks.
CREATE TABLE skills (
    id UUID NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    normalized_name TEXT NOT NULL,
    category TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    change_number BIGINT NOT NULL DEFAULT 1,
    deletion_id UUID
);
CREATE UNIQUE INDEX uq_skills_normalized_name ON skills (normalized_name) WHERE deletion_id IS NULL;

-- Proficiency is 1 for beginners, 2 for intermediates, 3 for experts.
CREATE TABLE resource_skills (
    id UUID NOT NULL PRIMARY KEY,
    resource_id UUID NOT NULL REFERENCES resources (id),
    skill_id UUID NOT NULL REFERENCES skills (id),
    proficiency BIGINT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    change_number BIGINT NOT NULL DEFAULT 1,
    deletion_id UUID
);
CREATE UNIQUE INDEX uq_resource_skills_resource_id_skill_id
    ON resource_skills (resource_id, skill_id) WHERE deletion_id IS NULL;
CREATE INDEX ix_resource_skills_skill ON resource_skills (skill_id);

-- The skills that a task needs.
CREATE TABLE task_skill_requirements (
    id UUID NOT NULL PRIMARY KEY,
    task_id UUID NOT NULL REFERENCES tasks (id),
    skill_id UUID NOT NULL REFERENCES skills (id),
    min_proficiency BIGINT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    change_number BIGINT NOT NULL DEFAULT 1,
    deletion_id UUID
);
CREATE UNIQUE INDEX uq_task_skill_requirements_task_id_skill_id
    ON task_skill_requirements (task_id, skill_id) WHERE deletion_id IS NULL;
CREATE INDEX ix_task_skill_requirements_skill ON task_skill_requirements (skill_id);
