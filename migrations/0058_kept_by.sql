-- Who wrote a provider of identities last. It vouches for addresses only of people below that person's rank; one that an Owner
-- wrote vouches for all.
ALTER TABLE sso_providers ADD COLUMN kept_by UUID REFERENCES users (id);
UPDATE sso_providers SET kept_by = (
    SELECT h.actor_id FROM history h JOIN users u ON u.id = h.actor_id
    WHERE h.entity = 'sso_provider' AND h.entity_id = sso_providers.id ORDER BY h.version DESC LIMIT 1);
