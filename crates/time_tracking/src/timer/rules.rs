//! How long a timer ran, and how much of that is logged: without database or clock.

use chrono::{DateTime, NaiveDate, Utc};
use planwright_domain::ids::TimeEntryId;
use planwright_domain::words::TimeEntrySource;

use super::model::{RunningTimer, Timer, TimerRow, TimerSeen};
use crate::entries::model::TimeEntryRow;
use crate::entries::rules::{MOST_MINUTES, fresh};

/// The seconds since a timer was started; none when the clock stood back.
fn elapsed_seconds(started_at: DateTime<Utc>, now: DateTime<Utc>) -> i64 {
    (now - started_at).num_seconds().max(0)
}

/// The minutes that are logged of so many seconds: rounded, at least one, and no more than a timer may run.
fn logged_minutes(seconds: i64, most_minutes: i64) -> i64 {
    ((seconds + 30) / 60).clamp(1, most_minutes.clamp(1, MOST_MINUTES))
}

/// What a timer logs when it stops; `day` is the one on which it was started.
pub fn stopped(
    timer: &TimerRow,
    id: TimeEntryId,
    day: NaiveDate,
    now: DateTime<Utc>,
    most_minutes: i64,
) -> TimeEntryRow {
    TimeEntryRow {
        minutes: logged_minutes(elapsed_seconds(timer.started_at, now), most_minutes),
        note: timer.note.clone(),
        source: TimeEntrySource::Timer,
        ..fresh(id, timer.user_id, timer.task_id, now, day)
    }
}

/// A timer as its person sees it.
pub fn shown(timer: Option<TimerSeen>, now: DateTime<Utc>, most_minutes: i64) -> Timer {
    let running = timer.map(|timer| {
        let elapsed_seconds = elapsed_seconds(timer.started_at, now);
        RunningTimer {
            id: timer.id,
            task: timer.task_id,
            task_short_id: timer.task_short_id,
            task_name: timer.task_name,
            project: timer.project,
            started_at: timer.started_at,
            elapsed_seconds,
            note: timer.note,
            stale: elapsed_seconds > most_minutes * 60,
        }
    });
    Timer { active: running.is_some(), running }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn minutes_are_rounded_and_never_none_and_never_more_than_a_timer_may_run() {
        let cases = [
            (0, 1),
            (29, 1),
            (89, 1),
            (90, 2),
            (3600, 60),
            (600 * 60, 600),
            (601 * 60, 600),
            (i64::MAX / 2, 600),
        ];
        for (seconds, minutes) in cases {
            assert_eq!(logged_minutes(seconds, 600), minutes, "{seconds} seconds");
        }
        assert_eq!(logged_minutes(i64::MAX / 2, 100_000), 1440, "no entry is longer than a day");
    }

    #[test]
    fn a_clock_that_stood_back_makes_no_negative_time() {
        let start: DateTime<Utc> = "2026-01-05T08:00:00Z".parse().unwrap();
        assert_eq!(elapsed_seconds(start, start - chrono::Duration::seconds(5)), 0);
    }
}
