-- The calendar that a task is worked on, where that is not the one of its project. Few tasks have one.
ALTER TABLE tasks ADD COLUMN calendar_id UUID REFERENCES calendars (id);
CREATE INDEX ix_tasks_calendar ON tasks (calendar_id) WHERE calendar_id IS NOT NULL;
CREATE INDEX ix_tasks_calendar_of_project ON tasks (project_id, calendar_id) WHERE calendar_id IS NOT NULL;
