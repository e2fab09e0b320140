//! The statements about mail settings; the row is written through edits.

use planwright_domain::ids::UserId;
use planwright_store::{Read, Record, Result, Tx, sql};

use super::model::MailSettingsRow;

fn select() -> String {
    format!("SELECT {} FROM mail_settings m WHERE m.id = 1", MailSettingsRow::select_list("m"))
}

/// The settings that somebody wrote, if anybody did.
pub(crate) async fn find(db: &dyn Read) -> Result<Option<MailSettingsRow>> {
    db.maybe(sql!(select())).await
}

/// The same, locked until the transaction ends. The row of the workspace is locked first, since there may be none.
pub(super) async fn lock(tx: &Tx) -> Result<Option<MailSettingsRow>> {
    tx.rows(sql!(format!("SELECT id FROM workspace WHERE id = 1 {}", tx.engine().row_lock()))).await?;
    find(tx).await
}

/// The address of a person.
pub(super) async fn address_of(db: &dyn Read, person: UserId) -> Result<String> {
    let select = "SELECT email FROM users WHERE id = :id";
    Ok(db.scalars(sql!(select, id = person)).await?.pop().unwrap_or_default())
}
