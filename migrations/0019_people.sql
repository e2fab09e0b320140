-- People: what kind of capacity a resource is, what it does on a roster, what it can do and what tasks ask for.
ALTER TABLE resources ADD COLUMN kind TEXT NOT NULL DEFAULT 'person';

ALTER TABLE project_resources ADD COLUMN role_title TEXT NOT NULL DEFAULT '';
ALTER TABLE project_resources ADD COLUMN units_override BIGINT;
ALTER TABLE project_resources ADD COLUMN notes TEXT NOT NULL DEFAULT '';
CREATE INDEX ix_project_resources_resource ON project_resources (resource_id);

-- Names of skills are unique without regard to case and blanks.
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
