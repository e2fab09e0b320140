//! What happened in a sprint since a moment, put together from what was read. Nothing here reads a database.

use std::collections::BTreeMap;

use chrono::{DateTime, Duration, Utc};
use planwright_domain::ids::UserId;
use planwright_domain::words::{BlockKind, TaskStatus};

use super::model::*;

/// How far the answer looks back unless said otherwise.
const DEFAULT_HOURS: i64 = 24;

/// The moment since which to tell: the one asked for or a day ago, and not before the sprint was activated.
pub fn since(asked: Option<&str>, activated: Option<DateTime<Utc>>, now: DateTime<Utc>) -> DateTime<Utc> {
    let asked = asked.and_then(|text| text.trim().parse().ok()).filter(|since| *since <= now);
    let since = asked.unwrap_or_else(|| now - Duration::hours(DEFAULT_HOURS));
    activated.map_or(since, |activated| since.max(activated))
}

/// Whether a task is held up by something or was put on hold.
fn kind(row: &BlockedRow) -> BlockKind {
    if row.is_paused { BlockKind::Paused } else { BlockKind::Impediment }
}

/// The tasks that were blocked since then, the newest first.
pub fn new_blockers(rows: &[BlockedRow], since: DateTime<Utc>, now: DateTime<Utc>) -> Vec<NewBlocker> {
    let fresh = rows.iter().filter_map(|row| Some((row, row.at.filter(|at| *at >= since)?)));
    let mut blockers: Vec<NewBlocker> = fresh
        .map(|(row, at)| NewBlocker {
            task: row.task.clone(),
            actor_username: row.actor_username.clone(),
            at,
            blocker_type: row.blocker_type,
            blocked_age_seconds: (now - at).num_seconds().max(0),
            kind: kind(row),
        })
        .collect();
    blockers.sort_by_key(|blocker| std::cmp::Reverse(blocker.at));
    blockers
}

/// How many tasks are blocked now.
pub fn summary(rows: &[BlockedRow]) -> BlockerSummary {
    let count = |wanted| rows.iter().filter(|row| kind(row) == wanted).count() as i64;
    BlockerSummary { impediment: count(BlockKind::Impediment), paused: count(BlockKind::Paused) }
}

/// What each person did, by name, and what all did together.
pub fn deeds(
    changes: &[StatusChange],
    added: &[ScopeAdded],
    blocked: &[BlockedRow],
    since: DateTime<Utc>,
) -> (Vec<ActorDeeds>, Deeds) {
    let mut all = Deeds::default();
    let mut by: BTreeMap<(String, UserId), Deeds> = BTreeMap::new();
    let mut count = |who: Option<UserId>, name: &Option<String>, note: &dyn Fn(&mut Deeds)| {
        note(&mut all);
        if let (Some(who), Some(name)) = (who, name) {
            note(by.entry((name.clone(), who)).or_default());
        }
    };
    for change in changes {
        count(change.actor_id, &change.actor_username, &|deeds| {
            deeds.moved += 1;
            deeds.completed += i64::from(change.to == TaskStatus::Complete);
        });
    }
    for row in added {
        count(row.added_by, &row.added_by_username, &|deeds| deeds.added += 1);
    }
    for row in blocked.iter().filter(|row| row.at.is_some_and(|at| at >= since)) {
        count(row.actor_id, &row.actor_username, &|deeds| deeds.blocked += 1);
    }
    let named = by.into_iter();
    let named =
        named.map(|((actor_username, actor_id), deeds)| ActorDeeds { actor_id, actor_username, deeds });
    (named.collect(), all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> DateTime<Utc> {
        format!("2026-01-{text}:00Z").parse().unwrap()
    }

    #[test]
    fn the_window_is_a_day_unless_it_can_be_read_and_never_begins_before_the_sprint() {
        let now = at("10T12:00");
        assert_eq!(since(None, None, now), at("09T12:00"));
        assert_eq!(since(Some("yesterday"), None, now), at("09T12:00"));
        assert_eq!(since(Some("2026-01-05T00:00:00Z"), None, now), at("05T00:00"));
        assert_eq!(since(Some("2026-01-05T00:00:00Z"), Some(at("07T08:00")), now), at("07T08:00"));
        assert_eq!(since(Some("2027-01-05T00:00:00Z"), None, now), at("09T12:00"), "nothing happened yet");
    }
}
