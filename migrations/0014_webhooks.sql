-- What other services subscribed to, and what is sent to them. The number of the last delivery stands at the
-- subscription, so that it is not given twice when old deliveries are gone.
CREATE TABLE webhooks (
    id UUID NOT NULL PRIMARY KEY,
    project_id UUID REFERENCES projects (id),
    program_id UUID REFERENCES programs (id),
    url TEXT NOT NULL,
    endpoint TEXT NOT NULL,
    sealed_secret TEXT NOT NULL,
    events TEXT NOT NULL,
    format TEXT NOT NULL,
    is_active BOOLEAN NOT NULL,
    last_sequence BIGINT NOT NULL,
    consecutive_failures BIGINT NOT NULL,
    last_failure_at TIMESTAMPTZ,
    last_failure_reason TEXT NOT NULL,
    disabled_at TIMESTAMPTZ,
    disabled_reason TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL,
    created_by UUID REFERENCES users (id)
);
CREATE INDEX ix_webhooks_project ON webhooks (project_id, created_at, id);
CREATE INDEX ix_webhooks_program ON webhooks (program_id, created_at, id);

-- A delivery is due when somebody may send it. Whoever takes it moves that instant to the end of a lease.
CREATE TABLE webhook_deliveries (
    id UUID NOT NULL PRIMARY KEY,
    webhook_id UUID NOT NULL REFERENCES webhooks (id),
    sequence_number BIGINT NOT NULL,
    event_type TEXT NOT NULL,
    body TEXT NOT NULL,
    status TEXT NOT NULL,
    response_status BIGINT,
    attempt_count BIGINT NOT NULL,
    due_at TIMESTAMPTZ,
    lease_owner UUID,
    created_at TIMESTAMPTZ NOT NULL,
    completed_at TIMESTAMPTZ
);
CREATE UNIQUE INDEX uq_webhook_deliveries_webhook_id_sequence_number
    ON webhook_deliveries (webhook_id, sequence_number);
CREATE INDEX ix_webhook_deliveries_due ON webhook_deliveries (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX ix_webhook_deliveries_next
    ON webhook_deliveries (webhook_id, due_at, sequence_number) WHERE due_at IS NOT NULL;
CREATE INDEX ix_webhook_deliveries_done ON webhook_deliveries (completed_at) WHERE completed_at IS NOT NULL;

-- Nodes number deliveries one after another: whoever wants to raises this row first.
CREATE TABLE webhook_turn (
    id BIGINT NOT NULL PRIMARY KEY,
    taken BIGINT NOT NULL
);
INSERT INTO webhook_turn VALUES (1, 0);
