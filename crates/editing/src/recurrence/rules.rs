//! What a rule may say, what may be a template, and on which days a rule makes a task; pure.

use chrono::{DateTime, Datelike, Days, NaiveDate, NaiveTime, Utc};
use planwright_domain::words::{RecurrenceEnd, RecurrenceFrequency, TaskType};
use planwright_web::{ApiError, ApiResult, Patch, Problems};

use super::model::{PatchedTaskRecurrenceRuleRequest, RuleRow, Template};

/// So many days ahead tasks are made.
pub const HORIZON_DAYS: u64 = 14;

/// The rule with the wanted fields changed.
pub fn changed(mut row: RuleRow, request: PatchedTaskRecurrenceRuleRequest) -> ApiResult<RuleRow> {
    let mut problems = Problems::default();
    if request.task.as_given().is_some_and(|task| *task != row.task_id) {
        problems.say("task", "The task of a rule cannot be changed.");
    }
    request.frequency.write_to(&mut row.frequency);
    request.interval.write_to(&mut row.every);
    request.weekdays.write_to(&mut row.weekdays);
    if let Patch::Set(day) = request.day_of_month {
        row.day_of_month = day.map(i64::from);
    }
    if let Patch::Set(time) = request.time_of_day {
        match time_of(&time) {
            Some(time) => row.time_of_day = time.format("%H:%M:%S").to_string(),
            None => problems.say("time_of_day", "Time has wrong format. Use hh:mm or hh:mm:ss."),
        }
    }
    request.timezone.write_to(&mut row.timezone);
    request.end_type.write_to(&mut row.end_type);
    request.end_date.write_to(&mut row.end_date);
    if let Patch::Set(count) = request.end_count {
        row.end_count = count.map(i64::from);
    }
    request.inherit_assignee.write_to(&mut row.inherit_assignee);
    request.inherit_subtasks.write_to(&mut row.inherit_subtasks);
    request.inherit_attachments.write_to(&mut row.inherit_attachments);
    request.inherit_morning_notification.write_to(&mut row.inherit_morning_notification);
    let missing = [
        ("weekdays", row.frequency == RecurrenceFrequency::Weekly && row.weekdays == 0),
        ("day_of_month", row.frequency == RecurrenceFrequency::Monthly && row.day_of_month.is_none()),
        ("end_date", row.end_type == RecurrenceEnd::OnDate && row.end_date.is_none()),
        ("end_count", row.end_type == RecurrenceEnd::AfterN && row.end_count.is_none()),
    ];
    if row.end_type == RecurrenceEnd::AfterN && row.end_count == Some(0) {
        problems.say("end_count", "Must be at least 1 if the rule ends after a number of tasks.");
    }
    for (field, _) in missing.into_iter().filter(|(_, missing)| *missing) {
        problems.say(field, "This field is required here.");
    }
    problems.check()?;
    Ok(row)
}

fn time_of(text: &str) -> Option<NaiveTime> {
    ["%H:%M", "%H:%M:%S%.f"].iter().find_map(|form| NaiveTime::parse_from_str(text, form).ok())
}

/// Whether two rules make tasks on other days.
pub fn differ_in_days(one: &RuleRow, other: &RuleRow) -> bool {
    let days = |row: &RuleRow| {
        let pattern = (row.frequency, row.every, row.weekdays, row.day_of_month);
        (pattern, row.timezone.clone(), row.end_type, row.end_date, row.end_count)
    };
    days(one) != days(other)
}

/// Refuses what cannot be a template: only single pieces of work come back.
pub fn may_recur(template: &Template) -> ApiResult<()> {
    let refused = |why: &str| Err(ApiError::invalid_field("task", why));
    match template {
        row if row.is_recurring => refused("The task already has a rule, or a rule created it."),
        row if row.below > 0 => refused("A phase cannot have a recurrence rule."),
        row if row.is_milestone => refused("A milestone cannot have a recurrence rule."),
        row if row.r#type == TaskType::Epic => refused("An epic cannot have a recurrence rule."),
        _ => Ok(()),
    }
}

/// Today, where the rule counts its days.
pub fn today(rule: &RuleRow, now: DateTime<Utc>) -> NaiveDate {
    match rule.timezone.parse::<chrono_tz::Tz>() {
        Ok(zone) => now.with_timezone(&zone).date_naive(),
        Err(_) => now.date_naive(),
    }
}

/// The last day that tasks are made for.
pub fn horizon(today: NaiveDate) -> NaiveDate {
    today.checked_add_days(Days::new(HORIZON_DAYS)).unwrap_or(today)
}

/// The days that are due: not before today, not looked at before, not taken, not after the horizon or the end.
pub fn due(
    rule: &RuleRow,
    planned_start: Option<NaiveDate>,
    today: NaiveDate,
    taken: &[NaiveDate],
) -> Vec<NaiveDate> {
    let anchor = planned_start.unwrap_or(rule.begun_on);
    let seen = rule.generated_through.and_then(|day| day.succ_opt());
    let first = anchor.max(today).max(seen.unwrap_or(today));
    let end = rule.end_date.filter(|_| rule.end_type == RecurrenceEnd::OnDate);
    let last = horizon(today).min(end.unwrap_or(NaiveDate::MAX));
    let left = match rule.end_type {
        RecurrenceEnd::AfterN => rule.end_count.unwrap_or_default() - rule.occurrence_count,
        _ => i64::MAX,
    };
    first
        .iter_days()
        .take_while(|day| *day <= last)
        .filter(|day| falls_on(rule, anchor, *day) && !taken.contains(day))
        .take(usize::try_from(left).unwrap_or_default())
        .collect()
}

/// Whether a rule that counts from a day makes a task on another one.
fn falls_on(rule: &RuleRow, anchor: NaiveDate, day: NaiveDate) -> bool {
    let every = rule.every.max(1);
    let monday = |day: NaiveDate| day - chrono::Duration::days(day.weekday().num_days_from_monday().into());
    let weekly = || {
        let weeks = (monday(day) - monday(anchor)).num_weeks();
        weeks % every == 0 && rule.weekdays & (1 << day.weekday().num_days_from_monday()) != 0
    };
    let monthly = |wanted: i64| {
        let months =
            i64::from(day.year() - anchor.year()) * 12 + i64::from(day.month()) - i64::from(anchor.month());
        months % every == 0 && i64::from(day.day()) == wanted.min(last_of_month(day))
    };
    match (rule.frequency, rule.day_of_month) {
        (RecurrenceFrequency::Weekly, _) => weekly(),
        (RecurrenceFrequency::Monthly, Some(wanted)) => monthly(wanted),
        (RecurrenceFrequency::Custom, _) if rule.weekdays != 0 => weekly(),
        (RecurrenceFrequency::Custom, Some(wanted)) => monthly(wanted),
        _ => (day - anchor).num_days() % every == 0,
    }
}

fn last_of_month(day: NaiveDate) -> i64 {
    let next = match day.month() {
        12 => NaiveDate::from_ymd_opt(day.year() + 1, 1, 1),
        month => NaiveDate::from_ymd_opt(day.year(), month + 1, 1),
    };
    next.and_then(|first| first.pred_opt()).map_or(31, |last| i64::from(last.day()))
}

#[cfg(test)]
mod tests {
    use planwright_domain::ids::{ProjectId, RecurrenceRuleId, TaskId};
    use uuid::Uuid;

    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    fn rule(frequency: RecurrenceFrequency) -> RuleRow {
        let begun = DateTime::from_timestamp(1_767_600_000, 0).unwrap();
        let none = Uuid::nil();
        RuleRow { frequency, ..RuleRow::fresh(RecurrenceRuleId(none), ProjectId(none), TaskId(none), begun) }
    }

    fn days(rule: &RuleRow, today: &str) -> Vec<String> {
        due(rule, None, day(today), &[]).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn every_second_week_counts_from_the_monday_of_the_first_day() {
        // Monday and Friday, from a Wednesday on.
        let weekly = RuleRow {
            every: 2,
            weekdays: 0b1_0001,
            begun_on: day("2026-01-07"),
            ..rule(RecurrenceFrequency::Weekly)
        };
        assert_eq!(days(&weekly, "2026-01-07"), ["2026-01-09", "2026-01-19"]);
        assert_eq!(days(&weekly, "2026-01-12"), ["2026-01-19", "2026-01-23"]);
    }

    #[test]
    fn the_thirty_first_is_the_last_day_of_a_shorter_month() {
        let monthly = RuleRow { day_of_month: Some(31), ..rule(RecurrenceFrequency::Monthly) };
        assert_eq!(days(&monthly, "2026-02-20"), ["2026-02-28"]);
        assert_eq!(days(&monthly, "2028-02-20"), ["2028-02-29"]);
    }

    #[test]
    fn nothing_is_made_for_days_gone_by_or_looked_at_or_after_the_end() {
        let daily = RuleRow { every: 5, ..rule(RecurrenceFrequency::Daily) };
        assert_eq!(days(&daily, "2026-01-06"), ["2026-01-10", "2026-01-15", "2026-01-20"]);
        let seen = RuleRow { generated_through: Some(day("2026-01-15")), ..daily.clone() };
        assert_eq!(days(&seen, "2026-01-06"), ["2026-01-20"]);
        let ends =
            RuleRow { end_type: RecurrenceEnd::OnDate, end_date: Some(day("2026-01-15")), ..daily.clone() };
        assert_eq!(days(&ends, "2026-01-06"), ["2026-01-10", "2026-01-15"]);
        let thrice = RuleRow {
            end_type: RecurrenceEnd::AfterN,
            end_count: Some(3),
            occurrence_count: 2,
            ..daily.clone()
        };
        assert_eq!(days(&thrice, "2026-01-06"), ["2026-01-10"]);
        let planned = Some(day("2026-01-19"));
        assert_eq!(due(&daily, planned, day("2026-01-06"), &[]), [day("2026-01-19")]);
        assert_eq!(due(&daily, planned, day("2026-01-06"), &[day("2026-01-19")]), []);
    }

    #[test]
    fn today_is_where_the_rule_counts() {
        let late = "2026-01-05T23:30:00Z".parse().unwrap();
        let east = RuleRow { timezone: "Asia/Tokyo".into(), ..rule(RecurrenceFrequency::Daily) };
        assert_eq!(today(&east, late), day("2026-01-06"));
        assert_eq!(today(&rule(RecurrenceFrequency::Daily), late), day("2026-01-05"));
    }
}
