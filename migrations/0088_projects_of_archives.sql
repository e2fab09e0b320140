-- The projects that are in an archive, as a JSON list of ids: whoever has lost one of them since then does not get it by the archive.
ALTER TABLE export_jobs ADD COLUMN projects TEXT NOT NULL DEFAULT '[]';
