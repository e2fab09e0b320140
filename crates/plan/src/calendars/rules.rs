//! What a calendar may look like: pure decisions over rows and requests.
//! Whether a calendar is in use is a question for `queries.rs`.

use planwright_web::{ApiError, ApiResult, Problems};

use super::model::{CalendarRow, ExceptionRow, PatchedCalendarExceptionRequest, PatchedCalendarRequest};

/// The longest exception, in days; a typing error in the year would otherwise blot out decades.
const LONGEST_EXCEPTION_DAYS: i64 = 3660;

/// The row with the wanted fields changed.
pub fn changed(mut row: CalendarRow, request: PatchedCalendarRequest) -> ApiResult<CalendarRow> {
    request.name.write_to(&mut row.name);
    request.working_days.write_to(&mut row.working_days);
    request.hours_per_day.write_to(&mut row.hours_per_day);
    request.timezone.write_to(&mut row.timezone);
    let mut problems = Problems::default();
    if !(row.hours_per_day > 0.0 && row.hours_per_day <= 24.0) {
        problems.say("hours_per_day", "Must be more than 0 and at most 24.");
    }
    problems.check()?;
    Ok(row)
}

/// The exception with the wanted fields changed.
pub fn changed_exception(
    mut row: ExceptionRow,
    request: PatchedCalendarExceptionRequest,
) -> ApiResult<ExceptionRow> {
    request.exc_start.write_to(&mut row.exc_start);
    request.exc_end.write_to(&mut row.exc_end);
    request.description.write_to(&mut row.description);
    request.working.write_to(&mut row.working);
    let days = (row.exc_end - row.exc_start).num_days();
    match days {
        days if days < 0 => Err(ApiError::invalid_field("exc_end", "Must not be before exc_start.")),
        days if days > LONGEST_EXCEPTION_DAYS => {
            let message = format!("An exception may span at most {LONGEST_EXCEPTION_DAYS} days.");
            Err(ApiError::invalid_field("exc_end", message))
        }
        _ => Ok(row),
    }
}

#[cfg(test)]
mod tests {
    use planwright_domain::ids::{CalendarId, ExceptionId};
    use planwright_web::Patch;
    use uuid::Uuid;

    use super::*;

    #[test]
    fn an_exception_that_ends_before_it_begins_is_refused() {
        let day = |text: &str| text.parse::<chrono::NaiveDate>().unwrap();
        let row = ExceptionRow {
            id: ExceptionId(Uuid::nil()),
            calendar_id: CalendarId(Uuid::nil()),
            exc_start: day("2026-01-05"),
            exc_end: day("2026-01-06"),
            description: String::new(),
            working: false,
            server_version: 1,
        };
        let request = |end: &str| PatchedCalendarExceptionRequest {
            exc_start: Patch::Absent,
            exc_end: Patch::Set(day(end)),
            description: Patch::Absent,
            working: Patch::Absent,
        };
        assert!(changed_exception(row.clone(), request("2026-01-04")).is_err());
        assert!(changed_exception(row.clone(), request("2126-01-04")).is_err());
        assert!(changed_exception(row, request("2026-01-05")).is_ok());
    }
}
