-- Groups of people, and the projects in which they give a place. The rank in a project is the highest of the one that
-- was given directly and those of groups.
ALTER TABLE project_members ADD COLUMN direct_role BIGINT;
UPDATE project_members SET direct_role = role;

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

CREATE TABLE workspace_group_projects (
    group_id UUID NOT NULL REFERENCES workspace_groups (id),
    project_id UUID NOT NULL REFERENCES projects (id),
    role BIGINT NOT NULL,
    PRIMARY KEY (group_id, project_id)
);
CREATE INDEX ix_workspace_group_projects_project ON workspace_group_projects (project_id);
