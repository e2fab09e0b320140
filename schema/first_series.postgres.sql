-- For a database with the migrations from which the schema grew: names of constraints that are different there.
ALTER TABLE notifications RENAME CONSTRAINT notices_pkey TO notifications_pkey;
ALTER TABLE notifications RENAME CONSTRAINT notices_recipient_id_fkey TO notifications_recipient_id_fkey;
ALTER TABLE notifications RENAME CONSTRAINT notices_project_id_fkey TO notifications_project_id_fkey;
ALTER TABLE notifications RENAME CONSTRAINT notices_program_id_fkey TO notifications_program_id_fkey;
ALTER TABLE notifications RENAME CONSTRAINT notices_task_id_fkey TO notifications_task_id_fkey;
ALTER TABLE notifications RENAME CONSTRAINT notices_comment_id_fkey TO notifications_comment_id_fkey;
ALTER TABLE notifications RENAME CONSTRAINT notices_mention_id_fkey TO notifications_mention_id_fkey;
