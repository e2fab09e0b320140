-- Mail settings that an administrator wrote, over those of the environment. The password is sealed with the id 1.
CREATE TABLE mail_settings (
    id BIGINT NOT NULL PRIMARY KEY,
    transport_mode TEXT NOT NULL,
    host TEXT NOT NULL,
    port BIGINT NOT NULL,
    security TEXT NOT NULL,
    username TEXT NOT NULL,
    password_sealed TEXT,
    from_name TEXT NOT NULL,
    from_email TEXT NOT NULL,
    reply_to TEXT NOT NULL,
    dkim_selector TEXT NOT NULL,
    max_recipients BIGINT NOT NULL,
    throttle_per_min BIGINT NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    change_number BIGINT NOT NULL
);
