-- The words of a text, without case and accents. Only functions of the system are called, so that the index can be built
-- with any search path. A text has no more words for the index than its first 20 000 characters hold.
CREATE FUNCTION search_words(said TEXT) RETURNS TSVECTOR LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 1000 AS $$
    SELECT to_tsvector('pg_catalog.simple', translate(
        regexp_replace(normalize(lower(left(said, 20000)), NFD), '[\u0300-\u036f]', '', 'g'),
        '!"#$%&()*+,-./:;<=>?@[\]^_`{|}~''', '                                '))
$$;
CREATE INDEX search_task_names ON tasks USING GIN (search_words(name));
CREATE INDEX search_task_notes ON tasks USING GIN (search_words(notes));
CREATE INDEX search_comments ON task_comments USING GIN (search_words(body));
CREATE INDEX search_item_titles ON backlog_items USING GIN (search_words(title));
CREATE INDEX search_item_descriptions ON backlog_items USING GIN (search_words(description));
