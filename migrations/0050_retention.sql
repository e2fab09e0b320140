-- How long rows are kept that nobody needs any more, when they are deleted, and what the deletions did.
CREATE TABLE retention_policies (
    key TEXT NOT NULL PRIMARY KEY,
    value BIGINT NOT NULL,
    enabled BOOLEAN NOT NULL
);
CREATE TABLE retention_schedule (
    id BIGINT NOT NULL PRIMARY KEY,
    frequency TEXT NOT NULL,
    time_of_day_utc TEXT NOT NULL,
    day_of_week BIGINT,
    on_failure TEXT NOT NULL,
    last_run_at TIMESTAMPTZ
);
INSERT INTO retention_schedule VALUES (1, 'daily', '03:00:00', NULL, 'continue', NULL);
CREATE TABLE purge_runs (
    id UUID NOT NULL PRIMARY KEY,
    started_at TIMESTAMPTZ NOT NULL,
    finished_at TIMESTAMPTZ,
    run_trigger TEXT NOT NULL,
    state TEXT NOT NULL,
    tables TEXT NOT NULL,
    rows_deleted BIGINT NOT NULL,
    error TEXT NOT NULL
);
CREATE INDEX ix_purge_runs_newest ON purge_runs (started_at, id);
