//! Shutting a person out of everything at once.
//! Who may do that is decided by the areas that ask for it.

use planwright_domain::ids::UserId;
use planwright_store::{Result, Tx, sql};

use crate::{people, sign_in, tokens};

/// Shuts a person out at once: no sign-in, no refresh, no personal token. Reactivation brings none of these back.
pub async fn deactivate(tx: &mut Tx, user: UserId) -> Result<()> {
    let statement = sql!(
        "UPDATE users SET is_active = FALSE, server_version = server_version + 1
         WHERE id = :id AND is_active = TRUE",
        id = user
    );
    if tx.run(statement).await? == 1 {
        people::record(tx, user, None, "is_active", serde_json::json!([true, false])).await?;
    }
    sign_in::queries::revoke_all(tx, user).await?;
    tokens::revoke_all(tx, user, None, tokens::Reason::Offboarding).await
}
