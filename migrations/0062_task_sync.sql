-- Tasks that other systems push in, each by the key that it has there.
CREATE TABLE synced_tasks (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID NOT NULL REFERENCES projects (id),
    task_id UUID NOT NULL REFERENCES tasks (id),
    source TEXT NOT NULL,
    external_id TEXT NOT NULL,
    external_url TEXT NOT NULL,
    parent_external_id TEXT NOT NULL,
    pending_assignee TEXT NOT NULL,
    pushed_by UUID NOT NULL REFERENCES users (id),
    created_at TIMESTAMPTZ NOT NULL,
    synced_at TIMESTAMPTZ NOT NULL
);
CREATE UNIQUE INDEX uq_synced_tasks_project_id_source_external_id ON synced_tasks (project_id, source, external_id);
CREATE INDEX ix_synced_tasks_parent ON synced_tasks (project_id, source, parent_external_id);
CREATE INDEX ix_synced_tasks_pending ON synced_tasks (project_id, pending_assignee);
CREATE INDEX ix_synced_tasks_task ON synced_tasks (task_id);
-- Tokens of a place are revoked when it goes.
CREATE INDEX ix_api_tokens_project ON api_tokens (project_id, created_at, id);
CREATE INDEX ix_api_tokens_program ON api_tokens (program_id, created_at, id);
