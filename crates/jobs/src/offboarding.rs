//! Work that is left when somebody was deactivated: their sign-in sessions and tokens are to be revoked.
//! The workspace area asks for it, the accounts area does it, and neither knows the other.

use planwright_domain::ids::UserId;
use planwright_store::{Result, Tx};
use serde::{Deserialize, Serialize};

use crate::queue::{self, NewJob};

/// The kind of job that revokes what a deactivated person could sign in with.
pub const OFFBOARD_PERSON: &str = "offboard_person";

/// Who was deactivated by whom.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Offboarding {
    /// Who was deactivated.
    pub user: UserId,
    /// Who did it, for the audit rows.
    pub actor: UserId,
}

/// Enqueues the work; it begins after the commit.
pub async fn request(tx: &mut Tx, offboarding: &Offboarding) -> Result<()> {
    queue::enqueue(tx, NewJob::new(OFFBOARD_PERSON, offboarding)?).await.map(drop)
}
