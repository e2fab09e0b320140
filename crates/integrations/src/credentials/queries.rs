//! Every statement about credentials. A credential is always looked for together with its person.

use planwright_domain::ids::{CredentialId, UserId};
use planwright_domain::words::CredentialProvider;
use planwright_store::record::select_list;
use planwright_store::{Db, Read, Result, Tx, sql};

use super::model::CredentialRow;

/// The credentials of a person.
pub async fn of_person(db: &dyn Read, person: UserId) -> Result<Vec<CredentialRow>> {
    let columns = select_list::<CredentialRow>("c");
    let select = format!("SELECT {columns} FROM credentials c WHERE c.user_id = :person ORDER BY c.provider");
    db.all(sql!(select, person = person)).await
}

/// The credential of a person at a provider.
pub async fn at_provider(
    db: &dyn Read,
    person: UserId,
    provider: CredentialProvider,
) -> Result<Option<CredentialRow>> {
    let columns = select_list::<CredentialRow>("c");
    let select =
        format!("SELECT {columns} FROM credentials c WHERE c.user_id = :person AND c.provider = :provider");
    db.maybe(sql!(select, person = person, provider = provider)).await
}

/// Keeps a credential in place of that which the person had at the provider.
pub async fn replace(tx: &mut Tx, row: &CredentialRow) -> Result<()> {
    remove(tx, row.user_id, row.provider).await?;
    tx.insert(row, Vec::new()).await
}

/// Removes the credential of a person at a provider; false if there is none.
pub async fn remove(tx: &mut Tx, person: UserId, provider: CredentialProvider) -> Result<bool> {
    let delete = "DELETE FROM credentials WHERE user_id = :person AND provider = :provider";
    Ok(tx.run(sql!(delete, person = person, provider = provider)).await? == 1)
}

/// Notes that a provider was asked with a credential.
pub async fn note_use(db: &Db, id: CredentialId) -> Result<()> {
    let mut tx = db.begin().await?;
    let now = tx.now();
    tx.run(sql!("UPDATE credentials SET last_used_at = :now WHERE id = :id", now = now, id = id)).await?;
    tx.commit().await
}
