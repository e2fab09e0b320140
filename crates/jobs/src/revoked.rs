//! Work that is left when a credential was revoked: what its holder has open is looked at again.
//! The accounts area asks for it, the channels do it, and neither knows the other.

use planwright_domain::ids::UserId;
use planwright_store::{Result, Tx};
use serde::{Deserialize, Serialize};

use crate::queue::{self, NewJob};

/// The kind of job that looks again at what somebody has open.
pub const CREDENTIALS_REVOKED: &str = "credentials_revoked";

/// Whose credential was revoked.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Revoked {
    /// Its holder.
    pub user: UserId,
}

/// Enqueues the work, once for all that are revoked before it begins.
pub async fn announce(tx: &mut Tx, user: UserId) -> Result<()> {
    let job = NewJob::new(CREDENTIALS_REVOKED, &Revoked { user })?;
    queue::enqueue(tx, job.once(format!("{CREDENTIALS_REVOKED}:{user}"))).await.map(drop)
}
