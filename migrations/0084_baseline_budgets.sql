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
