-- Files and links on tasks.

-- The bytes of a file are in the file storage, under `storage_key`.
CREATE TABLE task_attachments (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID NOT NULL REFERENCES projects (id),
    task_id UUID NOT NULL REFERENCES tasks (id),
    storage_key TEXT NOT NULL,
    file_name TEXT NOT NULL,
    file_size BIGINT,
    file_mime TEXT NOT NULL,
    external_url TEXT NOT NULL,
    external_title TEXT NOT NULL,
    is_pinned BOOLEAN NOT NULL,
    uploaded_by UUID NOT NULL REFERENCES users (id),
    created_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    change_number BIGINT NOT NULL,
    deletion_id UUID
);
CREATE INDEX ix_task_attachments_task ON task_attachments (task_id, is_pinned, created_at, id);
CREATE INDEX ix_task_attachments_project ON task_attachments (project_id, created_at, id);
CREATE INDEX ix_task_attachments_key ON task_attachments (storage_key);

-- Addresses on tasks, and what was last seen at each of them.
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
