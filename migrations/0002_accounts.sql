-- People, their sign-in sessions and their tokens.
CREATE TABLE users (
    id UUID NOT NULL PRIMARY KEY,
    username TEXT NOT NULL,
    email TEXT NOT NULL,
    first_name TEXT NOT NULL,
    last_name TEXT NOT NULL,
    password_hash TEXT,
    password_changed_at TIMESTAMPTZ,
    is_active BOOLEAN NOT NULL,
    last_login_at TIMESTAMPTZ,
    joined_at TIMESTAMPTZ NOT NULL,
    workspace_role BIGINT NOT NULL,
    status TEXT NOT NULL,
    default_landing TEXT NOT NULL,
    role_context TEXT NOT NULL,
    hidden_views TEXT NOT NULL,
    schedule_in_deliver BOOLEAN NOT NULL,
    dnd_enabled BOOLEAN NOT NULL,
    timezone TEXT NOT NULL,
    date_format TEXT NOT NULL,
    server_version BIGINT NOT NULL
);
CREATE UNIQUE INDEX uq_users_username ON users (username);
CREATE INDEX ix_users_email ON users (lower(email));

CREATE TABLE sessions (
    id UUID NOT NULL PRIMARY KEY,
    user_id UUID NOT NULL REFERENCES users (id),
    remember BOOLEAN,
    created_at TIMESTAMPTZ NOT NULL,
    revoked_at TIMESTAMPTZ
);
CREATE INDEX ix_sessions_user ON sessions (user_id);

CREATE TABLE refresh_tokens (
    id UUID NOT NULL PRIMARY KEY,
    session_id UUID NOT NULL REFERENCES sessions (id),
    token_hash TEXT NOT NULL,
    issued_at TIMESTAMPTZ NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL,
    used_at TIMESTAMPTZ
);
CREATE UNIQUE INDEX uq_refresh_tokens_token_hash ON refresh_tokens (token_hash);
CREATE INDEX ix_refresh_tokens_session ON refresh_tokens (session_id);

CREATE TABLE password_resets (
    id UUID NOT NULL PRIMARY KEY,
    user_id UUID NOT NULL REFERENCES users (id),
    token_hash TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL,
    used_at TIMESTAMPTZ
);
CREATE UNIQUE INDEX uq_password_resets_token_hash ON password_resets (token_hash);

CREATE TABLE api_tokens (
    id UUID NOT NULL PRIMARY KEY,
    owner_id UUID REFERENCES users (id),
    project_id UUID,
    program_id UUID,
    name TEXT NOT NULL,
    token_prefix TEXT NOT NULL,
    token_hash TEXT NOT NULL,
    scopes TEXT NOT NULL,
    status_map TEXT NOT NULL,
    created_by UUID NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    last_used_at TIMESTAMPTZ,
    expires_at TIMESTAMPTZ,
    revoked_at TIMESTAMPTZ
);
CREATE UNIQUE INDEX uq_api_tokens_token_hash ON api_tokens (token_hash);
CREATE INDEX ix_api_tokens_owner ON api_tokens (owner_id, id);

CREATE TABLE api_token_audit (
    id UUID NOT NULL PRIMARY KEY,
    token_id UUID NOT NULL,
    owner_id UUID,
    project_id UUID,
    program_id UUID,
    token_prefix TEXT NOT NULL,
    actor_id UUID,
    action TEXT NOT NULL,
    source_ip TEXT,
    detail TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX ix_api_token_audit_owner ON api_token_audit (owner_id, created_at, id);
