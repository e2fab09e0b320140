-- Which rows of a baseline were work when it was captured: no rows below them, and no template of a recurrence. A row that
-- gets a row below it later keeps what it promised.
ALTER TABLE baseline_tasks ADD COLUMN is_leaf BOOLEAN;
UPDATE baseline_tasks SET is_leaf = NOT EXISTS (
    SELECT 1 FROM tasks c JOIN baseline_tasks x ON x.task_id = c.id
    WHERE c.parent_id = baseline_tasks.task_id AND x.baseline_id = baseline_tasks.baseline_id)
  AND task_id IN (SELECT t.id FROM tasks t WHERE t.is_recurring = FALSE);

-- Since when a risk has its severity, if not since it was noted, and when it was escalated for that.
ALTER TABLE risks ADD COLUMN severity_since TIMESTAMPTZ;
ALTER TABLE risks ADD COLUMN escalated_at TIMESTAMPTZ;
CREATE INDEX ix_risks_open ON risks (created_at, id) WHERE status = 'OPEN' AND escalated_at IS NULL AND deletion_id IS NULL;

-- The days of the newest simulation of a project, and the chance of each of its milestones.
ALTER TABLE latest_simulations ADD COLUMN p50_finish DATE;
ALTER TABLE latest_simulations ADD COLUMN p80_finish DATE;
ALTER TABLE latest_simulations ADD COLUMN p95_finish DATE;
CREATE TABLE milestone_chances (
    task_id UUID NOT NULL PRIMARY KEY REFERENCES tasks (id),
    project_id UUID NOT NULL REFERENCES projects (id),
    confidence DOUBLE PRECISION NOT NULL
);
CREATE INDEX ix_milestone_chances_project ON milestone_chances (project_id);

-- Which row a row was split from. It is forgotten when the two are one again.
CREATE TABLE task_splits (
    task_id UUID NOT NULL PRIMARY KEY REFERENCES tasks (id),
    split_from UUID NOT NULL REFERENCES tasks (id),
    project_id UUID NOT NULL REFERENCES projects (id)
);
CREATE INDEX ix_task_splits_split_from ON task_splits (split_from);
CREATE INDEX ix_task_splits_project ON task_splits (project_id);
CREATE INDEX ix_batch_operations_subtree ON batch_operations (subtree_id) WHERE subtree_id IS NOT NULL;
