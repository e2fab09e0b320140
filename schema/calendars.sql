-- The calendars of the workspace, which projects, tasks and resources refer to.

CREATE TABLE calendars (
    id UUID NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    working_days BIGINT NOT NULL,
    hours_per_day DOUBLE PRECISION NOT NULL,
    timezone TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    deletion_id UUID,
    change_number BIGINT NOT NULL DEFAULT 1
);
CREATE INDEX ix_calendars_name ON calendars (name, id);

-- Days on which a calendar works differently.
CREATE TABLE calendar_exceptions (
    id UUID NOT NULL PRIMARY KEY,
    calendar_id UUID NOT NULL REFERENCES calendars (id),
    exc_start DATE NOT NULL,
    exc_end DATE NOT NULL,
    description TEXT NOT NULL,
    working BOOLEAN NOT NULL,
    change_number BIGINT NOT NULL DEFAULT 1,
    server_version BIGINT NOT NULL DEFAULT 1
);
CREATE INDEX ix_calendar_exceptions_start ON calendar_exceptions (calendar_id, exc_start, id);
