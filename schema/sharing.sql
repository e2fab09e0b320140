-- What is read by a secret address, without an account. Only the hash of a secret is stored.

-- Public links to a picture of a project.
CREATE TABLE share_links (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID NOT NULL REFERENCES projects (id),
    content_kind TEXT NOT NULL,
    token_hash TEXT NOT NULL,
    token_prefix TEXT NOT NULL,
    label TEXT NOT NULL,
    show_assignees BOOLEAN NOT NULL,
    show_milestone_dates BOOLEAN NOT NULL,
    created_by UUID REFERENCES users (id),
    created_at TIMESTAMPTZ NOT NULL,
    expires_at TIMESTAMPTZ,
    revoked_at TIMESTAMPTZ,
    server_version BIGINT NOT NULL,
    change_number BIGINT NOT NULL,
    access_count BIGINT NOT NULL DEFAULT 0,
    last_accessed_at TIMESTAMPTZ
);
CREATE UNIQUE INDEX uq_share_links_token_hash ON share_links (token_hash);
CREATE INDEX ix_share_links_project ON share_links (project_id, created_at, id);

-- Addresses at which calendar programs read milestones or the tasks of a person. A feed is never edited, so it has no
-- version and no history. What happened to it is in the audit log.
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
