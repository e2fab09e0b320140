-- Phases are few, and earned value asks for each row of a baseline whether it is one by now.
CREATE INDEX ix_task_schedule_phases ON task_schedule (project_id, task_id) WHERE is_phase;
