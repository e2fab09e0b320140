-- Files that brought rows into projects, templates and where they were applied, and exports that can be fetched.
CREATE TABLE file_imports (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID NOT NULL REFERENCES projects (id),
    kind TEXT NOT NULL,
    status TEXT NOT NULL,
    filename TEXT NOT NULL,
    -- The plan that was read, until its rows are there.
    document TEXT NOT NULL,
    -- What is known of the file: losses, problems, the dates that it has.
    report TEXT NOT NULL,
    result_summary TEXT NOT NULL,
    -- The version of each new task right after the import, by its id.
    created_versions TEXT NOT NULL,
    error_detail TEXT NOT NULL,
    created_by UUID NOT NULL REFERENCES users (id),
    created_at TIMESTAMPTZ NOT NULL,
    completed_at TIMESTAMPTZ,
    undone_at TIMESTAMPTZ
);
CREATE INDEX ix_file_imports_project ON file_imports (project_id, created_at, id);

CREATE TABLE project_templates (
    id UUID NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    -- Within which names are unique: `workspace`, `community`, or a person.
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
    undone_at TIMESTAMPTZ
);
CREATE INDEX ix_template_applications_project ON template_applications (project_id, created_at, id);
CREATE INDEX ix_template_applications_template ON template_applications (template_id);

-- Exports of whole projects and programs that are made by a job and can be fetched until they expire.
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
    expires_at TIMESTAMPTZ
);
CREATE INDEX ix_export_jobs_project ON export_jobs (project_id, created_at, id);
CREATE INDEX ix_export_jobs_program ON export_jobs (program_id, created_at, id);
CREATE INDEX ix_export_jobs_expiry ON export_jobs (expires_at);

-- The archives of exports, in parts of a megabyte as Base64, so that every node can hand them out.
CREATE TABLE export_parts (
    job_id UUID NOT NULL REFERENCES export_jobs (id),
    part BIGINT NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (job_id, part)
);
