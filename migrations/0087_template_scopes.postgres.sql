UPDATE project_templates SET scope_key = 'program ' || program_id::text
WHERE scope_key = 'workspace' AND program_id IS NOT NULL;
