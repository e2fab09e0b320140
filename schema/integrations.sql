-- Other systems: tasks that they push, merge requests, credentials of people, and the trackers of people.

-- Tasks that other systems push, each by the key that it has there.
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

-- What merge requests do to the tasks of a project. The secret is sealed with the id of its row.
CREATE TABLE git_automations (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID NOT NULL REFERENCES projects (id),
    enabled BOOLEAN NOT NULL,
    sealed_secret TEXT NOT NULL,
    configured_by UUID NOT NULL REFERENCES users (id),
    secret_set_at TIMESTAMPTZ,
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    change_number BIGINT NOT NULL,
    last_delivery_at TIMESTAMPTZ,
    last_delivery_outcome TEXT,
    last_delivery_provider TEXT,
    last_refusal_at TIMESTAMPTZ,
    last_refusal_outcome TEXT,
    last_refusal_provider TEXT
);
CREATE UNIQUE INDEX uq_git_automations_project_id ON git_automations (project_id);

-- Messages of forges, by the hash of their bytes, so that none counts twice.
CREATE TABLE git_deliveries (
    project_id UUID NOT NULL REFERENCES projects (id),
    fingerprint TEXT NOT NULL,
    received_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (project_id, fingerprint)
);
CREATE INDEX ix_git_deliveries_received ON git_deliveries (received_at);

-- The secrets of people at other providers. Each is sealed with the id of its row.
CREATE TABLE credentials (
    id UUID NOT NULL PRIMARY KEY,
    user_id UUID NOT NULL REFERENCES users (id),
    provider TEXT NOT NULL,
    base_url TEXT NOT NULL,
    sealed_secret TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    last_used_at TIMESTAMPTZ,
    expires_at TIMESTAMPTZ
);
CREATE UNIQUE INDEX uq_credentials_user_id_provider ON credentials (user_id, provider);

-- The trackers of people. The secret is sealed with the id of its row.
CREATE TABLE external_connections (
    id UUID NOT NULL PRIMARY KEY,
    user_id UUID NOT NULL REFERENCES users (id),
    source TEXT NOT NULL,
    base_url TEXT NOT NULL,
    deployment TEXT NOT NULL,
    account_email TEXT NOT NULL,
    sealed_secret TEXT NOT NULL,
    jql TEXT NOT NULL,
    project_keys TEXT NOT NULL,
    status TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    requested_at TIMESTAMPTZ,
    pulled_at TIMESTAMPTZ,
    last_synced_at TIMESTAMPTZ
);
CREATE UNIQUE INDEX uq_external_connections_user_id_source ON external_connections (user_id, source);

-- The open items of people in their trackers, as last read.
CREATE TABLE external_items (
    id UUID NOT NULL PRIMARY KEY,
    connection_id UUID NOT NULL REFERENCES external_connections (id),
    user_id UUID NOT NULL REFERENCES users (id),
    source_key TEXT NOT NULL,
    external_id TEXT NOT NULL,
    external_url TEXT NOT NULL,
    title TEXT NOT NULL,
    external_status TEXT NOT NULL,
    display_bucket TEXT NOT NULL,
    position BIGINT NOT NULL,
    last_synced_at TIMESTAMPTZ NOT NULL
);
CREATE UNIQUE INDEX uq_external_items_connection_id_external_id ON external_items (connection_id, external_id);
CREATE INDEX ix_external_items_user ON external_items (user_id, position, id);
