-- What is sent to others: webhooks, and the events for people who follow a project through a socket.

-- Subscriptions. The number of the last delivery is stored here, so that no number is given twice when old deliveries
-- are deleted.
CREATE TABLE webhooks (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID REFERENCES projects (id),
    program_id UUID REFERENCES programs (id),
    url TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    sealed_secret TEXT NOT NULL,
    events TEXT NOT NULL,
    format TEXT NOT NULL,
    is_active BOOLEAN NOT NULL,
    last_sequence BIGINT NOT NULL,
    consecutive_failures BIGINT NOT NULL,
    last_failure_at TIMESTAMPTZ,
    last_failure_reason TEXT NOT NULL,
    disabled_at TIMESTAMPTZ,
    disabled_reason TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    created_by UUID REFERENCES users (id),
    server_version BIGINT NOT NULL DEFAULT 1
);
CREATE INDEX ix_webhooks_project ON webhooks (project_id, created_at, id);
CREATE INDEX ix_webhooks_program ON webhooks (program_id, created_at, id);

-- Deliveries. One is due at `due_at`. Whoever takes it moves that time to the end of a lease.
CREATE TABLE webhook_deliveries (
    id UUID NOT NULL PRIMARY KEY,
    webhook_id UUID NOT NULL REFERENCES webhooks (id),
    sequence_number BIGINT NOT NULL,
    event_type TEXT NOT NULL,
    body TEXT NOT NULL,
    status TEXT NOT NULL,
    response_status BIGINT,
    attempt_count BIGINT NOT NULL,
    due_at TIMESTAMPTZ,
    lease_owner UUID,
    created_at TIMESTAMPTZ NOT NULL,
    completed_at TIMESTAMPTZ,
    -- What came of the last attempt, for whoever has to find out why a receiver does not take it.
    last_attempt_at TIMESTAMPTZ,
    failure_reason TEXT,
    response_excerpt TEXT
);
CREATE UNIQUE INDEX uq_webhook_deliveries_webhook_id_sequence_number
    ON webhook_deliveries (webhook_id, sequence_number);
CREATE INDEX ix_webhook_deliveries_due ON webhook_deliveries (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX ix_webhook_deliveries_next
    ON webhook_deliveries (webhook_id, due_at, sequence_number) WHERE due_at IS NOT NULL;
CREATE INDEX ix_webhook_deliveries_done ON webhook_deliveries (completed_at) WHERE completed_at IS NOT NULL;

-- Nodes give out numbers of deliveries one after another: a node raises this row first.
CREATE TABLE webhook_turn (
    id BIGINT NOT NULL PRIMARY KEY,
    taken BIGINT NOT NULL
);
INSERT INTO webhook_turn VALUES (1, 0);

-- Tickets that open a socket. A ticket carries the credential that it was made with, and the socket ends with that.
CREATE TABLE socket_tickets (
    token_hash TEXT NOT NULL PRIMARY KEY,
    user_id UUID NOT NULL REFERENCES users (id),
    session_id UUID,
    token_id UUID,
    credential_ends_at TIMESTAMPTZ,
    expires_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX ix_socket_tickets_age ON socket_tickets (expires_at);

-- The newest number in the log of each project. It outlives the events, so that no number is given twice.
CREATE TABLE live_logs (
    project_id UUID NOT NULL PRIMARY KEY,
    last_seq BIGINT NOT NULL
);

-- The log of each project: what its followers are sent.
CREATE TABLE live_events (
    project_id UUID NOT NULL,
    seq BIGINT NOT NULL,
    at TIMESTAMPTZ NOT NULL,
    name TEXT NOT NULL,
    payload TEXT NOT NULL,
    PRIMARY KEY (project_id, seq)
);
CREATE INDEX ix_live_events_age ON live_events (at);

-- The nodes whose connections count: a node that crashed cannot remove its own.
CREATE TABLE live_nodes (
    id UUID NOT NULL PRIMARY KEY,
    seen_at TIMESTAMPTZ NOT NULL
);

-- Who follows which project or takes part in which workshop.
CREATE TABLE live_connections (
    id UUID NOT NULL PRIMARY KEY,
    node_id UUID NOT NULL,
    user_id UUID NOT NULL REFERENCES users (id),
    room_id UUID NOT NULL
);
CREATE INDEX ix_live_connections_room ON live_connections (room_id, user_id);
CREATE INDEX ix_live_connections_node ON live_connections (node_id);

-- Workshops, in which several people edit a plan together.
CREATE TABLE workshop_sessions (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID NOT NULL REFERENCES projects (id),
    started_by_id UUID REFERENCES users (id),
    started_at TIMESTAMPTZ NOT NULL,
    ended_at TIMESTAMPTZ,
    participant_count BIGINT NOT NULL
);
CREATE UNIQUE INDEX uq_workshop_sessions_project_id ON workshop_sessions (project_id) WHERE ended_at IS NULL;

CREATE TABLE workshop_participants (
    session_id UUID NOT NULL REFERENCES workshop_sessions (id),
    number BIGINT NOT NULL,
    user_id UUID NOT NULL REFERENCES users (id),
    joined_at TIMESTAMPTZ NOT NULL,
    left_at TIMESTAMPTZ,
    PRIMARY KEY (session_id, user_id)
);
