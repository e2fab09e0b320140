-- Writers of the same new word must not wait for each other, so the list may have a word twice.
CREATE TABLE search_terms (term TEXT COLLATE "C" NOT NULL);
CREATE INDEX search_terms_by_term ON search_terms (term);

-- The words of a text that are in the list, or should be.
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

INSERT INTO search_terms (term)
    SELECT w.term FROM tasks x, search_terms_of(x.name || ' ' || x.notes) AS w(term)
    UNION SELECT w.term FROM task_comments x, search_terms_of(x.body) AS w(term)
    UNION SELECT w.term FROM backlog_items x, search_terms_of(x.title || ' ' || x.description) AS w(term);
