-- Secrets with which people are known at other providers. Each is sealed with the id of its row.
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
