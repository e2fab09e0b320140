-- What the last attempt of a delivery came to, for whoever has to find out why a receiver does not take it.
ALTER TABLE webhook_deliveries ADD COLUMN last_attempt_at TIMESTAMPTZ;
ALTER TABLE webhook_deliveries ADD COLUMN failure_reason TEXT;
ALTER TABLE webhook_deliveries ADD COLUMN response_excerpt TEXT;
