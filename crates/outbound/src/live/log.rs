//! The log of a project: every event in the order in which it was recorded, numbered from 1 without gaps, for a day.
//! A client that was away continues after the last number that it saw. The hub sends the events.

use chrono::{DateTime, Utc};
use planwright_domain::ids::ProjectId;
use planwright_store::value::list;
use planwright_store::{Read, Result, StoreError, Tx, row, sql};
use serde_json::Value as Json;

/// The maximum number of missed events that a client gets. A client that missed more must read everything again.
pub const MOST_REPLAYED: i64 = 1000;

/// How long an event is kept, in hours.
pub const KEPT_HOURS: i64 = 24;

row! {
    /// An event of a log.
    pub struct Entry {
        /// Its number.
        pub seq: i64,
        /// Its name.
        pub name: String,
        /// The payload.
        pub payload: Json,
    }
}

/// The missed events of a client.
pub enum Missed {
    /// Everything since, oldest first.
    Events(Vec<Entry>),
    /// The log does not reach that far. This is its newest number.
    TooMuch(i64),
}

/// Writes an event with the next number. Until the commit, no other transaction can take a number of the same
/// project.
pub async fn append(tx: &mut Tx, project: ProjectId, name: &str, payload: &Json) -> Result<i64> {
    let count = sql!(
        "INSERT INTO live_logs (project_id, last_seq) VALUES (:project, 1)
         ON CONFLICT (project_id) DO UPDATE SET last_seq = live_logs.last_seq + 1 RETURNING last_seq",
        project = project
    );
    let seq: i64 = tx.scalar(count).await?.ok_or(StoreError::Missing)?;
    let insert = sql!(
        "INSERT INTO live_events (project_id, seq, at, name, payload)
         VALUES (:project, :seq, :at, :name, :payload)",
        project = project,
        seq = seq,
        at = tx.now(),
        name = name,
        payload = payload.clone(),
    );
    tx.run(insert).await?;
    Ok(seq)
}

/// The newest number of a project; 0 before the first event.
pub async fn latest(db: &dyn Read, project: ProjectId) -> Result<i64> {
    let select = "SELECT last_seq FROM live_logs WHERE project_id = :project";
    Ok(db.scalar(sql!(select, project = project)).await?.unwrap_or(0))
}

/// The newest numbers of several projects.
pub async fn latest_of(db: &dyn Read, projects: &[ProjectId]) -> Result<Vec<(ProjectId, i64)>> {
    let projects = list(projects.iter().copied());
    let select = "SELECT project_id, last_seq FROM live_logs WHERE project_id IN (:projects)";
    db.all(sql!(select, projects = projects)).await
}

/// The events after a number, oldest first.
pub async fn after(db: &dyn Read, project: ProjectId, seq: i64, most: i64) -> Result<Vec<Entry>> {
    let select = "SELECT seq, name, payload FROM live_events
                  WHERE project_id = :project AND seq > :seq ORDER BY seq LIMIT :most";
    db.all(sql!(select, project = project, seq = seq, most = most)).await
}

/// The events that a client missed after a number.
pub async fn missed(db: &dyn Read, project: ProjectId, since: i64) -> Result<Missed> {
    let newest = latest(db, project).await?;
    let events = after(db, project, since, MOST_REPLAYED + 1).await?;
    Ok(match is_whole(&events, since, newest) {
        true => Missed::Events(events),
        false => Missed::TooMuch(newest.max(events.last().map_or(0, |event| event.seq))),
    })
}

/// Whether these are all events after `since`. A number that was never given belongs to another log.
fn is_whole(events: &[Entry], since: i64, newest: i64) -> bool {
    let begins_there = events.first().map_or(since == newest, |first| first.seq == since + 1);
    begins_there && events.len() as i64 <= MOST_REPLAYED
}

/// Deletes older events.
pub async fn forget(tx: &mut Tx, before: DateTime<Utc>) -> Result<u64> {
    tx.run(sql!("DELETE FROM live_events WHERE at < :before", before = before)).await
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(numbers: std::ops::RangeInclusive<i64>) -> Vec<Entry> {
        numbers.map(|seq| Entry { seq, name: String::new(), payload: Json::Null }).collect()
    }

    #[test]
    fn a_log_is_whole_when_it_goes_on_right_after_what_was_seen() {
        assert!(is_whole(&events(4..=9), 3, 9));
        assert!(is_whole(&[], 9, 9));
        assert!(is_whole(&[], 0, 0));
        assert!(is_whole(&events(1..=1000), 0, 1000));
    }

    #[test]
    fn what_was_forgotten_cannot_be_replayed() {
        assert!(!is_whole(&events(5..=9), 3, 9));
        assert!(!is_whole(&[], 3, 9));
        assert!(!is_whole(&[], 12, 9));
        assert!(!is_whole(&events(1..=1001), 0, 1001));
    }
}
