-- A notification may tell of a project or of a program as a whole: it has no task then.
CREATE TABLE notices (
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
INSERT INTO notices (id, recipient_id, kind, category, occasion, project_id, task_id, comment_id, mention_id, body,
    is_listed, is_archived, snoozed_until, read_at, mailed_at, created_at)
SELECT id, recipient_id, kind, category, occasion, project_id, task_id, comment_id, mention_id, body, is_listed,
    is_archived, snoozed_until, read_at, mailed_at, created_at
FROM notifications;
DROP TABLE notifications;
ALTER TABLE notices RENAME TO notifications;
CREATE UNIQUE INDEX uq_notifications_recipient_id_kind_occasion ON notifications (recipient_id, kind, occasion);
CREATE INDEX ix_notifications_recipient ON notifications (recipient_id, created_at, id) WHERE is_listed;
CREATE INDEX ix_notifications_created ON notifications (created_at);

-- The finish of a project that people were told last; they hear of the next one when it is far enough from this one.
CREATE TABLE told_finishes (
    project_id UUID NOT NULL PRIMARY KEY REFERENCES projects (id),
    finish DATE NOT NULL
);
