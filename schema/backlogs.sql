-- The backlog of a program, acceptance criteria, and suggestions of who takes a task.

-- Ideas of a program before they are tasks of a project. Tags are a JSON list of texts.
CREATE TABLE backlog_items (
    id UUID NOT NULL PRIMARY KEY,
    program_id UUID NOT NULL REFERENCES programs (id),
    title TEXT NOT NULL,
    description TEXT NOT NULL,
    item_type TEXT NOT NULL,
    status TEXT NOT NULL,
    tags TEXT NOT NULL,
    priority_rank BIGINT,
    story_points BIGINT,
    pulled_task_id UUID REFERENCES tasks (id),
    pulled_at TIMESTAMPTZ,
    pulled_by_id UUID REFERENCES users (id),
    created_by_id UUID REFERENCES users (id),
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    change_number BIGINT NOT NULL,
    deletion_id UUID
);
CREATE INDEX ix_backlog_items_program ON backlog_items (program_id, priority_rank, id);
CREATE INDEX ix_backlog_items_task ON backlog_items (pulled_task_id);

-- Criteria by which a task counts as done.
CREATE TABLE acceptance_criteria (
    id UUID NOT NULL PRIMARY KEY,
    task_id UUID NOT NULL REFERENCES tasks (id),
    text TEXT NOT NULL,
    given_text TEXT NOT NULL,
    when_text TEXT NOT NULL,
    then_text TEXT NOT NULL,
    met BOOLEAN NOT NULL,
    met_by_id UUID REFERENCES users (id),
    met_at TIMESTAMPTZ,
    position BIGINT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    change_number BIGINT NOT NULL,
    deletion_id UUID
);
CREATE INDEX ix_acceptance_criteria_task ON acceptance_criteria (task_id, position);

-- Suggestions that somebody takes a task.
CREATE TABLE task_suggestions (
    id UUID NOT NULL PRIMARY KEY,
    task_id UUID NOT NULL REFERENCES tasks (id),
    suggested_user_id UUID NOT NULL REFERENCES users (id),
    suggested_by_id UUID NOT NULL REFERENCES users (id),
    state TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    decided_at TIMESTAMPTZ,
    server_version BIGINT NOT NULL,
    change_number BIGINT NOT NULL,
    deletion_id UUID
);
CREATE INDEX ix_task_suggestions_task ON task_suggestions (task_id, id);
