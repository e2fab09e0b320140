-- What moved of a task's progress, and when: its status, its sprint, its points. Burndowns and flow metrics read it.
-- A row is never changed. What a task was before its first row stands in that row; a task without rows never moved.
CREATE TABLE task_transitions (
    id UUID NOT NULL PRIMARY KEY,
    task_id UUID NOT NULL REFERENCES tasks (id),
    project_id UUID NOT NULL REFERENCES projects (id),
    at TIMESTAMPTZ NOT NULL,
    actor_id UUID REFERENCES users (id),
    is_bulk BOOLEAN NOT NULL,
    old_status TEXT NOT NULL,
    new_status TEXT NOT NULL,
    old_sprint_id UUID,
    new_sprint_id UUID,
    old_points BIGINT,
    new_points BIGINT,
    old_remaining BIGINT,
    new_remaining BIGINT
);
CREATE INDEX ix_task_transitions_task ON task_transitions (task_id, at, id);
CREATE INDEX ix_task_transitions_project ON task_transitions (project_id, at, id);
CREATE INDEX ix_task_transitions_left ON task_transitions (old_sprint_id) WHERE old_sprint_id IS NOT NULL;
