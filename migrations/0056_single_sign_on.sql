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
    change_number BIGINT NOT NULL DEFAULT 1
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

-- Sign-ins that wait for the answer of their provider. Of the state there is only its hash.
CREATE TABLE sso_states (
    state_hash TEXT NOT NULL PRIMARY KEY,
    provider_id UUID NOT NULL REFERENCES sso_providers (id),
    sealed_challenge TEXT NOT NULL,
    redirect_uri TEXT NOT NULL,
    expires_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX ix_sso_states_expires ON sso_states (expires_at);
