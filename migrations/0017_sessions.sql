-- A sign-in is known by the access tokens that it gave: they name their session, which ends at the latest when it says.
-- Refresh tokens are signed and name their row. Whoever was signed in before signs in again.
DROP TABLE refresh_tokens;
DROP TABLE sessions;
CREATE TABLE sessions (
    id UUID NOT NULL PRIMARY KEY,
    user_id UUID NOT NULL REFERENCES users (id),
    source_ip TEXT,
    user_agent TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    ends_at TIMESTAMPTZ NOT NULL,
    revoked_at TIMESTAMPTZ
);
CREATE INDEX ix_sessions_user ON sessions (user_id);

CREATE TABLE refresh_tokens (
    id UUID NOT NULL PRIMARY KEY,
    session_id UUID NOT NULL REFERENCES sessions (id),
    issued_at TIMESTAMPTZ NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL,
    used_at TIMESTAMPTZ
);
CREATE INDEX ix_refresh_tokens_session ON refresh_tokens (session_id);

-- What happened to sign-ins. Nobody is named by a refused one whose user name nobody has.
CREATE TABLE sign_in_audit (
    id UUID NOT NULL PRIMARY KEY,
    user_id UUID NOT NULL REFERENCES users (id),
    session_id UUID,
    actor_id UUID,
    action TEXT NOT NULL,
    source_ip TEXT,
    user_agent TEXT NOT NULL,
    request_id TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX ix_sign_in_audit_user ON sign_in_audit (user_id, created_at, id);
CREATE INDEX ix_sign_in_audit_age ON sign_in_audit (created_at, id);

-- A ticket carries the credential that it was got with: what opens with it ends with that.
DROP TABLE socket_tickets;
CREATE TABLE socket_tickets (
    token_hash TEXT NOT NULL PRIMARY KEY,
    user_id UUID NOT NULL REFERENCES users (id),
    session_id UUID,
    token_id UUID,
    credential_ends_at TIMESTAMPTZ,
    expires_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX ix_socket_tickets_age ON socket_tickets (expires_at);

-- How much is kept for the repetitions of a person, so that nobody can have more kept than their share.
ALTER TABLE idempotency_keys ADD COLUMN kept_bytes BIGINT NOT NULL DEFAULT 0;
CREATE TABLE idempotency_use (
    user_id UUID NOT NULL PRIMARY KEY,
    kept_bytes BIGINT NOT NULL
);
