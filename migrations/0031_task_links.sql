-- Addresses that people put on tasks, and what was last seen at each of them.
CREATE TABLE task_links (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID NOT NULL REFERENCES projects (id),
    task_id UUID NOT NULL REFERENCES tasks (id),
    url TEXT NOT NULL,
    provider TEXT NOT NULL,
    title TEXT NOT NULL,
    custom_title TEXT NOT NULL,
    labels TEXT NOT NULL,
    status TEXT NOT NULL,
    preview_type TEXT NOT NULL,
    fetched_at TIMESTAMPTZ,
    display_order BIGINT NOT NULL,
    created_by UUID NOT NULL REFERENCES users (id),
    created_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    change_number BIGINT NOT NULL,
    deletion_id UUID
);
CREATE INDEX ix_task_links_task ON task_links (task_id, display_order, created_at, id);
CREATE INDEX ix_task_links_project ON task_links (project_id, created_at, id);
