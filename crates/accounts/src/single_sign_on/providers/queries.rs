//! Every statement about providers of identities; single rows are written through edits.

use std::collections::HashMap;

use planwright_domain::ids::SsoProviderId;
use planwright_store::record::Record;
use planwright_store::value::list;
use planwright_store::{Read, Result, Tx, row, sql};

use super::model::{LinkedRow, SsoProviderRow};

fn select(which: &str) -> String {
    format!("SELECT {} FROM sso_providers p {which}", SsoProviderRow::select_list("p"))
}

/// All providers, by slug.
pub async fn all(db: &dyn Read) -> Result<Vec<SsoProviderRow>> {
    db.all(sql!(select("ORDER BY p.slug"))).await
}

/// The providers that people may sign in with.
pub async fn enabled(db: &dyn Read) -> Result<Vec<SsoProviderRow>> {
    db.all(sql!(select("WHERE p.enabled ORDER BY p.slug"))).await
}

/// A provider.
pub async fn by_slug(db: &dyn Read, slug: &str) -> Result<Option<SsoProviderRow>> {
    db.maybe(sql!(select("WHERE p.slug = :slug"), slug = slug)).await
}

/// A provider that people may sign in with.
pub async fn enabled_by_id(db: &dyn Read, id: SsoProviderId) -> Result<Option<SsoProviderRow>> {
    db.maybe(sql!(select("WHERE p.enabled AND p.id = :id"), id = id)).await
}

/// A provider as it stands once it is locked.
pub async fn locked(tx: &mut Tx, slug: &str) -> Result<Option<SsoProviderRow>> {
    let Some(row) = by_slug(tx, slug).await? else { return Ok(None) };
    tx.lock_rows("sso_providers", [row.id.0]).await?;
    by_slug(tx, slug).await
}

row! {
    struct OfProvider { provider_id: SsoProviderId, linked: i64, locked_out: i64 }
}

/// How many people each of several providers signs in, and how many active ones of them have no password and no other provider.
pub async fn linked(db: &dyn Read, ids: &[SsoProviderId]) -> Result<HashMap<SsoProviderId, LinkedRow>> {
    let select = "SELECT i.provider_id, COUNT(*) AS linked,
            CAST(SUM(CASE WHEN u.password_hash IS NULL AND u.is_active = TRUE AND NOT EXISTS (
                SELECT 1 FROM sso_identities o JOIN sso_providers p ON p.id = o.provider_id AND p.enabled
                WHERE o.user_id = i.user_id AND o.provider_id <> i.provider_id) THEN 1 ELSE 0 END) AS BIGINT) AS locked_out
         FROM sso_identities i JOIN users u ON u.id = i.user_id
         WHERE i.provider_id IN (:ids) GROUP BY i.provider_id";
    let rows: Vec<OfProvider> = db.all(sql!(select, ids = list(ids.iter().copied()))).await?;
    let counted =
        |row: OfProvider| (row.provider_id, LinkedRow { linked: row.linked, locked_out: row.locked_out });
    Ok(rows.into_iter().map(counted).collect())
}

/// Forgets who the people of a provider are, and the sign-ins that wait for it.
pub async fn forget(tx: &mut Tx, id: SsoProviderId) -> Result<()> {
    tx.run(sql!("DELETE FROM sso_states WHERE provider_id = :id", id = id)).await?;
    tx.run(sql!("DELETE FROM sso_identities WHERE provider_id = :id", id = id)).await.map(drop)
}
