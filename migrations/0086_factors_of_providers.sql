-- Whether the second factor that a sign-in has shown was that of a provider of identities. What is open now may have been either;
-- it is taken for that of the provider where one knows the person.
ALTER TABLE sessions ADD COLUMN factor_of_provider BOOLEAN NOT NULL DEFAULT FALSE;
UPDATE sessions SET factor_of_provider = TRUE
WHERE has_second_factor = TRUE AND user_id IN (SELECT i.user_id FROM sso_identities i);
