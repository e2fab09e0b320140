-- Who did what an event tells of. Null for the system.
ALTER TABLE outbox ADD COLUMN actor_id UUID;

-- What people are told. Each row belongs to one person, and nobody else reads it.
-- `occasion` is what the row tells of: a person is told of it once.
CREATE TABLE notifications (
    id UUID NOT NULL PRIMARY KEY,
    recipient_id UUID NOT NULL REFERENCES users (id),
    kind TEXT NOT NULL,
    category TEXT NOT NULL,
    occasion TEXT NOT NULL,
    project_id UUID NOT NULL REFERENCES projects (id),
    task_id UUID NOT NULL REFERENCES tasks (id),
    comment_id UUID REFERENCES task_comments (id),
    mention_id UUID REFERENCES mentions (id),
    body TEXT NOT NULL,
    is_listed BOOLEAN NOT NULL,
    is_archived BOOLEAN NOT NULL,
    snoozed_until TIMESTAMPTZ,
    read_at TIMESTAMPTZ,
    mailed_at TIMESTAMPTZ,
    created_at TIMESTAMPTZ NOT NULL
);
CREATE UNIQUE INDEX uq_notifications_recipient_id_kind_occasion ON notifications (recipient_id, kind, occasion);
CREATE INDEX ix_notifications_recipient ON notifications (recipient_id, created_at, id) WHERE is_listed;

-- Where a person chose another way than the usual one to be told of something.
CREATE TABLE notification_preferences (
    user_id UUID NOT NULL REFERENCES users (id),
    kind TEXT NOT NULL,
    channel TEXT NOT NULL,
    enabled BOOLEAN NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (user_id, kind, channel)
);

-- When a person wants digests. Whether they want to be left alone is in `users`.
CREATE TABLE notification_settings (
    user_id UUID NOT NULL PRIMARY KEY REFERENCES users (id),
    digest_weekday BIGINT NOT NULL,
    digest_hour BIGINT NOT NULL,
    digest_timezone TEXT NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL
);

-- What a person wants to hear of one project.
CREATE TABLE project_notification_preferences (
    user_id UUID NOT NULL REFERENCES users (id),
    project_id UUID NOT NULL REFERENCES projects (id),
    matrix TEXT NOT NULL,
    paused BOOLEAN NOT NULL,
    quiet_hours_enabled BOOLEAN NOT NULL,
    quiet_hours_from TEXT NOT NULL,
    quiet_hours_until TEXT NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (user_id, project_id)
);
