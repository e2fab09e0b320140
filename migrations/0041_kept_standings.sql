-- Where a project stands, as the last write of its plan left it: counts by day, so that they hold on every later day. They hold
-- for one number of the plan and one active baseline. Without them the rows are counted.
ALTER TABLE project_schedule ADD COLUMN standing TEXT;
ALTER TABLE project_schedule ADD COLUMN standing_at BIGINT;
ALTER TABLE project_schedule ADD COLUMN standing_baseline_id UUID;

-- The milestones of a project are few and are asked for by themselves.
CREATE INDEX ix_tasks_milestones ON tasks (project_id) WHERE is_milestone AND deletion_id IS NULL;
