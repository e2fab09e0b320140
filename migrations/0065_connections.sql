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

-- What is open for people in their trackers, as it was read last.
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
