SELECT 'column ' || m.name || ' ' || c.cid || ' ' || c.name || ' ' || c.type || ' ' || c."notnull" || ' '
    || coalesce(c.dflt_value, '') || ' ' || c.pk
FROM sqlite_master m JOIN pragma_table_xinfo(m.name) c WHERE m.type = 'table'
UNION ALL
SELECT 'reference ' || m.name || ' ' || f."from" || ' ' || f."table" || ' ' || f."to" || ' ' || f.on_update || ' ' || f.on_delete
FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f WHERE m.type = 'table'
UNION ALL
SELECT m.type || ' ' || m.name || ' ' || m.tbl_name || ' '
    || CASE WHEN m.type <> 'table' OR m.sql LIKE 'CREATE VIRTUAL%' THEN coalesce(m.sql, '') ELSE '' END
FROM sqlite_master m
