-- How likely a risk is and how many working days it would cost each task that it threatens, for the simulation.
ALTER TABLE risks ADD COLUMN likelihood_percent BIGINT;
ALTER TABLE risks ADD COLUMN delay_low_days BIGINT;
ALTER TABLE risks ADD COLUMN delay_days BIGINT;
ALTER TABLE risks ADD COLUMN delay_high_days BIGINT;

-- What each risk and each estimate costs at a percentile of the finish of a project.
CREATE TABLE driver_analyses (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID NOT NULL REFERENCES projects (id),
    status TEXT NOT NULL,
    -- What was asked for.
    percentile BIGINT NOT NULL,
    runs BIGINT NOT NULL,
    seed TEXT NOT NULL,
    -- What was found, once it is completed.
    result TEXT NOT NULL,
    error_detail TEXT NOT NULL,
    requested_by UUID NOT NULL REFERENCES users (id),
    created_at TIMESTAMPTZ NOT NULL,
    completed_at TIMESTAMPTZ
);
CREATE INDEX ix_driver_analyses_project ON driver_analyses (project_id, created_at, id);
