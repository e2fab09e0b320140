//! Every statement about timers. Each names the person, so that nobody else's timer is found.

use planwright_domain::ids::UserId;
use planwright_store::{Read, Record, Result, sql};

use super::model::{TimerRow, TimerSeen};
use crate::entries::queries::{NAMES, task_seen};

/// The timer of a person.
pub async fn running(db: &dyn Read, me: UserId) -> Result<Option<TimerRow>> {
    let select = format!("SELECT {} FROM timers r WHERE r.user_id = :me", TimerRow::select_list("r"));
    db.maybe(sql!(select, me = me)).await
}

/// The same with the names of its task.
pub async fn seen(db: &dyn Read, me: UserId) -> Result<Option<TimerSeen>> {
    let select = format!(
        "SELECT r.id, r.task_id, {NAMES}, r.started_at, r.note
         FROM timers r JOIN tasks t ON t.id = r.task_id {} WHERE r.user_id = :me",
        task_seen()
    );
    db.maybe(sql!(select, me = me)).await
}
