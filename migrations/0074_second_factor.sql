-- What people show beside their password: codes of an app, passkeys, recovery codes. Who has none of them has no
-- second_factor_since.
ALTER TABLE users ADD COLUMN second_factor_since TIMESTAMPTZ;

-- Whether a sign-in has shown a second factor, and when its person last proved that it is they.
ALTER TABLE sessions ADD COLUMN has_second_factor BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE sessions ADD COLUMN confirmed_at TIMESTAMPTZ;

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

-- Codes for people who lost everything else. Each is good once; of each there is only its hash.
CREATE TABLE recovery_codes (
    id UUID NOT NULL PRIMARY KEY,
    user_id UUID NOT NULL REFERENCES users (id),
    code_hash TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    used_at TIMESTAMPTZ
);
CREATE INDEX ix_recovery_codes_user ON recovery_codes (user_id);

-- Keys that authenticators of people made for this installation. The private half never leaves the authenticator.
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

-- Sign-ins and passkeys that wait for their second step. Of the word that continues one there is only its hash.
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

-- What the workspace asks of sign-ins. Without a row nothing beyond a password is asked.
CREATE TABLE sign_in_policy (
    id BIGINT NOT NULL PRIMARY KEY,
    second_factor_required BOOLEAN NOT NULL,
    sso_is_second_factor BOOLEAN NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    change_number BIGINT NOT NULL
);
