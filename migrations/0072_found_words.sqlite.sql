-- The parts of each index of words become one, which is read faster.
INSERT INTO search_tasks (search_tasks) VALUES ('optimize');
INSERT INTO search_comments (search_comments) VALUES ('optimize');
INSERT INTO search_items (search_items) VALUES ('optimize');
