-- A node may remember a plan between two writes; the mark tells whether what it remembers is what the last recalculation left.
ALTER TABLE project_schedule ADD COLUMN mark UUID;

-- Links between projects are few and asked for by every write; live rows are counted by every write.
CREATE INDEX ix_dependencies_crossing ON dependencies (predecessor_project_id, successor_project_id)
    WHERE predecessor_project_id <> successor_project_id AND deletion_id IS NULL;
CREATE INDEX ix_tasks_live ON tasks (project_id, parent_id) WHERE deletion_id IS NULL;
