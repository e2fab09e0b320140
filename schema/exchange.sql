-- Plans in and out: imports, templates and exports.

-- Imports of seed documents.
CREATE TABLE seed_imports (
    id UUID NOT NULL PRIMARY KEY,
    program_id UUID NOT NULL REFERENCES programs (id),
    status TEXT NOT NULL,
    filename TEXT NOT NULL,
    replace_existing BOOLEAN NOT NULL,
    replaced_program_id UUID,
    document TEXT NOT NULL,
    result_summary TEXT,
    error_detail TEXT NOT NULL,
    created_by UUID NOT NULL REFERENCES users (id),
    created_at TIMESTAMPTZ NOT NULL,
    started_at TIMESTAMPTZ,
    completed_at TIMESTAMPTZ,
    expires_at TIMESTAMPTZ NOT NULL,
    -- How far the job is.
    phase TEXT NOT NULL DEFAULT '',
    rows_done BIGINT NOT NULL DEFAULT 0,
    rows_total BIGINT NOT NULL DEFAULT 0,
    cancelled_at TIMESTAMPTZ
);
CREATE INDEX ix_seed_imports_program ON seed_imports (program_id, created_at);
CREATE INDEX ix_seed_imports_expiry ON seed_imports (expires_at);

-- The parts of a seed document that have no table of their own: accounts, events, board columns, forecast history.
CREATE TABLE seed_leftovers (
    program_id UUID NOT NULL PRIMARY KEY REFERENCES programs (id),
    document TEXT NOT NULL
);

-- Imports of files of other programs into a project.
CREATE TABLE file_imports (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID NOT NULL REFERENCES projects (id),
    kind TEXT NOT NULL,
    status TEXT NOT NULL,
    filename TEXT NOT NULL,
    -- The plan that was read, until its rows are written.
    document TEXT NOT NULL,
    -- What is known of the file: losses, problems, its dates.
    report TEXT NOT NULL,
    result_summary TEXT NOT NULL,
    -- The version of each new task right after the import, by its id.
    created_versions TEXT NOT NULL,
    error_detail TEXT NOT NULL,
    created_by UUID NOT NULL REFERENCES users (id),
    created_at TIMESTAMPTZ NOT NULL,
    completed_at TIMESTAMPTZ,
    undone_at TIMESTAMPTZ,
    -- How far the job is.
    phase TEXT NOT NULL DEFAULT '',
    rows_done BIGINT NOT NULL DEFAULT 0,
    rows_total BIGINT NOT NULL DEFAULT 0,
    started_at TIMESTAMPTZ,
    cancelled_at TIMESTAMPTZ
);
CREATE INDEX ix_file_imports_project ON file_imports (project_id, created_at, id);

CREATE TABLE project_templates (
    id UUID NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    -- Within which names are unique: `workspace`, `community`, `program <id>`, or the id of a person.
    scope_key TEXT NOT NULL,
    description TEXT NOT NULL,
    source_kind TEXT NOT NULL,
    program_id UUID REFERENCES programs (id),
    methodology TEXT NOT NULL,
    version BIGINT NOT NULL,
    structure TEXT NOT NULL,
    counts TEXT NOT NULL,
    task_count BIGINT NOT NULL,
    published_at TIMESTAMPTZ NOT NULL,
    published_by UUID REFERENCES users (id),
    source_project_id UUID REFERENCES projects (id),
    supersedes_id UUID REFERENCES project_templates (id)
);
CREATE UNIQUE INDEX uq_project_templates_name ON project_templates (scope_key, name_key, version);
CREATE INDEX ix_project_templates_supersedes ON project_templates (supersedes_id);

-- Where a template was applied.
CREATE TABLE template_applications (
    id UUID NOT NULL PRIMARY KEY,
    template_id UUID NOT NULL REFERENCES project_templates (id),
    project_id UUID NOT NULL REFERENCES projects (id),
    status TEXT NOT NULL,
    result_summary TEXT NOT NULL,
    created_versions TEXT NOT NULL,
    error_detail TEXT NOT NULL,
    applied_by UUID NOT NULL REFERENCES users (id),
    created_at TIMESTAMPTZ NOT NULL,
    completed_at TIMESTAMPTZ,
    undone_at TIMESTAMPTZ,
    -- How far the job is.
    phase TEXT NOT NULL DEFAULT '',
    rows_done BIGINT NOT NULL DEFAULT 0,
    rows_total BIGINT NOT NULL DEFAULT 0,
    started_at TIMESTAMPTZ,
    cancelled_at TIMESTAMPTZ
);
CREATE INDEX ix_template_applications_project ON template_applications (project_id, created_at, id);
CREATE INDEX ix_template_applications_template ON template_applications (template_id);

-- Archives of projects and programs, which a job writes and people fetch until they expire.
CREATE TABLE export_jobs (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID REFERENCES projects (id),
    program_id UUID REFERENCES programs (id),
    status TEXT NOT NULL,
    filename TEXT NOT NULL,
    file_size BIGINT,
    error_detail TEXT NOT NULL,
    created_by UUID NOT NULL REFERENCES users (id),
    created_at TIMESTAMPTZ NOT NULL,
    started_at TIMESTAMPTZ,
    completed_at TIMESTAMPTZ,
    expires_at TIMESTAMPTZ,
    -- Where the archive is in the file storage.
    storage_key TEXT NOT NULL DEFAULT '',
    -- How far the job is.
    phase TEXT NOT NULL DEFAULT '',
    rows_done BIGINT NOT NULL DEFAULT 0,
    rows_total BIGINT NOT NULL DEFAULT 0,
    cancelled_at TIMESTAMPTZ,
    -- The projects in the archive, as a JSON list of ids: whoever has lost access to one of them does not get the
    -- archive.
    projects TEXT NOT NULL DEFAULT '[]'
);
CREATE INDEX ix_export_jobs_project ON export_jobs (project_id, created_at, id);
CREATE INDEX ix_export_jobs_program ON export_jobs (program_id, created_at, id);
CREATE INDEX ix_export_jobs_expiry ON export_jobs (expires_at);
