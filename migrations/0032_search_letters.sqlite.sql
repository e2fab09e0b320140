-- `search_plain` is a function of the program: the table is in `crates/store/src/letters.rs`.
DROP TRIGGER search_tasks_added;
DROP TRIGGER search_tasks_changed;
CREATE TRIGGER search_tasks_added AFTER INSERT ON tasks BEGIN
    INSERT INTO search_rows (kind, id) VALUES ('search_tasks', new.id);
    INSERT INTO search_tasks (rowid, name, notes) SELECT number, search_plain(new.name), search_plain(new.notes) FROM search_rows WHERE kind = 'search_tasks' AND id = new.id;
END;
CREATE TRIGGER search_tasks_changed AFTER UPDATE OF name, notes ON tasks
WHEN old.name IS NOT new.name OR old.notes IS NOT new.notes BEGIN
    UPDATE search_tasks SET name = search_plain(new.name), notes = search_plain(new.notes) WHERE rowid = (SELECT number FROM search_rows WHERE kind = 'search_tasks' AND id = new.id);
END;
INSERT INTO search_tasks (search_tasks) VALUES ('delete-all');
INSERT INTO search_tasks (rowid, name, notes) SELECT w.number, search_plain(o.name), search_plain(o.notes) FROM tasks o JOIN search_rows w ON w.kind = 'search_tasks' AND w.id = o.id;

DROP TRIGGER search_comments_added;
DROP TRIGGER search_comments_changed;
CREATE TRIGGER search_comments_added AFTER INSERT ON task_comments BEGIN
    INSERT INTO search_rows (kind, id) VALUES ('search_comments', new.id);
    INSERT INTO search_comments (rowid, body) SELECT number, search_plain(new.body) FROM search_rows WHERE kind = 'search_comments' AND id = new.id;
END;
CREATE TRIGGER search_comments_changed AFTER UPDATE OF body ON task_comments
WHEN old.body IS NOT new.body BEGIN
    UPDATE search_comments SET body = search_plain(new.body) WHERE rowid = (SELECT number FROM search_rows WHERE kind = 'search_comments' AND id = new.id);
END;
INSERT INTO search_comments (search_comments) VALUES ('delete-all');
INSERT INTO search_comments (rowid, body) SELECT w.number, search_plain(o.body) FROM task_comments o JOIN search_rows w ON w.kind = 'search_comments' AND w.id = o.id;

DROP TRIGGER search_items_added;
DROP TRIGGER search_items_changed;
CREATE TRIGGER search_items_added AFTER INSERT ON backlog_items BEGIN
    INSERT INTO search_rows (kind, id) VALUES ('search_items', new.id);
    INSERT INTO search_items (rowid, title, description) SELECT number, search_plain(new.title), search_plain(new.description) FROM search_rows WHERE kind = 'search_items' AND id = new.id;
END;
CREATE TRIGGER search_items_changed AFTER UPDATE OF title, description ON backlog_items
WHEN old.title IS NOT new.title OR old.description IS NOT new.description BEGIN
    UPDATE search_items SET title = search_plain(new.title), description = search_plain(new.description) WHERE rowid = (SELECT number FROM search_rows WHERE kind = 'search_items' AND id = new.id);
END;
INSERT INTO search_items (search_items) VALUES ('delete-all');
INSERT INTO search_items (rowid, title, description) SELECT w.number, search_plain(o.title), search_plain(o.description) FROM backlog_items o JOIN search_rows w ON w.kind = 'search_items' AND w.id = o.id;
