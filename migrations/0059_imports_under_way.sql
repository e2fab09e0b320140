-- How far jobs have come that bring plans in or write them out, and that somebody cancelled one.
ALTER TABLE seed_imports ADD COLUMN phase TEXT NOT NULL DEFAULT '';
ALTER TABLE seed_imports ADD COLUMN rows_done BIGINT NOT NULL DEFAULT 0;
ALTER TABLE seed_imports ADD COLUMN rows_total BIGINT NOT NULL DEFAULT 0;
ALTER TABLE seed_imports ADD COLUMN cancelled_at TIMESTAMPTZ;

ALTER TABLE file_imports ADD COLUMN phase TEXT NOT NULL DEFAULT '';
ALTER TABLE file_imports ADD COLUMN rows_done BIGINT NOT NULL DEFAULT 0;
ALTER TABLE file_imports ADD COLUMN rows_total BIGINT NOT NULL DEFAULT 0;
ALTER TABLE file_imports ADD COLUMN started_at TIMESTAMPTZ;
ALTER TABLE file_imports ADD COLUMN cancelled_at TIMESTAMPTZ;

ALTER TABLE template_applications ADD COLUMN phase TEXT NOT NULL DEFAULT '';
ALTER TABLE template_applications ADD COLUMN rows_done BIGINT NOT NULL DEFAULT 0;
ALTER TABLE template_applications ADD COLUMN rows_total BIGINT NOT NULL DEFAULT 0;
ALTER TABLE template_applications ADD COLUMN started_at TIMESTAMPTZ;
ALTER TABLE template_applications ADD COLUMN cancelled_at TIMESTAMPTZ;

ALTER TABLE export_jobs ADD COLUMN phase TEXT NOT NULL DEFAULT '';
ALTER TABLE export_jobs ADD COLUMN rows_done BIGINT NOT NULL DEFAULT 0;
ALTER TABLE export_jobs ADD COLUMN rows_total BIGINT NOT NULL DEFAULT 0;
ALTER TABLE export_jobs ADD COLUMN cancelled_at TIMESTAMPTZ;
