-- Dates that a plan promises: a deadline, and one dated constraint of a row.
ALTER TABLE tasks ADD COLUMN deadline DATE;
ALTER TABLE tasks ADD COLUMN constraint_type TEXT;
ALTER TABLE tasks ADD COLUMN constraint_date DATE;
CREATE INDEX ix_tasks_dated ON tasks (project_id) WHERE deadline IS NOT NULL OR constraint_type IS NOT NULL;

-- The promised dates that the last recalculation could not keep.
ALTER TABLE project_schedule ADD COLUMN conflicts TEXT NOT NULL DEFAULT '[]';
