-- Rows that moved up because the row above them was deleted; they go back below it when it is restored, if nobody touched them.
CREATE TABLE deletion_moves (
    act_id UUID NOT NULL REFERENCES deletions (id),
    task_id UUID NOT NULL REFERENCES tasks (id),
    server_version BIGINT NOT NULL,
    was_subtask BOOLEAN NOT NULL,
    PRIMARY KEY (act_id, task_id)
);

-- Writes of many rows at once that can be taken back as a whole.
CREATE TABLE batch_operations (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID NOT NULL REFERENCES projects (id),
    kind TEXT NOT NULL,
    applied_by UUID REFERENCES users (id),
    subtree_id UUID REFERENCES tasks (id),
    status TEXT NOT NULL,
    snapshot TEXT NOT NULL,
    result_summary TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    undone_at TIMESTAMPTZ
);
CREATE INDEX ix_batch_operations_project ON batch_operations (project_id, kind, created_at, id);

-- What an act of deletion took is looked up by the act, and acts by their project.
CREATE INDEX ix_tasks_deletion ON tasks (deletion_id) WHERE deletion_id IS NOT NULL;
CREATE INDEX ix_deletions_project ON deletions (project_id, at, id);
