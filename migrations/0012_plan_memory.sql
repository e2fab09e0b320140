-- A node may remember a plan between two writes; the mark tells whether what it remembers is what the last recalculation left.
ALTER TABLE project_schedule ADD COLUMN mark UUID;

-- Live rows are counted by every write.
CREATE INDEX ix_tasks_live ON tasks (project_id, parent_id) WHERE deletion_id IS NULL;
