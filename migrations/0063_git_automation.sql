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

-- What forges told, by the hash of its bytes, so that nothing counts twice.
CREATE TABLE git_deliveries (
    project_id UUID NOT NULL REFERENCES projects (id),
    fingerprint TEXT NOT NULL,
    received_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (project_id, fingerprint)
);
CREATE INDEX ix_git_deliveries_received ON git_deliveries (received_at);
