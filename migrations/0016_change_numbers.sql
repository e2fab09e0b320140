-- Every row that people write within a project, a program or the workspace carries the number of its last change.
-- Offline clients read what has a higher number than they have seen.
CREATE TABLE change_counters (
    container_id UUID NOT NULL PRIMARY KEY,
    counter BIGINT NOT NULL
);

ALTER TABLE tasks RENAME COLUMN changed_at_counter TO change_number;
ALTER TABLE dependencies RENAME COLUMN changed_at_counter TO change_number;
ALTER TABLE task_schedule RENAME COLUMN changed_at_counter TO change_number;
ALTER TABLE recurrence_rules RENAME COLUMN changed_at_counter TO change_number;

ALTER TABLE calendars ADD COLUMN change_number BIGINT NOT NULL DEFAULT 0;
ALTER TABLE calendar_exceptions ADD COLUMN change_number BIGINT NOT NULL DEFAULT 0;
ALTER TABLE calendar_exceptions ADD COLUMN server_version BIGINT NOT NULL DEFAULT 1;
ALTER TABLE programs ADD COLUMN change_number BIGINT NOT NULL DEFAULT 0;
ALTER TABLE projects ADD COLUMN change_number BIGINT NOT NULL DEFAULT 0;
ALTER TABLE program_members ADD COLUMN change_number BIGINT NOT NULL DEFAULT 0;
ALTER TABLE project_members ADD COLUMN change_number BIGINT NOT NULL DEFAULT 0;
ALTER TABLE teams ADD COLUMN change_number BIGINT NOT NULL DEFAULT 0;
ALTER TABLE team_members ADD COLUMN change_number BIGINT NOT NULL DEFAULT 0;
ALTER TABLE labels ADD COLUMN change_number BIGINT NOT NULL DEFAULT 0;
ALTER TABLE sprints ADD COLUMN change_number BIGINT NOT NULL DEFAULT 0;
ALTER TABLE resources ADD COLUMN change_number BIGINT NOT NULL DEFAULT 0;
ALTER TABLE project_resources ADD COLUMN change_number BIGINT NOT NULL DEFAULT 0;
ALTER TABLE task_resources ADD COLUMN change_number BIGINT NOT NULL DEFAULT 0;
ALTER TABLE risks ADD COLUMN change_number BIGINT NOT NULL DEFAULT 0;
ALTER TABLE baselines ADD COLUMN change_number BIGINT NOT NULL DEFAULT 0;
ALTER TABLE task_relations ADD COLUMN change_number BIGINT NOT NULL DEFAULT 0;
ALTER TABLE slip_conflicts ADD COLUMN change_number BIGINT NOT NULL DEFAULT 0;
ALTER TABLE guardrail_policies ADD COLUMN change_number BIGINT NOT NULL DEFAULT 0;

CREATE INDEX ix_project_members_change ON project_members (project_id, change_number);
CREATE INDEX ix_program_members_change ON program_members (program_id, change_number);
CREATE INDEX ix_labels_change ON labels (project_id, change_number);
CREATE INDEX ix_sprints_change ON sprints (project_id, change_number);
CREATE INDEX ix_risks_change ON risks (project_id, change_number);
