-- How late work was finished is counted over leaves only: subtasks and rows with rows below them are none. What is kept of it is
-- counted again.
UPDATE project_schedule SET standing = NULL
WHERE project_id IN (SELECT project_id FROM tasks WHERE is_subtask OR actual_finish IS NOT NULL);
