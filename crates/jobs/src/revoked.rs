//! The job after a credential was revoked: the open channels of its holder are checked again. The accounts area
//! queues it and the channels run it, so neither depends on the other.

use planwright_domain::ids::UserId;
use planwright_store::{Result, Tx};
use serde::{Deserialize, Serialize};

use crate::queue::{self, NewJob};

/// The kind of job that checks the open channels of a person again.
pub const CREDENTIALS_REVOKED: &str = "credentials_revoked";

/// Whose credential was revoked.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Revoked {
    /// Its holder.
    pub user: UserId,
}

/// Queues the job once for all credentials that are revoked before it begins.
pub async fn announce(tx: &mut Tx, user: UserId) -> Result<()> {
    let job = NewJob::new(CREDENTIALS_REVOKED, &Revoked { user })?;
    queue::enqueue(tx, job.once(format!("{CREDENTIALS_REVOKED}:{user}"))).await.map(drop)
}
