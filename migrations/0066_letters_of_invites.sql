-- The job that sends the letter of an invitation, so that one whose letter is dead says so.
ALTER TABLE workspace_invites ADD COLUMN letter_id UUID;
CREATE INDEX ix_failed_jobs_job ON failed_jobs (job_id);
