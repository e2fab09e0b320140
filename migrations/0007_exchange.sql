-- Imports on their way, and the parts of a document that no table of the plan keeps.
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
    expires_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX ix_seed_imports_program ON seed_imports (program_id, created_at);
CREATE INDEX ix_seed_imports_expiry ON seed_imports (expires_at);

-- What a document says that has no room of its own yet: accounts, events, board columns, forecast history.
CREATE TABLE seed_leftovers (
    program_id UUID NOT NULL PRIMARY KEY REFERENCES programs (id),
    document TEXT NOT NULL
);
