-- The text index of tasks, comments and backlog items. PostgreSQL updates it with every write of a row, in its transaction.

-- The words of a text, without case, accents and the letters that only one language has. The letters are those of
-- `crates/store/src/letters.rs`; a test compares them. Only functions of the system are called, so that the index can be
-- built with any search path. Only the first 20 000 characters of a text are indexed.
CREATE FUNCTION search_words(said TEXT) RETURNS TSVECTOR LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 1000 AS $$
    SELECT to_tsvector('pg_catalog.simple', translate(
        replace(replace(replace(replace(translate(
            lower(normalize(regexp_replace(normalize(left(said, 20000), NFKD), '[\u0300-\u036f]', '', 'g'), NFC)),
            'łøđðħıŋŧĸƒɨƀɓɗƙəςґǝȼ', 'loddhintkfibbdkeσгec'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
        '!"#$%&()*+,-./:;<=>?@[\]^_`{|}~''', '                                '))
$$;

-- Words are added to the index at once: otherwise each search reads the list of those that wait.
CREATE INDEX search_task_names ON tasks USING GIN (search_words(name)) WITH (fastupdate = off);
CREATE INDEX search_task_notes ON tasks USING GIN (search_words(notes)) WITH (fastupdate = off);
CREATE INDEX search_comments ON task_comments USING GIN (search_words(body)) WITH (fastupdate = off);
CREATE INDEX search_item_titles ON backlog_items USING GIN (search_words(title)) WITH (fastupdate = off);
CREATE INDEX search_item_descriptions ON backlog_items USING GIN (search_words(description)) WITH (fastupdate = off);

-- The rows with words, with the columns that searches read: a function keeps its rows in memory, and comments are long.
-- Outside of a function the planner reads rows in the order of their ids and computes the words of each, which takes
-- seconds in a large installation. Within these functions it can use only the text index.
CREATE FUNCTION found_task_names(wanted TSQUERY) RETURNS TABLE (id UUID, project_id UUID, parent_epic_id UUID, short_id TEXT, name TEXT, type TEXT, status TEXT, is_milestone BOOLEAN, deletion_id UUID)
LANGUAGE sql STABLE ROWS 100 SET enable_seqscan = off SET enable_indexscan = off
AS $$ SELECT x.id, x.project_id, x.parent_epic_id, x.short_id, x.name, x.type, x.status, x.is_milestone, x.deletion_id FROM tasks x WHERE search_words(x.name) @@ wanted $$;
CREATE FUNCTION found_task_notes(wanted TSQUERY) RETURNS TABLE (id UUID, project_id UUID, parent_epic_id UUID, short_id TEXT, name TEXT, type TEXT, status TEXT, is_milestone BOOLEAN, deletion_id UUID)
LANGUAGE sql STABLE ROWS 100 SET enable_seqscan = off SET enable_indexscan = off
AS $$ SELECT x.id, x.project_id, x.parent_epic_id, x.short_id, x.name, x.type, x.status, x.is_milestone, x.deletion_id FROM tasks x WHERE search_words(x.notes) @@ wanted $$;
CREATE FUNCTION found_comments(wanted TSQUERY) RETURNS TABLE (id UUID, project_id UUID, task_id UUID, deleted_at TIMESTAMPTZ, deletion_id UUID)
LANGUAGE sql STABLE ROWS 100 SET enable_seqscan = off SET enable_indexscan = off
AS $$ SELECT x.id, x.project_id, x.task_id, x.deleted_at, x.deletion_id FROM task_comments x WHERE search_words(x.body) @@ wanted $$;
CREATE FUNCTION found_item_titles(wanted TSQUERY) RETURNS TABLE (id UUID, program_id UUID, title TEXT, item_type TEXT, status TEXT, deletion_id UUID)
LANGUAGE sql STABLE ROWS 100 SET enable_seqscan = off SET enable_indexscan = off
AS $$ SELECT x.id, x.program_id, x.title, x.item_type, x.status, x.deletion_id FROM backlog_items x WHERE search_words(x.title) @@ wanted $$;
CREATE FUNCTION found_item_descriptions(wanted TSQUERY) RETURNS TABLE (id UUID, program_id UUID, title TEXT, item_type TEXT, status TEXT, deletion_id UUID)
LANGUAGE sql STABLE ROWS 100 SET enable_seqscan = off SET enable_indexscan = off
AS $$ SELECT x.id, x.program_id, x.title, x.item_type, x.status, x.deletion_id FROM backlog_items x WHERE search_words(x.description) @@ wanted $$;

-- The words that texts have or had, for searches with a wrong letter: only spellings that somebody wrote are looked for. A
-- word stays when the last text with it is deleted. The list may have a word twice, because writers of the same new word must
-- not wait for each other.
CREATE TABLE search_terms (term TEXT COLLATE "C" NOT NULL);
CREATE INDEX search_terms_by_term ON search_terms (term);

-- The words of a text that belong in the list.
CREATE FUNCTION search_terms_of(said TEXT) RETURNS SETOF TEXT LANGUAGE sql IMMUTABLE PARALLEL SAFE ROWS 10 AS $$
    SELECT x.term FROM unnest(tsvector_to_array(search_words(said))) AS x(term) WHERE length(x.term) BETWEEN 3 AND 21
$$;

-- Without these settings the planner would read the whole list for each write.
CREATE FUNCTION search_terms_of_added_tasks() RETURNS TRIGGER LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$ BEGIN
    INSERT INTO search_terms (term) SELECT DISTINCT w.term FROM added n, search_terms_of(n.name || ' ' || n.notes) AS w(term)
        WHERE NOT EXISTS (SELECT 1 FROM search_terms t WHERE t.term = w.term COLLATE "C");
    RETURN NULL;
END $$;
CREATE TRIGGER search_terms_added AFTER INSERT ON tasks REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION search_terms_of_added_tasks();
CREATE FUNCTION search_terms_of_changed_tasks() RETURNS TRIGGER LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$ BEGIN
    INSERT INTO search_terms (term) SELECT w.term FROM search_terms_of(new.name || ' ' || new.notes) AS w(term)
        WHERE NOT EXISTS (SELECT 1 FROM search_terms t WHERE t.term = w.term COLLATE "C");
    RETURN NULL;
END $$;
CREATE TRIGGER search_terms_changed AFTER UPDATE OF name, notes ON tasks FOR EACH ROW WHEN (old.name IS DISTINCT FROM new.name OR old.notes IS DISTINCT FROM new.notes)
    EXECUTE FUNCTION search_terms_of_changed_tasks();
CREATE FUNCTION search_terms_of_added_comments() RETURNS TRIGGER LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$ BEGIN
    INSERT INTO search_terms (term) SELECT DISTINCT w.term FROM added n, search_terms_of(n.body) AS w(term)
        WHERE NOT EXISTS (SELECT 1 FROM search_terms t WHERE t.term = w.term COLLATE "C");
    RETURN NULL;
END $$;
CREATE TRIGGER search_terms_added AFTER INSERT ON task_comments REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION search_terms_of_added_comments();
CREATE FUNCTION search_terms_of_changed_comments() RETURNS TRIGGER LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$ BEGIN
    INSERT INTO search_terms (term) SELECT w.term FROM search_terms_of(new.body) AS w(term)
        WHERE NOT EXISTS (SELECT 1 FROM search_terms t WHERE t.term = w.term COLLATE "C");
    RETURN NULL;
END $$;
CREATE TRIGGER search_terms_changed AFTER UPDATE OF body ON task_comments FOR EACH ROW WHEN (old.body IS DISTINCT FROM new.body)
    EXECUTE FUNCTION search_terms_of_changed_comments();
CREATE FUNCTION search_terms_of_added_items() RETURNS TRIGGER LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$ BEGIN
    INSERT INTO search_terms (term) SELECT DISTINCT w.term FROM added n, search_terms_of(n.title || ' ' || n.description) AS w(term)
        WHERE NOT EXISTS (SELECT 1 FROM search_terms t WHERE t.term = w.term COLLATE "C");
    RETURN NULL;
END $$;
CREATE TRIGGER search_terms_added AFTER INSERT ON backlog_items REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION search_terms_of_added_items();
CREATE FUNCTION search_terms_of_changed_items() RETURNS TRIGGER LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$ BEGIN
    INSERT INTO search_terms (term) SELECT w.term FROM search_terms_of(new.title || ' ' || new.description) AS w(term)
        WHERE NOT EXISTS (SELECT 1 FROM search_terms t WHERE t.term = w.term COLLATE "C");
    RETURN NULL;
END $$;
CREATE TRIGGER search_terms_changed AFTER UPDATE OF title, description ON backlog_items FOR EACH ROW WHEN (old.title IS DISTINCT FROM new.title OR old.description IS DISTINCT FROM new.description)
    EXECUTE FUNCTION search_terms_of_changed_items();
