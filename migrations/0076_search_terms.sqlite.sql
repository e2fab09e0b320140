-- `search_terms_of` is a function of the program, in `crates/store/src/words.rs`: the words of a text as a list in JSON.
CREATE TABLE search_terms (term TEXT NOT NULL PRIMARY KEY) WITHOUT ROWID;

CREATE TRIGGER search_terms_of_added_tasks AFTER INSERT ON tasks BEGIN
    INSERT INTO search_terms (term) SELECT value FROM json_each(search_terms_of(new.name || ' ' || new.notes)) WHERE TRUE ON CONFLICT (term) DO NOTHING;
END;
CREATE TRIGGER search_terms_of_changed_tasks AFTER UPDATE OF name, notes ON tasks WHEN old.name IS NOT new.name OR old.notes IS NOT new.notes BEGIN
    INSERT INTO search_terms (term) SELECT value FROM json_each(search_terms_of(new.name || ' ' || new.notes)) WHERE TRUE ON CONFLICT (term) DO NOTHING;
END;
CREATE VIRTUAL TABLE search_vocabulary USING fts5vocab (search_tasks, row);
INSERT INTO search_terms (term) SELECT term FROM search_vocabulary WHERE length(term) BETWEEN 3 AND 21 ON CONFLICT (term) DO NOTHING;
DROP TABLE search_vocabulary;

CREATE TRIGGER search_terms_of_added_comments AFTER INSERT ON task_comments BEGIN
    INSERT INTO search_terms (term) SELECT value FROM json_each(search_terms_of(new.body)) WHERE TRUE ON CONFLICT (term) DO NOTHING;
END;
CREATE TRIGGER search_terms_of_changed_comments AFTER UPDATE OF body ON task_comments WHEN old.body IS NOT new.body BEGIN
    INSERT INTO search_terms (term) SELECT value FROM json_each(search_terms_of(new.body)) WHERE TRUE ON CONFLICT (term) DO NOTHING;
END;
CREATE VIRTUAL TABLE search_vocabulary USING fts5vocab (search_comments, row);
INSERT INTO search_terms (term) SELECT term FROM search_vocabulary WHERE length(term) BETWEEN 3 AND 21 ON CONFLICT (term) DO NOTHING;
DROP TABLE search_vocabulary;

CREATE TRIGGER search_terms_of_added_items AFTER INSERT ON backlog_items BEGIN
    INSERT INTO search_terms (term) SELECT value FROM json_each(search_terms_of(new.title || ' ' || new.description)) WHERE TRUE ON CONFLICT (term) DO NOTHING;
END;
CREATE TRIGGER search_terms_of_changed_items AFTER UPDATE OF title, description ON backlog_items WHEN old.title IS NOT new.title OR old.description IS NOT new.description BEGIN
    INSERT INTO search_terms (term) SELECT value FROM json_each(search_terms_of(new.title || ' ' || new.description)) WHERE TRUE ON CONFLICT (term) DO NOTHING;
END;
CREATE VIRTUAL TABLE search_vocabulary USING fts5vocab (search_items, row);
INSERT INTO search_terms (term) SELECT term FROM search_vocabulary WHERE length(term) BETWEEN 3 AND 21 ON CONFLICT (term) DO NOTHING;
DROP TABLE search_vocabulary;
