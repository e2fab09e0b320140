-- Notifications of people, and what they want to be notified of.

-- A row belongs to one person, and nobody else reads it. `occasion` is what it is about: a person is notified of it
-- once. A notification about a whole project or program has no task.
CREATE TABLE notifications (
    id UUID NOT NULL PRIMARY KEY,
    recipient_id UUID NOT NULL REFERENCES users (id),
    kind TEXT NOT NULL,
    category TEXT NOT NULL,
    occasion TEXT NOT NULL,
    project_id UUID REFERENCES projects (id),
    program_id UUID REFERENCES programs (id),
    task_id UUID REFERENCES tasks (id),
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
CREATE INDEX ix_notifications_created ON notifications (created_at);

-- Where a person chose another channel than the default.
CREATE TABLE notification_preferences (
    user_id UUID NOT NULL REFERENCES users (id),
    kind TEXT NOT NULL,
    channel TEXT NOT NULL,
    enabled BOOLEAN NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (user_id, kind, channel)
);

-- When a person wants digests. Whether they want not to be disturbed is in `users`.
CREATE TABLE notification_settings (
    user_id UUID NOT NULL PRIMARY KEY REFERENCES users (id),
    digest_weekday BIGINT NOT NULL,
    digest_hour BIGINT NOT NULL,
    digest_timezone TEXT NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL
);

-- What a person wants to be notified of in one project.
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

-- The finish of a project in the last notification. The next one follows when the finish is far enough from it.
CREATE TABLE told_finishes (
    project_id UUID NOT NULL PRIMARY KEY REFERENCES projects (id),
    finish DATE NOT NULL
);
