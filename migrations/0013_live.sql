-- What people who look at a project are told at once: the log of each project, who is there, and tickets for sockets.
CREATE TABLE socket_tickets (
    token_hash TEXT NOT NULL PRIMARY KEY,
    user_id UUID NOT NULL REFERENCES users (id),
    expires_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX ix_socket_tickets_age ON socket_tickets (expires_at);

-- The newest number of each project outlives the events that were forgotten, since no number is given twice.
CREATE TABLE live_logs (
    project_id UUID NOT NULL PRIMARY KEY,
    last_seq BIGINT NOT NULL
);

CREATE TABLE live_events (
    project_id UUID NOT NULL,
    seq BIGINT NOT NULL,
    at TIMESTAMPTZ NOT NULL,
    name TEXT NOT NULL,
    payload TEXT NOT NULL,
    PRIMARY KEY (project_id, seq)
);
CREATE INDEX ix_live_events_age ON live_events (at);

-- Whose connections count: a node that died cannot take its own away.
CREATE TABLE live_nodes (
    id UUID NOT NULL PRIMARY KEY,
    seen_at TIMESTAMPTZ NOT NULL
);

CREATE TABLE live_connections (
    id UUID NOT NULL PRIMARY KEY,
    node_id UUID NOT NULL,
    user_id UUID NOT NULL REFERENCES users (id),
    room_id UUID NOT NULL
);
CREATE INDEX ix_live_connections_room ON live_connections (room_id, user_id);
CREATE INDEX ix_live_connections_node ON live_connections (node_id);

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
