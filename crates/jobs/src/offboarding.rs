//! The job after somebody was deactivated: it ends their sessions and revokes their tokens. The workspace area queues
//! it and the accounts area runs it, so neither depends on the other.

use chrono::{DateTime, Utc};
use planwright_domain::ids::UserId;
use planwright_store::{Read, Result, Tx, row, sql};
use serde::{Deserialize, Serialize};

use crate::queue::{self, NewJob};

/// The kind of job that revokes the credentials of a deactivated person.
pub const OFFBOARD_PERSON: &str = "offboard_person";

/// Who was deactivated by whom.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Offboarding {
    /// Who was deactivated.
    pub user: UserId,
    /// Who did it, for the audit rows.
    pub actor: UserId,
    /// When. What the person was let in with later is not ended.
    #[serde(default)]
    pub at: Option<DateTime<Utc>>,
}

row! {
    struct WaitingRow {
        payload: serde_json::Value,
    }
}

/// Queues the job for a person who is locked. It begins after the commit.
pub async fn request(tx: &mut Tx, user: UserId, actor: UserId) -> Result<()> {
    // Not the time of the transaction: what was made while it waited for the lock must end as well.
    let at = Some(tx.clock().now());
    let key = format!("{OFFBOARD_PERSON}:{user}");
    let job = NewJob::new(OFFBOARD_PERSON, &Offboarding { user, actor, at })?.once(key);
    queue::enqueue(tx, job).await.map(drop)
}

/// Whether the job of a person waits or runs. Whoever is let in again before it would still have their old credentials.
pub async fn is_waiting(db: &dyn Read, user: UserId) -> Result<bool> {
    // By payload: a job that has begun has given up its key, and has not ended anything yet.
    let select = "SELECT payload FROM jobs WHERE kind = :kind";
    let waiting: Vec<WaitingRow> = db.all(sql!(select, kind = OFFBOARD_PERSON)).await?;
    let is_theirs = |row: WaitingRow| {
        serde_json::from_value::<Offboarding>(row.payload).is_ok_and(|job| job.user == user)
    };
    Ok(waiting.into_iter().any(is_theirs))
}
