//! What is kept for how long unless somebody writes otherwise, and when a run is due: pure decisions.

use std::collections::BTreeMap;

use anyhow::Context;
use chrono::{DateTime, Datelike, Duration, NaiveTime, Utc};
use planwright_domain::words::{PurgeFrequency, RetentionKey, RetentionUnit, Word};

use planwright_web::{ApiError, ApiResult};

use super::model::{RetentionScheduleRequest, ScheduleRow, WrittenPolicy};

/// How a time of day is stored, such as `03:00:00`.
const TIME: &str = "%H:%M:%S";

/// What people read of a kind of rows, and how long it is kept by default.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind {
    pub(super) label: &'static str,
    pub(super) note: &'static str,
    pub(super) unit: RetentionUnit,
    pub(super) value: i64,
    /// Whether rows are deleted by default: those that nobody wants back are, the memory of a plan is not.
    pub(super) enabled: bool,
}

const fn days(label: &'static str, note: &'static str, value: i64, enabled: bool) -> Kind {
    Kind { label, note, unit: RetentionUnit::Days, value, enabled }
}

/// The kind of a key.
pub(super) const fn kind(key: RetentionKey) -> Kind {
    match key {
        RetentionKey::History => days("History", "Old and new values of changed rows.", 90, false),
        RetentionKey::TaskRuns => days("Recalculations", "Runs of the schedule that have ended.", 30, true),
        RetentionKey::Webhooks => days("Webhook deliveries", "Deliveries that have ended.", 7, true),
        RetentionKey::Imports => days("Imports", "Documents of imports that have ended.", 7, false),
        RetentionKey::SyncBatches => Kind {
            label: "Batches of offline clients",
            note: "Answers that are kept for a batch that is sent again.",
            unit: RetentionUnit::Hours,
            value: 24,
            enabled: true,
        },
        RetentionKey::DeletedProjects => {
            days("Deleted projects", "Projects in the trash: nobody can restore them any more.", 30, true)
        }
        RetentionKey::Audit => days("Audit", "Lines of the audit of the workspace.", 365, true),
        RetentionKey::Notifications => days("Notifications", "What people were told.", 365, true),
    }
}

/// How long rows are kept that no policy was written for: the settings of the same names.
#[derive(Clone, Debug, Default)]
pub struct RetentionDefaults(BTreeMap<&'static str, i64>);

impl RetentionDefaults {
    /// Reads the settings; an error names the one.
    pub fn from_settings(setting: impl Fn(&str) -> String) -> anyhow::Result<Self> {
        let mut values = BTreeMap::new();
        for key in RetentionKey::ALL {
            let text = setting(key.as_str());
            if text.trim().is_empty() {
                continue;
            }
            let number = text.trim().parse().ok().filter(|number| (1..=36_500).contains(number));
            let number = number
                .with_context(|| format!("{}: {text:?} is not a whole number above 0", key.as_str()))?;
            values.insert(key.as_str(), number);
        }
        Ok(Self(values))
    }

    /// The policy in force: the one that was written, else the setting, else the default.
    pub(super) fn in_force(&self, key: RetentionKey, written: &[WrittenPolicy]) -> WrittenPolicy {
        let kind = kind(key);
        let value = self.0.get(key.as_str()).copied();
        let own = written.iter().find(|policy| policy.key == key).cloned();
        own.unwrap_or(WrittenPolicy {
            key,
            value: value.unwrap_or(kind.value),
            enabled: kind.enabled || value.is_some(),
        })
    }
}

/// The time before which rows go.
pub(super) fn cutoff(key: RetentionKey, value: i64, now: DateTime<Utc>) -> DateTime<Utc> {
    match kind(key).unit {
        RetentionUnit::Days => now - Duration::days(value),
        RetentionUnit::Hours => now - Duration::hours(value),
    }
}

/// A time of day from its text.
pub(super) fn time_of_day(text: &str) -> NaiveTime {
    NaiveTime::parse_from_str(text, TIME).unwrap_or_default()
}

/// The schedule with the wanted fields changed.
pub(super) fn changed(mut row: ScheduleRow, wanted: RetentionScheduleRequest) -> ApiResult<ScheduleRow> {
    wanted.frequency.write_to(&mut row.frequency);
    wanted.on_failure.write_to(&mut row.on_failure);
    if let Some(text) = wanted.time_of_day_utc.given().map(String::from) {
        let text = text.trim_end_matches('Z');
        let time = NaiveTime::parse_from_str(text, "%H:%M:%S%.f")
            .or_else(|_| NaiveTime::parse_from_str(text, "%H:%M"));
        let wrong = |_| ApiError::invalid_field("time_of_day_utc", "Enter a time of day such as 03:00:00.");
        row.time_of_day_utc = time.map_err(wrong)?.format(TIME).to_string();
    }
    if let Some(day) = wanted.day_of_week.given() {
        row.day_of_week = day.map(i64::from);
    }
    Ok(row)
}

/// Whether a run is due: its time has come today, on its day, and none began since.
pub(super) fn is_due(schedule: &ScheduleRow, now: DateTime<Utc>) -> bool {
    let at = now.date_naive().and_time(time_of_day(&schedule.time_of_day_utc)).and_utc();
    let is_day = match schedule.frequency {
        PurgeFrequency::Off => false,
        PurgeFrequency::Daily => true,
        PurgeFrequency::Weekly => {
            i64::from(now.weekday().num_days_from_monday()) == schedule.day_of_week.unwrap_or(0)
        }
    };
    is_day && at <= now && schedule.last_run_at.is_none_or(|last| last < at)
}

#[cfg(test)]
mod tests {
    use planwright_domain::words::PurgeOnFailure;

    use super::*;

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    #[test]
    fn a_run_is_due_once_a_day_or_once_a_week() {
        let daily = ScheduleRow {
            frequency: PurgeFrequency::Daily,
            time_of_day_utc: "03:00:00".into(),
            day_of_week: None,
            on_failure: PurgeOnFailure::Continue,
            last_run_at: None,
        };
        assert!(!is_due(&daily, at("2026-01-05T02:59:00Z")));
        assert!(is_due(&daily, at("2026-01-05T03:00:00Z")));
        let ran = ScheduleRow { last_run_at: Some(at("2026-01-05T03:01:00Z")), ..daily.clone() };
        assert!(!is_due(&ran, at("2026-01-05T23:00:00Z")));
        assert!(is_due(&ran, at("2026-01-06T03:00:00Z")));
        let weekly = ScheduleRow { frequency: PurgeFrequency::Weekly, day_of_week: Some(6), ..daily.clone() };
        assert!(!is_due(&weekly, at("2026-01-05T04:00:00Z")), "that is a Monday");
        assert!(is_due(&weekly, at("2026-01-11T04:00:00Z")), "that is a Sunday");
        assert!(!is_due(
            &ScheduleRow { frequency: PurgeFrequency::Off, ..daily },
            at("2026-01-05T04:00:00Z")
        ));
    }

    #[test]
    fn what_is_written_comes_before_a_setting_and_that_before_the_default() {
        let settings = RetentionDefaults::from_settings(|name| match name {
            "HISTORY_RETENTION_DAYS" => "400".to_owned(),
            _ => String::new(),
        });
        let settings = settings.unwrap();
        let by_setting = settings.in_force(RetentionKey::History, &[]);
        assert_eq!((by_setting.value, by_setting.enabled), (400, true));
        let written = WrittenPolicy { key: RetentionKey::History, value: 10, enabled: false };
        assert_eq!(settings.in_force(RetentionKey::History, &[written]).value, 10);
        assert_eq!(settings.in_force(RetentionKey::Audit, &[]).value, 365);
        let wrong = RetentionDefaults::from_settings(|_| "soon".to_owned()).unwrap_err();
        assert!(wrong.to_string().contains("_RETENTION_"));
    }
}
