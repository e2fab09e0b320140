//! What minutes may be logged, for which days, and what they add up to: without database or clock.

use std::collections::BTreeMap;

use chrono::{DateTime, Days, NaiveDate, Utc};
use planwright_domain::ids::{TaskId, TimeEntryId, UserId};
use planwright_domain::words::TimeEntrySource;
use planwright_web::{ApiError, ApiResult, Problem, Problems};

use super::model::{PatchedTimeEntryRequest, TimeEntryRow, TimeTotals, TimeWindowQuery, WeekEntry};
use crate::zone::monday;

/// The most minutes of an entry: those of a day.
pub const MOST_MINUTES: i64 = 1440;

/// The most days of a window.
const MOST_DAYS: i64 = 366;

/// The days for which time may be logged.
#[derive(Clone, Copy, Debug)]
pub struct Loggable {
    /// Today, where the person is.
    pub today: NaiveDate,
    /// So many days before it, too.
    pub backdate_days: i64,
}

/// Minutes of a person on a task, before anything is said of them.
pub fn fresh(
    id: TimeEntryId,
    me: UserId,
    task: TaskId,
    now: DateTime<Utc>,
    today: NaiveDate,
) -> TimeEntryRow {
    TimeEntryRow {
        id,
        user_id: me,
        task_id: task,
        minutes: 1,
        entry_date: today,
        note: String::new(),
        source: TimeEntrySource::Manual,
        created_at: now,
        server_version: 1,
    }
}

/// Refuses a phase: what is done there is done on its tasks.
///
/// # Errors
/// 400 with the code `time_log_on_phase`.
pub fn check_task(is_phase: bool) -> ApiResult<()> {
    let message = "Time cannot be logged on a phase. Log it on the tasks of the phase.";
    match is_phase {
        true => Err(ApiError::invalid_field("task", message).with_code("time_log_on_phase")),
        false => Ok(()),
    }
}

/// The row with the wanted fields changed. A day that stays as it is may be older than the days that are loggable.
///
/// # Errors
/// 400 for a day in the future and for one too long ago.
pub fn changed(
    mut row: TimeEntryRow,
    request: PatchedTimeEntryRequest,
    loggable: Loggable,
) -> ApiResult<TimeEntryRow> {
    let before = row.entry_date;
    request.minutes.write_to(&mut row.minutes);
    request.entry_date.write_to(&mut row.entry_date);
    request.note.write_to(&mut row.note);
    if row.entry_date != before {
        check_day(row.entry_date, loggable)?;
    }
    Ok(row)
}

fn check_day(day: NaiveDate, Loggable { today, backdate_days }: Loggable) -> ApiResult<()> {
    let refuse = |message: String| Err(ApiError::invalid_field("entry_date", message));
    if day > today {
        return refuse("Time cannot be logged for a day in the future.".to_owned());
    }
    match (today - day).num_days() > backdate_days {
        true => refuse(format!("Time can only be logged for the last {backdate_days} days.")),
        false => Ok(()),
    }
}

/// The first and the last day of the window that is asked for.
///
/// # Errors
/// 400 when only one of them is given, when they stand the wrong way round, and when they lie too far apart.
pub fn window(query: &TimeWindowQuery, today: NaiveDate) -> ApiResult<(NaiveDate, NaiveDate)> {
    let mut problems = Problems::default();
    let both = match (query.from.as_given().copied(), query.to.as_given().copied()) {
        (None, None) => {
            let first = monday(today);
            return Ok((first, first.checked_add_days(Days::new(6)).unwrap_or(first)));
        }
        (Some(from), Some(to)) => Some((from, to)),
        (Some(_), None) => {
            problems.add("to", Problem::says("Give both from and to, or neither."));
            None
        }
        (None, Some(_)) => {
            problems.add("from", Problem::says("Give both from and to, or neither."));
            None
        }
    };
    let Some((from, to)) = both else { return Err(ApiError::invalid(problems)) };
    match (to - from).num_days() {
        ..0 => Err(ApiError::invalid_field("to", "The last day is before the first day.")),
        MOST_DAYS.. => {
            Err(ApiError::invalid_field("to", format!("At most {MOST_DAYS} days can be shown at once.")))
        }
        _ => Ok((from, to)),
    }
}

/// The sums of the minutes of a window.
pub fn totals(entries: &[WeekEntry], today: NaiveDate) -> TimeTotals {
    let (mut by_day, mut by_cell) = (BTreeMap::new(), BTreeMap::new());
    for entry in entries {
        *by_day.entry(entry.entry_date.to_string()).or_default() += entry.minutes;
        *by_cell.entry(format!("{}|{}", entry.task, entry.entry_date)).or_default() += entry.minutes;
    }
    TimeTotals {
        today_minutes: by_day.get(&today.to_string()).copied().unwrap_or_default(),
        week_minutes: by_day.values().sum(),
        by_day,
        by_cell,
    }
}

#[cfg(test)]
mod tests {
    use planwright_domain::ids::ProjectId;
    use planwright_web::Patch;
    use proptest::prelude::*;
    use uuid::Uuid;

    use super::*;

    const LOGGABLE: Loggable =
        Loggable { today: NaiveDate::from_ymd_opt(2026, 3, 29).unwrap(), backdate_days: 60 };

    fn entry(task: u128, day: u64, minutes: i64) -> WeekEntry {
        WeekEntry {
            id: TimeEntryId(Uuid::nil()),
            task: TaskId(Uuid::from_u128(task)),
            task_short_id: String::new(),
            task_name: String::new(),
            project: ProjectId(Uuid::nil()),
            project_code: String::new(),
            project_name: String::new(),
            minutes,
            entry_date: LOGGABLE.today - Days::new(day),
            note: String::new(),
            source: TimeEntrySource::Manual,
            server_version: 1,
            created_at: DateTime::default(),
        }
    }

    fn moved_to(day: NaiveDate) -> ApiResult<TimeEntryRow> {
        let fresh = fresh(
            TimeEntryId(Uuid::nil()),
            UserId(Uuid::nil()),
            TaskId(Uuid::nil()),
            DateTime::default(),
            LOGGABLE.today,
        );
        let request = PatchedTimeEntryRequest {
            minutes: Patch::Absent,
            entry_date: Patch::Set(day),
            note: Patch::Absent,
        };
        changed(fresh, request, LOGGABLE)
    }

    #[test]
    fn time_is_logged_for_today_and_the_days_of_the_window_and_for_no_other_day() {
        let today = LOGGABLE.today;
        assert!(moved_to(today).is_ok());
        assert!(moved_to(today - Days::new(60)).is_ok());
        assert!(moved_to(today - Days::new(61)).is_err());
        assert!(moved_to(today + Days::new(1)).is_err());
    }

    #[test]
    fn an_old_entry_may_change_when_its_day_stays() {
        let old = LOGGABLE.today - Days::new(100);
        let row = TimeEntryRow { entry_date: old, ..moved_to(LOGGABLE.today).unwrap() };
        let same = PatchedTimeEntryRequest {
            minutes: Patch::Absent,
            entry_date: Patch::Set(old),
            note: Patch::Absent,
        };
        assert!(changed(row, same, LOGGABLE).is_ok());
    }

    #[test]
    fn a_window_is_both_days_or_the_current_week() {
        let asked = |from: Option<&str>, to: Option<&str>| {
            let day =
                |text: Option<&str>| text.map_or(Patch::Absent, |text| Patch::Set(text.parse().unwrap()));
            window(&TimeWindowQuery { from: day(from), to: day(to) }, LOGGABLE.today)
                .map(|(from, to)| format!("{from} {to}"))
        };
        assert_eq!(asked(None, None).unwrap(), "2026-03-23 2026-03-29");
        assert_eq!(asked(Some("2026-01-01"), Some("2026-01-01")).unwrap(), "2026-01-01 2026-01-01");
        assert!(asked(Some("2026-01-01"), Some("2027-01-01")).is_ok());
        assert!(asked(Some("2026-01-01"), Some("2027-01-02")).is_err());
        assert!(asked(Some("2026-01-02"), Some("2026-01-01")).is_err());
        assert!(asked(Some("2026-01-01"), None).is_err());
        assert!(asked(None, Some("2026-01-01")).is_err());
    }

    proptest! {
        #[test]
        fn days_and_cells_add_up_to_the_week(rows in prop::collection::vec((0u128..3, 0u64..7, 1i64..=1440), 0..40)) {
            let entries: Vec<WeekEntry> = rows.iter().map(|(task, day, minutes)| entry(*task, *day, *minutes)).collect();
            let totals = totals(&entries, LOGGABLE.today);
            let all: i64 = rows.iter().map(|(_, _, minutes)| minutes).sum();
            let today: i64 = rows.iter().filter(|(_, day, _)| *day == 0).map(|(_, _, minutes)| minutes).sum();
            prop_assert_eq!(totals.week_minutes, all);
            prop_assert_eq!(totals.today_minutes, today);
            prop_assert_eq!(totals.by_day.values().sum::<i64>(), all);
            prop_assert_eq!(totals.by_cell.values().sum::<i64>(), all);
        }
    }
}
