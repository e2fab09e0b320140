-- What a security officer asks for: lines are written in the transaction of what they tell, and never change.
CREATE TABLE audit_events (
    id UUID NOT NULL PRIMARY KEY,
    event_type TEXT NOT NULL,
    actor_id UUID,
    target_type TEXT NOT NULL,
    target_id UUID,
    target_label TEXT NOT NULL,
    metadata TEXT NOT NULL,
    created_at TIMESTAMPTZ NOT NULL
);
CREATE INDEX ix_audit_events_newest ON audit_events (created_at, id);
CREATE INDEX ix_audit_events_type ON audit_events (event_type, created_at, id);
CREATE INDEX ix_audit_events_actor ON audit_events (actor_id, created_at, id);
