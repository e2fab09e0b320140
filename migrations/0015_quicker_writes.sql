-- Nearly every recalculation moves early starts. An index over them costs each moved row an entry on both engines, and
-- keeps PostgreSQL from changing rows in place; lists by date look at one project's rows anyway.
DROP INDEX ix_task_schedule_early_start;

-- The live links into a task are found by one index, whatever the engine knows of the table.
DROP INDEX ix_dependencies_successor;
CREATE INDEX ix_dependencies_successor ON dependencies (successor_id, deletion_id);
