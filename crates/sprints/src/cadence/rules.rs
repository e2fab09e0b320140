//! Where sprints lie that follow one another on the working days of a calendar: pure.

use std::collections::HashSet;

use chrono::{Datelike, NaiveDate};
use planwright_domain::words::{CadenceRowStatus, CapacityHintBasis};
use planwright_engine::Calendar;
use planwright_plan::schedule::network::day;
use planwright_plan::sprints::velocity::Velocity;
use planwright_plan::sprints::{SprintRow, VelocityGate};
use planwright_web::{ApiError, ApiResult, Problems};

use super::model::{SprintCadenceEditRequest, SprintCadenceRow, SprintCapacityHint, SprintGenerateRequest};

/// A calendar that has no working day for so long has none at all.
const LONGEST_BREAK: u64 = 1500;

/// The longest sprint, in days after the first.
const LONGEST_SPAN: i64 = 120;

/// A cadence, once everything about it is said.
#[derive(Clone, Debug)]
pub struct Cadence {
    count: i64,
    start: NaiveDate,
    length: i64,
    pattern: String,
    first_index: i64,
}

/// What is to be planned.
#[derive(Clone, Debug)]
pub enum Wanted {
    /// Sprints in a row.
    InRow(Cadence),
    /// Sprints with dates of their own.
    Given(Vec<SprintCadenceEditRequest>),
}

/// What a request asks for; `next` is the first day on which no sprint lies.
///
/// # Errors
/// 400 with every field that is missing or does not fit.
pub fn wanted(request: SprintGenerateRequest, next: NaiveDate) -> ApiResult<Wanted> {
    let given = request.sprints.given().map(|list| list.0).unwrap_or_default();
    if !given.is_empty() {
        return checked(given).map(Wanted::Given);
    }
    let Some(count) = request.count.given().map(i64::from) else {
        return Err(ApiError::invalid_field("count", "This field is required."));
    };
    let pattern = request.name_pattern.given().map_or_else(|| "Sprint {n}".to_owned(), String::from);
    if count > 1 && !pattern.contains("{n}") {
        return Err(ApiError::invalid_field("name_pattern", "It must contain {n}, so that names differ."));
    }
    Ok(Wanted::InRow(Cadence {
        count,
        start: request.start_date.given().unwrap_or(next),
        length: request.length_days.given().map_or(10, i64::from),
        pattern,
        first_index: request.first_index.given().map_or(1, i64::from),
    }))
}

fn checked(given: Vec<SprintCadenceEditRequest>) -> ApiResult<Vec<SprintCadenceEditRequest>> {
    let mut names = HashSet::new();
    let mut problems = Problems::default();
    for (at, sprint) in given.iter().enumerate() {
        let span = (sprint.finish_date - sprint.start_date).num_days();
        if !names.insert(sprint.name.as_str()) {
            problems.say("sprints", format!("Row {at}: another row has this name."));
        }
        if !(1..=LONGEST_SPAN).contains(&span) {
            problems
                .say("sprints", format!("Row {at}: it must end 1 to {LONGEST_SPAN} days after it begins."));
        }
    }
    problems.check()?;
    Ok(given)
}

/// The sprints that are wanted, with those that exist under these names as they are.
///
/// # Errors
/// 400 when the calendar has no working day.
pub fn rows(
    wanted: &Wanted,
    calendar: &Calendar,
    existing: &[SprintRow],
) -> ApiResult<Vec<SprintCadenceRow>> {
    let of = |name: &str, start: NaiveDate, finish: NaiveDate| row(name, (start, finish), calendar, existing);
    match wanted {
        Wanted::Given(given) => {
            Ok(given.iter().map(|sprint| of(&sprint.name, sprint.start_date, sprint.finish_date)).collect())
        }
        Wanted::InRow(cadence) => {
            let mut rows: Vec<SprintCadenceRow> = Vec::new();
            let mut from = cadence.start;
            for nth in 0..cadence.count {
                let name = cadence.pattern.replace("{n}", &(cadence.first_index + nth).to_string());
                let (start, finish) = span(calendar, from, cadence.length)?;
                let row = of(&name, start, finish);
                from = after(row.finish_date)?;
                rows.push(row);
            }
            Ok(rows)
        }
    }
}

/// The next day, as long as its year has four digits.
fn after(day: NaiveDate) -> ApiResult<NaiveDate> {
    let next = day.succ_opt().filter(|next| next.year() <= 9999);
    next.ok_or_else(|| ApiError::invalid_field("start_date", "The sprints would end after the year 9999."))
}

/// The span of so many working days from a day on: it begins and ends on one.
fn span(calendar: &Calendar, from: NaiveDate, length: i64) -> ApiResult<(NaiveDate, NaiveDate)> {
    let first = working_day(calendar, from)?;
    let mut last = first;
    for _ in 1..length {
        last = working_day(calendar, after(last)?)?;
    }
    Ok((first, last))
}

/// The first working day on or after a day.
fn working_day(calendar: &Calendar, from: NaiveDate) -> ApiResult<NaiveDate> {
    let mut date = from;
    for _ in 0..LONGEST_BREAK {
        if calendar.is_working(day(date)) {
            return Ok(date);
        }
        date = after(date)?;
    }
    Err(ApiError::bad_request("The calendar of the project has no working day.")
        .with_code("calendar_has_no_working_day"))
}

/// A sprint of a name: the one that exists, or the one that would be made.
fn row(
    name: &str,
    dates: (NaiveDate, NaiveDate),
    calendar: &Calendar,
    existing: &[SprintRow],
) -> SprintCadenceRow {
    let there = existing.iter().find(|sprint| sprint.name == name);
    let (start, finish) = there.map_or(dates, |sprint| (sprint.start_date, sprint.finish_date));
    let working_days = i64::from(calendar.working_days(day(start), day(finish)));
    SprintCadenceRow {
        name: name.to_owned(),
        start_date: start,
        finish_date: finish,
        working_days,
        non_working_days_skipped: (finish - start).num_days() + 1 - working_days,
        status: if there.is_some() { CadenceRowStatus::Exists } else { CadenceRowStatus::New },
        id: there.map(|sprint| sprint.id),
    }
}

/// How many points a sprint might take, for whose eyes.
pub fn hint(velocity: Option<Velocity>, gate: VelocityGate) -> SprintCapacityHint {
    let says = |points, basis, sprints, note: &str| SprintCapacityHint {
        points,
        basis,
        sprints_sampled: sprints,
        note: note.to_owned(),
    };
    match velocity {
        _ if !gate.is_open => {
            says(None, CapacityHintBasis::NoHistory, 0, "The velocity of the team is not shown to you.")
        }
        None => says(None, CapacityHintBasis::NoHistory, 0, "No completed sprint counts yet."),
        Some(velocity) => says(
            Some(velocity.average.round() as i64),
            CapacityHintBasis::VelocityAverage,
            velocity.sprints as i64,
            "The mean of the last completed sprints.",
        ),
    }
}

#[cfg(test)]
mod tests {
    use planwright_engine::CalendarException;
    use planwright_web::Field;
    use serde_json::json;

    use super::*;

    fn on(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    fn asked(body: serde_json::Value) -> ApiResult<Wanted> {
        wanted(SprintGenerateRequest::from_json(&body).unwrap(), on("2026-01-03"))
    }

    #[test]
    fn sprints_follow_one_another_and_skip_weekends_and_holidays() {
        let holiday =
            CalendarException { first: day(on("2026-01-06")), last: day(on("2026-01-06")), working: false };
        let calendar = Calendar { exceptions: vec![holiday], ..Calendar::default() };
        let wanted =
            asked(json!({"count": 2, "length_days": 5, "name_pattern": "S{n}", "first_index": 7})).unwrap();
        let rows = rows(&wanted, &calendar, &[]).unwrap();
        let shown: Vec<String> = rows
            .iter()
            .map(|row| {
                format!(
                    "{} {} {} {}",
                    row.name, row.start_date, row.finish_date, row.non_working_days_skipped
                )
            })
            .collect();
        assert_eq!(shown, ["S7 2026-01-05 2026-01-12 3", "S8 2026-01-13 2026-01-19 2"]);
    }

    #[test]
    fn a_cadence_needs_a_number_different_names_and_a_working_day() {
        assert!(asked(json!({})).is_err());
        assert!(asked(json!({"count": 2, "name_pattern": "Sprint"})).is_err());
        let never = Calendar { working_weekdays: 0, exceptions: Vec::new() };
        let error = rows(&asked(json!({"count": 1})).unwrap(), &never, &[]).unwrap_err();
        assert_eq!(error.body()["code"], "calendar_has_no_working_day");
    }

    #[test]
    fn given_sprints_have_names_of_their_own_and_are_not_too_long() {
        let sprint = |name: &str, finish: &str| json!({"name": name, "start_date": "2026-01-05", "finish_date": finish});
        assert!(asked(json!({"sprints": [sprint("A", "2026-01-09"), sprint("B", "2026-01-09")]})).is_ok());
        assert!(asked(json!({"sprints": [sprint("A", "2026-01-09"), sprint("A", "2026-01-09")]})).is_err());
        assert!(asked(json!({"sprints": [sprint("A", "2026-09-09")]})).is_err());
    }
}
