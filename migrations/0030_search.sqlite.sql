-- Rows have no lasting number of their own in SQLite; the index needs one.
CREATE TABLE search_rows (number INTEGER PRIMARY KEY, kind TEXT NOT NULL, id UUID NOT NULL, UNIQUE (kind, id));

CREATE VIRTUAL TABLE search_tasks USING fts5 (
    name, notes, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
);
CREATE TRIGGER search_tasks_added AFTER INSERT ON tasks BEGIN
    INSERT INTO search_rows (kind, id) VALUES ('search_tasks', new.id);
    INSERT INTO search_tasks (rowid, name, notes) SELECT number, new.name, new.notes FROM search_rows WHERE kind = 'search_tasks' AND id = new.id;
END;
CREATE TRIGGER search_tasks_changed AFTER UPDATE OF name, notes ON tasks
WHEN old.name IS NOT new.name OR old.notes IS NOT new.notes BEGIN
    UPDATE search_tasks SET name = new.name, notes = new.notes WHERE rowid = (SELECT number FROM search_rows WHERE kind = 'search_tasks' AND id = new.id);
END;
CREATE TRIGGER search_tasks_removed AFTER DELETE ON tasks BEGIN
    DELETE FROM search_tasks WHERE rowid = (SELECT number FROM search_rows WHERE kind = 'search_tasks' AND id = old.id);
    DELETE FROM search_rows WHERE kind = 'search_tasks' AND id = old.id;
END;
INSERT INTO search_rows (kind, id) SELECT 'search_tasks', id FROM tasks;
INSERT INTO search_tasks (rowid, name, notes) SELECT w.number, o.name, o.notes FROM tasks o JOIN search_rows w ON w.kind = 'search_tasks' AND w.id = o.id;

CREATE VIRTUAL TABLE search_comments USING fts5 (
    body, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
);
CREATE TRIGGER search_comments_added AFTER INSERT ON task_comments BEGIN
    INSERT INTO search_rows (kind, id) VALUES ('search_comments', new.id);
    INSERT INTO search_comments (rowid, body) SELECT number, new.body FROM search_rows WHERE kind = 'search_comments' AND id = new.id;
END;
CREATE TRIGGER search_comments_changed AFTER UPDATE OF body ON task_comments
WHEN old.body IS NOT new.body BEGIN
    UPDATE search_comments SET body = new.body WHERE rowid = (SELECT number FROM search_rows WHERE kind = 'search_comments' AND id = new.id);
END;
CREATE TRIGGER search_comments_removed AFTER DELETE ON task_comments BEGIN
    DELETE FROM search_comments WHERE rowid = (SELECT number FROM search_rows WHERE kind = 'search_comments' AND id = old.id);
    DELETE FROM search_rows WHERE kind = 'search_comments' AND id = old.id;
END;
INSERT INTO search_rows (kind, id) SELECT 'search_comments', id FROM task_comments;
INSERT INTO search_comments (rowid, body) SELECT w.number, o.body FROM task_comments o JOIN search_rows w ON w.kind = 'search_comments' AND w.id = o.id;

CREATE VIRTUAL TABLE search_items USING fts5 (
    title, description, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
);
CREATE TRIGGER search_items_added AFTER INSERT ON backlog_items BEGIN
    INSERT INTO search_rows (kind, id) VALUES ('search_items', new.id);
    INSERT INTO search_items (rowid, title, description) SELECT number, new.title, new.description FROM search_rows WHERE kind = 'search_items' AND id = new.id;
END;
CREATE TRIGGER search_items_changed AFTER UPDATE OF title, description ON backlog_items
WHEN old.title IS NOT new.title OR old.description IS NOT new.description BEGIN
    UPDATE search_items SET title = new.title, description = new.description WHERE rowid = (SELECT number FROM search_rows WHERE kind = 'search_items' AND id = new.id);
END;
CREATE TRIGGER search_items_removed AFTER DELETE ON backlog_items BEGIN
    DELETE FROM search_items WHERE rowid = (SELECT number FROM search_rows WHERE kind = 'search_items' AND id = old.id);
    DELETE FROM search_rows WHERE kind = 'search_items' AND id = old.id;
END;
INSERT INTO search_rows (kind, id) SELECT 'search_items', id FROM backlog_items;
INSERT INTO search_items (rowid, title, description) SELECT w.number, o.title, o.description FROM backlog_items o JOIN search_rows w ON w.kind = 'search_items' AND w.id = o.id;
