-- The logo of the workspace as Base64, of which there is at most one.
CREATE TABLE workspace_logo (
    id BIGINT NOT NULL PRIMARY KEY,
    media_type TEXT NOT NULL,
    content TEXT NOT NULL,
    etag TEXT NOT NULL,
    uploaded_at TIMESTAMPTZ NOT NULL
);
