-- A link is there only while both its tasks are: it goes with the act of deletion that takes either, and waits for
-- both to be back. Links of tasks that are in the trash already go with the act that took the task.
UPDATE dependencies SET deletion_id = (
        SELECT t.deletion_id FROM tasks t
        WHERE t.id IN (dependencies.predecessor_id, dependencies.successor_id) AND t.deletion_id IS NOT NULL
        ORDER BY t.id LIMIT 1)
    WHERE deletion_id IS NULL AND EXISTS (
        SELECT 1 FROM tasks t
        WHERE t.id IN (dependencies.predecessor_id, dependencies.successor_id) AND t.deletion_id IS NOT NULL);

CREATE INDEX ix_dependencies_deletion ON dependencies (deletion_id) WHERE deletion_id IS NOT NULL;

-- Lists count and order links of either end's project in these indexes alone; few links cross projects.
DROP INDEX ix_dependencies_predecessor_project;
CREATE INDEX ix_dependencies_predecessor_project
    ON dependencies (predecessor_project_id, id, deletion_id, successor_project_id, dep_type);
DROP INDEX ix_dependencies_successor_project;
CREATE INDEX ix_dependencies_successor_project ON dependencies (successor_project_id, id);
CREATE INDEX ix_dependencies_crossing
    ON dependencies (successor_project_id, deletion_id, id, predecessor_project_id, dep_type, pending_acceptance)
    WHERE predecessor_project_id <> successor_project_id;

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
