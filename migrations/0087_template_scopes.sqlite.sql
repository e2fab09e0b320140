-- Ids are kept as bytes and written as text here.
UPDATE project_templates SET scope_key = 'program ' || lower(
    substr(hex(program_id), 1, 8) || '-' || substr(hex(program_id), 9, 4) || '-' || substr(hex(program_id), 13, 4) || '-'
    || substr(hex(program_id), 17, 4) || '-' || substr(hex(program_id), 21))
WHERE scope_key = 'workspace' AND program_id IS NOT NULL;
