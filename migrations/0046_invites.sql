-- Invitations into the workspace. Of the token of a link only the hash is kept, and each link works once.
CREATE TABLE workspace_invites (
    id UUID NOT NULL PRIMARY KEY,
    email TEXT NOT NULL,
    email_key TEXT NOT NULL,
    role BIGINT NOT NULL,
    status TEXT NOT NULL,
    token_hash TEXT NOT NULL,
    invited_by UUID NOT NULL REFERENCES users (id),
    created_at TIMESTAMPTZ NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL,
    ended_at TIMESTAMPTZ,
    server_version BIGINT NOT NULL,
    change_number BIGINT NOT NULL
);
CREATE UNIQUE INDEX uq_workspace_invites_pending ON workspace_invites (email_key) WHERE status = 'pending';
CREATE UNIQUE INDEX uq_workspace_invites_token_hash ON workspace_invites (token_hash);
CREATE INDEX ix_workspace_invites_created ON workspace_invites (created_at, id);
