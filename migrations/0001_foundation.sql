-- What every area leans on: history, events on their way out, acts of deletion, jobs, stored answers.
CREATE TABLE history (
    id UUID NOT NULL PRIMARY KEY,
    at TIMESTAMPTZ NOT NULL,
    entity TEXT NOT NULL,
    entity_id UUID NOT NULL,
    kind TEXT NOT NULL,
    actor_id UUID,
    project_id UUID,
    program_id UUID,
    version BIGINT NOT NULL,
    fields TEXT NOT NULL
);
CREATE INDEX ix_history_entity ON history (entity, entity_id, version);
CREATE INDEX ix_history_project ON history (project_id, at);

CREATE TABLE outbox (
    id UUID NOT NULL PRIMARY KEY,
    at TIMESTAMPTZ NOT NULL,
    channel TEXT NOT NULL,
    name TEXT NOT NULL,
    project_id UUID,
    program_id UUID,
    payload TEXT NOT NULL
);

CREATE TABLE deletions (
    id UUID NOT NULL PRIMARY KEY,
    at TIMESTAMPTZ NOT NULL,
    entity TEXT NOT NULL,
    root_id UUID NOT NULL,
    actor_id UUID,
    project_id UUID,
    restored_at TIMESTAMPTZ
);
CREATE INDEX ix_deletions_root ON deletions (root_id);

CREATE TABLE jobs (
    id UUID NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL,
    payload TEXT NOT NULL,
    project_id UUID,
    dedupe_key TEXT,
    run_at TIMESTAMPTZ NOT NULL,
    attempts BIGINT NOT NULL,
    lease_until TIMESTAMPTZ,
    lease_owner UUID,
    created_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX ix_jobs_due ON jobs (run_at, id);
CREATE UNIQUE INDEX uq_jobs_dedupe_key ON jobs (dedupe_key);

CREATE TABLE failed_jobs (
    id UUID NOT NULL PRIMARY KEY,
    job_id UUID NOT NULL,
    kind TEXT NOT NULL,
    payload TEXT NOT NULL,
    project_id UUID,
    error TEXT NOT NULL,
    failure_count BIGINT NOT NULL,
    first_failed_at TIMESTAMPTZ NOT NULL,
    last_failed_at TIMESTAMPTZ NOT NULL,
    status TEXT NOT NULL,
    resolution_note TEXT NOT NULL,
    resolved_by UUID,
    resolved_at TIMESTAMPTZ
);
CREATE INDEX ix_failed_jobs_newest ON failed_jobs (last_failed_at, id);

CREATE TABLE job_schedules (
    kind TEXT NOT NULL PRIMARY KEY,
    last_run_at TIMESTAMPTZ,
    next_run_at TIMESTAMPTZ NOT NULL
);

CREATE TABLE worker_heartbeats (
    worker_id UUID NOT NULL PRIMARY KEY,
    started_at TIMESTAMPTZ NOT NULL,
    beat_at TIMESTAMPTZ NOT NULL
);

CREATE TABLE idempotency_keys (
    user_id UUID NOT NULL,
    key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    status BIGINT,
    headers TEXT,
    body TEXT,
    PRIMARY KEY (user_id, key)
);
CREATE INDEX ix_idempotency_keys_age ON idempotency_keys (created_at);
