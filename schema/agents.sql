-- The requests of agents, as a chain of records.

-- Each record has a hash over itself and the hash of the record before it.
CREATE TABLE agent_actions (
    id UUID NOT NULL PRIMARY KEY,
    sequence BIGINT NOT NULL,
    schema_version BIGINT NOT NULL,
    actor_kind TEXT NOT NULL,
    actor_token_prefix TEXT NOT NULL,
    principal_id UUID NOT NULL REFERENCES users (id),
    action TEXT NOT NULL,
    method TEXT NOT NULL,
    object_type TEXT NOT NULL,
    object_id TEXT NOT NULL,
    project_id UUID,
    capability_used TEXT NOT NULL,
    verdict TEXT NOT NULL,
    refusal_reason TEXT NOT NULL,
    refusal_constraint TEXT NOT NULL,
    engine_version TEXT NOT NULL,
    payload_hash TEXT NOT NULL,
    record_hash TEXT NOT NULL,
    summary TEXT NOT NULL,
    source_ip TEXT NOT NULL,
    occurred_at TIMESTAMPTZ NOT NULL
);
CREATE UNIQUE INDEX uq_agent_actions_sequence ON agent_actions (sequence);
CREATE INDEX ix_agent_actions_project ON agent_actions (project_id, sequence);
CREATE INDEX ix_agent_actions_principal ON agent_actions (principal_id, sequence);

-- The ends of the chain: its last record, and the last record that was pruned. The genesis has number 0.
CREATE TABLE agent_chain (
    id BIGINT NOT NULL PRIMARY KEY,
    sequence BIGINT NOT NULL,
    record_hash TEXT NOT NULL,
    pruned_sequence BIGINT NOT NULL,
    pruned_hash TEXT NOT NULL
);
