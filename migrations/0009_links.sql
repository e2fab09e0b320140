-- Links as lists and recalculations ask for them: by either end's project, those that wait, those that cross projects.
DROP INDEX ix_dependencies_successor_project;
CREATE INDEX ix_dependencies_successor_project ON dependencies (successor_project_id, id);
CREATE INDEX ix_dependencies_pending ON dependencies (successor_project_id, id)
    WHERE pending_acceptance AND deletion_id IS NULL;
CREATE INDEX ix_dependencies_crossing ON dependencies (successor_project_id)
    WHERE predecessor_project_id <> successor_project_id AND deletion_id IS NULL AND NOT pending_acceptance;

-- A task of a running sprint that a link from another project pushes past the sprint's end.
CREATE TABLE slip_conflicts (
    id UUID NOT NULL PRIMARY KEY,
    sprint_id UUID NOT NULL REFERENCES sprints (id),
    task_id UUID NOT NULL REFERENCES tasks (id),
    project_id UUID NOT NULL REFERENCES projects (id),
    dependency_id UUID REFERENCES dependencies (id),
    upstream_task_id UUID REFERENCES tasks (id),
    pushed_to DATE NOT NULL,
    detected_at TIMESTAMPTZ NOT NULL,
    re_slip_count BIGINT NOT NULL,
    resolution TEXT NOT NULL,
    resolved_at TIMESTAMPTZ,
    acknowledged_by UUID REFERENCES users (id),
    acknowledged_at TIMESTAMPTZ
);
CREATE UNIQUE INDEX uq_slip_conflicts_sprint_id_task_id ON slip_conflicts (sprint_id, task_id);
CREATE INDEX ix_slip_conflicts_project ON slip_conflicts (project_id, detected_at, id);
CREATE INDEX ix_slip_conflicts_task ON slip_conflicts (task_id);
CREATE INDEX ix_slip_conflicts_open ON slip_conflicts (project_id) WHERE resolution = 'unresolved';
CREATE INDEX ix_sprints_active ON sprints (project_id) WHERE state = 'ACTIVE' AND deletion_id IS NULL;
