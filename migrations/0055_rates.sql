-- What an hour of a resource costs, and what tasks were to cost when a baseline was captured. All are hundredths.
ALTER TABLE resources ADD COLUMN hourly_rate BIGINT;
ALTER TABLE baseline_tasks ADD COLUMN budget BIGINT;
-- The sum of its tasks.
ALTER TABLE baselines ADD COLUMN budget BIGINT;
