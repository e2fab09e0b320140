-- Rows with words. Outside of a function the planner reads rows in the order of their ids and computes the words of each,
-- which takes seconds in a large installation. Within these functions only the index of words is left to it.
CREATE FUNCTION found_task_names(wanted TSQUERY) RETURNS SETOF tasks LANGUAGE sql STABLE ROWS 100 SET enable_seqscan = off SET enable_indexscan = off
AS $$ SELECT x.* FROM tasks x WHERE search_words(x.name) @@ wanted $$;
CREATE FUNCTION found_task_notes(wanted TSQUERY) RETURNS SETOF tasks LANGUAGE sql STABLE ROWS 100 SET enable_seqscan = off SET enable_indexscan = off
AS $$ SELECT x.* FROM tasks x WHERE search_words(x.notes) @@ wanted $$;
CREATE FUNCTION found_comments(wanted TSQUERY) RETURNS SETOF task_comments LANGUAGE sql STABLE ROWS 100 SET enable_seqscan = off SET enable_indexscan = off
AS $$ SELECT x.* FROM task_comments x WHERE search_words(x.body) @@ wanted $$;
CREATE FUNCTION found_item_titles(wanted TSQUERY) RETURNS SETOF backlog_items LANGUAGE sql STABLE ROWS 100 SET enable_seqscan = off SET enable_indexscan = off
AS $$ SELECT x.* FROM backlog_items x WHERE search_words(x.title) @@ wanted $$;
CREATE FUNCTION found_item_descriptions(wanted TSQUERY) RETURNS SETOF backlog_items LANGUAGE sql STABLE ROWS 100 SET enable_seqscan = off SET enable_indexscan = off
AS $$ SELECT x.* FROM backlog_items x WHERE search_words(x.description) @@ wanted $$;
-- Words are added to the index at once: each search would read a list of those that wait.
ALTER INDEX search_task_names SET (fastupdate = off);
ALTER INDEX search_task_notes SET (fastupdate = off);
ALTER INDEX search_comments SET (fastupdate = off);
ALTER INDEX search_item_titles SET (fastupdate = off);
ALTER INDEX search_item_descriptions SET (fastupdate = off);
SELECT gin_clean_pending_list('search_task_names');
SELECT gin_clean_pending_list('search_task_notes');
SELECT gin_clean_pending_list('search_comments');
SELECT gin_clean_pending_list('search_item_titles');
SELECT gin_clean_pending_list('search_item_descriptions');
