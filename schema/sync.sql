-- Offline clients: what each has read, and the batches that it has sent.

-- What a person had read of a project, or of all their programs (the id of zeros), after one pull: the counters at that
-- time.
CREATE TABLE sync_watermarks (
    user_id UUID NOT NULL REFERENCES users (id),
    place_id UUID NOT NULL,
    number BIGINT NOT NULL,
    state TEXT NOT NULL,
    at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (user_id, place_id, number)
);

-- Batches of offline clients, with the answer that a repeated batch gets. Without an answer the batch is in progress.
CREATE TABLE sync_batches (
    user_id UUID NOT NULL REFERENCES users (id),
    project_id UUID NOT NULL REFERENCES projects (id),
    batch_id UUID NOT NULL,
    started_at TIMESTAMPTZ NOT NULL,
    answer TEXT,
    PRIMARY KEY (user_id, project_id, batch_id)
);
CREATE INDEX ix_sync_batches_age ON sync_batches (started_at);
