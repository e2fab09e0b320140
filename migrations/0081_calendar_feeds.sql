-- Addresses at which calendar programs read milestones or the tasks of a person. Only the hash of a secret is kept. A feed is
-- made and ended, and never edited: it has no version and no history. What happened to it is in the audit.
CREATE TABLE calendar_feeds (
    id UUID NOT NULL PRIMARY KEY,
    user_id UUID NOT NULL REFERENCES users (id),
    name TEXT NOT NULL,
    content_kind TEXT NOT NULL,
    project_id UUID REFERENCES projects (id),
    program_id UUID REFERENCES programs (id),
    include_done BOOLEAN NOT NULL,
    token_hash TEXT NOT NULL,
    token_prefix TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    last_used_at TIMESTAMPTZ
);
CREATE UNIQUE INDEX uq_calendar_feeds_token_hash ON calendar_feeds (token_hash);
CREATE INDEX ix_calendar_feeds_user ON calendar_feeds (user_id, created_at, id);
