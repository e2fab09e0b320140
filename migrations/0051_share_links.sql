-- Public links: whoever has one sees a picture of a project. Only the hash of a token is kept.
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
