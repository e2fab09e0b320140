//! Calendars on the wire and in storage.
//! What a calendar means for dates is in the engine.

use chrono::NaiveDate;
use planwright_domain::ids::{CalendarId, ExceptionId};
use planwright_store::row;
use planwright_web::input;
use planwright_web::input::{Int, Name, Patch};
use schemars::JsonSchema;
use serde::Serialize;

row! {
    /// A calendar as it is stored.
    #[derive(Serialize)]
    pub struct CalendarRow {
        pub id: CalendarId,
        pub name: String,
        pub working_days: i64,
        pub hours_per_day: f64,
        pub timezone: String,
        pub server_version: i64,
    }
}

row! {
    /// An exception as it is stored.
    pub struct ExceptionRow {
        pub id: ExceptionId,
        pub calendar_id: CalendarId,
        pub exc_start: NaiveDate,
        pub exc_end: NaiveDate,
        pub description: String,
        pub working: bool,
    }
}

/// A calendar.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Calendar {
    /// Its id.
    pub id: CalendarId,
    /// Rises with every change.
    pub server_version: i64,
    /// The shown name.
    pub name: String,
    /// The working weekdays as a mask: Monday is 1, Sunday 64.
    pub working_days: i64,
    /// Shown only; dates are computed in whole days.
    pub hours_per_day: f64,
    /// Shown only.
    pub timezone: String,
    /// Days that differ from the weekdays.
    pub exceptions: Vec<CalendarException>,
}

/// A range of days that differs from the weekdays of its calendar.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CalendarException {
    /// Its id.
    pub id: ExceptionId,
    /// The first day.
    pub exc_start: NaiveDate,
    /// The last day.
    pub exc_end: NaiveDate,
    /// Why.
    pub description: String,
    /// Whether the days are worked, such as a Saturday in exchange; usually they are not.
    pub working: bool,
}

impl From<ExceptionRow> for CalendarException {
    fn from(row: ExceptionRow) -> Self {
        Self {
            id: row.id,
            exc_start: row.exc_start,
            exc_end: row.exc_end,
            description: row.description,
            working: row.working,
        }
    }
}

impl Calendar {
    /// A row with its exceptions, in order of their first day.
    pub fn of(row: CalendarRow, exceptions: Vec<ExceptionRow>) -> Self {
        Self {
            id: row.id,
            server_version: row.server_version,
            name: row.name,
            working_days: row.working_days,
            hours_per_day: row.hours_per_day,
            timezone: row.timezone,
            exceptions: exceptions.into_iter().map(CalendarException::from).collect(),
        }
    }
}

input! {
    /// A new calendar, or all of one.
    pub struct CalendarRequest {
        /// The shown name.
        pub name: Name<1, 255>,
        /// The working weekdays as a mask: Monday is 1, Sunday 64; at least one.
        pub working_days: Patch<Int<1, 127>>,
        /// Shown only.
        pub hours_per_day: Patch<f64>,
        /// Shown only.
        pub timezone: Patch<Name<1, 64>>,
    }
}

input! {
    /// Some fields of a calendar.
    pub struct PatchedCalendarRequest {
        /// The shown name.
        pub name: Patch<Name<1, 255>>,
        /// The working weekdays as a mask: Monday is 1, Sunday 64; at least one.
        pub working_days: Patch<Int<1, 127>>,
        /// Shown only.
        pub hours_per_day: Patch<f64>,
        /// Shown only.
        pub timezone: Patch<Name<1, 64>>,
    }
}

input! {
    /// A new exception, or all of one.
    pub struct CalendarExceptionRequest {
        /// The first day.
        pub exc_start: NaiveDate,
        /// The last day.
        pub exc_end: NaiveDate,
        /// Why.
        pub description: Patch<Name<0, 255>>,
        /// Whether the days are worked.
        pub working: Patch<bool>,
    }
}

input! {
    /// Some fields of an exception.
    pub struct PatchedCalendarExceptionRequest {
        /// The first day.
        pub exc_start: Patch<NaiveDate>,
        /// The last day.
        pub exc_end: Patch<NaiveDate>,
        /// Why.
        pub description: Patch<Name<0, 255>>,
        /// Whether the days are worked.
        pub working: Patch<bool>,
    }
}

impl From<CalendarRequest> for PatchedCalendarRequest {
    fn from(whole: CalendarRequest) -> Self {
        Self {
            name: Patch::Set(whole.name),
            working_days: whole.working_days,
            hours_per_day: whole.hours_per_day,
            timezone: whole.timezone,
        }
    }
}

impl From<CalendarExceptionRequest> for PatchedCalendarExceptionRequest {
    fn from(whole: CalendarExceptionRequest) -> Self {
        Self {
            exc_start: Patch::Set(whole.exc_start),
            exc_end: Patch::Set(whole.exc_end),
            description: whole.description,
            working: whole.working,
        }
    }
}
