-- Archives of exports are files of the storage, whole and as large as the files of their tasks. Those of before can be made again.
ALTER TABLE export_jobs ADD COLUMN storage_key TEXT NOT NULL DEFAULT '';
UPDATE export_jobs SET expires_at = completed_at WHERE completed_at IS NOT NULL;
DROP TABLE export_parts;
