-- What every area uses: the history of rows, events to deliver, deletions, numbers of changes, stored answers and jobs.

-- Every change of a tracked row, with its fields before and after.
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

-- Events that are committed and not delivered yet.
CREATE TABLE outbox (
    id UUID NOT NULL PRIMARY KEY,
    at TIMESTAMPTZ NOT NULL,
    channel TEXT NOT NULL,
    name TEXT NOT NULL,
    project_id UUID,
    program_id UUID,
    payload TEXT NOT NULL,
    -- Who did what the event is about. Null for the system.
    actor_id UUID
);

-- Acts of deletion. A deleted row names its act in `deletion_id`, and a restore brings back all rows of an act.
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
CREATE INDEX ix_deletions_project ON deletions (project_id, at, id);

-- The last change number of each project, each program and the workspace. A row that people write carries the number of
-- its last change in `change_number`; offline clients read the rows with a higher number than they have seen.
CREATE TABLE change_counters (
    container_id UUID NOT NULL PRIMARY KEY,
    counter BIGINT NOT NULL
);

-- Answers to requests with an `Idempotency-Key`, for a repetition. Without a status the request is still running.
CREATE TABLE idempotency_keys (
    user_id UUID NOT NULL,
    key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    status BIGINT,
    headers TEXT,
    body TEXT,
    -- The bytes of the answer, which `idempotency_use` adds up.
    kept_bytes BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (user_id, key)
);
CREATE INDEX ix_idempotency_keys_age ON idempotency_keys (created_at);

-- How many bytes of answers are stored for each person, so that nobody uses more than a fair share.
CREATE TABLE idempotency_use (
    user_id UUID NOT NULL PRIMARY KEY,
    kept_bytes BIGINT NOT NULL
);

-- Jobs that wait or run. A worker holds a job under a lease.
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

-- Jobs that failed for good, until a person has looked at them.
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
CREATE INDEX ix_failed_jobs_job ON failed_jobs (job_id);

-- When each job that repeats runs next.
CREATE TABLE job_schedules (
    kind TEXT NOT NULL PRIMARY KEY,
    last_run_at TIMESTAMPTZ,
    next_run_at TIMESTAMPTZ NOT NULL
);

-- The workers that are alive.
CREATE TABLE worker_heartbeats (
    worker_id UUID NOT NULL PRIMARY KEY,
    started_at TIMESTAMPTZ NOT NULL,
    beat_at TIMESTAMPTZ NOT NULL
);
