-- The letters are those of `crates/store/src/letters.rs`; a test compares them.
CREATE OR REPLACE FUNCTION search_words(said TEXT) RETURNS TSVECTOR LANGUAGE sql IMMUTABLE PARALLEL SAFE COST 1000 AS $$
    SELECT to_tsvector('pg_catalog.simple', translate(
        replace(replace(replace(replace(translate(
            lower(normalize(regexp_replace(normalize(left(said, 20000), NFKD), '[\u0300-\u036f]', '', 'g'), NFC)),
            'łøđðħıŋŧĸƒɨƀɓɗƙəςґǝȼ', 'loddhintkfibbdkeσгec'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
        '!"#$%&()*+,-./:;<=>?@[\]^_`{|}~''', '                                '))
$$;
REINDEX INDEX search_task_names;
REINDEX INDEX search_task_notes;
REINDEX INDEX search_comments;
REINDEX INDEX search_item_titles;
REINDEX INDEX search_item_descriptions;
