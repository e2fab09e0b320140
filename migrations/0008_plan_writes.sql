-- Writing the plan: every row of tasks and links knows the change of its project that last wrote it, recalculated or not.
ALTER TABLE tasks ADD COLUMN changed_at_counter BIGINT NOT NULL DEFAULT 0;
ALTER TABLE dependencies ADD COLUMN changed_at_counter BIGINT NOT NULL DEFAULT 0;
CREATE INDEX ix_tasks_changed ON tasks (project_id, changed_at_counter);
CREATE INDEX ix_dependencies_changed ON dependencies (successor_project_id, changed_at_counter);

-- What happened to a duration under way, and what it did to the per cent done.
CREATE TABLE duration_events (
    id UUID NOT NULL PRIMARY KEY,
    task_id UUID NOT NULL REFERENCES tasks (id),
    project_id UUID NOT NULL REFERENCES projects (id),
    old_duration BIGINT NOT NULL,
    new_duration BIGINT NOT NULL,
    percent_complete_at_change DOUBLE PRECISION NOT NULL,
    percent_complete_after DOUBLE PRECISION,
    policy_applied TEXT NOT NULL,
    actor_id UUID REFERENCES users (id),
    actor_name TEXT NOT NULL,
    sprint_id UUID,
    source TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX ix_duration_events_task ON duration_events (task_id, created_at, id);
CREATE INDEX ix_duration_events_sprint ON duration_events (sprint_id, created_at, id);
