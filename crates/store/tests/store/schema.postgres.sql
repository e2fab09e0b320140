WITH relations AS (
    SELECT c.oid, CAST(c.relname AS TEXT) AS name, CAST(c.relkind AS TEXT) AS kind, c.reloptions
    FROM pg_class c WHERE c.relnamespace = CAST(current_schema() AS REGNAMESPACE)
)
SELECT 'relation ' || r.kind || ' ' || r.name || ' ' || coalesce(array_to_string(r.reloptions, ' '), '') FROM relations r
UNION ALL
SELECT 'column ' || r.name || ' ' || a.attnum || ' ' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || ' '
    || a.attnotnull || ' ' || a.attcollation || ' ' || coalesce(pg_get_expr(d.adbin, d.adrelid), '')
FROM relations r JOIN pg_attribute a ON a.attrelid = r.oid AND a.attnum > 0 AND r.kind = 'r'
LEFT JOIN pg_attrdef d ON d.adrelid = r.oid AND d.adnum = a.attnum
UNION ALL
SELECT 'constraint ' || r.name || ' ' || k.conname || ' ' || pg_get_constraintdef(k.oid)
FROM relations r JOIN pg_constraint k ON k.conrelid = r.oid
UNION ALL
SELECT pg_get_indexdef(r.oid) FROM relations r WHERE r.kind = 'i'
UNION ALL
SELECT pg_get_triggerdef(t.oid) FROM relations r JOIN pg_trigger t ON t.tgrelid = r.oid WHERE NOT t.tgisinternal
UNION ALL
SELECT pg_get_functiondef(p.oid) FROM pg_proc p WHERE p.pronamespace = CAST(current_schema() AS REGNAMESPACE)
