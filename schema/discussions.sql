-- Comments, mentions, notes and decisions on tasks, and the groups that can be mentioned.

-- A deleted comment stays as an empty row, so that the answers to it stay in their place.
CREATE TABLE task_comments (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID NOT NULL REFERENCES projects (id),
    task_id UUID NOT NULL REFERENCES tasks (id),
    parent_id UUID REFERENCES task_comments (id),
    author_id UUID NOT NULL REFERENCES users (id),
    body TEXT NOT NULL,
    edited_at TIMESTAMPTZ,
    deleted_at TIMESTAMPTZ,
    deleted_by UUID REFERENCES users (id),
    created_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    change_number BIGINT NOT NULL,
    deletion_id UUID
);
CREATE INDEX ix_task_comments_task ON task_comments (task_id, created_at, id);

CREATE TABLE comment_acknowledgements (
    id UUID NOT NULL PRIMARY KEY,
    comment_id UUID NOT NULL REFERENCES task_comments (id),
    user_id UUID NOT NULL REFERENCES users (id),
    created_at TIMESTAMPTZ NOT NULL
);
CREATE UNIQUE INDEX uq_comment_acknowledgements_comment_id_user_id ON comment_acknowledgements (comment_id, user_id);

CREATE TABLE comment_reactions (
    id UUID NOT NULL PRIMARY KEY,
    comment_id UUID NOT NULL REFERENCES task_comments (id),
    user_id UUID NOT NULL REFERENCES users (id),
    emoji TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL
);
CREATE UNIQUE INDEX uq_comment_reactions_comment_id_user_id_emoji ON comment_reactions (comment_id, user_id, emoji);

-- Groups of people that can be mentioned by one name, in a project or in a program.
CREATE TABLE mention_groups (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID REFERENCES projects (id),
    program_id UUID REFERENCES programs (id),
    name TEXT NOT NULL,
    name_key TEXT NOT NULL,
    description TEXT NOT NULL,
    email_default_on BOOLEAN NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    change_number BIGINT NOT NULL,
    deletion_id UUID
);
CREATE UNIQUE INDEX uq_mention_groups_project_id_name_key ON mention_groups (project_id, name_key)
    WHERE deletion_id IS NULL AND project_id IS NOT NULL;
CREATE UNIQUE INDEX uq_mention_groups_program_id_name_key ON mention_groups (program_id, name_key)
    WHERE deletion_id IS NULL AND program_id IS NOT NULL;

CREATE TABLE mention_group_members (
    group_id UUID NOT NULL REFERENCES mention_groups (id),
    user_id UUID NOT NULL REFERENCES users (id),
    PRIMARY KEY (group_id, user_id)
);

-- People who do not want to be notified when a group is mentioned.
CREATE TABLE mention_group_mutes (
    group_id UUID NOT NULL REFERENCES mention_groups (id),
    user_id UUID NOT NULL REFERENCES users (id),
    PRIMARY KEY (group_id, user_id)
);

-- Who was mentioned in which comment, and by which group. A person is mentioned once in a comment.
CREATE TABLE mentions (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID NOT NULL REFERENCES projects (id),
    task_id UUID NOT NULL REFERENCES tasks (id),
    comment_id UUID NOT NULL REFERENCES task_comments (id),
    mentioner_id UUID NOT NULL REFERENCES users (id),
    mentioned_id UUID NOT NULL REFERENCES users (id),
    group_key TEXT,
    is_muted BOOLEAN NOT NULL,
    created_at TIMESTAMPTZ NOT NULL
);
CREATE UNIQUE INDEX uq_mentions_comment_id_mentioned_id ON mentions (comment_id, mentioned_id);
CREATE INDEX ix_mentions_mentioner ON mentions (mentioner_id, created_at);
CREATE INDEX ix_mentions_mentioned ON mentions (mentioned_id, created_at);

-- Notes on tasks. Some of them are decisions.
CREATE TABLE task_notes (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID NOT NULL REFERENCES projects (id),
    task_id UUID NOT NULL REFERENCES tasks (id),
    author_id UUID NOT NULL REFERENCES users (id),
    body TEXT NOT NULL,
    pinned BOOLEAN NOT NULL,
    decision BOOLEAN NOT NULL,
    edited_at TIMESTAMPTZ,
    created_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    change_number BIGINT NOT NULL,
    deletion_id UUID
);
CREATE INDEX ix_task_notes_task ON task_notes (task_id, created_at, id);
CREATE INDEX ix_task_notes_decisions ON task_notes (project_id, created_at, id) WHERE decision;

-- Whether Viewers of a project read its decisions. Without a row they do not.
CREATE TABLE decision_policies (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID NOT NULL REFERENCES projects (id),
    oversight_visible BOOLEAN NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    change_number BIGINT NOT NULL
);
CREATE UNIQUE INDEX uq_decision_policies_project_id ON decision_policies (project_id);

-- People without an account who follow a program.
CREATE TABLE external_stakeholders (
    id UUID NOT NULL PRIMARY KEY,
    program_id UUID NOT NULL REFERENCES programs (id),
    name TEXT NOT NULL,
    email TEXT NOT NULL,
    email_key TEXT NOT NULL,
    note TEXT NOT NULL,
    created_by UUID REFERENCES users (id),
    created_at TIMESTAMPTZ NOT NULL,
    updated_at TIMESTAMPTZ NOT NULL,
    server_version BIGINT NOT NULL,
    change_number BIGINT NOT NULL,
    deletion_id UUID
);
CREATE UNIQUE INDEX uq_external_stakeholders_program_id_email_key ON external_stakeholders (program_id, email_key)
    WHERE deletion_id IS NULL;
