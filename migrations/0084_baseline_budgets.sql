-- A task with only subtasks below it is work, and subtasks are none.
UPDATE baseline_tasks SET is_leaf = FALSE WHERE task_id IN (SELECT id FROM tasks WHERE is_subtask);
UPDATE baseline_tasks SET is_leaf = TRUE
WHERE task_id IN (SELECT t.id FROM tasks t WHERE NOT t.is_subtask AND NOT t.is_recurring)
  AND EXISTS (
    SELECT 1 FROM tasks c JOIN baseline_tasks x ON x.task_id = c.id
    WHERE c.parent_id = baseline_tasks.task_id AND x.baseline_id = baseline_tasks.baseline_id)
  AND NOT EXISTS (
    SELECT 1 FROM tasks c JOIN baseline_tasks x ON x.task_id = c.id
    WHERE c.parent_id = baseline_tasks.task_id AND x.baseline_id = baseline_tasks.baseline_id AND NOT c.is_subtask);
UPDATE project_schedule SET standing = NULL WHERE project_id IN (SELECT project_id FROM tasks WHERE is_subtask);

-- What a baseline promised never changes after it was captured. It is added up once, by dates and calendar, so that earned
-- value need not join all rows of a baseline with all tasks. A later calendar of a task does not change the promise.
CREATE TABLE baseline_budgets (
    baseline_id UUID NOT NULL REFERENCES baselines (id),
    calendar_id UUID,
    start_date DATE NOT NULL,
    finish_date DATE NOT NULL,
    duration BIGINT NOT NULL,
    budget BIGINT
);
CREATE INDEX ix_baseline_budgets_baseline ON baseline_budgets (baseline_id);
INSERT INTO baseline_budgets (baseline_id, calendar_id, start_date, finish_date, duration, budget)
SELECT k.baseline_id, t.calendar_id, k.start_date, k.finish_date, CAST(SUM(COALESCE(k.duration, 0)) AS BIGINT), CAST(SUM(k.budget) AS BIGINT)
FROM baseline_tasks k JOIN tasks t ON t.id = k.task_id
WHERE k.is_leaf = TRUE AND k.start_date IS NOT NULL AND k.finish_date IS NOT NULL
GROUP BY k.baseline_id, t.calendar_id, k.start_date, k.finish_date;

-- Rows on which somebody has worked, or that have progress.
CREATE INDEX ix_tasks_begun ON tasks (project_id) WHERE actual_start IS NOT NULL OR percent_complete > 0;
