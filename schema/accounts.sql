-- People and how they sign in: passwords, sessions, second factors, providers of identities, tokens and invitations.

-- People. Whoever has no second factor has no `second_factor_since`.
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
    server_version BIGINT NOT NULL,
    second_factor_since TIMESTAMPTZ
);
CREATE UNIQUE INDEX uq_users_username ON users (username);
CREATE INDEX ix_users_email ON users (lower(email));

-- Requests for a new password. Only the hash of a token is stored, and each works once.
CREATE TABLE password_resets (
    id UUID NOT NULL PRIMARY KEY,
    user_id UUID NOT NULL REFERENCES users (id),
    token_hash TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL,
    used_at TIMESTAMPTZ
);
CREATE UNIQUE INDEX uq_password_resets_token_hash ON password_resets (token_hash);

-- Sign-ins. Access tokens name their session, which ends at `ends_at` at the latest.
CREATE TABLE sessions (
    id UUID NOT NULL PRIMARY KEY,
    user_id UUID NOT NULL REFERENCES users (id),
    source_ip TEXT,
    user_agent TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    ends_at TIMESTAMPTZ NOT NULL,
    revoked_at TIMESTAMPTZ,
    -- Whether the sign-in has shown a second factor, and when the person last confirmed who they are.
    has_second_factor BOOLEAN NOT NULL DEFAULT FALSE,
    confirmed_at TIMESTAMPTZ,
    -- Whether that second factor was the one of a provider of identities.
    factor_of_provider BOOLEAN NOT NULL DEFAULT FALSE
);
CREATE INDEX ix_sessions_user ON sessions (user_id);

-- Refresh tokens are signed and name their row. Each works once.
CREATE TABLE refresh_tokens (
    id UUID NOT NULL PRIMARY KEY,
    session_id UUID NOT NULL REFERENCES sessions (id),
    issued_at TIMESTAMPTZ NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL,
    used_at TIMESTAMPTZ
);
CREATE INDEX ix_refresh_tokens_session ON refresh_tokens (session_id);

-- What happened to sign-ins. A refused attempt with a user name that nobody has is not recorded.
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

-- What the workspace demands of sign-ins. Without a row it demands nothing beyond a password.
CREATE TABLE sign_in_policy (
    id BIGINT NOT NULL PRIMARY KEY,
    second_factor_required BOOLEAN NOT NULL,
    sso_is_second_factor BOOLEAN NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    change_number BIGINT NOT NULL
);

-- The app of a person that makes codes. The secret is sealed with the id of its row. The last step is that of the last
-- code that was accepted; no code is accepted twice.
CREATE TABLE totp_factors (
    id UUID NOT NULL PRIMARY KEY,
    user_id UUID NOT NULL REFERENCES users (id),
    sealed_secret TEXT NOT NULL,
    last_step BIGINT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    confirmed_at TIMESTAMPTZ
);
CREATE UNIQUE INDEX uq_totp_factors_user_id ON totp_factors (user_id);

-- Codes for people who have lost every other factor. Only the hash of a code is stored, and each works once.
CREATE TABLE recovery_codes (
    id UUID NOT NULL PRIMARY KEY,
    user_id UUID NOT NULL REFERENCES users (id),
    code_hash TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    used_at TIMESTAMPTZ
);
CREATE INDEX ix_recovery_codes_user ON recovery_codes (user_id);

-- Keys that the authenticators of people have made for this installation. The private half never leaves the
-- authenticator.
CREATE TABLE passkeys (
    id UUID NOT NULL PRIMARY KEY,
    user_id UUID NOT NULL REFERENCES users (id),
    name TEXT NOT NULL,
    credential_id TEXT NOT NULL,
    public_key TEXT NOT NULL,
    counter_state TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    last_used_at TIMESTAMPTZ
);
CREATE UNIQUE INDEX uq_passkeys_credential_id ON passkeys (credential_id);
CREATE INDEX ix_passkeys_user ON passkeys (user_id);

-- Sign-ins and passkeys that wait for their second step. Only the hash of the token that continues one is stored.
CREATE TABLE sign_in_challenges (
    token_hash TEXT NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL,
    user_id UUID REFERENCES users (id),
    sealed_state TEXT NOT NULL,
    remember BOOLEAN NOT NULL,
    attempts BIGINT NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX ix_sign_in_challenges_expires ON sign_in_challenges (expires_at);
CREATE INDEX ix_sign_in_challenges_user ON sign_in_challenges (user_id);

-- Providers of identities that people sign in with. The secret is sealed with the id of its row.
CREATE TABLE sso_providers (
    id UUID NOT NULL PRIMARY KEY,
    slug TEXT NOT NULL,
    display_name TEXT NOT NULL,
    enabled BOOLEAN NOT NULL,
    client_id TEXT NOT NULL,
    sealed_secret TEXT NOT NULL,
    server_url TEXT NOT NULL,
    github_org TEXT NOT NULL,
    allowed_email_domains TEXT NOT NULL,
    auto_create_members BOOLEAN NOT NULL,
    default_role BIGINT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    change_number BIGINT NOT NULL DEFAULT 1,
    -- Who wrote the row last. The provider vouches for addresses only of people below the rank of that person; one that
    -- an Owner wrote vouches for all.
    kept_by UUID REFERENCES users (id)
);
CREATE UNIQUE INDEX uq_sso_providers_slug ON sso_providers (slug);

-- Who a person is at a provider.
CREATE TABLE sso_identities (
    id UUID NOT NULL PRIMARY KEY,
    provider_id UUID NOT NULL REFERENCES sso_providers (id),
    issuer TEXT NOT NULL,
    subject TEXT NOT NULL,
    user_id UUID NOT NULL REFERENCES users (id),
    email TEXT NOT NULL,
    linked_at TIMESTAMPTZ NOT NULL,
    last_used_at TIMESTAMPTZ NOT NULL
);
CREATE UNIQUE INDEX uq_sso_identities_provider_id_subject ON sso_identities (provider_id, subject);
CREATE INDEX ix_sso_identities_user ON sso_identities (user_id);

-- Sign-ins that wait for the answer of their provider. Only the hash of the state is stored.
CREATE TABLE sso_states (
    state_hash TEXT NOT NULL PRIMARY KEY,
    provider_id UUID NOT NULL REFERENCES sso_providers (id),
    sealed_challenge TEXT NOT NULL,
    redirect_uri TEXT NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX ix_sso_states_expires ON sso_states (expires_at);

-- Tokens of people, projects and programs. Only the hash of a token is stored.
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
-- The tokens of a project or a program are revoked when it is deleted.
CREATE INDEX ix_api_tokens_project ON api_tokens (project_id, created_at, id);
CREATE INDEX ix_api_tokens_program ON api_tokens (program_id, created_at, id);

-- What happened to tokens.
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

-- Invitations into the workspace. Only the hash of a token is stored, and each works once.
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
    change_number BIGINT NOT NULL,
    -- The job that sends the e-mail, so that an invitation whose e-mail failed says so.
    letter_id UUID
);
CREATE UNIQUE INDEX uq_workspace_invites_pending ON workspace_invites (email_key) WHERE status = 'pending';
CREATE UNIQUE INDEX uq_workspace_invites_token_hash ON workspace_invites (token_hash);
CREATE INDEX ix_workspace_invites_created ON workspace_invites (created_at, id);
