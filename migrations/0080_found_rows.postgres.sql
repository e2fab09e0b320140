-- Rows with words, as in step 72, but only the columns that searches read: a function keeps whole rows in memory, and comments are long.
DROP FUNCTION found_task_names(TSQUERY);
CREATE FUNCTION found_task_names(wanted TSQUERY) RETURNS TABLE (id UUID, project_id UUID, parent_epic_id UUID, short_id TEXT, name TEXT, type TEXT, status TEXT, is_milestone BOOLEAN, deletion_id UUID)
LANGUAGE sql STABLE ROWS 100 SET enable_seqscan = off SET enable_indexscan = off
AS $$ SELECT x.id, x.project_id, x.parent_epic_id, x.short_id, x.name, x.type, x.status, x.is_milestone, x.deletion_id FROM tasks x WHERE search_words(x.name) @@ wanted $$;
DROP FUNCTION found_task_notes(TSQUERY);
CREATE FUNCTION found_task_notes(wanted TSQUERY) RETURNS TABLE (id UUID, project_id UUID, parent_epic_id UUID, short_id TEXT, name TEXT, type TEXT, status TEXT, is_milestone BOOLEAN, deletion_id UUID)
LANGUAGE sql STABLE ROWS 100 SET enable_seqscan = off SET enable_indexscan = off
AS $$ SELECT x.id, x.project_id, x.parent_epic_id, x.short_id, x.name, x.type, x.status, x.is_milestone, x.deletion_id FROM tasks x WHERE search_words(x.notes) @@ wanted $$;
DROP FUNCTION found_comments(TSQUERY);
CREATE FUNCTION found_comments(wanted TSQUERY) RETURNS TABLE (id UUID, project_id UUID, task_id UUID, deleted_at TIMESTAMPTZ, deletion_id UUID)
LANGUAGE sql STABLE ROWS 100 SET enable_seqscan = off SET enable_indexscan = off
AS $$ SELECT x.id, x.project_id, x.task_id, x.deleted_at, x.deletion_id FROM task_comments x WHERE search_words(x.body) @@ wanted $$;
DROP FUNCTION found_item_titles(TSQUERY);
CREATE FUNCTION found_item_titles(wanted TSQUERY) RETURNS TABLE (id UUID, program_id UUID, title TEXT, item_type TEXT, status TEXT, deletion_id UUID)
LANGUAGE sql STABLE ROWS 100 SET enable_seqscan = off SET enable_indexscan = off
AS $$ SELECT x.id, x.program_id, x.title, x.item_type, x.status, x.deletion_id FROM backlog_items x WHERE search_words(x.title) @@ wanted $$;
DROP FUNCTION found_item_descriptions(TSQUERY);
CREATE FUNCTION found_item_descriptions(wanted TSQUERY) RETURNS TABLE (id UUID, program_id UUID, title TEXT, item_type TEXT, status TEXT, deletion_id UUID)
LANGUAGE sql STABLE ROWS 100 SET enable_seqscan = off SET enable_indexscan = off
AS $$ SELECT x.id, x.program_id, x.title, x.item_type, x.status, x.deletion_id FROM backlog_items x WHERE search_words(x.description) @@ wanted $$;
