-- Other ways to edit a plan than one task at a time: recurrence, batches and splits.

-- Rules that repeat a task.
CREATE TABLE recurrence_rules (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID NOT NULL REFERENCES projects (id),
    task_id UUID NOT NULL REFERENCES tasks (id),
    frequency TEXT NOT NULL,
    every BIGINT NOT NULL,
    weekdays BIGINT NOT NULL,
    day_of_month BIGINT,
    time_of_day TEXT NOT NULL,
    timezone TEXT NOT NULL,
    end_type TEXT NOT NULL,
    end_date DATE,
    end_count BIGINT,
    inherit_assignee BOOLEAN NOT NULL,
    inherit_subtasks BOOLEAN NOT NULL,
    inherit_attachments BOOLEAN NOT NULL,
    inherit_morning_notification BOOLEAN NOT NULL,
    begun_on DATE NOT NULL,
    generated_through DATE,
    occurrence_count BIGINT NOT NULL,
    change_number BIGINT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    deletion_id UUID
);
CREATE UNIQUE INDEX uq_recurrence_rules_task_id ON recurrence_rules (task_id) WHERE deletion_id IS NULL;
CREATE INDEX ix_recurrence_rules_project ON recurrence_rules (project_id, id);

-- Which task a rule made for which day. The template is stored so that a new rule on it repeats no day.
CREATE TABLE recurrence_occurrences (
    rule_id UUID NOT NULL REFERENCES recurrence_rules (id),
    on_date DATE NOT NULL,
    template_id UUID NOT NULL REFERENCES tasks (id),
    task_id UUID NOT NULL REFERENCES tasks (id),
    PRIMARY KEY (rule_id, on_date)
);
CREATE INDEX ix_recurrence_occurrences_template ON recurrence_occurrences (template_id, on_date);
CREATE INDEX ix_recurrence_occurrences_task ON recurrence_occurrences (task_id);

-- Writes of many rows at once that can be undone as a whole.
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
CREATE INDEX ix_batch_operations_subtree ON batch_operations (subtree_id) WHERE subtree_id IS NOT NULL;

-- Which row a row was split from. The row is deleted when the two are merged again.
CREATE TABLE task_splits (
    task_id UUID NOT NULL PRIMARY KEY REFERENCES tasks (id),
    split_from UUID NOT NULL REFERENCES tasks (id),
    project_id UUID NOT NULL REFERENCES projects (id),
    -- The share of the new row in what was promised for the first one, by what was done when it was split.
    share DOUBLE PRECISION NOT NULL DEFAULT 0.5
);
CREATE INDEX ix_task_splits_split_from ON task_splits (split_from);
CREATE INDEX ix_task_splits_project ON task_splits (project_id);
