-- Files and addresses that people put on tasks. The bytes of a file are in the storage of the installation, under its key.
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
