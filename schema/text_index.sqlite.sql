-- The text index of tasks, comments and backlog items. Triggers update it with every write of a row, in its transaction.
-- `search_plain` and `search_terms_of` are functions of the program: texts lose case, accents and the letters that only one
-- language has, such as ł, ø, ß and ё (`crates/store/src/letters.rs`).

-- Rows have no lasting number of their own, and the index needs one.
CREATE TABLE search_rows (number INTEGER PRIMARY KEY, kind TEXT NOT NULL, id UUID NOT NULL, UNIQUE (kind, id));

CREATE VIRTUAL TABLE search_tasks USING fts5 (
    name, notes, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
);
CREATE TRIGGER search_tasks_added AFTER INSERT ON tasks BEGIN
    INSERT INTO search_rows (kind, id) VALUES ('search_tasks', new.id);
    INSERT INTO search_tasks (rowid, name, notes) SELECT number, search_plain(new.name), search_plain(new.notes) FROM search_rows WHERE kind = 'search_tasks' AND id = new.id;
END;
CREATE TRIGGER search_tasks_changed AFTER UPDATE OF name, notes ON tasks
WHEN old.name IS NOT new.name OR old.notes IS NOT new.notes BEGIN
    UPDATE search_tasks SET name = search_plain(new.name), notes = search_plain(new.notes) WHERE rowid = (SELECT number FROM search_rows WHERE kind = 'search_tasks' AND id = new.id);
END;
CREATE TRIGGER search_tasks_removed AFTER DELETE ON tasks BEGIN
    DELETE FROM search_tasks WHERE rowid = (SELECT number FROM search_rows WHERE kind = 'search_tasks' AND id = old.id);
    DELETE FROM search_rows WHERE kind = 'search_tasks' AND id = old.id;
END;

CREATE VIRTUAL TABLE search_comments USING fts5 (
    body, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
);
CREATE TRIGGER search_comments_added AFTER INSERT ON task_comments BEGIN
    INSERT INTO search_rows (kind, id) VALUES ('search_comments', new.id);
    INSERT INTO search_comments (rowid, body) SELECT number, search_plain(new.body) FROM search_rows WHERE kind = 'search_comments' AND id = new.id;
END;
CREATE TRIGGER search_comments_changed AFTER UPDATE OF body ON task_comments
WHEN old.body IS NOT new.body BEGIN
    UPDATE search_comments SET body = search_plain(new.body) WHERE rowid = (SELECT number FROM search_rows WHERE kind = 'search_comments' AND id = new.id);
END;
CREATE TRIGGER search_comments_removed AFTER DELETE ON task_comments BEGIN
    DELETE FROM search_comments WHERE rowid = (SELECT number FROM search_rows WHERE kind = 'search_comments' AND id = old.id);
    DELETE FROM search_rows WHERE kind = 'search_comments' AND id = old.id;
END;

CREATE VIRTUAL TABLE search_items USING fts5 (
    title, description, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
);
CREATE TRIGGER search_items_added AFTER INSERT ON backlog_items BEGIN
    INSERT INTO search_rows (kind, id) VALUES ('search_items', new.id);
    INSERT INTO search_items (rowid, title, description) SELECT number, search_plain(new.title), search_plain(new.description) FROM search_rows WHERE kind = 'search_items' AND id = new.id;
END;
CREATE TRIGGER search_items_changed AFTER UPDATE OF title, description ON backlog_items
WHEN old.title IS NOT new.title OR old.description IS NOT new.description BEGIN
    UPDATE search_items SET title = search_plain(new.title), description = search_plain(new.description) WHERE rowid = (SELECT number FROM search_rows WHERE kind = 'search_items' AND id = new.id);
END;
CREATE TRIGGER search_items_removed AFTER DELETE ON backlog_items BEGIN
    DELETE FROM search_items WHERE rowid = (SELECT number FROM search_rows WHERE kind = 'search_items' AND id = old.id);
    DELETE FROM search_rows WHERE kind = 'search_items' AND id = old.id;
END;

-- The words that texts have or had, for searches with a wrong letter: only spellings that somebody wrote are looked for. A
-- word stays when the last text with it is deleted.
CREATE TABLE search_terms (term TEXT NOT NULL PRIMARY KEY) WITHOUT ROWID;

CREATE TRIGGER search_terms_of_added_tasks AFTER INSERT ON tasks BEGIN
    INSERT INTO search_terms (term) SELECT value FROM json_each(search_terms_of(new.name || ' ' || new.notes)) WHERE TRUE ON CONFLICT (term) DO NOTHING;
END;
CREATE TRIGGER search_terms_of_changed_tasks AFTER UPDATE OF name, notes ON tasks WHEN old.name IS NOT new.name OR old.notes IS NOT new.notes BEGIN
    INSERT INTO search_terms (term) SELECT value FROM json_each(search_terms_of(new.name || ' ' || new.notes)) WHERE TRUE ON CONFLICT (term) DO NOTHING;
END;

CREATE TRIGGER search_terms_of_added_comments AFTER INSERT ON task_comments BEGIN
    INSERT INTO search_terms (term) SELECT value FROM json_each(search_terms_of(new.body)) WHERE TRUE ON CONFLICT (term) DO NOTHING;
END;
CREATE TRIGGER search_terms_of_changed_comments AFTER UPDATE OF body ON task_comments WHEN old.body IS NOT new.body BEGIN
    INSERT INTO search_terms (term) SELECT value FROM json_each(search_terms_of(new.body)) WHERE TRUE ON CONFLICT (term) DO NOTHING;
END;

CREATE TRIGGER search_terms_of_added_items AFTER INSERT ON backlog_items BEGIN
    INSERT INTO search_terms (term) SELECT value FROM json_each(search_terms_of(new.title || ' ' || new.description)) WHERE TRUE ON CONFLICT (term) DO NOTHING;
END;
CREATE TRIGGER search_terms_of_changed_items AFTER UPDATE OF title, description ON backlog_items WHEN old.title IS NOT new.title OR old.description IS NOT new.description BEGIN
    INSERT INTO search_terms (term) SELECT value FROM json_each(search_terms_of(new.title || ' ' || new.description)) WHERE TRUE ON CONFLICT (term) DO NOTHING;
END;
