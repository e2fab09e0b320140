-- A node may remember a plan between two writes; the mark tells whether what it remembers is what the last recalculation left.
ALTER TABLE project_schedule ADD COLUMN mark UUID;

-- Live rows of a project are counted and listed by id more often than anything else.
CREATE INDEX ix_tasks_live ON tasks (project_id, deletion_id, id);
