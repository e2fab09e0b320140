-- What is computed from a plan besides its dates: simulations, forecasts and the cost of each risk.

-- Simulations that somebody has recorded.
CREATE TABLE simulations (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID NOT NULL REFERENCES projects (id),
    taken_at TIMESTAMPTZ NOT NULL,
    triggered_by UUID REFERENCES users (id),
    n_simulations BIGINT NOT NULL,
    seed TEXT NOT NULL,
    result TEXT NOT NULL
);
CREATE INDEX ix_simulations_project ON simulations (project_id, taken_at, id);

-- The newest simulation of a project, whoever ran it, and the finishes that it found.
CREATE TABLE latest_simulations (
    project_id UUID NOT NULL PRIMARY KEY REFERENCES projects (id),
    taken_at TIMESTAMPTZ NOT NULL,
    result TEXT NOT NULL,
    p50_finish DATE,
    p80_finish DATE,
    p95_finish DATE
);

-- The chance that a milestone is on time, by the newest simulation of its project.
CREATE TABLE milestone_chances (
    task_id UUID NOT NULL PRIMARY KEY REFERENCES tasks (id),
    project_id UUID NOT NULL REFERENCES projects (id),
    confidence DOUBLE PRECISION NOT NULL
);
CREATE INDEX ix_milestone_chances_project ON milestone_chances (project_id);

-- The forecast of a project over time.
CREATE TABLE forecast_snapshots (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID NOT NULL REFERENCES projects (id),
    captured_at TIMESTAMPTZ NOT NULL,
    triggered_by TEXT NOT NULL,
    cpm_finish DATE,
    total_float_days BIGINT,
    mc_p50_finish DATE,
    mc_p80_finish DATE,
    mc_p95_finish DATE,
    mc_iterations BIGINT,
    task_count BIGINT NOT NULL,
    completed_task_count BIGINT NOT NULL
);
CREATE INDEX ix_forecast_snapshots_project ON forecast_snapshots (project_id, captured_at, id);

-- What each risk and each estimate costs at a percentile of the finish of a project.
CREATE TABLE driver_analyses (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID NOT NULL REFERENCES projects (id),
    status TEXT NOT NULL,
    -- What was requested.
    percentile BIGINT NOT NULL,
    runs BIGINT NOT NULL,
    seed TEXT NOT NULL,
    -- The result, once it is completed.
    result TEXT NOT NULL,
    error_detail TEXT NOT NULL,
    requested_by UUID NOT NULL REFERENCES users (id),
    created_at TIMESTAMPTZ NOT NULL,
    completed_at TIMESTAMPTZ
);
CREATE INDEX ix_driver_analyses_project ON driver_analyses (project_id, created_at, id);
