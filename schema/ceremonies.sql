-- Planning poker, retrospectives, pulses, and the meetings of a program.

-- Meetings that the teams of a program hold regularly.
CREATE TABLE ceremonies (
    id UUID NOT NULL PRIMARY KEY,
    program_id UUID NOT NULL REFERENCES programs (id),
    name TEXT NOT NULL,
    cadence_type TEXT NOT NULL,
    cadence_day TEXT NOT NULL,
    cadence_time TEXT,
    duration_minutes BIGINT NOT NULL,
    owner_role TEXT NOT NULL,
    enabled BOOLEAN NOT NULL,
    created_by UUID REFERENCES users (id),
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    change_number BIGINT NOT NULL,
    deletion_id UUID
);
CREATE INDEX ix_ceremonies_program ON ceremonies (program_id, name, id);

-- Rounds of planning poker. A task is in one open round at a time.
CREATE TABLE poker_sessions (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID NOT NULL REFERENCES projects (id),
    sprint_id UUID NOT NULL REFERENCES sprints (id),
    task_id UUID NOT NULL REFERENCES tasks (id),
    state TEXT NOT NULL,
    committed_points BIGINT,
    started_by UUID NOT NULL REFERENCES users (id),
    started_at TIMESTAMPTZ NOT NULL,
    closed_at TIMESTAMPTZ,
    server_version BIGINT NOT NULL,
    change_number BIGINT NOT NULL,
    deletion_id UUID
);
CREATE INDEX ix_poker_sessions_sprint ON poker_sessions (sprint_id, started_at, id);
CREATE UNIQUE INDEX uq_poker_sessions_task_id ON poker_sessions (task_id)
    WHERE state IN ('open', 'revealed') AND deletion_id IS NULL;

-- The votes of a round. A vote without a value means that the voter does not know.
CREATE TABLE poker_votes (
    session_id UUID NOT NULL REFERENCES poker_sessions (id),
    voter_id UUID NOT NULL REFERENCES users (id),
    value BIGINT,
    comment TEXT NOT NULL,
    voted_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (session_id, voter_id)
);

-- The retrospective of a sprint.
CREATE TABLE retros (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID NOT NULL REFERENCES projects (id),
    sprint_id UUID NOT NULL REFERENCES sprints (id),
    notes TEXT NOT NULL,
    team_visibility TEXT NOT NULL,
    created_by UUID REFERENCES users (id),
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    change_number BIGINT NOT NULL,
    deletion_id UUID
);
CREATE UNIQUE INDEX uq_retros_sprint_id ON retros (sprint_id) WHERE deletion_id IS NULL;

-- The actions that a retrospective decides on.
CREATE TABLE retro_actions (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID NOT NULL REFERENCES projects (id),
    sprint_id UUID NOT NULL REFERENCES sprints (id),
    retro_id UUID NOT NULL REFERENCES retros (id),
    position BIGINT NOT NULL,
    text TEXT NOT NULL,
    assignee_id UUID REFERENCES users (id),
    story_points BIGINT,
    promoted_task_id UUID REFERENCES tasks (id),
    created_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    change_number BIGINT NOT NULL,
    deletion_id UUID
);
CREATE INDEX ix_retro_actions_retro ON retro_actions (retro_id, position, id);
CREATE INDEX ix_retro_actions_task ON retro_actions (promoted_task_id);

-- The notes on the board of a retrospective.
CREATE TABLE retro_items (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID NOT NULL REFERENCES projects (id),
    sprint_id UUID NOT NULL REFERENCES sprints (id),
    retro_id UUID NOT NULL REFERENCES retros (id),
    board_column TEXT NOT NULL,
    text TEXT NOT NULL,
    author_id UUID REFERENCES users (id),
    position DOUBLE PRECISION NOT NULL,
    color TEXT NOT NULL,
    converted_action_id UUID REFERENCES retro_actions (id),
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    change_number BIGINT NOT NULL,
    deletion_id UUID
);
CREATE INDEX ix_retro_items_retro ON retro_items (retro_id, board_column, position, id);

-- How people felt in a sprint. Only the person reads the row; others see means of several people.
CREATE TABLE pulses (
    id UUID NOT NULL PRIMARY KEY,
    retro_id UUID NOT NULL REFERENCES retros (id),
    sprint_id UUID NOT NULL REFERENCES sprints (id),
    user_id UUID NOT NULL REFERENCES users (id),
    mood BIGINT NOT NULL,
    energy BIGINT NOT NULL,
    confidence BIGINT,
    updated_at TIMESTAMPTZ NOT NULL
);
CREATE UNIQUE INDEX uq_pulses_sprint_id_user_id ON pulses (sprint_id, user_id);
CREATE INDEX ix_pulses_user ON pulses (user_id);
