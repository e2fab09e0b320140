//! From rows to events: on which days something is, when it was changed, and what it says; without database or clock.

use chrono::{DateTime, Datelike, NaiveDate, Utc};
use planwright_domain::ids::{ProjectId, TaskId};
use planwright_domain::words::TaskStatus;
use planwright_plan::schedule::network::date;
use planwright_plan::tasks::rules::short_number;

use super::model::DatedRow;
use crate::calendar_feeds::CalendarFeedRow;

/// A longer text cannot be a secret.
const LONGEST_SECRET: usize = 128;

/// What a calendar program gets.
#[derive(Debug, PartialEq)]
pub struct Calendar {
    /// How the program calls it.
    pub name: String,
    /// Its events, the first day first.
    pub events: Vec<Event>,
    /// Whether there is more than a calendar may have.
    pub is_cut: bool,
}

/// Something on one or several whole days.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// The task, which is the event for good.
    pub task: TaskId,
    /// Its project.
    pub project: ProjectId,
    /// The name of its project.
    pub project_name: String,
    /// The title.
    pub summary: String,
    /// The number of the task in its project, and how much of it is done.
    pub details: String,
    /// The first day.
    pub start: NaiveDate,
    /// The day after the last one.
    pub end: NaiveDate,
    /// Whether it is uncertain that it takes place then.
    pub is_tentative: bool,
    /// Grows with every change of the task and of its dates.
    pub sequence: i64,
    /// When its task was changed last, or its project computed.
    pub changed_at: DateTime<Utc>,
}

/// The secret of the last part of a path.
pub fn secret(file: &str) -> Option<&str> {
    file.strip_suffix(".ics").filter(|secret| !secret.is_empty() && secret.len() <= LONGEST_SECRET)
}

/// The calendar of a feed. Of too many rows the first ones stay, which are those with the latest dates.
pub fn calendar(feed: &CalendarFeedRow, mut rows: Vec<DatedRow>, most: usize) -> Calendar {
    let is_cut = rows.len() > most;
    rows.truncate(most);
    let mut events: Vec<Event> = rows.into_iter().filter_map(event).collect();
    events.sort_by_key(|event| (event.start, event.task));
    Calendar { name: feed.name.clone(), events, is_cut }
}

/// The event of a row, if it lies in the years that a calendar can name.
fn event(row: DatedRow) -> Option<Event> {
    let (start, end) = days(&row)?;
    Some(Event {
        task: row.id,
        project: row.project_id,
        summary: summary(&row),
        details: details(&row),
        start,
        end,
        is_tentative: row.status == TaskStatus::OnHold,
        sequence: row.change_number.max(row.schedule_change_number).clamp(0, i64::from(i32::MAX)),
        changed_at: changed_at(&row),
        project_name: row.project_name,
    })
}

/// The first day and the day after the last one. What has happened goes before what is planned; a milestone is on one day.
fn days(row: &DatedRow) -> Option<(NaiveDate, NaiveDate)> {
    let last = row.actual_finish.or_else(|| row.early_finish.and_then(date))?;
    let begun = row.actual_start.or_else(|| row.scheduled_start.and_then(date));
    let first = begun.filter(|first| !row.is_milestone && *first <= last).unwrap_or(last);
    let end = last.succ_opt().filter(|end| end.year() <= 9999)?;
    Some((first, end))
}

fn summary(row: &DatedRow) -> String {
    match row.status {
        TaskStatus::Complete => format!("✓ {}", row.name),
        _ => row.name.clone(),
    }
}

fn details(row: &DatedRow) -> String {
    let number = short_number(&row.short_id);
    let code = if row.project_code.is_empty() { "T" } else { &row.project_code };
    let percent = row.percent_complete.round() as i64;
    match percent {
        1..100 => format!("{code}-{number} · {} · {percent} %", row.project_name),
        _ => format!("{code}-{number} · {}", row.project_name),
    }
}

/// A recalculation does not write on a task that its dates have moved, so the moment of the newest one of the project counts.
fn changed_at(row: &DatedRow) -> DateTime<Utc> {
    [row.edited_at, row.computed_at].into_iter().flatten().fold(row.created_at, DateTime::max)
}

#[cfg(test)]
mod tests {
    use chrono::Duration;
    use planwright_domain::ids::{CalendarFeedId, UserId};
    use planwright_domain::words::FeedContent;
    use uuid::Uuid;

    use super::*;

    fn on(month: u32, day: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, month, day).unwrap()
    }

    fn number(day: NaiveDate) -> Option<i32> {
        Some(day.num_days_from_ce() - 719_163)
    }

    fn row() -> DatedRow {
        DatedRow {
            id: TaskId(Uuid::from_u128(1)),
            short_id: "1f".to_owned(),
            name: "Dig".to_owned(),
            project_id: ProjectId(Uuid::from_u128(2)),
            project_name: "Bridge".to_owned(),
            project_code: "BR".to_owned(),
            is_milestone: false,
            status: TaskStatus::InProgress,
            percent_complete: 39.6,
            actual_start: None,
            actual_finish: None,
            scheduled_start: number(on(3, 2)),
            early_finish: number(on(3, 4)),
            created_at: DateTime::UNIX_EPOCH,
            edited_at: None,
            computed_at: None,
            change_number: 4,
            schedule_change_number: 9,
        }
    }

    fn feed() -> CalendarFeedRow {
        CalendarFeedRow {
            id: CalendarFeedId(Uuid::nil()),
            user_id: UserId(Uuid::nil()),
            name: "Bridge".to_owned(),
            content_kind: FeedContent::MyTasks,
            project_id: None,
            program_id: None,
            include_done: false,
            token_hash: String::new(),
            token_prefix: String::new(),
            created_at: DateTime::UNIX_EPOCH,
            last_used_at: None,
        }
    }

    #[test]
    fn a_task_is_on_its_days_and_ends_on_the_day_after_the_last() {
        assert_eq!(days(&row()), Some((on(3, 2), on(3, 5))));
        let done = DatedRow { actual_start: Some(on(3, 3)), actual_finish: Some(on(3, 3)), ..row() };
        assert_eq!(days(&done), Some((on(3, 3), on(3, 4))), "what has happened goes before the plan");
        let without_start = DatedRow { scheduled_start: None, ..row() };
        assert_eq!(days(&without_start), Some((on(3, 4), on(3, 5))));
        let turned = DatedRow { actual_start: Some(on(3, 9)), ..row() };
        assert_eq!(days(&turned), Some((on(3, 4), on(3, 5))), "no event ends before it begins");
    }

    #[test]
    fn a_milestone_is_on_one_day() {
        let milestone = DatedRow { is_milestone: true, actual_start: Some(on(3, 1)), ..row() };
        assert_eq!(days(&milestone), Some((on(3, 4), on(3, 5))));
    }

    #[test]
    fn the_last_day_that_has_a_name_has_no_event() {
        let last = NaiveDate::from_ymd_opt(9999, 12, 31);
        assert_eq!(days(&DatedRow { actual_finish: last, ..row() }), None);
        assert_eq!(days(&DatedRow { early_finish: None, ..row() }), None);
    }

    #[test]
    fn an_event_grows_with_its_task_and_with_its_dates() {
        assert_eq!(event(row()).unwrap().sequence, 9);
        assert_eq!(event(DatedRow { change_number: 12, ..row() }).unwrap().sequence, 12);
        let hour = DateTime::UNIX_EPOCH + Duration::hours(1);
        assert_eq!(event(row()).unwrap().changed_at, DateTime::UNIX_EPOCH);
        assert_eq!(event(DatedRow { edited_at: Some(hour), ..row() }).unwrap().changed_at, hour);
        assert_eq!(event(DatedRow { computed_at: Some(hour), ..row() }).unwrap().changed_at, hour);
    }

    #[test]
    fn what_is_done_has_a_tick_and_what_is_under_way_says_how_far_it_is() {
        let done = DatedRow { status: TaskStatus::Complete, percent_complete: 100.0, ..row() };
        let done = event(done).unwrap();
        assert_eq!((done.summary.as_str(), done.details.as_str()), ("✓ Dig", "BR-31 · Bridge"));
        assert_eq!(event(row()).unwrap().details, "BR-31 · Bridge · 40 %");
        let plain = DatedRow { project_code: String::new(), percent_complete: 0.0, ..row() };
        assert_eq!(event(plain).unwrap().details, "T-31 · Bridge");
        let waiting = DatedRow { status: TaskStatus::OnHold, ..row() };
        assert!(event(waiting).unwrap().is_tentative && !event(row()).unwrap().is_tentative);
    }

    #[test]
    fn of_too_many_rows_the_latest_stay_and_the_calendar_says_so() {
        let earlier = DatedRow { id: TaskId(Uuid::from_u128(9)), scheduled_start: number(on(1, 5)), ..row() };
        let rows = vec![row(), earlier];
        let whole = calendar(&feed(), rows.clone(), 2);
        assert_eq!((whole.events[0].start, whole.events.len(), whole.is_cut), (on(1, 5), 2, false));
        let cut = calendar(&feed(), rows, 1);
        assert_eq!((cut.events[0].start, cut.events.len(), cut.is_cut), (on(3, 2), 1, true));
    }

    #[test]
    fn only_a_short_name_that_ends_like_a_calendar_has_a_secret() {
        assert_eq!(secret("abc.ics"), Some("abc"));
        for wrong in ["abc", ".ics", "abc.ICS", &format!("{}.ics", "a".repeat(129))] {
            assert_eq!(secret(wrong), None, "{wrong}");
        }
    }
}
