-- The time that people log. Nobody reads the rows of another person.

-- The minutes that people log on tasks.
CREATE TABLE time_entries (
    id UUID NOT NULL PRIMARY KEY,
    user_id UUID NOT NULL REFERENCES users (id),
    task_id UUID NOT NULL REFERENCES tasks (id),
    minutes BIGINT NOT NULL,
    entry_date DATE NOT NULL,
    note TEXT NOT NULL,
    source TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    change_number BIGINT NOT NULL,
    deletion_id UUID
);
CREATE INDEX ix_time_entries_day ON time_entries (user_id, entry_date) WHERE deletion_id IS NULL;
CREATE INDEX ix_time_entries_task ON time_entries (user_id, task_id) WHERE deletion_id IS NULL;

-- Running timers: one for each person.
CREATE TABLE timers (
    id UUID NOT NULL PRIMARY KEY,
    user_id UUID NOT NULL REFERENCES users (id),
    task_id UUID NOT NULL REFERENCES tasks (id),
    note TEXT NOT NULL,
    started_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    change_number BIGINT NOT NULL
);
CREATE UNIQUE INDEX uq_timers_user_id ON timers (user_id);

-- The weeks that people have submitted, each by its Monday. A row is a mark and locks nothing.
CREATE TABLE timesheets (
    id UUID NOT NULL PRIMARY KEY,
    user_id UUID NOT NULL REFERENCES users (id),
    week_start DATE NOT NULL,
    submitted_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    change_number BIGINT NOT NULL
);
CREATE UNIQUE INDEX uq_timesheets_user_id_week_start ON timesheets (user_id, week_start);
