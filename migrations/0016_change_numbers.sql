-- Every row that people write within a project, a program or the workspace carries the number of its last change.
-- Offline clients read what has a higher number than they have seen. What was there before counters began has number 1.
CREATE TABLE change_counters (
    container_id UUID NOT NULL PRIMARY KEY,
    counter BIGINT NOT NULL
);

ALTER TABLE tasks RENAME COLUMN changed_at_counter TO change_number;
ALTER TABLE dependencies RENAME COLUMN changed_at_counter TO change_number;
ALTER TABLE task_schedule RENAME COLUMN changed_at_counter TO change_number;
ALTER TABLE recurrence_rules RENAME COLUMN changed_at_counter TO change_number;

ALTER TABLE calendars ADD COLUMN change_number BIGINT NOT NULL DEFAULT 1;
ALTER TABLE calendar_exceptions ADD COLUMN change_number BIGINT NOT NULL DEFAULT 1;
ALTER TABLE calendar_exceptions ADD COLUMN server_version BIGINT NOT NULL DEFAULT 1;
ALTER TABLE programs ADD COLUMN change_number BIGINT NOT NULL DEFAULT 1;
ALTER TABLE projects ADD COLUMN change_number BIGINT NOT NULL DEFAULT 1;
ALTER TABLE program_members ADD COLUMN change_number BIGINT NOT NULL DEFAULT 1;
ALTER TABLE project_members ADD COLUMN change_number BIGINT NOT NULL DEFAULT 1;
ALTER TABLE teams ADD COLUMN change_number BIGINT NOT NULL DEFAULT 1;
ALTER TABLE team_members ADD COLUMN change_number BIGINT NOT NULL DEFAULT 1;
ALTER TABLE labels ADD COLUMN change_number BIGINT NOT NULL DEFAULT 1;
ALTER TABLE sprints ADD COLUMN change_number BIGINT NOT NULL DEFAULT 1;
ALTER TABLE resources ADD COLUMN change_number BIGINT NOT NULL DEFAULT 1;
ALTER TABLE project_resources ADD COLUMN change_number BIGINT NOT NULL DEFAULT 1;
ALTER TABLE task_resources ADD COLUMN change_number BIGINT NOT NULL DEFAULT 1;
ALTER TABLE risks ADD COLUMN change_number BIGINT NOT NULL DEFAULT 1;
ALTER TABLE baselines ADD COLUMN change_number BIGINT NOT NULL DEFAULT 1;
ALTER TABLE task_relations ADD COLUMN change_number BIGINT NOT NULL DEFAULT 1;
ALTER TABLE slip_conflicts ADD COLUMN change_number BIGINT NOT NULL DEFAULT 1;
ALTER TABLE guardrail_policies ADD COLUMN change_number BIGINT NOT NULL DEFAULT 1;

ALTER TABLE webhooks ADD COLUMN server_version BIGINT NOT NULL DEFAULT 1;
ALTER TABLE baselines ADD COLUMN server_version BIGINT NOT NULL DEFAULT 1;

-- Names of labels are unique without regard to case. Of older labels that differ in case alone, the first has the name.
ALTER TABLE labels ADD COLUMN name_key TEXT NOT NULL DEFAULT '';
UPDATE labels SET name_key = lower(name);
UPDATE labels SET name_key = '~' || name WHERE EXISTS (
    SELECT 1 FROM labels o WHERE o.project_id = labels.project_id AND o.deletion_id IS NULL AND o.id < labels.id
        AND lower(o.name) = lower(labels.name));
DROP INDEX uq_labels_project_id_name;
CREATE UNIQUE INDEX uq_labels_project_id_name_key ON labels (project_id, name_key) WHERE deletion_id IS NULL;

CREATE INDEX ix_project_members_change ON project_members (project_id, change_number);
CREATE INDEX ix_program_members_change ON program_members (program_id, change_number);
CREATE INDEX ix_labels_change ON labels (project_id, change_number);
CREATE INDEX ix_sprints_change ON sprints (project_id, change_number);
CREATE INDEX ix_risks_change ON risks (project_id, change_number);
